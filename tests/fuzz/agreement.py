"""Agreement: when two values, of two readings of one program, are the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.layers.checks import kind_of, leaves
from tests.layers.sample import is_float

ULPS = 64.0
"""The units in the last place in which two readings may always differ: they add up in another order, for example."""

RUNS = 6
"""How many runs with errors show how far the value of a program is determined."""

SPREAD = 24.0
"""How many times the largest difference of runs with errors two readings may differ."""


@dataclass(frozen=True)
class Pair:
    """What two readings give for one thing, and the code that computes both as ``wanted`` and ``given``.

    ``is_exact`` asks for the same bits, ``is_signed`` for the same signs of zeros. ``run`` gives the wanted value with
    rounding errors, by a seed; without it only rounding in the last places is allowed. ``of`` says what the thing is: a
    ``value``, a ``delta``, or what is there after a ``step``.
    """

    what: str
    wanted: Any
    given: Any
    code: str
    is_exact: bool = False
    is_signed: bool = False
    run: Callable[[int], Any] | None = None
    of: str = "value"


@dataclass(frozen=True)
class Difference:
    """How two readings differ: in ``kind``, ``sign`` or ``value``, or by an ``error`` that is raised."""

    aspect: str
    what: str
    message: str
    code: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What a smaller program has to keep to be the same difference."""
        return self.aspect, self.message if self.aspect == "error" else ""


def difference(pair: Pair) -> Difference | None:
    """The first difference of a pair, or None."""
    wanted, given = leaves(pair.wanted), leaves(pair.given)
    if _structure(pair.wanted) != _structure(pair.given):
        return Difference("kind", pair.what, f"{pair.given!r} instead of {pair.wanted!r}", pair.code)
    for i, (one, other) in enumerate(zip(wanted, given, strict=True)):
        found = _leaf_difference(pair, i, one, other)
        if found is not None:
            aspect, message = found
            return Difference(aspect, pair.what, message, pair.code)
    return None


def _structure(data: Any) -> Any:
    return tuple([_structure(part) for part in data]) if isinstance(data, tuple) else None


def _leaf_difference(pair: Pair, position: int, wanted: Any, given: Any) -> tuple[str, str] | None:
    if not isinstance(wanted, (bool, float, int, np.ndarray, np.generic)) or type(wanted) is bool:
        return None if wanted is given or wanted == given else ("value", f"{given!r} instead of {wanted!r}")
    kinds = [(kind_of(one), np.shape(one)) for one in (wanted, given)]
    if kinds[0] != kinds[1]:
        return "kind", f"{kinds[1]} instead of {kinds[0]}"
    if not is_float(wanted):
        return None if np.array_equal(wanted, given) else _excused(pair, position, wanted, given, "value")
    if pair.is_exact:
        same = np.asarray(wanted).tobytes() == np.asarray(given).tobytes()
        return None if same or _only_nans_differ(wanted, given) else ("value", f"{given!r} instead of {wanted!r}")
    if not close(wanted, given, 0.0).all():
        return _excused(pair, position, wanted, given, "value")
    if pair.is_signed and not same_signs(wanted, given).all():
        return _excused(pair, position, wanted, given, "sign")
    return None


def _only_nans_differ(wanted: Any, given: Any) -> bool:
    """Whether all elements but NaN have the same bits: the sign and the payload of a NaN mean nothing."""
    one, other = np.atleast_1d(wanted), np.atleast_1d(given)
    kept = ~np.isnan(one)
    return bool((np.isnan(one) == np.isnan(other)).all()) and one[kept].tobytes() == other[kept].tobytes()


def close(wanted: Any, given: Any, allowed: Any) -> Any:
    """Where two arrays of floats agree: both NaN, the same infinity, or apart by some last places and ``allowed``."""
    info = np.finfo(np.asarray(wanted).dtype)
    one, other = np.asarray(wanted, np.longdouble), np.asarray(given, np.longdouble)
    with np.errstate(all="ignore"):
        tolerance = ULPS * (info.eps * np.abs(one) + info.smallest_subnormal) + allowed
        is_near = np.isfinite(one) & np.isfinite(other) & (np.abs(one - other) <= tolerance)
        return (one == other) | (np.isnan(one) & np.isnan(other)) | is_near


def same_signs(wanted: Any, given: Any) -> Any:
    """Where zeros have the same sign."""
    zeros = (np.asarray(wanted) == 0) & (np.asarray(given) == 0)
    return ~zeros | (np.signbit(wanted) == np.signbit(given))


def _excused(pair: Pair, position: int, wanted: Any, given: Any, aspect: str) -> tuple[str, str] | None:
    """The difference, unless runs with errors differ as much, element by element."""
    found = aspect, f"{given!r} instead of {wanted!r}"
    if pair.run is None:
        return found
    runs = [leaves(pair.run(seed))[position] for seed in range(RUNS)]
    if any(np.shape(run) != np.shape(wanted) for run in runs):
        return found
    if not is_float(wanted):
        undetermined = np.any([np.not_equal(run, runs[0]) for run in runs], axis=0)
        return None if (np.equal(wanted, given) | undetermined).all() else found
    undetermined, spread = spread_of(runs)
    agree = undetermined | close(wanted, given, SPREAD * spread)
    if aspect == "sign":
        agree &= same_signs(wanted, given) | (spread > 0)
    return None if agree.all() else found


def spread_of(runs: list[Any]) -> tuple[Any, Any]:
    """Where runs with errors are NaN or infinite in other ways, and how far they are apart elsewhere.

    They are compared with one another alone: runs of a wrong reading excuse nothing.
    """
    all_runs = np.asarray(runs, np.longdouble)
    with np.errstate(all="ignore"):
        kinds = np.where(np.isfinite(all_runs), 0.0, np.where(np.isnan(all_runs), 2.0, np.sign(all_runs)))
        undetermined = (kinds != kinds[0]).any(axis=0)
        spread = np.where(kinds[0] == 0, np.abs(all_runs - all_runs[0]).max(axis=0), 0.0)
    return undetermined, np.where(np.isfinite(spread), spread, np.inf)
