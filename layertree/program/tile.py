"""Tiles: what is computed from a large product of rows and columns is run for some rows at a time.

The scores of attention are such a product. Neither they nor what becomes of them are stored whole, unless something
outside reads them; and columns that a mask hides from all rows of a block are left out (Dao, Fu, Ermon, Rudra and
Re, FlashAttention, 2022, without the running maximum: a block has all the columns its rows see).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from layertree._nested import nested
from layertree.program._ops import Graph, Op
from layertree.program.chain import Block, Builder, over, reads_of, slices
from layertree.program.cutting import COLUMNS, HIDDEN, ROWS, STACK, Cut, cut_of, product_kinds
from layertree.program.hidden import Facts, facts_of, hidden_columns, mask_of, seen_columns
from layertree.program.views import VIEWS

HEIGHT = 128
"""How many rows a block has."""
ELEMENTS = 1 << 17
"""About how many elements of the product a block has: with what is computed from them, they should stay in a cache."""
LARGE = 1 << 19
"""From how many elements on a product is tiled."""
TIMES = 2
"""How many times as many elements it has as what it is made of."""


def tile(graph: Graph, given: Iterable[Op], threads: int = 1) -> tuple[Graph, list[Op]]:
    """The graph with what is run by blocks as ``fused`` operations, and what stands for the ``given`` ones in it."""
    results = set(graph.results())
    order = _ordered(graph.ops, results)
    if all(isinstance(entry, Op) for entry in order):
        return graph, list(given)
    uses: dict[Op, set[Op]] = {}
    for op in graph.ops:
        for read in reads_of(op):
            uses.setdefault(read, set()).add(op)
    made: dict[Op, Op] = {}
    facts: dict[Op, Facts] = {}
    ops: list[Op] = []
    for entry in order:
        if isinstance(entry, Op):
            ops.append(over(entry, made))
        else:
            ops.extend(_tiled(entry, uses, results, made, facts, threads))
    outputs = nested(graph.outputs, [made.get(op, op) for op in graph.results()])
    return Graph(ops, graph.source, outputs), [made.get(op, op) for op in given]


class _Region:
    """A product with what is computed from it by blocks."""

    def __init__(self, product: Op) -> None:
        self.product = product
        self.cuts: dict[Op, Cut] = {}
        self.members: list[Op] = []
        self.copied: set[Op] = set()
        """Views that are read outside, too: they are made there once more, of what they show."""


def _ordered(ops: list[Op], results: set[Op]) -> list[Op | _Region]:
    """The operations in an order in which each region is in one piece."""
    order: list[Op | _Region] = []
    start = 0
    while start < len(ops):
        found = _region(ops[start:], results) if _is_long_product(ops[start]) else None
        if found is None:
            order.append(ops[start])
            start += 1
        else:
            region, before, after = found
            order.extend([*before, region])
            ops, start = after, 0
    return order


def _is_long_product(op: Op) -> bool:
    """Whether a product is large, and has many more elements than what it is made of."""
    if op.name != "matmul" or len(op.spec.shape) < 2 or op.spec.dtype.kind != "f":
        return False
    sizes: list[int] = [math.prod(one.spec.shape) for one in (op, *op.inputs)]
    rows: int = op.spec.shape[-2]
    return sizes[0] >= max(LARGE, TIMES * sum(sizes[1:])) and rows > HEIGHT


def _region(ops: list[Op], results: set[Op]) -> tuple[_Region, list[Op], list[Op]] | None:
    """The region that begins with the first op, what comes before it and after; None where it is not worth it."""
    region = _Region(ops[0])
    known = {ops[0]: product_kinds(len(ops[0].spec.shape))}
    late: set[Op] = set()
    for op in ops:
        reads = reads_of(op)
        if any(read in late for read in reads):
            late.add(op)
            continue
        cut = cut_of(op, known, region.product)
        if cut is not None:
            region.cuts[op] = cut
            known[op] = cut.result
            if cut.is_total:
                late.add(op)
        elif any(read in known for read in reads):
            late.add(op)
    kept = _kept(region, ops)
    region.members = [op for op in ops if op in kept]
    if not any(op.name == "matmul" and _is_square_read(region.cuts[op]) for op in kept):
        return None
    outside = {read for op in ops if op not in kept for read in reads_of(op)} | results
    region.copied = {op for op in kept if op.name in VIEWS and op in outside}
    return region, *_around(ops, kept - region.copied)


def _is_square(kinds: tuple[str | None, ...]) -> bool:
    return ROWS in kinds and COLUMNS in kinds


def _is_square_read(cut: Cut) -> bool:
    return any(map(_is_square, cut.operands))


def _kept(region: _Region, ops: list[Op]) -> set[Op]:
    """Of what can be run by blocks, what has to do with the product: squares, what they are read by, and need."""
    kept: set[Op] = set()
    needed: set[Op] = set()
    for op in reversed(ops):
        cut = region.cuts.get(op)
        is_of_product = cut is not None and op.name not in VIEWS and (_is_square(cut.result) or _is_square_read(cut))
        if is_of_product or op in needed:
            kept.add(op)
            needed.update(read for read in op.inputs if read in region.cuts)
    return _connected(region.product, kept)


def _connected(product: Op, kept: set[Op]) -> set[Op]:
    """Those that are computed from the product, or together with what is."""
    beside: dict[Op, set[Op]] = {op: set() for op in kept}
    for op in kept:
        for read in op.inputs:
            if read in kept:
                beside[op].add(read)
                beside[read].add(op)
    found, stack = {product}, [product]
    while stack:
        for other in beside[stack.pop()] - found:
            found.add(other)
            stack.append(other)
    return found


def _around(ops: list[Op], kept: set[Op]) -> tuple[list[Op], list[Op]]:
    """What comes before a region, and what after it, in their order."""
    before: list[Op] = []
    after: list[Op] = []
    late = set(kept)
    for op in ops:
        if op in kept:
            continue
        if any(read in late for read in reads_of(op)):
            late.add(op)
            after.append(op)
        else:
            before.append(op)
    return before, after


def _tiled(
    region: _Region, uses: dict[Op, set[Op]], outputs: set[Op], made: dict[Op, Op], known: dict[Op, Facts], threads: int
) -> list[Op]:
    """One operation for a region, and the results that others read."""
    cuts, inside = region.cuts, set(region.members) - region.copied
    outside = [op for op in region.members if op in inside and (op in outputs or uses.get(op, set()) - inside)]
    rows = slices(region.product.spec.shape[-2], HEIGHT)
    mask = mask_of(region.members, cuts)
    columns, fills = _columns(region, mask, outside, rows, known)
    hidden = hidden_columns(mask, rows, columns) if mask is not None else [slice(0, count) for count in columns]
    builder = Builder(_blocks(region.product, rows, columns, hidden), made)
    for op in region.members:
        cut = cuts[op] if mask not in op.inputs[1:] else _only_hidden(cuts[op])
        inputs = tuple([builder.operand(read, op, kinds) for read, kinds in zip(op.inputs, cut.operands, strict=True)])
        builder.add(op, inputs, cut.result, cut.name, cut.attributes)
        if cut.is_total:
            builder.add_to_total(op)
    return builder.finish(outside, fills, threads)


def _only_hidden(cut: Cut) -> Cut:
    """How a mask is read where that is enough: of the columns in which it hides something."""
    first, mask = cut.operands
    kinds = tuple([HIDDEN if kind == COLUMNS else kind for kind in mask])
    return cut._replace(operands=(first, kinds), attributes={"last": True})


def _columns(
    region: _Region, mask: Op | None, outside: list[Op], rows: list[slice], known: dict[Op, Facts]
) -> tuple[list[int], dict[Op, float]]:
    """How many columns each block needs, and what results are filled with before the first block."""
    fills = {op: 0.0 for op in outside if region.cuts[op].is_total}
    every = [region.product.spec.shape[-1]] * len(rows)
    if mask is None:
        return every, fills
    facts = facts_of(region.members, region.cuts, mask, known.get(mask, {}))
    squares = [op for op in outside if COLUMNS in region.cuts[op].result and op not in fills]
    if facts is None or any(op not in facts for op in squares):
        return every, fills
    known.setdefault(mask, {}).update({op: facts[op] for op in squares})
    return seen_columns(mask, rows), fills | {op: facts[op] for op in squares}


def _blocks(product: Op, rows: list[slice], columns: list[int], hidden: list[slice]) -> tuple[Block, ...]:
    """For each part of the stack all rows, so many at a time."""
    shape = product.spec.shape
    size = shape[-3] if len(shape) > 2 else 1
    others = math.prod(shape[:-3])
    height = max(1, ELEMENTS // (HEIGHT * shape[-1] * max(others, 1)))
    return tuple(
        [
            {STACK: stack, ROWS: part, COLUMNS: slice(0, count), HIDDEN: masked}
            for stack in slices(size, height)
            for part, count, masked in zip(rows, columns, hidden, strict=True)
        ]
    )
