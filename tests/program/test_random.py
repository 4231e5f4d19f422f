"""Random formulas, compiled: the same values, deltas and steps as the interpreter's, for numbers and arrays."""

from __future__ import annotations

import copy

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import SGD, Adam, Identity, Input, Literal, Momentum, Sum, Weight, compile, parameters
from tests.test_random_formulas import formulas

NUMBERS = st.floats(-1.0, 1.0)


def arrays(shape, seed):
    return np.random.default_rng(seed).uniform(-1.0, 1.0, shape)


@settings(max_examples=150, deadline=None)
@given(formulas(), NUMBERS)
def test_numbers(formula, number):
    tape, other = Input(number), Input(number)
    wanted, found = formula.forward(tape), compile(formula).forward(other)
    assert type(found.value) is type(wanted.value)
    np.testing.assert_allclose(found.value, wanted.value, rtol=1e-9, atol=1e-12)
    expected, given_deltas = wanted.gradients(), found.gradients()
    for weight in parameters(formula):
        if weight in expected:
            np.testing.assert_allclose(given_deltas[weight], expected[weight], rtol=1e-7, atol=1e-10)
    if tape in expected:
        np.testing.assert_allclose(given_deltas[other], expected[tape], rtol=1e-7, atol=1e-10)


@st.composite
def array_formulas(draw):
    """Formulas over arrays: leaves of shapes that broadcast against (3, 4). If has no place: its condition is one."""
    seed = draw(st.integers(0, 2**16))
    leaves = [
        Identity(),
        Weight(arrays((3, 4), seed)),
        Weight(arrays((4,), seed + 1)),
        Weight(arrays((3, 1), seed + 2)),
        Weight(0.3),
        Literal(0.3),
    ]
    return Sum(draw(formulas(leaves, with_branches=False)))


@settings(max_examples=150, deadline=None)
@given(array_formulas(), st.sampled_from([SGD(0.1), Momentum(0.1), Adam(0.01)]), st.integers(0, 2**16))
def test_steps_on_arrays(formula, optimizer, seed):
    twin, data = copy.deepcopy(formula), arrays((3, 4), seed)
    if not any(weight in formula.forward(data).gradients() for weight in parameters(formula)):
        return
    step = compile(formula, train=True, optimizer=optimizer)
    for _ in range(3):
        value, tape = step(data), twin.forward(data)
        np.testing.assert_allclose(value, tape.value, rtol=1e-9, atol=1e-11)
        tape.backward(optimizer=optimizer)
    for weight, other in zip(parameters(formula), parameters(twin), strict=True):
        np.testing.assert_allclose(weight.value, other.value, rtol=1e-7, atol=1e-9)
        assert type(weight.value) is type(other.value)
