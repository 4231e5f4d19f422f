"""The memory of a program: its arena, the size without reuse, the layers that hold the most of it, and a limit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import attrs

from layertree.core.provenance import origin_of
from layertree.core.spec import spec_text
from layertree.program.codegen.batch_program import AnyProgram, PartedProgram
from layertree.program.codegen.buffer_assignment import LiveRange
from layertree.program.ir.operations import Op, SpecTree
from layertree.program.runtime.diagnostics import origin_text
from layertree.text.table import listed, shortened
from layertree.text.terminal import table_width
from layertree.text.units import bytes_text

_SHOWN = 5
_NARROWEST = 40
"""Below so many columns a line would be too short to be of use."""


@attrs.frozen
class Share:
    """The bytes that one layer, gradient or update holds at the peak."""

    bytes: int
    _op: Op = attrs.field(repr=False, eq=False)

    @property
    def place(self) -> str:
        """The layer, with its formula and the line that wrote the layer where the line is known."""
        return origin_text(self._op)


@attrs.frozen(repr=False)
class Memory:
    """The memory of one run at a time, in bytes. Two threads that run one program have as much each.

    ``arena`` is what is allocated for intermediate values, ``without_reuse`` what these would take if each had memory
    of its own, ``peak`` the most that is in use at one time, and ``shares`` are the layers that hold it, those of most
    bytes first. ``results`` is the size of the two sets of output buffers for new values of cells. It prints as wide as
    the terminal at most.
    """

    arena: int
    without_reuse: int
    peak: int
    results: int
    shares: tuple[Share, ...] = attrs.field(repr=False)

    def __repr__(self) -> str:
        return self.text(table_width())

    def text(self, width: int) -> str:
        """The sizes and the largest shares, for a terminal of some columns."""
        sizes = listed([*self.sizes(), f"results {bytes_text(self.results)}"], ", ", width)
        lines = "\n".join([sizes, *self.shares_text()]).splitlines()
        return "\n".join(shortened(line, max(width, _NARROWEST)) for line in lines)

    def sizes(self) -> list[str]:
        """The sizes in words."""
        return [
            f"arena {bytes_text(self.arena)}",
            f"{bytes_text(self.without_reuse)} without reuse",
            f"{bytes_text(self.peak)} in use at the peak",
        ]

    def shares_text(self) -> list[str]:
        """The largest shares, one or two lines each."""
        indent = "\n" + " " * 10
        return [
            f"{bytes_text(share.bytes):>10}  {share.place.replace(chr(10), indent)}" for share in self.shares[:_SHOWN]
        ]


def memory_of(program: AnyProgram) -> Memory:
    """The memory of a program, whole or in parts."""
    results = 2 * _nbytes(program.given)
    if isinstance(program, PartedProgram):
        return _memory_of_parts(program, results)
    live = program.memory.at_the_peak()
    peak = sum(one.nbytes for one in live)
    return Memory(program.memory.nbytes, program.memory.without_reuse, peak, results, _shares(live))


def _memory_of_parts(program: PartedProgram, results: int) -> Memory:
    """The sum over stages: each thread has an arena for each size of part, and two sets of sums over rows.

    Values of rows, and those that stages share, have memory besides.
    """
    threads, parts = len(program.shares), list(program.parts.values())
    largest = max(parts, key=lambda part: part.memory.nbytes)
    sums = 2 * threads * _nbytes(program.split.sums)
    besides = sums + _nbytes(program.before.given) + _nbytes(program.split.rows)
    own = sum(part.memory.nbytes for part in parts)
    arena = besides + program.before.memory.nbytes + threads * own + program.after.memory.nbytes
    live = largest.memory.at_the_peak()
    peaks = [sum(one.nbytes for one in stage.memory.at_the_peak()) for stage in (program.before, program.after)]
    peak = besides + max(*peaks, threads * sum(one.nbytes for one in live))
    return Memory(arena, program.without_reuse, peak, results, _shares(live, threads))


def _nbytes(ops: Iterable[Op]) -> int:
    return sum(math.prod(op.shape) * op.dtype.itemsize for op in ops if op.is_array)


def _shares(live: Iterable[LiveRange], threads: int = 1) -> tuple[Share, ...]:
    sizes: dict[tuple[int, bool], int] = {}
    ops: dict[tuple[int, bool], Op] = {}
    for one in live:
        key = id(origin_of(one.op.layer) or one.op.layer), origin_of(one.op.layer) is None
        ops.setdefault(key, one.op)
        sizes[key] = sizes.get(key, 0) + threads * one.nbytes
    ordered = sorted(sizes.items(), key=lambda item: -item[1])
    return tuple([Share(size, ops[key]) for key, size in ordered])


def require_room(program: AnyProgram, spec: SpecTree, limit: int) -> None:
    """Raise MemoryError where the arena of a program for a spec is larger than a limit in bytes, with the shares."""
    memory = memory_of(program)
    if memory.arena <= limit:
        return
    raise MemoryError("\n".join(_too_large(memory, spec, limit)))


def _too_large(memory: Memory, spec: SpecTree, limit: int) -> Iterator[str]:
    yield (
        f"the program for {spec_text(spec)} needs an arena of {bytes_text(memory.arena)} ({memory.arena} bytes), and "
        f"the limit is {bytes_text(limit)}: give it more, or smaller batches; what it holds at the peak:"
    )
    yield from memory.shares_text()
