"""The number of threads of the BLAS that NumPy has loaded: through threadpoolctl where installed, else by ctypes."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np

_SYMBOLS = ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}")
_using = Lock()
_users = 0
_before = 0


def cores() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def is_controlled() -> bool:
    """Whether the number of BLAS threads can be set."""
    return _control() is not None


@contextmanager
def one_thread() -> Generator[None]:
    """BLAS with one thread, while several of ours run; as before when the last of those that asked is done."""
    global _users, _before
    control = _control()
    if control is None:
        yield
        return
    get, set_number = control
    entered = False
    try:
        with _using:
            before = _before if _users else get()
            # Known before it is done: Ctrl-C comes after a call, and what is set then is undone.
            _users, _before, entered = _users + 1, before, True
            if _users == 1:
                set_number(1)
        yield
    finally:
        if entered:
            with _using:
                _users -= 1
                if _users == 0:
                    set_number(_before)


@cache
def _control() -> tuple[Callable[[], int], Callable[[int], Any]] | None:
    """How to ask for the number of threads, and how to set it."""
    return _by_ctypes() or _by_threadpoolctl()


def _by_ctypes() -> tuple[Callable[[], int], Callable[[int], Any]] | None:
    root = os.path.dirname(np.__file__)
    for folder in (os.path.join(os.path.dirname(root), "numpy.libs"), os.path.join(root, ".dylibs")):
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if "openblas" not in name:
                continue
            try:
                library = ctypes.CDLL(os.path.join(folder, name))
            except OSError:
                continue
            for symbol in _SYMBOLS:
                try:
                    return getattr(library, symbol.format("get_num_threads")), getattr(
                        library, symbol.format("set_num_threads")
                    )
                except AttributeError:
                    continue
    return None


def _by_threadpoolctl() -> tuple[Callable[[], int], Callable[[int], Any]] | None:
    try:
        threadpoolctl: Any = import_module("threadpoolctl")
    except ImportError:
        return None
    found: Any = threadpoolctl.ThreadpoolController().select(user_api="blas").lib_controllers
    if not found:
        return None
    return found[0].get_num_threads, found[0].set_num_threads
