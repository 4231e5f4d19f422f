"""Costs of operations: floating-point operations, and bytes read and written."""

from __future__ import annotations

import math
from collections.abc import Iterable

from layertree.program.ir.operations import Op
from layertree.program.ir.primitives import primitive
from layertree.program.ir.views import VIEWS
from layertree.program.passes.loop_nest import Block, Chain, spec_of_block


def flops_of(op: Op) -> int:
    """The arithmetic of an op, with any function of a number as one operation: 2 m n k for a matrix product."""
    return primitive(op.name).flops(op)


def bytes_of(op: Op) -> int:
    """The bytes that an op reads, each operand once and without repetitions by broadcasting, and writes."""
    return sum(map(_nbytes, {_stored(read) for read in op.inputs})) + _nbytes(op)


def chains_of(ops: Iterable[Op]) -> dict[Op, Chain]:
    """The loop nest of each op that is in one."""
    chains: list[Chain] = [op.attributes["chain"] for op in ops if op.name == "fused"]
    return {op: chain for chain in chains for op in chain.graph.ops}


def in_blocks(op: Op, chain: Chain | None) -> list[Op]:
    """An op of a loop nest once for each block, with the sizes in that block; an op outside of one as it is."""
    if chain is None:
        return [op]
    return [
        _in_block(op, tuple([_in_block(read, (), chain, block) for read in op.inputs]), chain, block)
        for block in chain.blocks
    ]


def _in_block(op: Op, inputs: tuple[Op, ...], chain: Chain, block: Block) -> Op:
    kinds = chain.kinds.get(op)
    spec = op.spec if kinds is None else spec_of_block(op.spec, kinds, block)
    return Op(op.name, inputs, op.attributes, spec, op.layer)


def _stored(op: Op) -> Op:
    """The value behind views that show all of it, or repeat it."""
    while op.name in VIEWS and op.name != "getitem" and op.inputs:
        op = op.inputs[0]
    return op


def _nbytes(op: Op) -> int:
    return 0 if op.is_weak or op.is_filled else _size(op) * op.dtype.itemsize


def _size(op: Op) -> int:
    return math.prod(op.shape)
