"""The number of threads of NumPy's BLAS: set by ctypes in an OpenBLAS that NumPy brings, else by threadpoolctl.

Where NumPy brings its own OpenBLAS, ctypes finds the functions in 0.4 ms, and threadpoolctl in 9 ms with its import;
asking and setting costs 3 us either way, ``threadpoolctl.limit`` 16 us. Any other BLAS needs threadpoolctl, where that
is installed.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

_SYMBOLS = ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}")
_using = Lock()
_users = 0
_before = 0


class Control(NamedTuple):
    """The functions of a BLAS that return and set its number of threads."""

    get: Callable[[], int]
    set: Callable[[int], object]


def cores() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def is_controlled() -> bool:
    """Whether the number of BLAS threads can be set."""
    return control() is not None


@contextmanager
def one_thread() -> Generator[None]:
    """BLAS with one thread while this context is open; the last of several open contexts restores the number."""
    global _users, _before
    found = control()
    if found is None:
        yield
        return
    entered = False
    try:
        with _using:
            before = _before if _users else found.get()
            # Known before it is done: an interrupt arrives between calls, and what is set by then is undone.
            _users, _before, entered = _users + 1, before, True
            if _users == 1:
                found.set(1)
        yield
    finally:
        if entered:
            with _using:
                if _users == 1:
                    found.set(_before)
                _users = max(_users - 1, 0)  # 0 already in a child process that a context was forked into


def _end_all() -> None:
    """In a child process, where the threads in open contexts are gone: restore the number, and renew the lock."""
    global _using, _users
    found = control() if _users else None
    _using, _users = Lock(), 0
    if found is not None:
        found.set(_before)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_end_all)


@cache
def control() -> Control | None:
    """The functions that return and set the number of BLAS threads; None where neither way finds them."""
    return _by_ctypes() or _by_threadpoolctl()


def _by_ctypes() -> Control | None:
    """The functions of the OpenBLAS in NumPy's own folder."""
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
                    return Control(
                        getattr(library, symbol.format("get_num_threads")),
                        getattr(library, symbol.format("set_num_threads")),
                    )
                except AttributeError:
                    continue
    return None


def _by_threadpoolctl() -> Control | None:
    """The functions of any BLAS that threadpoolctl knows, where threadpoolctl is installed."""
    try:
        threadpoolctl: Any = import_module("threadpoolctl")
    except ImportError:
        return None
    found: Any = threadpoolctl.ThreadpoolController().select(user_api="blas").lib_controllers
    if not found:
        return None
    return Control(found[0].get_num_threads, found[0].set_num_threads)
