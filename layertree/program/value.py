"""The program of values: a formula for one specification of its input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from layertree.layers import layer_of
from layertree.program.frame import Frame
from layertree.program.lower import lower
from layertree.program.passes import Program, build
from layertree.rewrite.simplify import simplify


class ValueProgram:
    """Several formulas of one input, computed together. ``states`` are what free variables stand for, by position."""

    def __init__(self, formulas: Sequence[Any], spec: Any, states: Mapping[Any, Any] | None = None) -> None:
        root = simplify(layer_of("tuple")(tuple(formulas)), spec)
        self.program: Program = build(lower(root, spec, states))
        self.cells = [op.attributes["key"] for op in self.program.source.cells]
        self._states = [op.attributes["key"] for op in self.program.source.states]
        self._frames: list[Frame] = []

    def run(self, data: Any, weights: Sequence[Any], states: Sequence[Any] = ()) -> Any:
        """The values, for those of the cells."""
        given = [states[key] for key in self._states]
        frames = self._frames
        frame = frames.pop() if frames else Frame(self.program)
        try:
            if self.program.is_plain:
                return self.program.function(data, weights, given, (), frame.buffers)
            with np.errstate(all="ignore"):
                return self.program.function(data, weights, given, (), frame.buffers)
        finally:
            frames.append(frame)
