"""How a call is timed: in batches of at least a millisecond, for as long as a round lasts."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

BATCH = 1e-3
"""Seconds that a batch of calls lasts at least, so that reading the clock does not count."""

_MOST = 1_000_000


def batch_size(call: Callable[[], Any]) -> int:
    """How many calls make a batch."""
    number = 1
    while (taken := _timed(call, number)) < BATCH and number < _MOST:
        number = max(2 * number, int(number * BATCH / max(taken, 1e-9)))
    return number


def seconds_a_call(call: Callable[[], Any], number: int, seconds: float) -> float:
    """One round: the median over its batches of the time of a call."""
    end = perf_counter() + seconds
    batches = [_timed(call, number) / number]
    while perf_counter() < end:
        batches.append(_timed(call, number) / number)
    return statistics.median(batches)


def _timed(call: Callable[[], Any], number: int) -> float:
    start = perf_counter()
    for _ in range(number):
        call()
    return perf_counter() - start
