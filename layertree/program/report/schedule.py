"""The schedule of a program: a table of its operations in order, with shapes, buffers and bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from layertree.core.brief import counted
from layertree.core.nested import flat, nested
from layertree.core.spec import shape_text, spec_text
from layertree.program.codegen.batch_program import AnyProgram, PartedProgram
from layertree.program.codegen.program import Program
from layertree.program.ir.naming import LayerComments, comments_of
from layertree.program.ir.operations import Op
from layertree.program.ir.views import VIEWS
from layertree.program.passes.loop_nest import Chain
from layertree.program.report.memory import memory_of
from layertree.text.table import fitted, listed
from layertree.text.terminal import table_width
from layertree.text.units import bytes_text

_HEAD = ("operation", "value", "dtype", "shape", "buffer", "bytes", "layer")
_SIDES = "lllllrl"
_LEAST = {_HEAD.index("value"): 12, _HEAD.index("layer"): 24}
"""The fewest characters to which a narrow table shortens the texts of a column."""
_DROPPED = (_HEAD.index("value"), _HEAD.index("dtype"))
"""The columns that a narrow table drops: the source has the names, and the bytes show a wider dtype."""

_IN_PLACE, _BLOCK, _GIVEN, _FRESH, _OUTPUT = "in place", "block", "new value", "fresh", "result"
_LEGEND = {
    _IN_PLACE: "over a value that is read no more",
    _BLOCK: "some rows at a time",
    _GIVEN: "of a cell",
    _OUTPUT: "handed out",
    _FRESH: "made by the operation",
}
_WORDS = {"given": _GIVEN, "output": _OUTPUT, "fresh": _FRESH, "number": ""}


def schedule_text(program: AnyProgram, width: int | None = None) -> str:
    """The schedule of a program, whole or in parts, as tables for a terminal of some columns."""
    return "\n".join(_sections(program, table_width() if width is None else width))


def _sections(program: AnyProgram, width: int) -> Iterator[str]:
    source = program.graph.source
    specs = spec_text(nested(source, [op.spec for op in flat(source)]))
    yield listed(f"input {specs}".split(" "), " ", width)
    shown: list[str] = []
    for title, part in _parts(program):
        lines, views = _lines(part)
        shown.extend(line[_HEAD.index("buffer")] for line in lines)
        yield f"{title}{_and_views(views)}:"
        if lines:
            yield fitted([list(_HEAD), *lines], _SIDES, width, _LEAST, _DROPPED)
    if any(shown):
        yield listed(_legend(shown), "; ", width)
    memory = memory_of(program)
    yield listed(memory.sizes(), ", ", width)


def _parts(program: AnyProgram) -> Iterator[tuple[str, Program]]:
    if not isinstance(program, PartedProgram):
        yield "step", program
        return
    count, threads = sum(map(len, program.shares)), len(program.shares)
    yield "before", program.before
    for rows, part in program.parts.items():
        yield f"part of {rows} rows ({count} parts, {threads} at a time)", part
    yield "after", program.after


def _and_views(count: int) -> str:
    return "" if not count else f", without {counted(count, 'view')} of values"


def _legend(buffers: list[str]) -> list[str]:
    """The meaning of the column of buffers, and of the words that occur in it."""
    words = [f"{word}: {meaning}" for word, meaning in _LEGEND.items() if any(one.startswith(word) for one in buffers)]
    return ["buffer: where in the arena, in bytes", *words]


def _lines(program: Program) -> tuple[list[list[str]], int]:
    """The rows of a table, and the number of views that it leaves out: views compute nothing, and take no memory."""
    comments = comments_of(program.source.cells)
    ops = list(_ops(program))
    kept = [op for op in ops if not (program.liveness.locations.get(op) == "view" and op.name in VIEWS)]
    return [_line(program, op, comments) for op in kept], len(ops) - len(kept)


def _ops(program: Program) -> Iterator[Op]:
    for op in program.liveness.order:
        if op.name == "fused":
            chain: Chain = op.attributes["chain"]
            yield from (one for one in chain.graph.ops if one.inputs)
        elif op.inputs and op.name != "result":
            yield op


def _line(program: Program, op: Op, comments: LayerComments) -> list[str]:
    spec = op.spec
    buffer, taken = _buffer(program, op)
    shape = "" if spec.weak else shape_text(spec.shape)
    dtype = repr(spec) if spec.weak else spec.dtype.name
    return [
        op.name,
        program.source.values.get(op, ""),
        dtype,
        shape,
        buffer,
        bytes_text(taken) if taken else "",
        comments.of(op),
    ]


def _buffer(program: Program, op: Op) -> tuple[str, int]:
    """Where the value lives, and how many bytes it takes there."""
    memory, location = program.memory, program.liveness.locations.get(op)
    size = math.prod(op.shape) * op.dtype.itemsize
    if location is None:
        return _BLOCK, size  # of a loop nest, which runs some rows at a time
    if op in memory.slices:
        return f"{f'{_IN_PLACE} ' if op in memory.overwritten else ''}{memory.slices[op].offset}", size
    return _WORDS.get(location, location), size if location in ("given", "output", "fresh") else 0
