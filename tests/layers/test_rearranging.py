"""Reductions, reshapes, permutations and indexing over drawn shapes, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from layertree import (
    ArgMax,
    Concat,
    ConcatPart,
    ExpandDims,
    GetItem,
    Identity,
    IndexRangeError,
    Input,
    Item,
    Max,
    Mean,
    Min,
    Pad,
    PermuteDims,
    Reshape,
    ShapeError,
    Sum,
    Take,
    Times,
    Weight,
    find,
    nodes,
)
from layertree.core.spec import spec_of
from layertree.core.structure import children_of
from layertree.namespaces.spec import infer_spec
from layertree.rewrite.reverse_mode import derivatives
from layertree.typing import ArraySpec
from tests.layers.checks import close, same_kind
from tests.strategies import numbers, seeds, shapes

X = Identity()


def run(layer: Any, data: Any, seed: int) -> tuple[Any, Any, Any]:
    """The value, the delta of the input and the delta it is for; what was inferred of the value is so."""
    x = Input(data)
    tape = layer.forward(x)
    assert infer_spec(layer, spec_of(data)) == spec_of(tape.value)
    delta = numbers(np.shape(tape.value), seed + 7)
    found = tape.gradients(delta)[x]
    same_kind(found, data)
    return tape.value, found, delta


@st.composite
def reductions(draw: st.DrawFn) -> tuple[tuple[int, ...], Any, bool]:
    """A shape, axes of it from either end (or None), and whether they stay."""
    shape = draw(shapes)
    axes = draw(st.none() | st.lists(st.integers(0, max(len(shape) - 1, 0)), unique=True, max_size=len(shape)))
    if axes is None:
        return shape, None, draw(st.booleans())
    chosen = tuple(axis - len(shape) if draw(st.booleans()) else axis for axis in axes)
    return shape, chosen[0] if len(chosen) == 1 and draw(st.booleans()) else chosen, draw(st.booleans())


def spread_back(x: Any, shape: tuple[int, ...], axis: Any) -> Any:
    """What a reduction left, in the shape it came from."""
    return np.broadcast_to(x if np.ndim(x) == len(shape) else np.expand_dims(x, axis), shape)


@settings(max_examples=120)
@given(case=reductions(), seed=seeds)
@example(case=((), None, False), seed=0)
@example(case=((0, 2), 0, False), seed=0)
@example(case=((2, 0), (0, -1), True), seed=0)
def test_sum_and_mean(case: Any, seed: int) -> None:
    shape, axis, keepdims = case
    data = numbers(shape, seed)
    every = axis if axis is not None else tuple(range(len(shape)))
    with np.errstate(all="ignore"):
        total = np.sum(data, axis=axis, keepdims=keepdims)
        count = data.size // max(total.size, 1) if total.size else 1
        value, found, delta = run(Sum(X, axis, keepdims), data, seed)
        close(value, total, rtol=1e-13, atol=1e-13)
        close(found, spread_back(delta, shape, every), rtol=0.0)
        value, found, delta = run(Mean(X, axis, keepdims), data, seed)
        close(value, np.true_divide(total, count), rtol=1e-13, atol=1e-13)
        close(found, spread_back(delta / max(count, 1), shape, every), rtol=1e-14)


@settings(max_examples=120)
@given(case=reductions(), seed=seeds, ties=st.booleans())
def test_max_and_min(case: Any, seed: int, ties: bool) -> None:
    shape, axis, keepdims = case
    data = numbers(shape, seed)
    if ties:
        data = np.round(data)[()]
    every = axis if axis is not None else tuple(range(len(shape)))
    for cls, reference in ((Max, np.max), (Min, np.min)):
        try:
            expected = reference(data, axis=axis, keepdims=keepdims)
        except ValueError:
            with pytest.raises(ShapeError, match="nothing to choose from"):
                cls(X, axis, keepdims).forward(data)
            continue
        value, found, delta = run(cls(X, axis, keepdims), data, seed)
        close(value, expected, rtol=0.0)
        attains = data == spread_back(value, shape, every)
        share = attains / np.sum(attains, axis=every, keepdims=True)
        close(found, share * spread_back(delta, shape, every), rtol=1e-14)


@settings(max_examples=30)
@given(shape=hnp.array_shapes(max_dims=4, max_side=3), data=st.data(), seed=seeds)
def test_argmax(shape: Any, data: st.DataObject, seed: int) -> None:
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    numbers_ = np.round(numbers(shape, seed))
    tape = ArgMax(X, axis).forward(Input(numbers_))
    assert not tape.is_trainable
    assert np.array_equal(tape.value, np.argmax(numbers_, axis=axis))


@st.composite
def reshapes(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A shape, and another of as many elements, with one size left open perhaps."""
    factors = draw(st.lists(st.sampled_from([1, 2, 3]), max_size=4))
    order = draw(st.permutations(factors))
    cut = draw(st.integers(0, len(order)))
    merged = (int(np.prod(order[:cut])), *order[cut:])
    if draw(st.booleans()):
        place = draw(st.integers(0, len(merged) - 1))
        merged = (*merged[:place], -1, *merged[place + 1 :])
    return tuple(factors), merged


@settings(max_examples=60)
@given(case=reshapes(), seed=seeds)
def test_reshape(case: Any, seed: int) -> None:
    shape, target = case
    data = numbers(shape, seed)
    value, found, delta = run(Reshape(X, target), data, seed)
    close(value, np.reshape(data, target), rtol=0.0)
    close(found, np.reshape(delta, shape), rtol=0.0)


@settings(max_examples=60)
@given(shape=shapes, data=st.data(), seed=seeds)
def test_permute_dims(shape: Any, data: st.DataObject, seed: int) -> None:
    axes = data.draw(st.permutations(range(len(shape))))
    signed = tuple(axis - len(shape) if data.draw(st.booleans()) else axis for axis in axes)
    value, found, delta = run(PermuteDims(X, signed), numbers(shape, seed), seed)
    close(value, np.transpose(numbers(shape, seed), axes), rtol=0.0)
    expected = np.empty(shape)
    np.transpose(expected, axes)[...] = delta
    close(found, expected, rtol=0.0)


@settings(max_examples=40)
@given(shape=shapes, data=st.data(), seed=seeds)
def test_expand_dims_and_pad(shape: Any, data: st.DataObject, seed: int) -> None:
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    value, found, delta = run(ExpandDims(X, axis), numbers(shape, seed), seed)
    close(value, np.expand_dims(numbers(shape, seed), axis), rtol=0.0)
    close(found, np.reshape(delta, shape), rtol=0.0)
    if not shape:
        return
    padded = data.draw(st.integers(0, len(shape)))
    widths = tuple(data.draw(st.tuples(st.integers(0, 2), st.integers(0, 2))) for _ in range(padded))
    value, found, delta = run(Pad(X, widths, 1.5), numbers(shape, seed), seed)
    every = ((0, 0),) * (len(shape) - padded) + widths
    close(value, np.pad(numbers(shape, seed), every, constant_values=1.5), rtol=0.0)
    inside = tuple(slice(before, before + size) for size, (before, _) in zip(shape, every, strict=True))
    close(found, delta[inside], rtol=0.0)


@settings(max_examples=40)
@given(shape=hnp.array_shapes(max_dims=3, min_side=0, max_side=3), data=st.data(), seed=seeds)
def test_concat(shape: Any, data: st.DataObject, seed: int) -> None:
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    sizes = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    parts = tuple(
        numbers(tuple(size if i == axis % len(shape) else dim for i, dim in enumerate(shape)), seed + n)
        for n, size in enumerate(sizes)
    )
    x = Input(parts)
    tape = Concat(tuple(Item(X, i) for i in range(len(parts))), axis).forward(x)
    close(tape.value, np.concatenate(parts, axis), rtol=0.0)
    delta = numbers(np.shape(tape.value), seed)
    found = tape.gradients(delta)[x]
    for i, expected in enumerate(np.split(delta, np.cumsum(sizes)[:-1], axis)):
        close(found[i], expected, rtol=0.0)


@settings(max_examples=200)
@given(shape=hnp.array_shapes(max_dims=3, min_side=0, max_side=4), data=st.data(), seed=seeds)
def test_getitem(shape: Any, data: st.DataObject, seed: int) -> None:
    index = data.draw(hnp.basic_indices(shape, allow_newaxis=True, max_dims=5))
    numbers_ = numbers(shape, seed)
    value, found, delta = run(GetItem(X, index), numbers_, seed)
    close(value, numbers_[index], rtol=0.0)
    expected = np.zeros(shape)
    expected[index] = delta
    close(found, expected, rtol=0.0)


@settings(max_examples=60)
@given(shape=hnp.array_shapes(max_dims=2, max_side=3), data=st.data())
def test_an_index_out_of_range_is_an_error(shape: Any, data: st.DataObject) -> None:
    axis = data.draw(st.integers(0, len(shape) - 1))
    size = shape[axis]
    wrong = data.draw(st.integers(size, size + 3) | st.integers(-size - 3, -size - 1))
    before = (slice(None),) * axis
    with pytest.raises(IndexRangeError, match=str(wrong)):
        GetItem(X, (*before, wrong)).forward(np.ones(shape))
    with pytest.raises(IndexRangeError, match=str(wrong)):
        Take(X, [0, wrong], axis).forward(np.ones(shape))


@settings(max_examples=80)
@given(shape=hnp.array_shapes(max_dims=3, max_side=4), data=st.data(), seed=seeds)
def test_take(shape: Any, data: st.DataObject, seed: int) -> None:
    """Indices may repeat, and count from the end."""
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    size = shape[axis]
    places = hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=4)
    indices = data.draw(hnp.arrays(np.int64, places, elements=st.integers(-size, size - 1)))[()]
    numbers_ = numbers(shape, seed)
    value, found, delta = run(Take(X, indices, axis), numbers_, seed)
    close(value, np.take(numbers_, indices, axis), rtol=0.0)
    expected = np.zeros(shape)
    rows, ahead = np.moveaxis(expected, axis, 0), axis % len(shape)
    width = np.ndim(indices)
    given_rows = np.moveaxis(delta, range(ahead, ahead + width), range(width)) if np.ndim(delta) else delta
    for place in np.ndindex(np.shape(indices)):
        rows[np.asarray(indices)[place]] += given_rows[place] if width else given_rows
    close(found, expected, rtol=1e-13, atol=1e-13)


@settings(max_examples=40)
@given(shape=hnp.array_shapes(max_dims=3, max_side=4), data=st.data(), seed=seeds)
def test_readings_of_one_array_add_up(shape: Any, data: st.DataObject, seed: int) -> None:
    first, second = (data.draw(hnp.basic_indices(shape, allow_newaxis=False)) for _ in range(2))
    numbers_ = numbers(shape, seed)
    x = Input(numbers_)
    layer = Times(Sum(GetItem(X, first)), Sum(GetItem(X, second)))
    found = layer.forward(x).gradients(1.5)[x]
    expected = np.zeros(shape)
    expected[first] += 1.5 * np.sum(numbers_[second])
    expected[second] += 1.5 * np.sum(numbers_[first])
    assume(expected.any())
    close(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_the_delta_of_a_concatenation_of_many_is_cut_in_linear_time(axis: int) -> None:
    """The derivative has as many references between nodes as there are operands, times a constant."""
    leaves = [Weight(np.full((2, 2), float(i))) for i in range(400)]
    formula = Sum(Times(Concat(tuple(leaves), axis=axis), Concat(tuple(leaves), axis=axis)))
    deltas = formula.forward(None).gradients()
    trees = derivatives(formula, ())
    for leaf in leaves[::50]:
        close(deltas[leaf], 2.0 * leaf.value, rtol=0.0)
        close(trees[leaf].predict(None), 2.0 * leaf.value, rtol=0.0)
    distinct = {id(node): node for leaf in leaves for node in nodes(trees[leaf])}
    edges = np.sum([len(children_of(node)) for node in distinct.values()])
    assert edges < 20 * len(leaves)


def test_the_delta_of_a_concatenation_of_unknown_sizes() -> None:
    formula = Sum(Times(Concat((Item(X, 0), Item(X, 1)), axis=0), Concat((Item(X, 0), Item(X, 1)), axis=0)))
    trees = derivatives(formula, (ArraySpec(("A", 2)), ArraySpec(("B", 2))))[X]
    assert all(find(trees[i], ConcatPart) for i in (0, 1))
    for sizes in ((1, 3), (0, 2)):
        data = tuple([np.ones((size, 2)) for size in sizes])
        for i in (0, 1):
            close(trees[i].predict(data), 2.0 * data[i], rtol=0.0)
