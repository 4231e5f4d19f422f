"""The scalar namespace: functions of Python numbers, by ``math`` and ``operator``.

Where Python raises (1/0, log 0, overflow), the result is the IEEE 754 value, as NumPy computes it in float64.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

import numpy as np

from layertree.core.data import Data
from layertree.core.dynamic import is_a
from layertree.core.value import DType
from layertree.namespaces import numpy as kernels

Unary: TypeAlias = Callable[[Data], Data]
Binary: TypeAlias = Callable[[Data, Data], Data]
N = TypeVar("N", bound=float)

_untyped: Mapping[str, Binary] = vars(operator)  # functions whose operands have no type in ``operator``

add: Binary = operator.add
subtract: Binary = operator.sub
multiply: Binary = operator.mul
negative: Unary = operator.neg
positive: Unary = operator.pos
abs: Unary = operator.abs
less: Binary = operator.lt
less_equal: Binary = operator.le
greater: Binary = operator.gt
greater_equal: Binary = operator.ge
equal: Binary = operator.eq
not_equal: Binary = operator.ne
bitwise_and: Binary = _untyped["and_"]
bitwise_or: Binary = _untyped["or_"]
bitwise_xor: Binary = _untyped["xor"]


def bitwise_invert(x: int) -> int:
    """The negation of a boolean, as in NumPy; of the bits of an integer, ``~x``."""
    return not x if isinstance(x, bool) else ~x


_INT64 = range(-(2**63), 2**63)


def _or_ieee(fast: Callable[..., Data], name: str) -> Callable[..., Data]:
    """A function of ``math`` with the result of NumPy where ``math`` raises."""
    exact = getattr(np, name)

    def function(*values: float) -> Data:
        try:
            return fast(*values)
        except (ValueError, OverflowError, ZeroDivisionError):
            are_integers = all(type(value) is not float and value in _INT64 for value in values)
            kind = np.int64 if are_integers else np.float64
            with np.errstate(all="ignore"):
                return exact(*[kind(value) for value in values]).item()

    function.__name__ = name
    function.__doc__ = f"``{name}`` of Python numbers, with NumPy's float64 answer where Python raises."
    return function


LARGEST_POWER = 2**20
"""The number of bits that a power of integers may have: Python computes larger ones for minutes, or not at all."""


def _require_small_power(base: int, exponent: int) -> None:
    """Raise ArithmeticError for a power of integers with too many bits."""
    if base.bit_length() * exponent > LARGEST_POWER:
        raise ArithmeticError(
            f"a power of integers has over {LARGEST_POWER} bits, that of {base.bit_length()} bits to an exponent of "
            f"{exponent.bit_length()} bits: give a float as base or exponent"
        )


def _power(base: float, exponent: float) -> float:
    if type(base) is not float and type(exponent) is not float:  # booleans are integers
        if exponent < 0:
            raise ArithmeticError(
                f"{base!r} to the power of {exponent!r}: an integer to a negative power is no integer: "
                "give a float as base or exponent"
            )
        if exponent > 64 and not -2 < base < 2:
            _require_small_power(int(base), int(exponent))
        whole: float = base**exponent
        return whole
    return math.pow(base, exponent)


def _whole(fast: Unary, name: str) -> Unary:
    """A rounding of floats to floats, which keeps the sign of -0.0; integers are returned unchanged."""

    def whole(x: Data) -> Data:
        return math.copysign(float(fast(x)), x) if type(x) is float else x

    return _or_ieee(whole, name)


divide: Binary = _or_ieee(_untyped["truediv"], "divide")
floor_divide: Binary = _or_ieee(_untyped["floordiv"], "floor_divide")
remainder: Binary = _or_ieee(operator.mod, "remainder")
pow: Binary = _or_ieee(_power, "power")
exp: Unary = _or_ieee(math.exp, "exp")
log: Unary = _or_ieee(math.log, "log")
sin: Unary = _or_ieee(math.sin, "sin")
cos: Unary = _or_ieee(math.cos, "cos")
sqrt: Unary = _or_ieee(math.sqrt, "sqrt")
tan: Unary = _or_ieee(math.tan, "tan")
asin: Unary = _or_ieee(math.asin, "asin")
acos: Unary = _or_ieee(math.acos, "acos")
atan: Unary = math.atan
atan2: Binary = math.atan2
hypot: Binary = math.hypot
sinh: Unary = _or_ieee(math.sinh, "sinh")
cosh: Unary = _or_ieee(math.cosh, "cosh")
tanh: Unary = math.tanh
asinh: Unary = math.asinh
acosh: Unary = _or_ieee(math.acosh, "acosh")
atanh: Unary = _or_ieee(math.atanh, "atanh")
expm1: Unary = _or_ieee(math.expm1, "expm1")
log1p: Unary = _or_ieee(math.log1p, "log1p")
log2: Unary = _or_ieee(math.log2, "log2")
log10: Unary = _or_ieee(math.log10, "log10")
cbrt: Unary = math.cbrt
ceil: Unary = _whole(math.ceil, "ceil")
floor: Unary = _whole(math.floor, "floor")
trunc: Unary = _whole(math.trunc, "trunc")
round: Unary = _whole(builtins.round, "round")


def _promoted(chosen: float, a: float, b: float) -> float:
    """``chosen`` in the type to which both numbers promote: float where one of them is a float."""
    return chosen if type(a) is type(b) else type(a + b)(chosen)


def maximum(a: float, b: float) -> float:
    """The larger number; NaN where either is NaN."""
    return _promoted(a if a > b or a != a else b, a, b)


def minimum(a: float, b: float) -> float:
    """The smaller number; NaN where either is NaN."""
    return _promoted(a if a < b or a != a else b, a, b)


def where(condition: bool, then: float, otherwise: float) -> float:
    """``then`` if the condition is true, else ``otherwise``."""
    return _promoted(then if condition else otherwise, then, otherwise)


def sign(x: float) -> float:
    """-1, 0 or 1; of NaN NaN."""
    return x if x != x else type(x)((x > 0) - (x < 0))


astype: Callable[[Data, DType], Data] = kernels.astype


def sum_to(x: Data, like: float) -> Data:
    """``x`` in the type of ``like``; an array, to which ``like`` was broadcast, is summed over all axes."""
    return x if type(x) is type(like) else kernels.sum_to(x, like)


def broadcast_like(x: float, like: float) -> float:
    """``x``: numbers have one shape."""
    return x


def zeros_like(like: N) -> N:
    """0 in the type of the pattern."""
    return type(like)(0)


def ones_like(like: N) -> N:
    """1 in the type of the pattern."""
    return type(like)(1)


def shape(x: float) -> tuple[()]:
    """The shape of a number, ()."""
    return ()


def ndim(x: float) -> int:
    """The rank of a number, 0."""
    return 0


def __getattr__(name: str) -> Callable[..., Data]:
    """A function without a scalar form: that of NumPy, whose result of rank 0 becomes a Python number."""
    found = getattr(kernels, name, None) or getattr(np, name, None)
    if found is None or name.startswith("_"):
        raise AttributeError(name)

    def function(*values: Data, **attributes: object) -> Data:
        with np.errstate(all="ignore"):
            result = found(*values, **attributes)
        if is_a(result, (np.generic, np.ndarray)) and result.ndim == 0:
            return result.item()
        return result

    return function
