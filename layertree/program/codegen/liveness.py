"""Liveness analysis: where each value lives (arena, view, variable, caller's array), and until when it is read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, pairwise
from operator import mul
from typing import Literal, TypeAlias, cast

import numpy as np

from layertree.program.codegen.templates import is_expressible
from layertree.program.ir.operations import LEAVES, Array, Graph, Op, all_ops
from layertree.program.ir.primitives import fills_a_buffer
from layertree.program.ir.views import VIEWS

Location: TypeAlias = Literal["leaf", "number", "view", "buffer", "given", "result", "output", "fresh", "cond", "fused"]
"""Where a value lives: a "leaf" with the caller, a "number" (no axes) in a variable, a "view" in the memory of its
operand, a "buffer" in the arena, a "given" value in an array of the caller, a "result" where a side of a branch has it,
an "output" in a new array that is handed out, a "fresh" value in an array that a function makes. ``cond`` and ``fused``
operations have no value of their own.
"""

Bases: TypeAlias = dict[Op, tuple[Op, ...]]


class Liveness:
    """For each op its location, its ``bases`` (the buffers that its value is a view of), and their last uses.

    ``last_use`` is the position in ``order`` after which a buffer is free; ``order`` has the operations of branches
    before the ``cond``.
    """

    __slots__ = ("bases", "last_use", "locations", "order")

    bases: Bases
    last_use: dict[Op, int]
    locations: dict[Op, Location]
    order: list[Op]

    def __init__(self, locations: dict[Op, Location], bases: Bases, last_use: dict[Op, int], order: list[Op]) -> None:
        self.locations = locations
        self.bases = bases
        self.last_use = last_use
        self.order = order


def liveness_of(graph: Graph, destinations: Iterable[Op] = ()) -> Liveness:
    """The liveness of a graph. The values of ``destinations`` go to arrays that the caller gives."""
    order = list(all_ops(graph.ops))
    given, outputs = set(destinations), set(graph.results())
    locations: dict[Op, Location] = {}
    bases: Bases = {}
    examples: dict[Op, Array] = {}
    for op in order:
        location = locations[op] = "given" if op in given else _location(op, outputs, examples)
        bases[op] = _bases(op, location, bases)
    return Liveness(locations, bases, _last_uses(order, outputs, bases), order)


def _last_uses(order: list[Op], outputs: set[Op], bases: Bases) -> dict[Op, int]:
    last_use: dict[Op, int] = {}
    for position, op in enumerate(order):
        reads = [*op.inputs, *[result for body in op.bodies for result in body.results]] if op.bodies else op.inputs
        for read in reads:
            for base in bases[read]:
                last_use[base] = position
    for op in outputs:
        for base in bases[op]:
            last_use[base] = len(order)
    for op in order:
        if op.name == "stack":  # members share the memory of the stack, which is in use as long as any of them
            last_use.update(dict.fromkeys((op, *op.inputs), max(last_use.get(one, 0) for one in (op, *op.inputs))))
    return last_use


def _location(op: Op, outputs: set[Op], examples: dict[Op, Array]) -> Location:
    if op.name in LEAVES:
        return "leaf"
    if op.name in ("cond", "fused"):
        return cast("Location", op.name)
    if op.name == "result" and op.inputs[0].name == "cond":
        return "result"
    if op.name == "result":
        return "output" if op in outputs else "buffer"
    if not op.is_array:
        return "number"
    if op.name == "stack":
        return "buffer"
    if op.name in VIEWS and _is_a_view(op, examples):
        return "view"
    if op in outputs and is_expressible(op):
        return "output"
    return "buffer" if fills_a_buffer(op.name) else "fresh"


def _bases(op: Op, location: Location, bases: Bases) -> tuple[Op, ...]:
    if location in ("buffer", "given") or not op.attributes.get("is_new", True):
        return (op,)
    if location == "view":
        return bases[op.inputs[0]]
    if location == "result":
        sides = op.inputs[0].bodies
        return tuple({base: None for body in sides for base in bases[body.results[op.position]]})
    if location == "fresh":  # a function may return a view of its argument
        return tuple({base: None for read in op.inputs for base in bases[read]})
    return ()


def _is_a_view(op: Op, examples: dict[Op, Array]) -> bool:
    """Whether a view needs no copy, found on arrays with the strides of the values, whose memory is never touched."""
    operand = op.inputs[0]
    if not operand.shape:
        return True
    example = examples.get(operand)
    if example is None:
        example = examples[operand] = _example(operand)
    if op.name == "reshape" and not reshapes_in_place(example, op.attributes["shape"]):
        return False
    examples[op] = VIEWS[op.name](example, **op.attributes)
    return True


def _example(op: Op) -> Array:
    return op.attributes["data"] if op.name == "constant" else np.empty(op.shape, op.dtype)


def reshapes_in_place(array: Array, shape: tuple[int, ...]) -> bool:
    """Whether a reshape is a view: a new axis has to begin where two axes of the array are not contiguous."""
    if array.flags.c_contiguous or not array.size:
        return True
    ends = {*accumulate([size for size in shape if size != 1], mul)}
    axes = [(size, stride) for size, stride in zip(array.shape, array.strides, strict=True) if size != 1]
    count = 1
    for (size, stride), (inner, step) in pairwise(axes):
        count *= size
        if stride != inner * step and count not in ends:
            return False
    return True
