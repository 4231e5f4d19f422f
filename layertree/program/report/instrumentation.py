"""Instrumentation: a program with a call after each line, which gives an observer the op that has run and its value."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Protocol, TypeAlias

from layertree.core.dynamic import is_a
from layertree.program.codegen.batch_program import AnyProgram, PartedProgram
from layertree.program.codegen.emit import emit
from layertree.program.codegen.names import INDENT
from layertree.program.codegen.program import Program
from layertree.program.codegen.source import Source
from layertree.program.ir.operations import Data, Op

_WITHOUT_VALUE = frozenset(("cond", "fused", "hook"))
"""Ops whose lines give no value by themselves."""


class Observer(Protocol):
    """Observes one call of a program's function."""

    def see(self, number: int, value: Data, /) -> None:
        """The op with that number in the list of observed ops has run, or is a leaf that is read."""

    def end(self) -> None:
        """All lines have run."""


Observe: TypeAlias = Callable[[Program, list[Op]], Observer]
"""Makes the observer of one call from the program, or the part of it, and the ops that are observed in it."""


def instrumented(program: AnyProgram, observe: Observe) -> AnyProgram:
    """The same program with a new observer in each call of its function, or of the functions of its parts."""
    return _instrumented_parts(program, observe) if isinstance(program, PartedProgram) else _whole(program, observe)


def _instrumented_parts(program: PartedProgram, observe: Observe) -> PartedProgram:
    twin = copy.copy(program)
    twin.before, twin.after = _whole(program.before, observe), _whole(program.after, observe)
    twin.parts = {rows: _whole(part, observe) for rows, part in program.parts.items()}
    twin.programs = [twin.before, *twin.parts.values(), twin.after]
    return twin


def _whole(program: Program, observe: Observe) -> Program:
    plain = emit(program.graph, program.liveness, program.memory, program.given, by_line=True)
    source, ops = _with_calls(plain)
    source.names[_unused_name("watch", plain)] = lambda: observe(program, ops)
    return program.with_source(source)


def _unused_name(preferred: str, source: Source) -> str:
    """A name that does not occur in the text of a source."""
    while preferred in source.text:
        preferred = f"_{preferred}"
    return preferred


def _with_calls(source: Source) -> tuple[Source, list[Op]]:
    """The source with a call after each line that gives a value, and the observed ops by the number in the call."""
    watch = _unused_name("watch", source)
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
        if op.name not in _WITHOUT_VALUE and op in source.values:
            call(op, line[: len(line) - len(line.lstrip())])
    return source._replace(text="\n".join(text) + "\n", lines=lines, names=dict(source.names)), ops


def _is_inner(op: Op) -> bool:
    """Whether a leaf stands for an operand of a loop nest."""
    key = op.attributes["key"]
    return is_a(key, tuple) and key[:1] in (("external",), ("total",))
