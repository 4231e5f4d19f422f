"""Scalar factors of matrix products are moved into the smaller operand: c (A B) = (c A) B."""

from __future__ import annotations

import math

from layertree.core.spec import WEAK
from layertree.program.ir.operations import Graph, Op, reads_of, users_of


def with_scaled_operands(graph: Graph) -> Graph:
    """The graph with constant factors of products multiplied into the operand with fewer elements.

    The product must have no other user, and the operand at most half of the product's elements. In attention the
    factor then takes a pass over (steps, width) instead of one over (steps, steps).
    """
    if not any(op.name == "matmul" for op in graph.ops):
        return graph
    users, results = users_of(graph), set(graph.results())
    ops: list[Op] = []
    for op in graph.ops:
        operand = _scaled_operand(op, users, results)
        if operand is not None:
            ops.extend((operand.inputs[0], operand))
        ops.append(op)
    read = {one for op in ops for one in reads_of(op)} | results
    return Graph([op for op in ops if op.name != "matmul" or op in read], graph.source, graph.outputs)


def _scaled_operand(op: Op, users: dict[Op, list[Op]], results: set[Op]) -> Op | None:
    """Turn a multiple of a product into a product, and return its new, scaled operand; None where ``op`` stays."""
    if op.name != "multiply" or op.dtype.kind != "f":
        return None
    factor, product = op.inputs
    if factor.number is None or product.name != "matmul" or op.spec != product.spec:
        return None
    if users[product] != [op] or product in results:
        return None
    sizes = [math.prod(read.shape) for read in product.inputs]
    place = sizes.index(min(sizes))
    operand = product.inputs[place]
    if 2 * sizes[place] > math.prod(op.shape) or operand.dtype != op.dtype:
        return None
    constant = Op("constant", (), {"data": float(factor.number)}, WEAK[float])
    scaled = Op("multiply", (constant, operand), {}, operand.spec, op.layer)
    op.name, op.attributes = "matmul", {}
    op.inputs = (scaled, product.inputs[1]) if place == 0 else (product.inputs[0], scaled)
    return scaled
