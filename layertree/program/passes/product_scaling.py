"""Scalar factors of matrix products are moved into the smaller operand: c (A B) = (c A) B."""

from __future__ import annotations

import math

from layertree.core.spec import WEAK
from layertree.program.ir.operations import Graph, Op, reads_of, remapped, rewritten, users_of


def with_scaled_operands(graph: Graph) -> Graph:
    """The graph with constant factors of products multiplied into the operand with fewer elements.

    The rule, for a constant number c, and A the operand with fewer elements (or the same for B):

        multiply(c, matmul(A, B))  ->  matmul(multiply(c, A), B)

    It needs floats of one dtype, a product without another user, and an A with at most half of the product's elements.
    In attention the factor then takes a pass over (steps, width) instead of one over (steps, steps).
    """
    if not any(op.name == "multiply" and op.inputs[1].name == "matmul" for op in graph.ops):
        return graph
    users, results = users_of(graph), set(graph.results())
    made: dict[Op, Op] = {}
    ops: list[Op] = []
    for old in graph.ops:
        op = remapped(old, made)
        is_own = old.name == "multiply" and users[old.inputs[1]] == [old] and old.inputs[1] not in results
        scaled = _of_scaled_operand(op) if is_own else []
        if scaled:
            made[old] = scaled[-1]
        ops.extend(scaled or [op])
    read = {one for op in ops for one in reads_of(op)} | {made.get(op, op) for op in results}
    return rewritten(graph, [op for op in ops if op.name != "matmul" or op in read], made, ())[0]


def _of_scaled_operand(op: Op) -> list[Op]:
    """A multiple of a product as the product of a scaled operand, after the operand; empty where the rule fails."""
    factor, product = op.inputs
    if op.dtype.kind != "f" or factor.number is None or product.name != "matmul" or op.spec != product.spec:
        return []
    sizes = [math.prod(read.shape) for read in product.inputs]
    place = sizes.index(min(sizes))
    operand = product.inputs[place]
    if 2 * sizes[place] > math.prod(op.shape) or operand.dtype != op.dtype:
        return []
    constant = Op("constant", (), {"data": float(factor.number)}, WEAK[float])
    scaled = Op("multiply", (constant, operand), {}, operand.spec, op.layer)
    inputs = (scaled, product.inputs[1]) if place == 0 else (product.inputs[0], scaled)
    return [constant, scaled, Op("matmul", inputs, {}, op.spec, op.layer)]
