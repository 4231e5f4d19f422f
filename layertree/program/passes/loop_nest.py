"""Chains: a part of a program that is run for a block of its values at a time, so that a block stays in the cache.

A value's ``kinds`` say along which of its axes it is cut, and how: ``None`` for an axis of which all is there. Each
block gives a slice for every kind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from layertree.core.spec import ArraySpec
from layertree.program.ir.constants import before_broadcast
from layertree.program.ir.operations import Graph, Op
from layertree.program.ir.primitives import is_elementwise

WORTH = 1 << 22
"""From how many elements on, of all operations together, a chain is shared among threads: waking one takes a while."""

Kinds = tuple[str | None, ...]
Block = Mapping[str, slice]


class Cut(NamedTuple):
    """How the result of an operation and each operand are cut. A ``total`` is a sum over blocks: each adds its part.

    In a block the operation may go by another name, with its own attributes, or have some beside what it has.
    """

    result: Kinds
    operands: tuple[Kinds, ...]
    is_total: bool = False
    name: str | None = None
    attributes: Mapping[str, Any] = MappingProxyType({})


class Chain(NamedTuple):
    """The operations of a block, with what they read and give.

    ``graph`` is sized for the largest block. ``leaves`` stand for the operands of the chain's op, one for each;
    ``results`` are what it gives. A result that is filled before the first block has its number in ``fills``: a sum
    over blocks, to which each adds its part, starts with 0, and so does what blocks leave out. ``totals`` are leaves
    that stand for such a sum so far, by the position of the result. With ``threads`` the blocks are shared among them.
    """

    graph: Graph
    results: tuple[Op, ...]
    leaves: tuple[Op, ...]
    kinds: Mapping[Op, Kinds]
    blocks: tuple[Block, ...]
    fills: Mapping[int, float]
    totals: Mapping[int, Op]
    threads: int

    def shares(self) -> list[tuple[Block, ...]]:
        """The blocks of each thread, in their order."""
        bounds = [len(self.blocks) * i // self.threads for i in range(self.threads + 1)]
        return [self.blocks[start:stop] for start, stop in pairwise(bounds)]


def index_of(kinds: Kinds, block: Block) -> Any:
    """The index that takes a block's part of a whole value.

    >>> index_of(("rows", None), {"rows": slice(0, 2)})
    slice(0, 2, None)
    >>> index_of((None, "rows", None), {"rows": slice(0, 2)})
    (slice(None, None, None), slice(0, 2, None))
    """
    index = [slice(None) if kind is None else block[kind] for kind in kinds]
    while index[-1] == slice(None):
        index.pop()
    return index[0] if len(index) == 1 else tuple(index)


def shape_of(shape: tuple[int, ...], kinds: Kinds, block: Block) -> tuple[int, ...]:
    """The shape that a value has in a block.

    >>> shape_of((8, 3), ("rows", None), {"rows": slice(6, 8)})
    (2, 3)
    """
    return tuple([size if kind is None else _length(block[kind]) for size, kind in zip(shape, kinds, strict=True)])


def broadcast_kinds(shape: tuple[int, ...], kinds: Kinds) -> Kinds:
    """How a value of a shape is cut that is broadcast to one which is cut in these ways: like it, where it is not.

    >>> broadcast_kinds((3, 1), ("stack", "rows", "columns"))
    ('rows', None)
    """
    last = kinds[len(kinds) - len(shape) :]
    return tuple([None if size == 1 else kind for size, kind in zip(shape, last, strict=True)])


def _length(part: slice) -> int:
    return int(part.stop - part.start)


def largest(blocks: tuple[Block, ...]) -> Block:
    """As much of each kind as any block has."""
    return {kind: slice(0, max(_length(block[kind]) for block in blocks)) for kind in blocks[0]}


def spec_of_block(spec: Any, kinds: Kinds, block: Block) -> Any:
    """The spec that a value has in a block."""
    return ArraySpec(shape_of(spec.shape, kinds, block), spec.dtype) if any(kinds) else spec


def slices(size: int, step: int) -> list[slice]:
    """All of an axis, so much at a time.

    >>> slices(5, 3)
    [slice(0, 3, None), slice(3, 5, None)]
    """
    return [slice(start, min(start + step, size)) for start in range(0, size, step)]


class Builder:
    """Puts a chain together, operation by operation. ``made`` has what stands for an op outside of it."""

    def __init__(self, blocks: tuple[Block, ...], made: dict[Op, Op]) -> None:
        self._blocks = blocks
        self._size = largest(blocks)
        self._made = made
        self._inner: dict[Op, Op] = {}
        self._leaves: dict[tuple[Op, Kinds], Op] = {}
        self._totals: dict[Op, Op] = {}
        self._ops: list[Op] = []
        self._kinds: dict[Op, Kinds] = {}

    def operand(self, read: Op, reader: Op, kinds: Kinds) -> Op:
        """What stands for an operand: what was added, a number, or a leaf that is cut like ``kinds``."""
        if read in self._inner:
            return self._inner[read]
        if read.name == "constant" and not read.is_array:
            return read
        read = self._made.get(read, read)
        if not is_elementwise(reader.name):
            return self._leaf(read, kinds)
        read = before_broadcast(read, reader)
        if read.name == "constant" and not read.is_array:
            return read
        return self._leaf(read, broadcast_kinds(read.shape, kinds))

    def _leaf(self, read: Op, kinds: Kinds) -> Op:
        if (read, kinds) not in self._leaves:
            spec = spec_of_block(read.spec, kinds, self._size)
            leaf = Op("state", (), {"key": ("external", len(self._leaves))}, spec)
            self._leaves[read, kinds] = leaf
            self._kinds[leaf] = kinds
        return self._leaves[read, kinds]

    def add(self, op: Op, cut: Cut) -> None:
        """An operation over what stands for its operands; of a total, what a block adds to it."""
        inputs = tuple([self.operand(read, op, kinds) for read, kinds in zip(op.inputs, cut.operands, strict=True)])
        attributes = {**({} if cut.name else op.attributes), **cut.attributes}
        spec = spec_of_block(op.spec, cut.result, self._size)
        made = Op(cut.name or op.name, inputs, attributes, spec, op.layer)
        self._put(op, made, cut.result)
        if cut.is_total:
            total = self._totals[op] = Op("state", (), {"key": ("total", len(self._totals))}, spec)
            self._kinds[total] = cut.result
            self._put(op, Op("add", (total, made), {}, spec, op.layer), cut.result)

    def _put(self, op: Op, made: Op, kinds: Kinds) -> None:
        self._inner[op] = made
        self._kinds[made] = kinds
        self._ops.append(made)

    def _threads(self, threads: int) -> int:
        elements = len(self._blocks) * sum(math.prod(op.shape) for op in self._ops)
        return min(threads, len(self._blocks)) if elements >= WORTH and not self._totals else 1

    def finish(self, outside: Sequence[Op], fills: Mapping[Op, float], threads: int = 1) -> list[Op]:
        """The chain as an op, and the ops that stand for its results, which ``made`` knows from here on.

        It is shared among threads where it has much to do, and its blocks have nothing to do with one another.
        """
        results = tuple([self._inner[op] for op in outside])
        constants = {read: None for op in self._ops for read in op.inputs if read.name == "constant"}
        leaves = tuple(self._leaves.values())
        chain = Chain(
            Graph([*leaves, *self._totals.values(), *constants, *self._ops], (), results),
            results,
            leaves,
            self._kinds,
            self._blocks,
            {place: fills[op] for place, op in enumerate(outside) if op in fills},
            {place: self._totals[op] for place, op in enumerate(outside) if op in self._totals},
            self._threads(threads),
        )
        last = outside[-1]
        head = Op("fused", tuple([read for read, _ in self._leaves]), {"chain": chain}, last.spec, last.layer)
        found = [head]
        for place, op in enumerate(outside):
            self._made[op] = Op("result", (head,), {"position": place}, op.spec, op.layer)
            found.append(self._made[op])
        return found
