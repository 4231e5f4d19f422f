"""Source: the text of a generated function, with what it needs to be run, watched and explained."""

from __future__ import annotations

from typing import Any, NamedTuple

from layertree.program.ir.operations import Op
from layertree.program.runtime.frame import Buffer


class Source(NamedTuple):
    """The text of ``step(x, weights, states, new, buffers)``, and what its names and arguments mean.

    ``names`` are its globals. ``cells`` and ``states`` are the ops whose values are ``weights`` and ``states``, in
    order; ``buffers`` are slices of the arena, views of them, and blocks of loop nests, in order. ``lines`` maps line
    numbers, from 1, to the op of the line; ``values`` maps an op that is no view to the expression that has its value
    after that line.
    """

    text: str
    names: dict[str, Any]
    cells: tuple[Op, ...]
    states: tuple[Op, ...]
    buffers: tuple[Buffer, ...]
    lines: dict[int, Op]
    values: dict[Op, str]
