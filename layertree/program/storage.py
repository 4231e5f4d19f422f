"""Where each value of a program lives: in the arena, in another value's memory, in a Python variable of its own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, pairwise
from operator import mul
from typing import Any

import numpy as np

from layertree._record import record
from layertree.program import phrases
from layertree.program._ops import LEAVES, Graph, Op, all_ops
from layertree.program.views import VIEWS


@record(eq=False)
class Storage:
    """For each op, by identity: ``kinds`` says where it lives, ``roots`` whose memory it reads that is written again.

    A kind is "leaf" (given to the program), "number" (no axes), "view", "buffer" (in the arena), "result" (of a
    branch), "output" (made anew each time, since it is handed out) or "fresh" (by a function that makes its own).
    """

    kinds: dict[Op, str]
    roots: dict[Op, tuple[Op, ...]]
    last_use: dict[Op, int]
    order: list[Op]


def storage_of(graph: Graph, written: Iterable[Op] = ()) -> Storage:
    """Where the values of a graph live. ``written`` go to memory that the caller gives, like buffers of its own."""
    order = list(all_ops(graph.ops))
    given, outputs = set(written), set(graph.results())
    kinds: dict[Op, str] = {}
    roots: dict[Op, tuple[Op, ...]] = {}
    layouts: dict[Op, Any] = {}
    for op in order:
        kind = kinds[op] = "given" if op in given else _kind(op, outputs, kinds, roots, layouts)
        roots[op] = _roots(op, kind, roots)
    last_use: dict[Op, int] = {}
    for position, op in enumerate(order):
        for read in op.inputs:
            for root in roots[read]:
                last_use[root] = position
        for body in op.bodies:
            for result in body.results:
                for root in roots[result]:
                    last_use[root] = position
    for op in outputs:
        for root in roots[op]:
            last_use[root] = len(order)
    for op in order:
        if op.name == "stack":  # one memory, that of all, which lasts as long as any of them
            last_use.update(dict.fromkeys((op, *op.inputs), max(last_use.get(one, 0) for one in (op, *op.inputs))))
    return Storage(kinds, roots, last_use, order)


def _kind(op: Op, outputs: set[Op], kinds: Any, roots: Any, layouts: Any) -> str:
    if op.name in LEAVES:
        return "leaf"
    if op.name in ("cond", "fused"):
        return op.name
    if op.name == "result" and op.inputs[0].name == "cond":
        return op.name
    if op.name == "result":
        return "output" if op in outputs else "buffer"
    if not op.is_array:
        return "number"
    if op.name == "stack":
        return "buffer"
    if op.name in VIEWS and _stays_a_view(op, kinds, layouts):
        return "view"
    if op in outputs and phrases.is_expressible(op):
        return "output"
    return "buffer" if op.name in phrases.INTO else "fresh"


def _roots(op: Op, kind: str, roots: dict[Op, tuple[Op, ...]]) -> tuple[Op, ...]:
    if kind in ("buffer", "given") or not op.attributes.get("is_new", True):
        return (op,)
    if kind == "view":
        return roots[op.inputs[0]]
    if kind == "result":
        branches = op.inputs[0].bodies
        return tuple({root: None for body in branches for root in roots[body.results[op.attributes["position"]]]})
    if kind == "fresh":  # a function of someone else may give a part of what it was given
        return tuple({root: None for read in op.inputs for root in roots[read]})
    return ()


def _stays_a_view(op: Op, kinds: dict[Op, str], layouts: dict[Op, Any]) -> bool:
    """Whether the view needs no copy, found out on an array that is never filled."""
    operand = op.inputs[0]
    if not operand.spec.shape:
        return True
    layout = layouts.get(operand)
    if layout is None:
        layout = layouts[operand] = _layout(operand)
    if op.name == "reshape" and not reshapes_in_place(layout, op.attributes["shape"]):
        return False
    layouts[op] = VIEWS[op.name](layout, **op.attributes)
    return True


def _layout(op: Op) -> Any:
    return op.attributes["data"] if op.name == "constant" else np.empty(op.spec.shape, op.spec.dtype)


def reshapes_in_place(array: Any, shape: tuple[int, ...]) -> bool:
    """Whether a reshape is a view: where two axes do not lie one behind the other, a new axis has to begin."""
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
