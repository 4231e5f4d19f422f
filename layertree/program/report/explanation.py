"""The explanation of a program: what each pass of the compiler did, in operations, bytes of values and arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import attrs

from layertree.program.codegen.batch_program import AnyProgram, PartedProgram, workers_of
from layertree.program.ir.operations import Graph, Op, all_ops
from layertree.program.ir.views import VIEWS
from layertree.program.passes.pipeline import OPTIMIZATION, PASSES, SIMPLIFICATION, Lowered, Pass, passed
from layertree.program.report.costs import chains_of, flops_of, in_blocks
from layertree.text.rows import Rows
from layertree.text.table import fitted
from layertree.text.units import bytes_text, count_text

_WITHOUT_WORK = frozenset(("cond", "fused", "result", "stack", *VIEWS))
"""Ops that compute nothing by themselves."""


class GraphSize(NamedTuple):
    """The size of a graph: operations that compute, the bytes of the values that they give, and their arithmetic.

    A value that a loop nest computes and only reads itself has the bytes of its largest block. Of the two sides of a
    branch both count.
    """

    operations: int
    bytes: int
    flops: int


@attrs.frozen
class PassRow:
    """What one pass did: the sizes of the graph before and after the pass.

    ``written`` counts the operations that the pass made, without those that it only gave other operands. ``stage`` is
    the part of a split program that the graph belongs to, "all rows" before the split; it is empty for a program that
    is not split. ``purpose`` says in a few words what the pass does.
    """

    name: str
    stage: str
    purpose: str
    written: int
    before: GraphSize
    after: GraphSize


@attrs.frozen(repr=False)
class Explanation(Rows[PassRow]):
    """A row for each pass in order. It prints as a table, with the sizes of the graph before and after all passes."""

    def bars(self) -> list[tuple[str, float, str]]:
        """The bytes of values after each pass."""
        return [(row.name, row.after.bytes, bytes_text(row.after.bytes)) for row in self.rows]

    def table(self, width: int) -> str:
        """The table for a terminal of some columns."""
        lines = [["pass", "written", "operations", "values", "FLOP", "what it does"]]
        for stage, found in groupby(self.rows, lambda row: row.stage):
            rows = list(found)
            lines.append([stage or "lowered", "", *_size_texts(rows[0].before), ""])
            lines.extend([row.name, str(row.written or ""), *_change_texts(row), row.purpose] for row in rows)
            lines.append(["in the end", "", *_size_texts(rows[-1].after), ""])
        return fitted(lines, "lrrrrl", width, {5: 20, 0: 20}, (5,))


def _size_texts(size: GraphSize) -> list[str]:
    return [str(size.operations), bytes_text(size.bytes), count_text(size.flops)]


def _change_texts(row: PassRow) -> list[str]:
    """The difference that a pass made, with its sign; empty where there is none."""
    texts = _size_texts(GraphSize(*[abs(new - old) for old, new in zip(row.before, row.after, strict=True)]))
    signs = [(new > old) - (new < old) for old, new in zip(row.before, row.after, strict=True)]
    return [f"{'+' if sign > 0 else '-'}{text}" if sign else "" for sign, text in zip(signs, texts, strict=True)]


def explained(lowered: Lowered, program: AnyProgram) -> Explanation:
    """The explanation of a program, by another run of the passes on its lowered graph."""
    if not isinstance(program, PartedProgram):
        graph, given, threads = lowered
        return Explanation(tuple(_rows("", PASSES, graph, given, workers_of(threads))))
    rows = list(_rows("all rows", SIMPLIFICATION, lowered.graph, lowered.destinations, 1))
    for stage in program.stages(program.parts):
        rows.extend(_rows(stage.name, OPTIMIZATION, stage.graph, stage.given, stage.threads))
    return Explanation(tuple(rows))


def _rows(stage: str, passes: Iterable[Pass], graph: Graph, given: Iterable[Op], threads: int) -> Iterator[PassRow]:
    steps: list[tuple[Pass, Graph, Graph]] = []
    passed(passes, graph, given, threads, lambda one, old, new: steps.append((one, old, new)))
    size = size_of(graph)
    for one, old, new in steps:
        before, size = size, size_of(new)
        yield PassRow(one.name, stage, one.purpose, _written(old, new), before, size)


def _written(old: Graph, new: Graph) -> int:
    """How many operations are new; one over other operands has the attributes of the old operation (``remapped``)."""
    before = list(all_ops(old.ops))
    known, attributes = set(before), {id(op.attributes) for op in before}
    return sum(op not in known and id(op.attributes) not in attributes for op in all_ops(new.ops))


def size_of(graph: Graph) -> GraphSize:
    """The size of a graph.

    >>> from layertree import Exp, Identity, Tuple
    >>> from layertree.core.spec import ArraySpec
    >>> from layertree.program.lower.lowering import lower
    >>> size_of(lower(Tuple((Exp(Identity()),)), ArraySpec((10,))))
    GraphSize(operations=1, bytes=80, flops=10)
    """
    ops = list(all_ops(graph.ops))
    chains = chains_of(ops)
    computing = [op for op in (*ops, *chains) if op.inputs and op.name not in _WITHOUT_WORK]
    whole = {op for chain in chains.values() for op in chain.results}
    filled = [op for op in computing if op not in whole]
    filled += [op for op in ops if op.name == "result" and op.inputs[0].name == "fused"]
    flops = sum(flops_of(one) for op in computing for one in in_blocks(op, chains.get(op)))
    return GraphSize(len(computing), sum(map(_nbytes, filled)), flops)


def _nbytes(op: Op) -> int:
    return math.prod(op.shape) * op.dtype.itemsize if op.is_array else 0
