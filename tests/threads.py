"""Threads that start at the same moment and take turns often, so that a race would be seen."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def switching_often() -> Iterator[None]:
    """The body of a fixture: threads take turns after a microsecond, not after five milliseconds."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], Any], count: int) -> list[Any]:
    """What ``work(i)`` gives in so many threads that start at the same moment; an error in one is raised here."""
    barrier = threading.Barrier(count)

    def started(number: int) -> Any:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(started, range(count)))
