"""Writes chains as loops: over blocks, for each of which what it reads and fills are views made beforehand."""

from __future__ import annotations

from typing import Any

from layertree._record import record
from layertree.program import phrases, workers
from layertree.program._ops import LEAVES, Op
from layertree.program.chain import Block, Chain, Kinds, index_of, shape_of
from layertree.program.cutting import COLUMNS, ROWS
from layertree.program.memory import MemoryPlan, Place, inner_plan
from layertree.program.names import INDENT, lines_of, wish
from layertree.program.storage import Storage
from layertree.program.views import view_text


@record(eq=False)
class Blocks:
    """What a loop goes over, for each thread: the indices and the places in the arena of each block.

    They are a tuple, unless there is only one of them.
    """

    shares: tuple[tuple[Any, ...], ...]


class LoopWriter:
    """Writes one chain into the program that ``outer`` writes; its arrays begin at an offset in the arena."""

    def __init__(self, outer: Any, op: Op, offset: int) -> None:
        self.outer = outer
        self.op = op
        self.chain: Chain = op.attributes["chain"]
        storage, memory = inner_plan(op)
        self.storage: Storage = storage
        self.memory: MemoryPlan = memory
        self.offset = offset
        self.text: dict[Op, str] = {}
        self.heads: dict[str, tuple[Any, Kinds]] = {}
        self.indices: dict[Kinds, str] = {}

    def write(self, results: list[Op], indent: str) -> None:
        """All lines."""
        outer, chain = self.outer, self.chain
        for place, value in chain.fills.items():
            whole = f"{outer.text[results[place]]}.fill({phrases.value_text(value)})"
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
        for op in self.storage.order:
            if op.name not in LEAVES:
                self._operation(op, margin + INDENT)
        blocks = outer.names.take("blocks")
        outer.buffers[blocks] = self._blocks()
        head = self._header(margin, "blocks" if is_shared else blocks)
        if is_shared:
            loop, run = outer.names.take("loop"), "in_turn" if outer.by_line else "in_threads"
            head.insert(0, f"{indent}def {loop}(blocks):")
            outer.globals[run] = getattr(workers, run)
            outer.lines.append((f"{indent}{run}({loop}, {blocks})", self.op))
        outer.lines[start:start] = [(line, self.op) for line in head]
        outer.values.update({op: self.text[op] for op in self.storage.order if op in self.text})

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
        if self.storage.kinds[op] == "view":
            self.text[op] = view_text(op.name, arguments[0], op.attributes, len(op.spec.shape))
            return
        if op not in self.text:
            taken = self.memory.same.get(op)
            self.text[op] = (
                self.text[taken]
                if taken is not None
                else self._array(wish(op), self.memory.places[op], self.chain.kinds[op])
            )
        work = [self._array("work", place, self.chain.kinds[op]) for place in self.memory.workspaces.get(op, ())]
        self.outer.line(phrases.INTO[op.name](op, arguments, self.text[op], work), op, indent)

    def _of(self, read: Op, op: Op) -> str:
        text: str = self.text.get(read) or self.outer.operand(read, op)
        return text

    def _array(self, wished: str, place: Place, kinds: Kinds) -> str:
        """A name for a stretch of the arena."""
        name: str = self.outer.names.take(wished)
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

    def _block(self, block: Block, offset: int) -> Any:
        made = [
            index_of(kinds, block)
            if place is None
            else Place(offset + place.offset, shape_of(place.shape, kinds, block), place.dtype)
            for place, kinds in self.heads.values()
        ]
        return tuple(made) if len(made) > 1 else made[0]
