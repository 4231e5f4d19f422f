"""Binary layers and matrix products over drawn shapes, against sums that are written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from layertree import (
    BroadcastTo,
    Divide,
    Identity,
    Input,
    Item,
    MatMul,
    Maximum,
    Minimum,
    Minus,
    Plus,
    Power,
    ShapeError,
    Times,
    Where,
)
from layertree.core.spec import spec_of
from layertree.namespaces.spec import infer_spec
from tests.layers.checks import close, same_kind
from tests.strategies import broadcasting, numbers, seeds

A, B, C = (Item(Identity(), i) for i in range(3))

BINARY: dict[Any, tuple[Any, Any, Any]] = {
    Plus: (np.add, lambda a, b: np.ones_like(a + b), lambda a, b: np.ones_like(a + b)),
    Minus: (np.subtract, lambda a, b: np.ones_like(a + b), lambda a, b: -np.ones_like(a + b)),
    Times: (np.multiply, lambda a, b: b + 0 * a, lambda a, b: a + 0 * b),
    Divide: (np.divide, lambda a, b: 1 / b + 0 * a, lambda a, b: -a / b**2),
    Power: (
        lambda a, b: np.abs(a) ** b,
        lambda a, b: b * np.abs(a) ** (b - 1) * np.sign(a),
        lambda a, b: np.abs(a) ** b * np.log(np.abs(a)),
    ),
    Maximum: (np.maximum, lambda a, b: (a > b) + 0.5 * (a == b), lambda a, b: (b > a) + 0.5 * (a == b)),
    Minimum: (np.minimum, lambda a, b: (a < b) + 0.5 * (a == b), lambda a, b: (b < a) + 0.5 * (a == b)),
}


def summed(x: Any, shape: tuple[int, ...]) -> Any:
    """``x`` summed back to the shape that it was broadcast from: element by element, into the place each came from."""
    size = int(np.prod(shape))
    places = np.broadcast_to(np.arange(size).reshape(shape), np.shape(x))
    return np.bincount(np.ravel(places), weights=np.ravel(x), minlength=size).reshape(shape)


def run(layer: Any, operands: tuple[Any, ...], delta: Any = None, seed: int = 0) -> tuple[Any, dict[int, Any], Any]:
    """The value, the operands' deltas and the delta they are for; what was inferred of the value is so."""
    x = Input(operands)
    tape = layer.forward(x)
    assert infer_spec(layer, spec_of(operands)) == spec_of(tape.value)
    delta = numbers(np.shape(tape.value), seed + 7) if delta is None else delta
    deltas = dict(tape.gradients(delta)[x])
    for i, found in deltas.items():
        same_kind(found, operands[i])
    return tape.value, deltas, delta


@pytest.mark.parametrize("cls", BINARY, ids=lambda cls: cls.__name__)
@settings(max_examples=25)
@given(shapes=broadcasting(2), seed=seeds)
@example(shapes=((), ()), seed=0)
@example(shapes=((0, 1), (3,)), seed=0)
@example(shapes=((2, 1, 3), (1, 2, 1)), seed=0)
def test_binary(cls: Any, shapes: Any, seed: int) -> None:
    value, first, second = BINARY[cls]
    a, b = numbers(shapes[0], seed), numbers(shapes[1], seed + 1, low=0.45)
    layer = cls(A, B)
    if cls is Power:
        layer = cls(Maximum(A, Minus(0.0, A)), B)
    result, deltas, delta = run(layer, (a, b), seed=seed)
    close(result, value(a, b), rtol=1e-13)
    close(deltas[0], summed(delta * first(a, b), shapes[0]), rtol=1e-11, atol=1e-11)
    close(deltas[1], summed(delta * second(a, b), shapes[1]), rtol=1e-11, atol=1e-11)


@settings(max_examples=60)
@given(shapes=broadcasting(3), seed=seeds)
@example(shapes=((3,), (2, 1), ()), seed=0)
def test_where(shapes: Any, seed: int) -> None:
    condition = numbers(shapes[0], seed) > 0
    a, b = numbers(shapes[1], seed + 1), numbers(shapes[2], seed + 2)
    value, deltas, delta = run(Where(A, B, C), (condition, a, b), seed=seed)
    close(value, np.where(condition, a, b), rtol=0.0)
    assert set(deltas) == {1, 2}
    close(deltas[1], summed(np.where(condition, delta, 0), shapes[1]), rtol=1e-12, atol=1e-12)
    close(deltas[2], summed(np.where(condition, 0, delta), shapes[2]), rtol=1e-12, atol=1e-12)


@settings(max_examples=40)
@given(shapes=broadcasting(2), seed=seeds)
def test_broadcast_to(shapes: Any, seed: int) -> None:
    target = np.broadcast_shapes(*shapes)
    value, deltas, delta = run(BroadcastTo(A, target), (numbers(shapes[0], seed), 1.5), seed=seed)
    close(value, np.broadcast_to(numbers(shapes[0], seed), target), rtol=0.0)
    close(deltas[0], summed(delta, shapes[0]), rtol=1e-12, atol=1e-12)


@settings(max_examples=40)
@given(first=hnp.array_shapes(max_dims=3, max_side=3), second=hnp.array_shapes(max_dims=3, max_side=3))
def test_shapes_that_do_not_broadcast_are_an_error(first: Any, second: Any) -> None:
    operands = (np.ones(first), np.ones(second))
    try:
        expected = np.broadcast_shapes(first, second)
    except ValueError:
        with pytest.raises(ShapeError, match="do not broadcast"):
            Plus(A, B).forward(operands)
        with pytest.raises(ShapeError, match="do not broadcast"):
            infer_spec(Plus(A, B), spec_of(operands))
    else:
        assert np.shape(Plus(A, B).forward(operands).value) == expected


@st.composite
def products(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shapes of two operands that NumPy's ``@`` takes: vectors, matrices, stacks; sizes of 0 too."""
    sizes = st.integers(0, 3)
    rows, inner, columns = draw(sizes), draw(sizes), draw(sizes)
    stacks = draw(broadcasting(2))
    first = draw(st.sampled_from([(inner,), (*stacks[0], rows, inner)]))
    second = draw(st.sampled_from([(inner,), (*stacks[1], inner, columns)]))
    return first, second


def product_deltas(delta: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """The deltas of ``a @ b``, one product of matrices at a time."""
    rows = a if a.ndim > 1 else a[None]
    columns = b if b.ndim > 1 else b[:, None]
    stack = np.broadcast_shapes(rows.shape[:-2], columns.shape[:-2])
    delta = np.reshape(delta, (*stack, rows.shape[-2], columns.shape[-1]))
    first, second = np.zeros(rows.shape), np.zeros(columns.shape)
    for place in np.ndindex(*stack):
        mine = tuple(min(i, size - 1) for i, size in zip(place[len(stack) - rows.ndim + 2 :], rows.shape, strict=False))
        its = tuple(
            min(i, size - 1) for i, size in zip(place[len(stack) - columns.ndim + 2 :], columns.shape, strict=False)
        )
        first[mine] += delta[place] @ columns[its].T
        second[its] += rows[mine].T @ delta[place]
    return first.reshape(a.shape), second.reshape(b.shape)


@settings(max_examples=150)
@given(shapes=products(), seed=seeds)
@example(shapes=((0,), (0,)), seed=0)
@example(shapes=((3,), (3,)), seed=0)
@example(shapes=((2, 3, 0), (0, 2)), seed=0)
@example(shapes=((2, 1, 2, 3), (3, 3, 2)), seed=0)
@example(shapes=((3,), (2, 3, 2)), seed=0)
@example(shapes=((2, 2, 3), (3,)), seed=0)
def test_matmul(shapes: Any, seed: int) -> None:
    a, b = numbers(shapes[0], seed), numbers(shapes[1], seed + 1)
    value, deltas, delta = run(MatMul(A, B), (a, b), seed=seed)
    close(value, np.matmul(a, b), rtol=1e-13, atol=1e-13)
    for given_delta, expected in zip((deltas[0], deltas[1]), product_deltas(delta, a, b), strict=True):
        close(given_delta, expected, rtol=1e-12, atol=1e-12)


@settings(max_examples=60)
@given(
    first=hnp.array_shapes(min_dims=0, max_dims=3, max_side=3),
    second=hnp.array_shapes(min_dims=0, max_dims=3, max_side=3),
)
def test_shapes_that_do_not_multiply_are_an_error(first: Any, second: Any) -> None:
    operands = (np.ones(first)[()], np.ones(second)[()])
    try:
        expected = np.matmul(*operands)
    except ValueError:
        with pytest.raises(ShapeError):
            MatMul(A, B).forward(operands)
        with pytest.raises(ShapeError):
            infer_spec(MatMul(A, B), spec_of(operands))
    else:
        assert np.array_equal(MatMul(A, B).forward(operands).value, expected)
