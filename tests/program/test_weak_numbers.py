"""Python numbers beside arrays of float32 and float16: a program computes in the dtypes of the interpreter."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from layertree import SGD, BroadcastTo, Identity, Item, LogAddExp, Plus, Reshape, Sum, Times, Tuple, Weight, compile

X, Y = Item(Identity(), 0), Item(Identity(), 1)
PAIRS = {
    "broadcast": LogAddExp(BroadcastTo(X, shape=(2,)), BroadcastTo(Y, shape=(2,))),
    "reshaped": LogAddExp(BroadcastTo(Sum(X), shape=(1, 3, 1)), Reshape(Y, shape=(1,))),
    "reshaped-and-broadcast": LogAddExp(X, BroadcastTo(Reshape(Y, shape=(1,)), shape=(3,))),
    "reshaped-twice": Tuple((X, Reshape(Reshape(Y, shape=(1,)), shape=()))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_view_of_a_number_promotes_as_an_array(name: str) -> None:
    data = (np.float32(0.1), 0.3)
    wanted, given = PAIRS[name].forward(data).value, compile(PAIRS[name]).forward(data).value
    leaves: Any = zip(wanted, given, strict=True) if isinstance(wanted, tuple) else [(wanted, given)]
    for one, other in leaves:
        assert (type(one), one.dtype) == (type(other), other.dtype)
        np.testing.assert_allclose(other, one, rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_rate_is_not_rounded_to_the_dtype_of_the_objective(dtype: Any) -> None:
    narrow = np.array([0.5, 0.25], dtype)
    formula = Plus(Sum(Weight(narrow)), Times(Weight(np.float32(1)), dtype(0.75)))
    if dtype is np.float32:
        formula = Plus(Sum(Weight(narrow)), Times(Weight(1.0), 0.75))
    ours, theirs = copy.deepcopy(formula), copy.deepcopy(formula)
    step = compile(theirs, train=True, optimizer=SGD(0.05))
    step(None)
    with ours.forward(None) as tape:
        tape.backward(optimizer=SGD(0.05))
    assert theirs.operand2.operand1.value == ours.operand2.operand1.value


def test_a_small_rate_does_not_vanish_in_float16() -> None:
    """The delta of the weight is 1, by a factor of 1e-4 and one of 1e4: a rate of 1e-4 as the seed underflows."""
    formula = Times(Times(Weight(np.float16(0.01)), np.float16(1e4)), np.float16(1e-4))
    step = compile(formula, train=True, optimizer=SGD(1e-4))
    step(None)
    np.testing.assert_allclose(float(formula.operand1.operand1.value), 0.0099, rtol=2e-3)
