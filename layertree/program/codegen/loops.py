"""Writes chains as loops: over blocks, for each of which what it reads and fills are views made beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

from layertree.program.codegen.buffer_assignment import BufferAssignment, LoopNestPlan
from layertree.program.codegen.liveness import Liveness
from layertree.program.codegen.names import INDENT, Names, lines_of
from layertree.program.codegen.templates import filling_line, value_text
from layertree.program.ir.naming import preferred_name
from layertree.program.ir.operations import LEAVES, Op
from layertree.program.ir.views import view_text
from layertree.program.passes.block_cuts import COLUMNS, ROWS
from layertree.program.passes.loop_nest import Block, Chain, Kinds, index_of, shape_of
from layertree.program.runtime import threads
from layertree.program.runtime.arena import ArenaSlice, BlockPart, Blocks
from layertree.program.runtime.frame import Buffer


class FunctionWriter(Protocol):
    """What writes the function that a loop stands in: its names, lines and buffers so far."""

    names: Names
    by_line: bool
    text: dict[Op, str]
    values: dict[Op, str]
    globals: dict[str, Any]
    buffers: dict[str, Buffer]
    lines: list[tuple[str, Op]]

    def of(self, op: Op) -> str:
        """The text of a value where it is read."""
        ...

    def operand(self, read: Op, op: Op) -> str:
        """The text of an operand of an operation."""
        ...

    def line(self, line: str, op: Op, indent: str, run: Op | None = None) -> None:
        """Add a line that belongs to an op."""


class LoopWriter:
    """Writes one chain into the program that ``outer`` writes; its arrays begin at an offset in the arena."""

    def __init__(self, outer: FunctionWriter, op: Op, plan: LoopNestPlan, offset: int) -> None:
        self.outer = outer
        self.op = op
        self.chain: Chain = op.attributes["chain"]
        self.liveness: Liveness = plan.liveness
        self.memory: BufferAssignment = plan.memory
        self.offset = offset
        self.text: dict[Op, str] = {}
        self.heads: dict[str, tuple[ArenaSlice | None, Kinds]] = {}
        self.indices: dict[Kinds, str] = {}

    def write(self, results: list[Op], indent: str) -> None:
        """All lines."""
        outer, chain = self.outer, self.chain
        for place, value in chain.fills.items():
            whole = f"{outer.text[results[place]]}.fill({value_text(value)})"
            outer.line(whole, chain.results[place], indent, run=self.op)  # no block has run yet
        for leaf, read in zip(chain.leaves, self.op.inputs, strict=True):
            self.text[leaf] = self._part(outer.of(read), chain.kinds[leaf])
        for place, (inner, result) in enumerate(zip(chain.results, results, strict=True)):
            self.text[inner] = self._part(outer.text[result], chain.kinds[inner])
            if place in chain.totals:
                self.text[chain.totals[place]] = self.text[inner]
        start = len(outer.lines)
        is_shared = chain.threads > 1
        margin = indent + INDENT * is_shared
        for op in self.liveness.order:
            if op.name not in LEAVES:
                self._operation(op, margin + INDENT)
        blocks = outer.names.take("blocks")
        outer.buffers[blocks] = self._blocks()
        head = self._header(margin, "blocks" if is_shared else blocks)
        if is_shared:
            loop, run = outer.names.take("loop"), "in_turn" if outer.by_line else "in_threads"
            head.insert(0, f"{indent}def {loop}(blocks):")
            outer.globals[run] = cast("Callable[..., None]", getattr(threads, run))
            outer.lines.append((f"{indent}{run}({loop}, {blocks})", self.op))
        outer.lines[start:start] = [(line, self.op) for line in head]
        outer.values.update({op: self.text[op] for op in self.liveness.order if op in self.text})

    def _part(self, text: str, kinds: Kinds) -> str:
        """What a block has of a whole value."""
        if not any(kinds):
            return text
        if kinds not in self.indices:
            found = [kind for kind in kinds if kind is not None]
            name = self.outer.names.take("block" if ROWS in found and COLUMNS in found else found[-1])
            self.indices[kinds] = name
            self.heads[name] = (None, kinds)
        return f"{text}[{self.indices[kinds]}]"

    def _operation(self, op: Op, indent: str) -> None:
        arguments = [self._of(read, op) for read in op.inputs]
        if self.liveness.locations[op] == "view":
            self.text[op] = view_text(op.name, arguments[0], op.attributes, op.ndim)
            return
        if op not in self.text:
            taken = self.memory.overwritten.get(op)
            self.text[op] = (
                self.text[taken]
                if taken is not None
                else self._array(preferred_name(op), self.memory.slices[op], self.chain.kinds[op])
            )
        work = [self._array("work", place, self.chain.kinds[op]) for place in self.memory.workspaces.get(op, ())]
        self.outer.line(filling_line(op, arguments, self.text[op], work), op, indent)

    def _of(self, read: Op, op: Op) -> str:
        return self.text.get(read) or self.outer.operand(read, op)

    def _array(self, wished: str, place: ArenaSlice, kinds: Kinds) -> str:
        """A name for a stretch of the arena."""
        name = self.outer.names.take(wished)
        self.heads[name] = (place, kinds)
        return name

    def _header(self, indent: str, blocks: str) -> list[str]:
        """The lines that begin the loop."""
        return lines_of(self.heads, "for ", f" in {blocks}:", indent)

    def _blocks(self) -> Blocks:
        shares = [
            tuple([self._block(block, self.offset + number * self.memory.nbytes) for block in share])
            for number, share in enumerate(self.chain.shares())
        ]
        return Blocks(tuple(shares))

    def _block(self, block: Block, offset: int) -> BlockPart | tuple[BlockPart, ...]:
        made: list[BlockPart] = [
            index_of(kinds, block)
            if place is None
            else ArenaSlice(offset + place.offset, shape_of(place.shape, kinds, block), place.dtype)
            for place, kinds in self.heads.values()
        ]
        return tuple(made) if len(made) > 1 else made[0]
