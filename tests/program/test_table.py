"""Every sample of the layer table, compiled: what the interpreter gives, in value, kind, deltas and updates."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Input, compile, inference
from layertree.core.spec import spec_of
from tests.layers.checks import delta_for, leaves, same_kind
from tests.layers.sample import Sample, is_float
from tests.layers.samples import IDS, SAMPLES

every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
differentiable = pytest.mark.parametrize(
    "sample", [one for one in SAMPLES if one.differentiable], ids=[one.id for one in SAMPLES if one.differentiable]
)


def agree(given: Any, wanted: Any) -> None:
    """Two values are of one kind, and the same to rounding: simplification may regroup what is linear."""
    same_kind(given, wanted)
    for one, other in zip(leaves(given), leaves(wanted), strict=True):
        single = np.asarray(other).dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=2e-5 if single else 1e-12, atol=1e-6 if single else 1e-13)


def in_single(data: Any) -> Any:
    if isinstance(data, tuple):
        return tuple(map(in_single, data))
    return data.astype(np.float32) if is_float(data) and isinstance(data, (np.ndarray, np.generic)) else data


@every_sample
def test_value(sample: Sample) -> None:
    formula = inference(sample.layer)
    agree(compile(formula).predict(sample.input), formula.predict(sample.input))


@every_sample
def test_value_in_float32(sample: Sample) -> None:
    formula, data = inference(sample.layer), in_single(sample.input)
    agree(compile(formula).predict(data), formula.predict(data))


@every_sample
def test_again_on_other_data(sample: Sample) -> None:
    """Nothing of the first run is left in the arena: a second one gives what a first would."""
    formula = inference(sample.layer)
    program = compile(formula)
    first = program.predict(sample.input)
    kept = [np.array(leaf) for leaf in leaves(first)]
    program.predict(sample.input)
    again = program.predict(sample.input)
    agree(again, formula.predict(sample.input))
    for leaf, before in zip(leaves(first), kept, strict=True):
        np.testing.assert_array_equal(leaf, before)  # what was handed out is not written to


@differentiable
def test_deltas(sample: Sample) -> None:
    formula = sample.layer
    data = sample.input
    wanted_input, given_input = Input(data), Input(data)
    wanted, given = formula.forward(wanted_input), compile(formula).forward(given_input)
    delta = delta_for(sample, wanted.value)
    found, expected = given.gradients(delta), wanted.gradients(delta)
    assert given_input in found
    assert wanted_input in expected
    compare_deltas(found[given_input], expected[wanted_input])


def compare_deltas(given: Any, wanted: Any) -> None:
    if not hasattr(wanted, "items"):
        agree(given, wanted)
        return
    for position, delta in wanted.items():
        if position in given:
            compare_deltas(given[position], delta)
        else:
            np.testing.assert_array_equal(delta, np.zeros_like(delta))


@differentiable
def test_a_step(sample: Sample) -> None:
    """A step of the sum over all of the value changes the weights as the interpreter's does."""
    operands = sample.operands
    formula, weights = sample.over_weights(operands)
    other, others = sample.over_weights(operands)
    objective, twin = total(formula), total(other)
    if objective is None:
        return
    step = compile(objective, train=True, optimizer=SGD(0.125))
    for _ in range(2):
        value = step(None)
        tape = twin.forward(None)
        agree(value, tape.value)
        tape.backward(optimizer=SGD(0.125))
    for position, weight in weights.items():
        agree(weight.value, others[position].value)


def total(formula: Any) -> Any:
    """The sum of all floats in a value, weighted so that no two elements count alike; None where there are none."""
    from layertree import Item, Plus, Sin, Sum, Times

    spec = spec_of(formula.forward(None).value)
    parts = [(Item(formula, i), part) for i, part in enumerate(spec)] if isinstance(spec, tuple) else [(formula, spec)]
    terms = []
    for part, one in parts:
        if isinstance(one, tuple) or one.dtype.kind != "f":
            continue
        if not one.shape:
            terms.append(Sin(part))
            continue
        factors = np.linspace(0.5, 1.5, int(np.prod(one.shape))).reshape(one.shape).astype(one.dtype)
        terms.append(Sum(Times(Sin(part), factors)))
    return reduce(Plus, terms) if terms else None
