"""The memory that a program works in: what it takes, what it would take without reuse, and a limit for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from layertree._record import field, record
from layertree.core.provenance import origin_of
from layertree.core.spec import spec_text
from layertree.program._ops import Op
from layertree.program.located import place_text
from layertree.program.memory import Life
from layertree.program.parts import PartedProgram
from layertree.program.tables import bytes_text, listed, shortened
from layertree.text.terminal import table_width

_SHOWN = 5
_NARROWEST = 40
"""In fewer columns no line tells anything."""


@record
class Share:
    """What one layer, gradient or update holds of the memory at the moment of the peak."""

    bytes: int
    _op: Op = field(repr=False, eq=False)

    @property
    def place(self) -> str:
        """The layer, with its formula and the line that wrote it where that is known."""
        return place_text(self._op)


@record(repr=False)
class Memory:
    """The memory of one run at a time, in bytes; two threads that run a program have that each.

    ``arena`` is what is allocated for values on the way, ``without_reuse`` what they would take each by itself,
    ``peak`` the most that is in use at one time, with the ``shares`` of the layers in it, those of most bytes first.
    ``results`` is what new values of cells take: two sets of them, in turn. It prints as wide as the terminal at most.
    """

    arena: int
    without_reuse: int
    peak: int
    results: int
    shares: tuple[Share, ...] = field(repr=False)

    def __repr__(self) -> str:
        return self.text(table_width())

    def text(self, width: int) -> str:
        """The sizes and the largest shares, for a terminal of some columns."""
        sizes = listed([*self.sizes(), f"results {bytes_text(self.results)}"], ", ", width)
        lines = "\n".join([sizes, *self.shares_text()]).splitlines()
        return "\n".join(shortened(line, max(width, _NARROWEST)) for line in lines)

    def sizes(self) -> list[str]:
        """What is allocated, in words."""
        return [
            f"arena {bytes_text(self.arena)}",
            f"{bytes_text(self.without_reuse)} without reuse",
            f"{bytes_text(self.peak)} in use at the peak",
        ]

    def shares_text(self) -> list[str]:
        """The largest shares, a line or two each."""
        indent = "\n" + " " * 10
        return [
            f"{bytes_text(share.bytes):>10}  {share.place.replace(chr(10), indent)}" for share in self.shares[:_SHOWN]
        ]


def memory_of(program: Any) -> Memory:
    """The memory of a program, whole or in parts."""
    results = 2 * _nbytes(program.given)
    if isinstance(program, PartedProgram):
        return _of_parts(program, results)
    lives = program.memory.at_the_peak()
    peak = sum(life.nbytes for life in lives)
    return Memory(program.memory.nbytes, program.memory.without_reuse, peak, results, _shares(lives))


def _of_parts(program: PartedProgram, results: int) -> Memory:
    """Each thread has an arena for each size of part, and two sets of sums; rows and shared values lie beside them."""
    threads, parts = len(program.shares), list(program.parts.values())
    largest = max(parts, key=lambda part: part.memory.nbytes)
    sums = 2 * threads * _nbytes(program.split.sums)
    beside = sums + _nbytes(program.before.given) + _nbytes(program.split.rows)
    own = sum(part.memory.nbytes for part in parts)
    arena = beside + program.before.memory.nbytes + threads * own + program.after.memory.nbytes
    lives = largest.memory.at_the_peak()
    peaks = [sum(life.nbytes for life in one.memory.at_the_peak()) for one in (program.before, program.after)]
    peak = beside + max(*peaks, threads * sum(life.nbytes for life in lives))
    return Memory(arena, program.without_reuse, peak, results, _shares(lives, threads))


def _nbytes(ops: Iterable[Op]) -> int:
    return sum(math.prod(op.spec.shape) * int(op.spec.dtype.itemsize) for op in ops if op.is_array)


def _shares(lives: Iterable[Life], threads: int = 1) -> tuple[Share, ...]:
    sizes: dict[Any, int] = {}
    ops: dict[Any, Op] = {}
    for life in lives:
        key = id(origin_of(life.op.layer) or life.op.layer), origin_of(life.op.layer) is None
        ops.setdefault(key, life.op)
        sizes[key] = sizes.get(key, 0) + threads * life.nbytes
    ordered = sorted(sizes.items(), key=lambda item: -item[1])
    return tuple([Share(size, ops[key]) for key, size in ordered])


def require_room(program: Any, spec: Any, limit: int) -> None:
    """MemoryError where the arena of a program is larger than a limit in bytes: it says which layers need how much."""
    memory = memory_of(program)
    if memory.arena <= limit:
        return
    raise MemoryError("\n".join(_too_large(memory, spec, limit)))


def _too_large(memory: Memory, spec: Any, limit: int) -> Iterator[str]:
    yield (
        f"the program for {spec_text(spec)} needs an arena of {bytes_text(memory.arena)} ({memory.arena} bytes), and "
        f"the limit is {bytes_text(limit)}: give it more, or smaller batches; what it holds at the peak:"
    )
    yield from memory.shares_text()
