"""How much an op has to do: floating-point operations, and bytes that it reads and writes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from layertree.program import phrases
from layertree.program._ops import Op
from layertree.program.chain import Block, Chain, spec_of_block
from layertree.program.views import VIEWS

_REDUCTIONS = frozenset(
    (
        "sum",
        "max",
        "min",
        "prod",
        "argmax",
        "fold",
        "scatter_add",
        "max_unpool",
        "max_unpool2d",
        "max_of_last",
        "sum_of_last",
        "sum_of_rows",
    )
)


def flops_of(op: Op) -> int:
    """The arithmetic of an op, each function of a number counted as one: 2 m n k for a product of matrices."""
    if op.spec.dtype.kind == "b" and op.name not in _REDUCTIONS and not phrases.is_elementwise(op.name):
        return 0
    if op.name == "matmul":
        return 2 * _size(op) * int(op.inputs[0].spec.shape[-1])
    if op.name == "max_pool2d":
        return _size(op) * int(math.prod(op.attributes["window"]))
    if op.name in _REDUCTIONS:
        return _size(op.inputs[0])
    return _size(op) if phrases.is_elementwise(op.name) else 0


def bytes_of(op: Op) -> int:
    """The memory that an op reads, each operand once and without what broadcasting repeats, and writes."""
    return sum(map(_nbytes, {_stored(read) for read in op.inputs})) + _nbytes(op)


def chains_of(ops: Iterable[Op]) -> dict[Op, Chain]:
    """The chain that each op belongs to which is run by blocks."""
    chains: list[Chain] = [op.attributes["chain"] for op in ops if op.name == "fused"]
    return {op: chain for chain in chains for op in chain.graph.ops}


def in_blocks(op: Op, chain: Chain | None) -> list[Op]:
    """An op of a chain as each block has it, with its size there and those of its operands; any other as it is."""
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
    """What a view shows, where it shows all of it or the same again."""
    while op.name in VIEWS and op.name != "getitem" and op.inputs:
        op = op.inputs[0]
    return op


def _nbytes(op: Op) -> int:
    spec: Any = op.spec
    return 0 if spec.weak or "fill" in op.attributes else _size(op) * int(spec.dtype.itemsize)


def _size(op: Op) -> int:
    return math.prod(op.spec.shape)
