"""The program of values: a formula for one specification of its input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy import ndarray

from layertree.core.data import read_only
from layertree.core.dynamic import type_of
from layertree.core.nested import flat
from layertree.layers import layer_of
from layertree.program.lower import lower
from layertree.program.options import PLAIN, Options, ready
from layertree.program.parts import planned
from layertree.program.passes import Program
from layertree.program.rules import simplified
from layertree.tape.commit import snapshot


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
        graph = lower(root, spec, states, names)
        self.program: Any = ready(planned(graph, (), options.threads), spec, options)
        self.cells: list[Any] = self.program.cells
        self._states = self.program.states
        self._are_new = _are_new(self.program)
        self._is_nested = any(type_of(one) is tuple for one in self.program.graph.outputs)
        self._frames: list[Any] = []

    def now(self, data: Any) -> Any:
        """The values for what the cells hold now."""
        return self.run(data, [value for value, _ in snapshot(self.cells)] if self.cells else ())

    def run(self, data: Any, weights: Sequence[Any], states: Sequence[Any] = ()) -> Any:
        """The values, for those of the cells."""
        given = [states[key] for key in self._states] if states else ()
        frames, program = self._frames, self.program
        frame = frames.pop() if frames else program.frame()
        results = program.run(frame, data, weights, given, ())
        frames.append(frame)  # not after an error: some thread may be at work in it still
        if not self._are_new:
            return read_only(results)
        for result in flat(results) if self._is_nested else results:
            if type_of(result) is ndarray:
                result.setflags(write=False)
        return results

    def reserve(self) -> None:
        """Allocate what a run works in, where nothing is there for one."""
        if not self._frames:
            self._frames.append(self.program.frame())

    def watched(self, data: Any, weights: Sequence[Any], program: Any) -> None:
        """Compute the values by a program that is watched."""
        program.run(program.frame(), data, weights, (), ())


def _are_new(program: Any) -> bool:
    """Whether the values are numbers and arrays of their own, none of them a part of the input or of a cell."""
    if not isinstance(program, Program):
        return False
    storage = program.storage
    return all(
        not op.is_array or storage.kinds[op] == "output" or bool(storage.roots[op]) for op in program.graph.results()
    )
