"""Factors of matrix products: a number times a product is a product with the smaller operand scaled."""

from __future__ import annotations

import math

from layertree.core.spec import WEAK
from layertree.program._ops import Graph, Op, readers_of, reads_of


def scaled(graph: Graph) -> Graph:
    """The graph with numbers multiplied into the smaller operand of a product that nothing else reads.

    The operand has to have at most half of the product's elements. In attention that is a pass over (steps, width)
    instead of one over (steps, steps).
    """
    if not any(op.name == "matmul" for op in graph.ops):
        return graph
    readers, results = readers_of(graph), set(graph.results())
    ops: list[Op] = []
    for op in graph.ops:
        factor = _factor(op, readers, results)
        if factor is not None:
            ops.extend((factor.inputs[0], factor))
        ops.append(op)
    read = {one for op in ops for one in reads_of(op)} | results
    return Graph([op for op in ops if op.name != "matmul" or op in read], graph.source, graph.outputs)


def _factor(op: Op, readers: dict[Op, list[Op]], results: set[Op]) -> Op | None:
    """Turn a multiple of a product into a product, of which this gives the scaled operand; None where it stays."""
    if op.name != "multiply" or op.spec.dtype.kind != "f":
        return None
    factor, product = op.inputs
    if factor.number is None or product.name != "matmul" or op.spec != product.spec:
        return None
    if readers[product] != [op] or product in results:
        return None
    sizes = [math.prod(read.spec.shape) for read in product.inputs]
    place = sizes.index(min(sizes))
    operand = product.inputs[place]
    if 2 * sizes[place] > math.prod(op.spec.shape) or operand.spec.dtype != op.spec.dtype:
        return None
    constant = Op("constant", (), {"data": float(factor.number)}, WEAK[float])
    small = Op("multiply", (constant, operand), {}, operand.spec, op.layer)
    op.name, op.attributes = "matmul", {}
    op.inputs = (small, product.inputs[1]) if place == 0 else (product.inputs[0], small)
    return small
