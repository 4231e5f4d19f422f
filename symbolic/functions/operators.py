"""Functions of several operands, element by element: arithmetic, comparisons, logic, and selections."""

# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# Overlaps are meant: to checkers an int is a float, and the first overload that fits has the most precise result.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

import numpy as np

from layertree import Layer, Tape
from symbolic.building.operations import apply, as_symbolic, binary, if_symbolic, unary
from symbolic.core.symbolic import Symbolic
from symbolic.signatures import typed
from symbolic.signatures.functions import arithmetic, comparison, division, logic

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.signatures.arrays import (
        Array,
        Bits,
        D,
        Given,
        In,
        Integer,
        Number,
        Operand,
        Result,
        Result0,
        S,
        Shaped,
        T,
        X,
    )

    Condition: TypeAlias = Layer[In, Tape[bool, Any]] | Layer[In, Tape[np.bool_, Any]] | bool | np.bool_

__all__ = [
    "add",
    "atan2",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_or",
    "bitwise_xor",
    "clip",
    "divide",
    "equal",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "if_",
    "less",
    "less_equal",
    "logaddexp",
    "maximum",
    "minimum",
    "multiply",
    "not_equal",
    "pow",
    "remainder",
    "subtract",
    "where",
]

Y = TypeVar("Y")
OfBits = TypeVar("OfBits", bound="Symbolic[Any, Tape[Bits, Any]]")


@typed(arithmetic)
def add(a: object, b: object, /) -> AnyFormula:
    """The sum, as ``a + b``. Operands broadcast as in NumPy."""
    return binary("add", a, b)


@typed(arithmetic)
def subtract(a: object, b: object, /) -> AnyFormula:
    """The difference, as ``a - b``. Operands broadcast as in NumPy."""
    return binary("subtract", a, b)


@typed(arithmetic)
def multiply(a: object, b: object, /) -> AnyFormula:
    """The elementwise product, as ``a * b``. Operands broadcast as in NumPy."""
    return binary("multiply", a, b)


@typed(division)
def divide(a: object, b: object, /) -> AnyFormula:
    """The quotient, as ``a / b``; by zero the IEEE value. Operands broadcast as in NumPy."""
    return binary("divide", a, b)


@typed(arithmetic)
def floor_divide(a: object, b: object, /) -> AnyFormula:
    """The quotient rounded down, as ``a // b``; its derivative is 0. Operands broadcast as in NumPy."""
    return binary("floor_divide", a, b)


@typed(arithmetic)
def remainder(a: object, b: object, /) -> AnyFormula:
    """``a - floor(a / b) * b``, as ``a % b``, with the sign of the divisor. Operands broadcast as in NumPy."""
    return binary("remainder", a, b)


@typed(arithmetic)
def pow(a: object, b: object, /) -> AnyFormula:
    """``a ** b``; 0 ** 0 is 1. Operands broadcast as in NumPy."""
    return binary("pow", a, b)


@typed(arithmetic)
def maximum(a: object, b: object, /) -> AnyFormula:
    """The larger of two elements; on a tie each operand gets half of the delta. Operands broadcast as in NumPy."""
    return binary("maximum", a, b)


@typed(arithmetic)
def minimum(a: object, b: object, /) -> AnyFormula:
    """The smaller of two elements; on a tie each operand gets half of the delta. Operands broadcast as in NumPy."""
    return binary("minimum", a, b)


@overload
def clip(
    x: Layer[Given[X], Shaped[S, T]],
    /,
    min: Array[Given[X], S, T] | Operand[Given[X], T] | Number[Given[X]] | None = ...,
    max: Array[Given[X], S, T] | Operand[Given[X], T] | Number[Given[X]] | None = ...,
) -> Result[Given[X], S, T]: ...
@overload
def clip(
    x: Layer[Given[X], Tape[T, T]],
    /,
    min: Operand[Given[X], T] | Number[Given[X]] | None = ...,
    max: Operand[Given[X], T] | Number[Given[X]] | None = ...,
) -> Result0[Given[X], T]: ...
@overload
def clip(
    x: Layer[Given[X], Tape[float, float]], /, min: Number[Given[X]] | None = ..., max: Number[Given[X]] | None = ...
) -> Result0[Given[X], float]: ...
@overload
def clip(
    x: Layer[Given[X], Tape[int, int]], /, min: Integer[Given[X]] | None = ..., max: Integer[Given[X]] | None = ...
) -> Result0[Given[X], int]: ...
def clip(x: object, /, min: object = None, max: object = None) -> AnyFormula:
    """Each element, but ``min`` where it is smaller and ``max`` where it is larger.

    An element equal to a bound gets half of the delta, as in any tie.

    >>> from symbolic import placeholder
    >>> clip(placeholder(float), -1.0, 1.0).predict(3.0)
    1.0
    """
    result = as_symbolic(x)
    if min is not None:
        result = apply("maximum", result, min)
    return result if max is None else apply("minimum", result, max)


@typed(division)
def hypot(a: object, b: object, /) -> AnyFormula:
    """sqrt(a * a + b * b) without overflow of the squares; the derivatives at (0, 0) are 0."""
    return binary("hypot", a, b)


@typed(division)
def atan2(a: object, b: object, /) -> AnyFormula:
    """The angle in radians, -pi to pi, of the vector (b, a), whose y component is the first operand."""
    return binary("atan2", a, b)


@typed(division)
def logaddexp(a: object, b: object, /) -> AnyFormula:
    """log(exp(a) + exp(b)), stable at any magnitude."""
    return binary("logaddexp", a, b)


@typed(comparison)
def less(a: object, b: object, /) -> AnyFormula:
    """Whether ``a < b``, element by element. Booleans have no delta."""
    return binary("less", a, b)


@typed(comparison)
def less_equal(a: object, b: object, /) -> AnyFormula:
    """Whether ``a <= b``, element by element. Booleans have no delta."""
    return binary("less_equal", a, b)


@typed(comparison)
def greater(a: object, b: object, /) -> AnyFormula:
    """Whether ``a > b``, element by element. Booleans have no delta."""
    return binary("greater", a, b)


@typed(comparison)
def greater_equal(a: object, b: object, /) -> AnyFormula:
    """Whether ``a >= b``, element by element. Booleans have no delta."""
    return binary("greater_equal", a, b)


@typed(comparison)
def equal(a: object, b: object, /) -> AnyFormula:
    """Whether ``a == b``, element by element. Booleans have no delta."""
    return binary("equal", a, b)


@typed(comparison)
def not_equal(a: object, b: object, /) -> AnyFormula:
    """Whether ``a != b``, element by element. Booleans have no delta."""
    return binary("not_equal", a, b)


@typed(logic)
def bitwise_and(a: object, b: object, /) -> AnyFormula:
    """``a & b`` of booleans or integers, element by element."""
    return binary("bitwise_and", a, b)


@typed(logic)
def bitwise_or(a: object, b: object, /) -> AnyFormula:
    """``a | b`` of booleans or integers, element by element."""
    return binary("bitwise_or", a, b)


@typed(logic)
def bitwise_xor(a: object, b: object, /) -> AnyFormula:
    """``a ^ b`` of booleans or integers, element by element."""
    return binary("bitwise_xor", a, b)


def bitwise_invert(x: OfBits, /) -> OfBits:
    """``~x`` of booleans or integers, element by element."""
    return unary("bitwise_invert", x)  # type: ignore[return-value]  # apply builds any formula


@overload
def where(
    condition: Condition[object], then: Operand[object, D], otherwise: Operand[object, D], /
) -> Result0[object, D]: ...
@overload
def where(
    condition: Condition[Given[X]], then: Operand[Given[X], D], otherwise: Operand[Given[X], D], /
) -> Result0[Given[X], D]: ...
@overload
def where(
    condition: Condition[Given[X]], then: Number[Given[X]], otherwise: Number[Given[X]], /
) -> Result0[Given[X], float]: ...
@overload
def where(
    condition: Array[Given[X], Any, np.bool_],
    then: Array[Given[X], S, T],
    otherwise: Array[Given[X], S, T] | Number[Given[X]],
    /,
) -> Result[Given[X], S, T]: ...
@overload
def where(
    condition: Array[Given[X], Any, np.bool_], then: Number[Given[X]], otherwise: Array[Given[X], S, T], /
) -> Result[Given[X], S, T]: ...
@overload
def where(
    condition: Array[Given[X], S, np.bool_], then: Integer[Given[X]], otherwise: Integer[Given[X]], /
) -> Result[Given[X], S, np.int64]: ...
@overload
def where(
    condition: Array[Given[X], S, np.bool_], then: Number[Given[X]], otherwise: Number[Given[X]], /
) -> Result[Given[X], S, np.float64]: ...
def where(condition: object, then: object, otherwise: object, /) -> AnyFormula:
    """``then`` where the condition is true, else ``otherwise``, element by element.

    Both operands are computed, and the delta of the one not selected is exactly 0. An operand that is undefined for
    some elements, such as the square root of negative numbers, needs these masked first: where(x > 0, x, 1.0).

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> where(x > 0.0, x, 2.0 * x).predict(-1.0)
    -2.0
    """
    return apply("where", condition, then, otherwise)


@overload
def if_(
    condition: Condition[object], then: Operand[object, D], otherwise: Operand[object, D], /
) -> Result0[object, D]: ...
@overload
def if_(
    condition: Condition[Given[X]], then: Operand[Given[X], D], otherwise: Operand[Given[X], D], /
) -> Result0[Given[X], D]: ...
@overload
def if_(
    condition: Condition[Given[X]], then: Layer[Given[X], Tape[Y, Y]], otherwise: Layer[Given[X], Tape[Y, Y]], /
) -> Symbolic[Given[X], Tape[Y, Y]]: ...
def if_(condition: object, then: object, otherwise: object, /) -> AnyFormula:
    """``then`` if one boolean is true, else ``otherwise``: only the selected branch is computed.

    >>> from symbolic import placeholder, sqrt
    >>> x = placeholder(float)
    >>> if_(x > 0.0, sqrt(x), 0.0 * x).predict(4.0)
    2.0
    """
    return if_symbolic(condition, then, otherwise)
