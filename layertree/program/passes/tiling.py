"""Tiles: what is computed from a large product of rows and columns is run for some rows at a time.

The scores of attention are such a product. Neither they nor what becomes of them are stored whole, unless something
outside reads them; and columns that a mask hides from all rows of a block are left out (Dao, Fu, Ermon, Rudra and
Re, FlashAttention, 2022, without the running maximum: a block has all the columns its rows see).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from layertree.program.ir.operations import Graph, Op, reads_of
from layertree.program.ir.views import VIEWS
from layertree.program.passes.block_cuts import COLUMNS, HIDDEN, ROWS, STACK, cut_of, product_kinds
from layertree.program.passes.fusion_clusters import Found, Region, connected, gathered
from layertree.program.passes.loop_nest import Block, Builder, Cut, slices
from layertree.program.passes.masked_blocks import (
    Facts,
    are_numbers,
    facts_of,
    hidden_columns,
    mask_of,
    masks,
    seen_columns,
)

HEIGHT = 128
"""How many rows a block has."""
ELEMENTS = 1 << 18
"""About how many elements of the product a block has: with what is computed from them, they should stay in a cache."""
LARGE = 1 << 19
"""From how many elements on a product is tiled."""
TIMES = 2
"""How many times as many elements it has as what it is made of."""


def tile(graph: Graph, given: Iterable[Op], threads: int = 1) -> tuple[Graph, list[Op]]:
    """The graph with what is run by blocks as ``fused`` operations, and what stands for the ``given`` ones in it."""
    facts: dict[Op, Facts] = {}

    def write(region: Region, made: dict[Op, Op]) -> list[Op]:
        return _tiled(region, made, facts, threads)

    return gathered(graph, given, _is_long_product, _found, write)


def _is_long_product(op: Op) -> bool:
    """Whether a product is large, and has many more elements than what it is made of."""
    if op.name != "matmul" or op.dtype.kind != "f" or any(read.ndim < 2 for read in op.inputs):
        return False
    sizes: list[int] = [math.prod(one.shape) for one in (op, *op.inputs)]
    rows: int = op.shape[-2]
    return sizes[0] >= max(LARGE, TIMES * sum(sizes[1:])) and rows > HEIGHT


def _found(ops: list[Op]) -> Found | None:
    """What is computed from a product, the first op, by its blocks; None where that is not worth it."""
    product = ops[0]
    cuts: dict[Op, Cut] = {}
    known = {product: product_kinds(len(product.shape))}
    late: set[Op] = set()
    for op in ops:
        reads = reads_of(op)
        if any(read in late for read in reads):
            late.add(op)
            continue
        cut = cut_of(op, known, product)
        if cut is not None:
            cuts[op] = cut
            known[op] = cut.result
            if cut.is_total:
                late.add(op)
        elif any(read in known for read in reads):
            late.add(op)
    kept = connected(product, _kept(ops, cuts))
    is_worth_it = any(op.name == "matmul" and _is_square_read(cuts[op]) for op in kept)
    return (cuts, kept) if is_worth_it else None


def _is_square(kinds: tuple[str | None, ...]) -> bool:
    return ROWS in kinds and COLUMNS in kinds


def _is_square_read(cut: Cut) -> bool:
    return any(map(_is_square, cut.operands))


def _kept(ops: list[Op], cuts: dict[Op, Cut]) -> set[Op]:
    """Of what can be run by blocks, what has to do with the product: squares, what they are read by, and need."""
    kept: set[Op] = set()
    needed: set[Op] = set()
    for op in reversed(ops):
        cut = cuts.get(op)
        is_of_product = cut is not None and op.name not in VIEWS and (_is_square(cut.result) or _is_square_read(cut))
        if is_of_product or op in needed:
            kept.add(op)
            needed.update(read for read in op.inputs if read in cuts)
    return kept


def _tiled(region: Region, made: dict[Op, Op], known: dict[Op, Facts], threads: int) -> list[Op]:
    """One operation for a region, and the results that others read."""
    product = region.members[0]
    rows = slices(product.shape[-2], HEIGHT)
    mask = mask_of(region.members, region.cuts)
    columns, fills = _columns(region, mask, rows, known)
    hidden = hidden_columns(mask, rows, columns) if mask is not None else [slice(0, count) for count in columns]
    builder = Builder(_blocks(product, rows, columns, hidden), made)
    for op in region.members:
        cut = region.cuts[op]
        builder.add(op, cut if mask is None or not masks(op, cut, mask) else _only_hidden(cut))
    return builder.finish(region.outside, fills, threads)


def _only_hidden(cut: Cut) -> Cut:
    """How a mask is read where that is enough: of the columns in which it hides something."""
    first, mask = cut.operands
    kinds = tuple([HIDDEN if kind == COLUMNS else kind for kind in mask])
    return cut._replace(operands=(first, kinds), attributes={"last": True})


def _columns(
    region: Region, mask: Op | None, rows: list[slice], known: dict[Op, Facts]
) -> tuple[list[int], dict[Op, float]]:
    """How many columns each block needs, and what results are filled with before the first block."""
    outside = region.outside
    fills = {op: 0.0 for op in outside if region.cuts[op].is_total}
    every = [region.members[0].shape[-1]] * len(rows)
    if mask is None:
        return every, fills
    facts = facts_of(region.members, region.cuts, mask, known.get(mask, {}))
    squares = [op for op in outside if COLUMNS in region.cuts[op].result and op not in fills]
    if facts is None or not are_numbers(squares, facts):
        return every, fills
    known.setdefault(mask, {}).update({op: facts[op] for op in squares})
    return seen_columns(mask, rows), fills | {op: facts[op] for op in squares}


def _blocks(product: Op, rows: list[slice], columns: list[int], hidden: list[slice]) -> tuple[Block, ...]:
    """For each part of the stack all rows, so many at a time."""
    shape = product.shape
    size = shape[-3] if product.ndim > 2 else 1
    others = math.prod(shape[:-3])
    height = max(1, ELEMENTS // (HEIGHT * shape[-1] * max(others, 1)))
    return tuple(
        [
            {STACK: stack, ROWS: part, COLUMNS: slice(0, count), HIDDEN: masked}
            for stack in slices(size, height)
            for part, count, masked in zip(rows, columns, hidden, strict=True)
        ]
    )
