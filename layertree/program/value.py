"""The program of values: a formula for one specification of its input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from layertree._data import read_only
from layertree.layers import layer_of
from layertree.program.lower import lower
from layertree.program.options import PLAIN, Options, ready
from layertree.program.parts import planned
from layertree.program.rules import simplified


class ValueProgram:
    """Several formulas of one input, computed together. ``states`` are what free variables stand for, by position."""

    def __init__(
        self,
        formulas: Sequence[Any],
        spec: Any,
        states: Mapping[Any, Any] | None = None,
        options: Options = PLAIN,
        names: Mapping[Any, str] | None = None,
    ) -> None:
        root = simplified(layer_of("tuple")(tuple(formulas)), spec)
        self.program: Any = ready(planned(lower(root, spec, states, names), (), options.threads), spec, options)
        self.cells: list[Any] = self.program.cells
        self._states = self.program.states
        self._has_arrays = any(op.is_array for op in self.program.graph.results())
        self._frames: list[Any] = []

    def run(self, data: Any, weights: Sequence[Any], states: Sequence[Any] = ()) -> Any:
        """The values, for those of the cells."""
        given = [states[key] for key in self._states]
        frames, program = self._frames, self.program
        frame = frames.pop() if frames else program.frame()
        results = program.run(frame, data, weights, given, ())
        frames.append(frame)  # not after an error: some thread may be at work in it still
        # A result may be a part of the input, or of a cell.
        return read_only(results) if self._has_arrays else results

    def reserve(self) -> None:
        """Allocate what a run works in, where nothing is there for one."""
        if not self._frames:
            self._frames.append(self.program.frame())

    def watched(self, data: Any, weights: Sequence[Any], program: Any) -> None:
        """Compute the values by a program that is watched."""
        program.run(program.frame(), data, weights, (), ())
