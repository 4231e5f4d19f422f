"""Interrupts: Ctrl-C at any instruction of a step leaves all cells before or after the step, and the next step runs.

Python delivers an interrupt after a call, at the start of a function and at a jump backward. A trace function raises it
at each of these places in turn.
"""

from __future__ import annotations

import opcode
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import layertree
import symbolic
from layertree import Adam, Optimizer, compile, optimizer, scope
from layertree.core.cell import is_updating, rebinding
from layertree.typing import ArraySpec
from symbolic import dropout, mean, placeholder, tanh, weight
from symbolic.initializers import _generator, seed

ROOTS = (layertree.__path__[0], symbolic.__path__[0], "layertree program")
AFTER = frozenset(("CALL", "CALL_KW", "CALL_FUNCTION_EX", "RESUME", "JUMP_BACKWARD"))
"""The instructions after which CPython delivers an interrupt; CALL_KW is one from Python 3.13 on."""


class Interrupt:
    """A trace function that raises KeyboardInterrupt at one of the places in the library where one may arrive."""

    def __init__(self, number: int) -> None:
        self.remaining = number
        self._last: dict[int, str] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(ROOTS):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            before = self._last.get(id(frame))
            self._last[id(frame)] = opcode.opname[frame.f_code.co_code[frame.f_lasti]]
            if before in AFTER:
                self.remaining -= 1
                if self.remaining < 0:
                    raise KeyboardInterrupt
        elif event == "call":
            self._last[id(frame)] = ""
        return self


def interrupted(run: Callable[[], object], number: int) -> bool:
    """Whether a run was interrupted at the place of a number, counted from 0."""
    before = sys.gettrace()
    sys.settrace(Interrupt(number))
    try:
        run()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def scalar() -> tuple[Any, Any, list[Any]]:
    x, leaves = placeholder(float), [weight(2.0, optimizer=Adam(0.1)), weight(3.0, optimizer=Adam(0.1))]
    return tanh(x * leaves[0]) * leaves[1], 0.5, leaves


def number() -> tuple[Any, Any, list[Any]]:
    x, leaves = placeholder(float), [weight(2.0)]
    return x * leaves[0], 0.5, leaves


def arrays() -> tuple[Any, Any, list[Any]]:
    x = placeholder(ArraySpec(("Batch", 3)))
    leaves = [weight(np.ones((3, 2)), optimizer=Adam(0.1)), weight(np.ones(2))]
    return mean(dropout(x @ leaves[0] * leaves[1], 0.5)), np.arange(12.0).reshape(4, 3), leaves


@pytest.mark.parametrize("mode", ["tape", "compiled", "threads", "gradients"])
@pytest.mark.parametrize("make", [scalar, number, arrays])
def test_a_step_is_whole_or_none(make: Callable[[], tuple[Any, Any, list[Any]]], mode: str) -> None:
    formula, data, leaves = make()
    step: Any = {
        "tape": lambda: formula.train,
        "compiled": lambda: compile(formula, train=True),
        "threads": lambda: compile(formula, train=True, threads=2),
        "gradients": lambda: compile(formula).train,
    }[mode]()
    step(data)
    cells = [leaf.layer.cell for leaf in leaves]
    places = 0
    while True:
        before = [cell.content for cell in cells]
        ended = not interrupted(lambda: step(data), places)
        changed = [cell.content is not one for cell, one in zip(cells, before, strict=True)]
        assert all(changed) or not any(changed)
        assert not is_updating()
        assert not rebinding.locked()
        assert not ended or all(changed)
        before = [cell.content for cell in cells]
        step(data)
        assert all(cell.content is not one for cell, one in zip(cells, before, strict=True))
        if ended:
            break
        places += 1
    assert places > 3


def test_contexts_end() -> None:
    """What is set for a ``with`` statement does not outlast an interrupt of the statement."""
    rule: Optimizer = Adam(0.1)

    def run() -> None:
        with scope("a"), optimizer(rule), seed(0):
            weight(1.0)

    outer = _generator.get()
    places = 0
    while interrupted(run, places):
        leaf = weight(1.0, name="w")
        assert leaf.layer.path == "w"
        assert leaf.layer.optimizer is None
        assert _generator.get() is outer
        places += 1
    assert places > 3
