"""When the numbers of a formula may be gathered: what comes of them has to stand for them, whatever they meet."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul, neg, sub
from typing import Any

import numpy as np

from layertree.core.dynamic import is_a

ROOM = 64
"""The factor by which an intermediate result may change: numbers from 1/64 to 64 change places with factors."""


def _quotient(x: Any, y: Any) -> Any:
    return x / y


_EXACT: dict[str | None, Callable[..., Any]] = {
    "add": add,
    "subtract": sub,
    "multiply": mul,
    "divide": _quotient,
    "negative": neg,
}
_SCALES = ("multiply", "divide")


def is_moderate(number: Any) -> bool:
    """Whether the magnitude of a number is from 1/64 to 64.

    >>> is_moderate(-0.5), is_moderate(0.0), is_moderate(1e200)
    (True, False, False)
    """
    return bool(1 / ROOM <= abs(float(number)) <= ROOM)


def stands_for(found: Any, function: str | None, operands: tuple[Any, ...], dtype: np.dtype[Any]) -> bool:
    """Whether a number may stand for a function of numbers in a formula of a dtype.

    It has to be finite in that dtype, and so do the operands. Whole numbers stay exact, others keep their digits: a
    product neither vanishes nor becomes subnormal. What dtype the operands have by themselves does not matter.

    >>> stands_for(6.0, "multiply", (2.0, 3.0), np.dtype(np.float64))
    True
    >>> stands_for(float("inf"), "multiply", (1e200, 1e200), np.dtype(np.float64))
    False
    >>> stands_for(0.0, "multiply", (1e-200, 1e-200), np.dtype(np.float64))
    False
    >>> stands_for(1e60, "multiply", (1e30, 1e30), np.dtype(np.float32))
    False
    """
    if function not in _EXACT and np.asarray(found).dtype.kind != "f":
        return True
    if dtype.kind in "iu":
        return _is_exact(found, function, operands, dtype)
    if dtype.kind != "f":
        return False
    try:
        with np.errstate(all="ignore"):
            numbers = [float(dtype.type(number)) for number in (*operands, found)]
    except OverflowError:  # an integer that no float is as large as
        return False
    if not np.isfinite(numbers).all():
        return False
    if function not in _EXACT:
        return True
    from fractions import Fraction

    *known, result = map(Fraction, numbers)
    exact: Fraction = _EXACT[function](*known)
    if function in _SCALES and abs(result) < Fraction(float(np.finfo(dtype).tiny)):
        return False
    if all(number.denominator == 1 for number in (*known, exact)):
        return result == exact
    return abs(result - exact) <= 4 * Fraction(float(np.finfo(dtype).eps)) * abs(exact)


def _is_exact(found: Any, function: str | None, operands: tuple[Any, ...], dtype: np.dtype[Any]) -> bool:
    """The same of integers: nothing wraps around."""
    limits = np.iinfo(dtype)
    if not limits.min <= found <= limits.max:
        return False
    from fractions import Fraction

    exact = _EXACT.get(function)
    return exact is None or int(found) == exact(*[Fraction(int(number)) for number in operands])


def keeps_products(m: Any, n: Any) -> bool:
    """Whether m * (n * a) is as large as (m * n) * a: no infinity comes of n * a that m would not give.

    >>> keeps_products(1e-200, 1e200), keeps_products(1e200, 1e-200), keeps_products(0.5, 2.0)
    (False, True, True)
    """
    return bool(abs(n) <= 1 or abs(m) >= 1) or (is_moderate(m) and is_moderate(n))


def keeps_quotients(m: Any, n: Any) -> bool:
    """Whether (m * a) / n is as large as (m / n) * a."""
    return bool(abs(m) <= 1 or abs(n) <= 1) or (is_moderate(m) and is_moderate(n))


def keeps_sums(m: Any, n: Any) -> bool:
    """Whether m + (n + a) is as large as (m + n) + a: n does not make an infinity that m would take back.

    >>> keeps_sums(1e308, -1e308), keeps_sums(1e307, 1e307), keeps_sums(1.0, -1.0)
    (False, True, True)
    """
    return bool((m >= 0) == (n >= 0)) or max(abs(m), abs(n)) <= ROOM**1.5


Facts = Callable[[str], bool]


def varies(a: Facts) -> bool:
    """Whether a factor is no number: two numbers do not change places."""
    return not a("constant")


def _collects(m: Any, n: Any, a: Facts) -> bool:
    """Infinities of one sign add up, those of two are NaN. What is finite stays finite times a moderate number."""
    one_sign = (m > 0 and n > 0) or (m < 0 and n < 0)
    return bool(one_sign) or (max(abs(m), abs(n)) <= ROOM and a("finite"))


def collects(m: Any, n: Any, a: Facts) -> bool:
    """Whether m * a + n * a is (m + n) * a for every a."""
    return _collects(m, n, a)


def collects_difference(m: Any, n: Any, a: Facts) -> bool:
    """Whether m * a - n * a is (m - n) * a for every a."""
    return _collects(m, -int(n) if is_a(n, (int, np.integer)) else -n, a)


def collects_one(m: Any, a: Facts) -> bool:
    """Whether m * a + a is (m + 1) * a for every a."""
    return _collects(m, 1, a)


def collects_difference_with_one(m: Any, a: Facts) -> bool:
    """Whether m * a - a is (m - 1) * a for every a, and a - m * a is (1 - m) * a."""
    return _collects(m, -1, a)
