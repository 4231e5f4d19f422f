"""Small graphs, written by hand, and how they read: what the passes of the compiler are tested on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from layertree import Weight
from layertree.core.spec import WEAK, ArraySpec
from layertree.program.ir.operations import Body, Graph, Op, all_ops

FLOAT = WEAK[float]
BOOL = WEAK[bool]


def spec(*shape: int, dtype: Any = np.float64) -> ArraySpec[Any]:
    return ArraySpec(shape, dtype)


def source(kind: Any = FLOAT, *path: int) -> Op:
    """A part of the input."""
    return Op("input", (), {"key": path}, kind)


def cell(name: str, *shape: int) -> Op:
    """The value of a weight."""
    return Op("cell", (), {"key": Weight(np.zeros(shape), name=name).cell, "name": name}, spec(*shape))


def number(data: Any) -> Op:
    """A constant."""
    kind = WEAK.get(type(data))
    return Op("constant", (), {"data": data}, ArraySpec(np.shape(data), data.dtype) if kind is None else kind)


def filled(value: float, kind: Any) -> Op:
    """A constant array of one number."""
    data = np.broadcast_to(np.asarray(value, kind.dtype), kind.shape)
    return Op("constant", (), {"data": data, "fill": value}, kind)


def op(name: str, *inputs: Op, kind: Any = None, **attributes: Any) -> Op:
    """An operation; its spec is that of its first operand, unless another is given."""
    return Op(name, inputs, attributes, inputs[0].spec if kind is None else kind)


def branch(condition: Op, then: Sequence[Op], otherwise: Sequence[Op]) -> list[Op]:
    """A branch, each side of which gives its last value; and the result."""
    bodies = tuple([Body(list(ops), (ops[-1],)) for ops in (then, otherwise)])
    cond = Op("cond", (condition,), {}, BOOL, None, bodies)
    return [cond, Op("result", (cond,), {"position": 0}, bodies[0].results[0].spec)]


def graph_of(*ops: Op, outputs: Any) -> Graph:
    """A graph of operations in their order; its input are all of its leaves of that name.

    Constants that are not among them come first.
    """
    leaves = [one for one in ops if one.name == "input"]
    read = dict.fromkeys(read for one in all_ops(ops) for read in one.inputs)
    constants = [one for one in read if one.name == "constant" and one not in ops]
    return Graph([*constants, *ops], leaves[0] if len(leaves) == 1 else tuple(leaves), outputs)


def shown(ops: Iterable[Op]) -> list[str]:
    """Each operation by its name and the numbers of what it reads; those of branches come before theirs."""
    order = list(all_ops(ops))
    places = {one: str(place) for place, one in enumerate(order)}
    return [" ".join([one.name, *[places.get(read, "?") for read in one.inputs]]) for one in order]
