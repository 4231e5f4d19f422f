"""The schedule of a program: its operations in their order, with shapes, buffers and bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from layertree._nested import flat, nested
from layertree._spec import shape_text, spec_text
from layertree.program._ops import Op
from layertree.program.names import Comments
from layertree.program.parts import PartedProgram
from layertree.program.passes import Program
from layertree.program.tables import aligned, bytes_text, shortened
from layertree.program.views import VIEWS
from layertree.program.workspace import memory_of

_HEAD = ("operation", "value", "dtype", "shape", "buffer", "bytes", "layer")
_WIDEST = 60


def schedule_text(program: Any) -> str:
    """The schedule of a program, whole or in parts, as tables."""
    return "\n".join(_sections(program))


def _sections(program: Any) -> Iterator[str]:
    source = program.graph.source
    yield f"input {spec_text(nested(source, [op.spec for op in flat(source)]))}"
    if isinstance(program, PartedProgram):
        count, threads = sum(map(len, program.shares)), len(program.shares)
        yield from _section("before", program.before)
        for rows, part in program.parts.items():
            yield from _section(f"part of {rows} rows ({count} parts, {threads} at a time)", part)
        yield from _section("after", program.after)
    else:
        yield from _section("step", program)
    memory = memory_of(program)
    yield (
        f"arena {bytes_text(memory.arena)}, {bytes_text(memory.without_reuse)} without reuse, "
        f"{bytes_text(memory.peak)} in use at the peak"
    )


def _section(title: str, program: Program) -> Iterator[str]:
    comments = Comments({op.attributes["key"]: op.attributes["name"] for op in program.source.cells})
    lines = [_line(program, op, comments) for op in _ops(program)]
    yield f"{title}:"
    if lines:
        yield aligned([list(_HEAD), *lines], "lllllrl")


def _ops(program: Program) -> Iterator[Op]:
    for op in program.storage.order:
        if op.name == "fused":
            yield from (one for one in op.attributes["chain"].graph.ops if one.inputs)
        elif op.inputs and op.name != "result":
            yield op


def _line(program: Program, op: Op, comments: Comments) -> list[str]:
    spec = op.spec
    buffer, taken = _buffer(program, op)
    shape = "" if spec.weak else shape_text(spec.shape)
    kind = repr(spec) if spec.weak else spec.dtype.name
    name = shortened(program.source.values.get(op, ""), _WIDEST)
    return [op.name, name, kind, shape, buffer, bytes_text(taken) if taken else "", comments.of(op)]


def _buffer(program: Program, op: Op) -> tuple[str, int]:
    """Where the value lives, and how much it takes there."""
    memory, kind = program.memory, program.storage.kinds.get(op)
    size = math.prod(op.spec.shape) * int(op.spec.dtype.itemsize)
    if kind is None:
        return "block", size  # of a chain, which runs some rows at a time
    if op in memory.places:
        return f"{'in place ' if op in memory.same else ''}{memory.places[op].offset}", size
    if kind == "view" and op.name in VIEWS:
        return "view", 0
    return {"given": "new value", "output": "result", "number": "", "fresh": "fresh"}.get(kind, kind), (
        size if kind in ("given", "output", "fresh") else 0
    )
