"""Soundness of folding and reassociating constants: when the result in floating point may replace the operations.

IEEE arithmetic is neither associative nor free of overflow, so a rule that combines two constants is sound only where
the combined constant is exact or correctly rounded, and introduces neither an infinity nor a zero.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul, neg, sub
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from layertree.core.dynamic import is_a

if TYPE_CHECKING:
    pass

ROOM = 64
"""The factor by which a rule may scale an intermediate result: constants from 1/64 to 64 commute with factors."""

Real: TypeAlias = float
"""A constant of a formula: a Python number, or a NumPy scalar, which has the same operations."""


def _quotient(x: Any, y: Any) -> Any:
    return x / y  # a checker knows no type of operator.truediv


_EXACT: dict[str | None, Callable[..., Any]] = {
    "add": add,
    "subtract": sub,
    "multiply": mul,
    "divide": _quotient,
    "negative": neg,
}
"""The operations that are exact on fractions, by the name of the function."""

_SCALES = ("multiply", "divide")


def is_moderate(number: Real) -> bool:
    """Whether the magnitude of a number is from 1/64 to 64.

    >>> is_moderate(-0.5), is_moderate(0.0), is_moderate(1e200)
    (True, False, False)
    """
    return bool(1 / ROOM <= abs(float(number)) <= ROOM)


def is_sound(folded: Real, function: str | None, operands: tuple[Real, ...], dtype: np.dtype[Any]) -> bool:
    """Whether a constant may replace a function of constants in a formula of a dtype.

    The constant and the operands must be finite in that dtype, whatever dtype they have themselves. Whole numbers must
    be exact, others within 4 ulp of the exact result; a product must neither vanish nor become subnormal.

    >>> is_sound(6.0, "multiply", (2.0, 3.0), np.dtype(np.float64))
    True
    >>> is_sound(float("inf"), "multiply", (1e200, 1e200), np.dtype(np.float64))
    False
    >>> is_sound(0.0, "multiply", (1e-200, 1e-200), np.dtype(np.float64))
    False
    >>> is_sound(1e60, "multiply", (1e30, 1e30), np.dtype(np.float32))
    False
    """
    if function not in _EXACT and np.asarray(folded).dtype.kind != "f":
        return True
    if dtype.kind in "iu":
        return _is_exact(folded, function, operands, dtype)
    if dtype.kind != "f":
        return False
    try:
        with np.errstate(all="ignore"):
            numbers = [float(dtype.type(number)) for number in (*operands, folded)]
    except OverflowError:  # an integer larger than every float
        return False
    if not np.isfinite(numbers).all():
        return False
    return function not in _EXACT or _is_rounded(numbers, function, dtype)


def _is_rounded(numbers: list[float], function: str | None, dtype: np.dtype[Any]) -> bool:
    """Whether the last of some numbers is the function of the others, but for rounding."""
    from fractions import Fraction  # here, for loading time

    *operands, result = map(Fraction, numbers)
    exact: Fraction = _EXACT[function](*operands)
    if function in _SCALES and abs(result) < Fraction(float(np.finfo(dtype).tiny)):
        return False
    if all(number.denominator == 1 for number in (*operands, exact)):
        return result == exact
    return abs(result - exact) <= 4 * Fraction(float(np.finfo(dtype).eps)) * abs(exact)


def _is_exact(folded: Real, function: str | None, operands: tuple[Real, ...], dtype: np.dtype[Any]) -> bool:
    """Whether an integer is the exact result of an operation on integers, without wrapping around."""
    limits = np.iinfo(dtype)
    if not limits.min <= folded <= limits.max:
        return False
    from fractions import Fraction  # here, for loading time

    exact = _EXACT.get(function)
    return exact is None or int(folded) == exact(*[Fraction(int(number)) for number in operands])


def keeps_products(m: Real, n: Real) -> bool:
    """Whether m * (n * a) equals (m * n) * a for every a: n * a overflows or vanishes only if the product does.

    >>> keeps_products(1e-200, 1e200), keeps_products(1e200, 1e-200), keeps_products(0.5, 2.0)
    (False, True, True)
    """
    return bool(abs(n) <= 1 or abs(m) >= 1) or (is_moderate(m) and is_moderate(n))


def keeps_quotients(m: Real, n: Real) -> bool:
    """Whether (m * a) / n equals (m / n) * a for every a."""
    return bool(abs(m) <= 1 or abs(n) <= 1) or (is_moderate(m) and is_moderate(n))


def keeps_sums(m: Real, n: Real) -> bool:
    """Whether m + (n + a) equals (m + n) + a for every a: n + a overflows only if the sum does.

    >>> keeps_sums(1e308, -1e308), keeps_sums(1e307, 1e307), keeps_sums(1.0, -1.0)
    (False, True, True)
    """
    return bool((m >= 0) == (n >= 0)) or max(abs(m), abs(n)) <= ROOM**1.5


def keeps_differences(m: Real, n: Real) -> bool:
    """Whether (a - m) - n equals a - (m + n) for every a; where m + n is 0, -0.0 would stay -0.0.

    >>> keeps_differences(1.0, 2.0), keeps_differences(1.0, -1.0)
    (True, False)
    """
    return bool(m + n != 0) and keeps_sums(m, n)


def is_nonzero(m: Real) -> bool:
    """Whether a constant is not 0: the negative of the integer 0 has the sign of 0."""
    return bool(m != 0)


HasProperty: TypeAlias = Callable[[str], bool]
"""Whether a property is proven for the value that a wildcard matched."""


def varies(a: HasProperty) -> bool:
    """Whether a factor is not constant: exchanging two constants would never end."""
    return not a("constant")


def _collects(m: Real, n: Real, a: HasProperty) -> bool:
    """Whether m * a + n * a has the infinities and zeros of (m + n) * a.

    Infinities of one sign add up, those of two signs give NaN. A finite value stays finite times a moderate constant.
    """
    one_sign = (m > 0 and n > 0) or (m < 0 and n < 0)
    if one_sign:
        return True
    # A difference of equal zeros is 0.0, so the sum of the constants must not give -0.0.
    return max(abs(m), abs(n)) <= ROOM and a("finite") and a("unsigned") and m + n > 0


def collects(m: Real, n: Real, a: HasProperty) -> bool:
    """Whether m * a + n * a equals (m + n) * a for every a."""
    return _collects(m, n, a)


def collects_difference(m: Real, n: Real, a: HasProperty) -> bool:
    """Whether m * a - n * a equals (m - n) * a for every a."""
    return _collects(m, _negative(n), a)


def collects_one(m: Real, a: HasProperty) -> bool:
    """Whether m * a + a equals (m + 1) * a for every a."""
    return _collects(m, 1, a)


def collects_difference_with_one(m: Real, a: HasProperty) -> bool:
    """Whether m * a - a equals (m - 1) * a for every a."""
    return _collects(m, -1, a)


def collects_difference_from_one(m: Real, a: HasProperty) -> bool:
    """Whether a - m * a equals (1 - m) * a for every a."""
    return _collects(1, _negative(m), a)


def _negative(number: Real) -> Real:
    return -int(number) if is_a(number, (int, np.integer)) else -number
