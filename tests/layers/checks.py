"""What every sample has to pass. Plain functions, so that the mutants run them too, without pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from layertree import If, Input, nodes
from layertree.core import deltas as _deltas
from layertree.core.spec import ArraySpec, spec_of
from layertree.namespaces.spec import infer_spec
from layertree.rewrite.reverse_mode import INPUT, derivatives
from tests.layers.sample import Sample, is_float

STEP = 2.0**-9
FIRST_ORDER = {"rtol": 1e-6, "atol": 1e-8}


@contextmanager
def exact_deltas() -> Iterator[None]:
    """A rule of the library gives each delta in the very kind of its value: what a user's may leave to the sweep."""
    conform = _deltas.conform

    def exact(delta: Any, value: Any) -> Any:
        made = conform(delta, value)
        if not isinstance(delta, _deltas.Parts):
            given = delta[()] if isinstance(delta, np.ndarray) and delta.ndim == 0 else delta
            assert type(given) is type(made), f"{given!r} for {value!r}"
            assert np.asarray(given).dtype == np.asarray(value).dtype, f"{given.dtype} for {value.dtype}"
        return made

    _deltas.conform = exact
    try:
        yield
    finally:
        _deltas.conform = conform


def leaves(data: Any) -> list[Any]:
    """The numbers and arrays of some data, tuples taken apart."""
    if isinstance(data, tuple):
        return [leaf for part in data for leaf in leaves(part)]
    return [data]


def mapped(data: Any, function: Callable[[Any], Any]) -> Any:
    """The same structure with ``function`` of each number and array."""
    if isinstance(data, tuple):
        return tuple(mapped(part, function) for part in data)
    return function(data)


def same_kind(given: Any, wanted: Any) -> None:
    """Two values have one type, shape and dtype, part by part."""
    for one, other in zip(leaves(given), leaves(wanted), strict=True):
        assert np.shape(one) == np.shape(other), f"shape {np.shape(one)} instead of {np.shape(other)}"
        assert kind_of(one) == kind_of(other), f"{kind_of(one)} instead of {kind_of(other)}"


def kind_of(data: Any) -> str:
    """``float``, ``int`` or ``bool`` for a Python number, else ``float64`` and so on. Rank 0 is a NumPy scalar."""
    if type(data) in (float, int, bool):
        return type(data).__name__
    assert isinstance(data, (np.ndarray, np.generic)), f"{data!r} is no data"
    assert not (isinstance(data, np.ndarray) and data.ndim == 0), "a rank-0 array is not a NumPy scalar"
    return f"{data.dtype} array" if data.dtype == bool else str(data.dtype)


def close(given: Any, wanted: Any, **tolerance: float) -> None:
    """Two values are equal to a tolerance, part by part."""
    for one, other in zip(leaves(given), leaves(wanted), strict=True):
        assert np.shape(one) == np.shape(other), f"shape {np.shape(one)} instead of {np.shape(other)}"
        np.testing.assert_allclose(one, other, **tolerance)


def value_of(sample: Sample, operands: Any) -> Any:
    """The layer's value for its operands."""
    return sample.layer.forward(sample.pack(operands)).value


def delta_for(sample: Sample, value: Any) -> Any:
    """A random delta of a value: none of its elements is 0 or 1, or equal to another; None for a part without one."""
    generator = sample.random("delta")

    def one(leaf: Any) -> Any:
        if not is_float(leaf):
            return None
        drawn = generator.uniform(0.5, 1.5, np.shape(leaf)) * generator.choice([-1.0, 1.0], np.shape(leaf))
        if not isinstance(leaf, (np.ndarray, np.generic)):
            return float(drawn)
        return drawn.astype(leaf.dtype)[()]

    return mapped(value, one)


def inner(delta: Any, change: Any) -> float:
    """The product of a delta with a change of the value, summed over all elements."""
    pairs = zip(leaves(delta), leaves(change), strict=True)
    return float(sum(np.sum(np.asarray(one, np.float64) * other) for one, other in pairs if one is not None))


def quotients(function: Callable[[Any], Any], operands: tuple[Any, ...], position: int, delta: Any) -> Any:
    """The derivative of <delta, function(operands)> for one operand, by central differences of order 4."""
    result = np.zeros(np.shape(operands[position]))
    for element in np.ndindex(result.shape):
        total = 0.0
        for reach, weight in ((1, 2 / 3), (2, -1 / 12)):
            up, down = (function(perturbed(operands, position, element, sign * reach * STEP)) for sign in (1.0, -1.0))
            changes = tuple(
                np.subtract(a, b, dtype=np.float64) if is_float(a) else 0.0
                for a, b in zip(leaves(up), leaves(down), strict=True)
            )
            total += weight * inner(delta, changes)
        result[element] = total / STEP
    return result


def perturbed(operands: tuple[Any, ...], position: int, element: tuple[int, ...], amount: float) -> tuple[Any, ...]:
    """The operands with one element of one of them moved."""
    data = operands[position]
    if np.ndim(data) == 0:
        moved = data + amount if isinstance(data, np.generic) else float(data) + amount
    else:
        moved = np.array(data)
        moved[element] += amount
    return (*operands[:position], moved, *operands[position + 1 :])


@cache
def value_at(sample: Sample) -> Any:
    """The value for the sample's own operands."""
    return value_of(sample, sample.operands)


@cache
def expected_deltas(sample: Sample) -> dict[int, Any]:
    """The delta of each differentiable operand, by differences: what gradients are held against."""
    delta = delta_for(sample, value_at(sample))

    def function(operands: Any) -> Any:
        return value_of(sample, operands)

    return {i: quotients(function, sample.operands, i, delta) for i in sample.differentiable}


def given_deltas(sample: Sample, operands: Any, delta: Any) -> dict[int, Any]:
    """The deltas that the tape gives for the operands, by position; those without one are left out."""
    data = sample.pack(operands)
    if not any(map(is_float, operands)):
        assert not sample.layer.forward(data).is_trainable
        return {}
    x = Input(data)
    tape = sample.layer.forward(x)
    if not tape.is_trainable:
        return {}
    with exact_deltas():
        found = tape.gradients(delta)
    if x not in found:
        return {}
    return {0: found[x]} if len(operands) == 1 else dict(found[x])


def check_value(sample: Sample) -> None:
    """The value is what plain NumPy computes."""
    assert sample.reference is not None
    close(value_of(sample, sample.operands), sample.reference(*sample.operands), rtol=1e-12, atol=1e-13)


def check_spec(sample: Sample) -> None:
    """Inference says what shape and dtype the value has."""
    assert infer_spec(sample.layer, spec_of(sample.input)) == spec_of(value_at(sample))


def check_gradients(sample: Sample) -> None:
    """Each delta is what differences say, in the operand's shape and kind; the other operands get none."""
    given = given_deltas(sample, sample.operands, delta_for(sample, value_at(sample)))
    assert set(given) == set(sample.differentiable)
    for i, expected in expected_deltas(sample).items():
        same_kind(given[i], sample.operands[i])
        close(given[i], expected, **FIRST_ORDER)


def check_weights(sample: Sample) -> None:
    """Operands that are weights get the same deltas."""
    layer, weights = sample.over_weights(sample.operands)
    tape = layer.forward(None)
    close(tape.value, value_at(sample), rtol=1e-15)
    with exact_deltas():
        found = tape.gradients(delta_for(sample, tape.value)) if weights else {}
    assert set(found) == set(weights.values())
    for i, weight in weights.items():
        same_kind(found[weight], sample.operands[i])
        close(found[weight], expected_deltas(sample)[i], **FIRST_ORDER)


def narrowed(data: Any) -> Any:
    """float64 data as float32; Python floats stay, they are weak."""
    if isinstance(data, (np.ndarray, np.generic)) and data.dtype == np.float64:
        return data.astype(np.float32)
    return data


def check_float32(sample: Sample) -> None:
    """In float32 the value is the inferred one, and each delta has the shape and dtype of its operand."""
    operands = tuple(map(narrowed, sample.operands))
    _check_kinds(sample, operands)


def check_float16(sample: Sample) -> None:
    """In float16 the value is the inferred one, and each delta has the shape and dtype of its operand."""
    operands = tuple(data.astype(np.float16) if is_array_of_floats(data) else data for data in sample.operands)
    value = value_of(sample, operands)
    assert infer_spec(sample.layer, spec_of(sample.pack(operands))) == spec_of(value)
    for i, delta in given_deltas(sample, operands, delta_for(sample, value)).items():
        same_kind(delta, operands[i])


def is_array_of_floats(data: Any) -> bool:
    """Whether data are an array or a NumPy scalar of floats."""
    return isinstance(data, (np.ndarray, np.generic)) and is_float(data)


def float_operands(sample: Sample) -> list[int]:
    """The operands, of several, that may be in float32 while the others are in float64."""
    if len(sample.operands) == 1 or sample.cls is If:  # the branches of an If agree in dtype
        return []
    return [i for i, data in enumerate(sample.operands) if is_float(data)]


def check_mixed(sample: Sample, position: int) -> None:
    """The same with one operand in float32 and the others in float64."""
    operands = tuple(narrowed(data) if i == position else data for i, data in enumerate(sample.operands))
    _check_kinds(sample, operands)


def _check_kinds(sample: Sample, operands: Any) -> None:
    value = value_of(sample, operands)
    assert infer_spec(sample.layer, spec_of(sample.pack(operands))) == spec_of(value)
    for i, delta in given_deltas(sample, operands, delta_for(sample, value)).items():
        same_kind(delta, operands[i])
        close(delta, expected_deltas(sample)[i], rtol=1e-3, atol=1e-3)


def check_no_rows(sample: Sample) -> None:
    """With a batch of 0: the inferred shape, empty deltas for the batch, zeros for everything else."""
    operands = tuple(data[:0] if i in sample.batch else data for i, data in enumerate(sample.operands))
    value = value_of(sample, operands)
    assert infer_spec(sample.layer, spec_of(sample.pack(operands))) == spec_of(value)
    given = given_deltas(sample, operands, delta_for(sample, value))
    assert set(given) == set(sample.differentiable)
    for i, delta in given.items():
        same_kind(delta, operands[i])
        if not any(np.size(leaf) for leaf in leaves(value)):
            assert not np.any(delta)
    layer, weights = sample.over_weights(operands)
    with exact_deltas():
        found = layer.forward(None).gradients(delta_for(sample, value)) if weights else {}
    for i, weight in weights.items():
        close(found[weight], given[i], rtol=1e-15)


def check_unknown_rows(sample: Sample, rows: str | None) -> None:
    """With an unknown or named batch: the inferred shape leaves open what varies with it, and nothing else."""
    spec = infer_spec(sample.layer, unknown_rows(sample, rows))
    more = tuple(np.concatenate([data, data]) if i in sample.batch else data for i, data in enumerate(sample.operands))
    for open, few, many in zip(leaves(spec), leaves(value_at(sample)), leaves(value_of(sample, more)), strict=True):
        assert open.dtype == np.asarray(few).dtype
        shapes = zip(open.shape, np.shape(few), np.shape(many), strict=True)
        for dim, one, other in shapes:
            assert (dim == one) if one == other else (dim is None or dim == rows), (spec, np.shape(few))


def unknown_rows(sample: Sample, rows: str | None) -> Any:
    """The spec of the input, with the batch's size left open."""
    specs = [
        ArraySpec((rows, *data.shape[1:]), data.dtype) if i in sample.batch else spec_of(data)
        for i, data in enumerate(sample.operands)
    ]
    return sample.pack(specs)


def tree_deltas(sample: Sample, spec: Any) -> dict[int, Any]:
    """The derivative formulas for the operands, by position."""
    found = derivatives(sample.layer, spec, delta_for(sample, value_at(sample)))
    if INPUT not in found:
        return {}
    return {0: found[INPUT]} if len(sample.operands) == 1 else found[INPUT]


def check_tree(sample: Sample, spec: Any) -> None:
    """The derivative as a formula has the value, shape and kind of the derivative as numbers."""
    trees = tree_deltas(sample, spec)
    assert set(trees) >= set(sample.differentiable)
    for i, tree in trees.items():
        value = tree.forward(sample.input).value
        if i in sample.differentiable:
            same_kind(value, sample.operands[i])
            close(value, expected_deltas(sample)[i], **FIRST_ORDER)
        else:  # the branch of an If that is not taken
            assert not np.any(value)


def check_tree_of_weights(sample: Sample) -> None:
    """The same for operands that are weights, by key."""
    layer, weights = sample.over_weights(sample.operands)
    found = derivatives(layer, spec_of(1.0), delta_for(sample, value_at(sample)))
    assert set(weights.values()) == set(found)
    for i, weight in weights.items():
        close(found[weight].forward(None).value, expected_deltas(sample)[i], **FIRST_ORDER)


def check_tree_shares(sample: Sample) -> None:
    """No two nodes of a derivative are equal and yet not the same, the forward formula's included."""
    trees = tree_deltas(sample, spec_of(sample.input))
    found = {id(node): node for tree in trees.values() for node in nodes(tree)}
    assert len(set(found.values())) == len(found)


def check_second_order(sample: Sample) -> None:
    """The derivative is itself differentiable: its own tape against differences of the first derivative."""
    for i, tree in tree_deltas(sample, spec_of(sample.input)).items():
        second = Sample(
            sample.cls, f"{sample.label}-{i}", lambda *_, tree=tree: tree, sample.operands, sample.differentiable
        )
        given = given_deltas(second, second.operands, delta_for(second, value_at(second)))
        for j, expected in expected_deltas(second).items():
            if j in given:
                same_kind(given[j], sample.operands[j])
            close(given.get(j, np.zeros_like(expected)), expected, rtol=1e-5, atol=1e-7)
