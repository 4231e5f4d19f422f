"""What the cases share: the two training steps that other systems seed in their own way, and counters."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from layertree import Tape


def count_up(first: int, *shape: int) -> Any:
    """The numbers from ``first`` on, in a shape."""
    return np.arange(first, first + np.prod(shape), dtype=float).reshape(shape)


def train_squares(formula: Any, data: Any = None) -> Any:
    """One step whose delta is the output itself, so that half the sum of squares falls; the output before it."""
    with formula.forward(data) as tape:
        value = tape.value
        tape.backward(value)
    return value


def train_sum(formula: Any, data: Any = None, *, times: int = 1) -> Any:
    """Steps whose delta is ones, so that the sum falls; the output before the last one."""
    value = None
    for _ in range(times):
        with formula.forward(data) as tape:
            value = tape.value
            tape.backward(np.ones_like(value) if np.ndim(value) else 1.0)
    return value


def tapes_upstream(tape: Tape[Any, Any]) -> list[Any]:
    """The distinct tapes that one was computed from, itself included."""
    found: dict[int, Any] = {}
    stack = [tape]
    while stack:
        one = stack.pop()
        if id(one) not in found:
            found[id(one)] = one
            stack.extend(one.upstream)
    return list(found.values())


def live_tapes() -> int:
    """How many tapes there are in this process."""
    return sum(issubclass(type(one), Tape) for one in gc.get_objects())


@contextmanager
def no_collector() -> Iterator[None]:
    """Only reference counts free anything inside; what earlier tests left is collected first."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Calls:
    """How often the rules of some layer classes ran."""

    def __init__(self) -> None:
        self.compute = 0
        self.gradient = 0


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch, *classes: Any) -> Iterator[Calls]:
    """Count the calls of ``compute`` and ``gradient`` of layer classes while the block runs."""
    calls = Calls()

    def counting(rule: Callable[..., Any], name: str) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            setattr(calls, name, getattr(calls, name) + 1)
            return rule(*arguments)

        return called

    with monkeypatch.context() as patch:
        for cls in classes:
            patch.setattr(cls, "compute", counting(cls.compute, "compute"))
            patch.setattr(cls, "gradient", counting(cls.gradient, "gradient"))
        yield calls
