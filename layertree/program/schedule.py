"""The schedule of a program: its operations in their order, with shapes, buffers and bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from layertree.core.nested import flat, nested
from layertree.core.spec import shape_text, spec_text
from layertree.program._ops import Op
from layertree.program.names import Comments
from layertree.program.parts import PartedProgram
from layertree.program.passes import Program
from layertree.program.tables import bytes_text, fitted, listed
from layertree.program.views import VIEWS
from layertree.program.workspace import memory_of
from layertree.text.terminal import table_width

_HEAD = ("operation", "value", "dtype", "shape", "buffer", "bytes", "layer")
_SIDES = "lllllrl"
_LEAST = {_HEAD.index("value"): 12, _HEAD.index("layer"): 24}
"""The fewest characters of the texts that a narrow table shortens."""
_DROPPED = (_HEAD.index("value"), _HEAD.index("dtype"))
"""What a narrow table leaves out; the source of the program has the names, and the bytes tell a wider dtype."""

_IN_PLACE, _BLOCK, _GIVEN, _FRESH, _OUTPUT = "in place", "block", "new value", "fresh", "result"
_LEGEND = {
    _IN_PLACE: "over a value that is read no more",
    _BLOCK: "some rows at a time",
    _GIVEN: "of a cell",
    _OUTPUT: "handed out",
    _FRESH: "made by the operation",
}
_WORDS = {"given": _GIVEN, "output": _OUTPUT, "fresh": _FRESH, "number": ""}


def schedule_text(program: Any, width: int | None = None) -> str:
    """The schedule of a program, whole or in parts, as tables for a terminal of some columns."""
    return "\n".join(_sections(program, table_width() if width is None else width))


def _sections(program: Any, width: int) -> Iterator[str]:
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


def _parts(program: Any) -> Iterator[tuple[str, Program]]:
    if not isinstance(program, PartedProgram):
        yield "step", program
        return
    count, threads = sum(map(len, program.shares)), len(program.shares)
    yield "before", program.before
    for rows, part in program.parts.items():
        yield f"part of {rows} rows ({count} parts, {threads} at a time)", part
    yield "after", program.after


def _and_views(count: int) -> str:
    return "" if not count else f", without {count} {'view' if count == 1 else 'views'} of values"


def _legend(buffers: list[str]) -> list[str]:
    """What the column of buffers tells, and the words in it, of those that occur."""
    met = [f"{word}: {meaning}" for word, meaning in _LEGEND.items() if any(one.startswith(word) for one in buffers)]
    return ["buffer: where in the arena, in bytes", *met]


def _lines(program: Program) -> tuple[list[list[str]], int]:
    """The rows of a table, and how many views it does without: these compute nothing, and take no memory."""
    comments = Comments({op.attributes["key"]: op.attributes["name"] for op in program.source.cells})
    ops = list(_ops(program))
    kept = [op for op in ops if not (program.storage.kinds.get(op) == "view" and op.name in VIEWS)]
    return [_line(program, op, comments) for op in kept], len(ops) - len(kept)


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
    return [
        op.name,
        program.source.values.get(op, ""),
        kind,
        shape,
        buffer,
        bytes_text(taken) if taken else "",
        comments.of(op),
    ]


def _buffer(program: Program, op: Op) -> tuple[str, int]:
    """Where the value lives, and how much it takes there."""
    memory, kind = program.memory, program.storage.kinds.get(op)
    size = math.prod(op.spec.shape) * int(op.spec.dtype.itemsize)
    if kind is None:
        return _BLOCK, size  # of a chain, which runs some rows at a time
    if op in memory.places:
        return f"{f'{_IN_PLACE} ' if op in memory.same else ''}{memory.places[op].offset}", size
    return _WORDS.get(kind, kind), size if kind in ("given", "output", "fresh") else 0
