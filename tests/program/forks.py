"""Child processes by fork, where the system has it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

# A system without fork has no os.register_at_fork either, by which the library renews locks in a child: there is no
# child with a held lock, and no code of the library to test.
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="it forks a process, and Windows has no fork")


def in_child(work: Callable[[], object]) -> int:
    """The status of a child process that does some work; it is killed after 20 seconds."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(20)
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]
