"""Programs that are watched: after each line somebody is told which op has run, and what it gave."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Protocol

from layertree._record import evolve
from layertree.program._ops import Op
from layertree.program.emit import Source, emit
from layertree.program.names import INDENT
from layertree.program.parts import PartedProgram
from layertree.program.passes import Program, loaded

_UNREAD = frozenset(("cond", "fused", "hook"))
"""Ops whose lines give no value by themselves."""


class Watcher(Protocol):
    """Who watches one call of a program's function."""

    def see(self, number: int, value: Any, /) -> None:
        """An op of the watched program's list has run, or is a leaf that is read."""

    def end(self) -> None:
        """All lines have run."""


def watched(program: Any, watch: Callable[[Program, list[Op]], Watcher]) -> Any:
    """The same program, whole or in parts, with a new watcher in each call of a function of it."""
    if isinstance(program, PartedProgram):
        twin = copy.copy(program)
        twin.before, twin.after = watched(program.before, watch), watched(program.after, watch)
        twin.parts = {rows: watched(part, watch) for rows, part in program.parts.items()}
        twin.programs = [twin.before, *twin.parts.values(), twin.after]
        return twin
    plain = emit(program.graph, program.storage, program.memory, program.given, by_line=True)
    source, ops = _with_calls(plain)
    source.names[_name("watch", plain)] = lambda: watch(program, ops)
    return evolve(program, source=source, function=loaded(source))


def _name(wish: str, source: Source) -> str:
    """A name that the text does not have."""
    while wish in source.text:
        wish = f"_{wish}"
    return wish


def _with_calls(source: Source) -> tuple[Source, list[Op]]:
    """The source with a call after each line that gives a value, and the ops by the number that the call tells."""
    watch = _name("watch", source)
    first = min(source.lines, default=source.text.count("\n"))
    ops: list[Op] = []
    text: list[str] = []
    lines: dict[int, Op] = {}

    def call(op: Op, indent: str) -> None:
        text.append(f"{indent}{watch}_see({len(ops)}, {source.values[op]})")
        ops.append(op)

    def begin() -> None:
        text.extend([f"{INDENT}{watch}er = {watch}()", f"{INDENT}{watch}_see = {watch}er.see"])
        for leaf in (op for op in source.values if op.name in ("input", "cell", "state") and not _is_inner(op)):
            call(leaf, INDENT)

    given = source.text.splitlines()
    for number, line in enumerate(given, 1):
        if number == first:
            begin()
        if number == len(given):
            text.append(f"{INDENT}{watch}er.end()")
        text.append(line)
        op = source.lines.get(number)
        if op is None:
            continue
        lines[len(text)] = op
        if op.name not in _UNREAD and op in source.values:
            call(op, line[: len(line) - len(line.lstrip())])
    watched_text = "\n".join(text) + "\n"
    return evolve(source, text=watched_text, lines=lines, names=dict(source.names)), ops


def _is_inner(op: Op) -> bool:
    """Whether a leaf stands for what a chain reads from outside."""
    key = op.attributes["key"]
    return isinstance(key, tuple) and key[:1] in (("external",), ("total",))
