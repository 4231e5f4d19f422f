"""Python numbers beside arrays of float32 and float16: a program computes in the dtypes of the interpreter."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from layertree import (
    SGD,
    BroadcastTo,
    Cast,
    Identity,
    Item,
    LogAddExp,
    Plus,
    Reshape,
    Sum,
    Times,
    Weight,
    compile,
    parameters,
)

X, Y = Item(Identity(), 0), Item(Identity(), 1)
PAIRS = {
    "broadcast": Sum(LogAddExp(BroadcastTo(X, shape=(2,)), BroadcastTo(Y, shape=(2,)))),
    "reshaped": Sum(LogAddExp(BroadcastTo(Sum(X), shape=(1, 3, 1)), Reshape(Y, shape=(1,)))),
    "reshaped-and-broadcast": Sum(LogAddExp(X, BroadcastTo(Reshape(Y, shape=(1,)), shape=(3,)))),
    "reshaped-twice": Reshape(Reshape(Y, shape=(1,)), shape=()),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_view_of_a_number_promotes_as_an_array(name: str) -> None:
    data = (np.float32(0.1), 0.3)
    wanted, given = PAIRS[name].forward(data).value, compile(PAIRS[name]).forward(data).value
    assert (type(wanted), wanted.dtype) == (type(given), given.dtype)
    np.testing.assert_allclose(given, wanted, rtol=1e-14)


OBJECTIVES = {
    "float32": Plus(Sum(Weight(np.array([0.5, 0.25], np.float32))), Times(Weight(1.0), 0.75)),
    "float16": Plus(Sum(Weight(np.array([0.5], np.float16))), Cast(Weight(np.float32(1)), dtype=np.float16)),
}


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_rate_is_not_rounded_to_the_dtype_of_the_objective(name: str) -> None:
    ours, theirs = copy.deepcopy(OBJECTIVES[name]), copy.deepcopy(OBJECTIVES[name])
    compile(theirs, train=True, optimizer=SGD(0.05))(None)
    ours.forward(None).backward(optimizer=SGD(0.05))
    for one, other in zip(parameters(ours), parameters(theirs), strict=True):
        np.testing.assert_array_equal(other.value, one.value)


def test_a_small_rate_does_not_vanish_in_float16() -> None:
    """The delta of the weight is 1, by a factor of 1e-4 and one of 1e4: a rate of 1e-4 as the seed underflows."""
    formula = Times(Times(Weight(np.float16(0.01)), np.float16(1e4)), np.float16(1e-4))
    step = compile(formula, train=True, optimizer=SGD(1e-4))
    step(None)
    np.testing.assert_allclose(float(formula.operand1.operand1.value), 0.0099, rtol=2e-3)
