"""Integers to negative powers: the spec and the value agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, Identity, Power, compile
from layertree.typing import ArraySpec
from symbolic import literal, parse, placeholder

POWERS: dict[str, Callable[[Any], Any]] = {
    "operator": lambda x: x**-1,
    "function": lambda x: sy.pow(x, -1),
    "ufunc": lambda x: np.power(x, -1),
    "constant": lambda x: x ** literal(-1),
    "constant base": lambda x: literal(2) ** literal(-1) + 0 * x,
    "bare layer": lambda x: x ** literal(-1).layer,
}


@pytest.mark.parametrize("power", POWERS.values(), ids=list(POWERS))
def test_a_python_integer_to_a_negative_power_is_a_float(power: Callable[[Any], Any]) -> None:
    formula = power(placeholder(int))
    assert repr(formula.spec) == "float"
    for value in (formula.predict(2), formula.forward(2).value, compile(formula).predict(2)):
        assert value == 0.5
        assert isinstance(value, float)
    read = parse(format(formula, "full"))
    assert read.layer == formula.layer


def test_a_text_has_the_same_spec() -> None:
    assert parse("x ** -1", int).layer == (placeholder(int) ** -1).layer
    assert repr(parse("x ** -1 + x[0]", ArraySpec((2,))).spec) == "float64 (2,)"


@pytest.mark.parametrize("exponent", [-1, np.int64(-2), np.array(-1), np.array([1, -1])], ids=repr)
def test_an_array_of_integers_to_a_negative_power_is_an_error(exponent: object) -> None:
    x: Any = placeholder(ArraySpec((2,), np.int64))
    message = r"pow\(x: int64 \(2,\), .*cast the base to float, astype\(x, np.float64\) \*\*"
    for build in (lambda: x**exponent, lambda: sy.pow(x, exponent), lambda: np.power(x, exponent)):  # type: ignore[call-overload]
        with pytest.raises(DTypeError, match=message):
            build()
    assert (sy.astype(x, np.float64) ** exponent).predict(np.array([2, 2])).dtype == np.float64


def test_other_powers_keep_their_kind() -> None:
    k: Any = placeholder(int)
    assert [repr((k**exponent).spec) for exponent in (2, 0, True, -1.0)] == ["int", "int", "int", "float"]
    assert (placeholder(float) ** -1).layer == (placeholder(float) ** literal(-1)).layer
    assert repr((k ** -(10**400)).spec) == "float"
    assert (k ** -(10**400)).predict(2) == 0.0


def test_an_integer_to_a_negative_power_that_is_no_constant_is_an_error() -> None:
    k = placeholder(int)
    formula = k**k
    assert formula.spec == placeholder(int).spec
    assert type(formula.predict(3)) is int
    for read in (formula.predict, compile(formula).predict, Power(Identity(), Identity()).predict):
        with pytest.raises(ArithmeticError, match="-2 to the power of -2"):
            read(-2)
