"""Values of every kind: what a program makes of booleans, of integers and of Python's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, compile
from layertree.typing import ArraySpec


def agree(formula: Any, data: Any) -> None:
    """A program gives what the formula gives, of the same type and dtype."""
    found, wanted = compile(formula).predict(data), formula.predict(data)
    assert type(found) is type(wanted)
    np.testing.assert_array_equal(found, wanted, strict=True)


def test_booleans_times_themselves() -> None:
    x = sy.placeholder(ArraySpec((3,), np.bool_))
    agree(sy.bitwise_or(x * x, x), np.array([True, False, True]))


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("reduction", [sy.sum, sy.prod, sy.max, sy.mean])
def test_one_boolean_reduced(reduction: Any, value: bool) -> None:
    agree(reduction(sy.placeholder(bool)), value)


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@pytest.mark.parametrize("value", [2.9, -2.9, 1e30, float("inf"), float("nan")])
@pytest.mark.parametrize("dtype", [np.int64, np.int8])
def test_a_number_cast_to_an_integer(value: float, dtype: Any) -> None:
    agree(sy.astype(sy.placeholder(float), dtype), value)


def test_an_integer_that_the_dtype_beside_it_cannot_hold() -> None:
    x, y = sy.placeholder((ArraySpec((2,), np.uint8), int))
    program = compile(sy.bitwise_or(x + y, x))
    assert program.predict((np.array([1, 2], np.uint8), 3)).tolist() == [5, 7]
    with pytest.raises(DTypeError, match="-1 out of bounds for uint8"):
        program.predict((np.array([1, 2], np.uint8), -1))


def test_numbers_give_no_warnings() -> None:
    """Also where a function of them is NumPy's."""
    x = sy.placeholder(float)
    agree(sy.logaddexp(x, 1.0), float("nan"))
    agree(sy.logaddexp(x, x), -float("inf"))
