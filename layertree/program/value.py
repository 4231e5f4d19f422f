"""The program of values: a formula for one specification of its input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from layertree.layers import layer_of
from layertree.program.lower import lower
from layertree.program.parts import planned
from layertree.program.rules import simplified


class ValueProgram:
    """Several formulas of one input, computed together. ``states`` are what free variables stand for, by position."""

    def __init__(
        self, formulas: Sequence[Any], spec: Any, states: Mapping[Any, Any] | None = None, threads: int | None = None
    ) -> None:
        root = simplified(layer_of("tuple")(tuple(formulas)), spec)
        self.program: Any = planned(lower(root, spec, states), (), threads)
        self.cells: list[Any] = self.program.cells
        self._states = self.program.states
        self._is_plain: bool = self.program.is_plain
        self._frames: list[Any] = []

    def run(self, data: Any, weights: Sequence[Any], states: Sequence[Any] = ()) -> Any:
        """The values, for those of the cells."""
        given = [states[key] for key in self._states]
        frames, program = self._frames, self.program
        frame = frames.pop() if frames else program.frame()
        try:
            if self._is_plain:
                return program.run(frame, data, weights, given, ())
            with np.errstate(all="ignore"):
                return program.run(frame, data, weights, given, ())
        finally:
            frames.append(frame)
