"""Programs of values, for one spec of the input: of formulas, of their deltas, and of their side effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy import ndarray

from layertree.core.cell import Cell, snapshot
from layertree.core.data import read_only
from layertree.core.deltas import as_parts
from layertree.core.dynamic import is_a, type_of
from layertree.core.free import Free
from layertree.core.identity import Identity
from layertree.core.literal import Literal
from layertree.core.nested import at_path, flat, folded, nested, parts_of_mapping, paths
from layertree.core.tape import Tape
from layertree.layers import layer_of
from layertree.program.codegen.batch_program import AnyProgram, planned
from layertree.program.codegen.program import Program
from layertree.program.ir.naming import CellNames
from layertree.program.ir.operations import AnyLayer, Data, SpecTree
from layertree.program.lower.lowering import States, lower
from layertree.program.lower.side_effects import combined, side_effects_of
from layertree.program.lower.simplification import simplified
from layertree.program.options import PLAIN, Options, apply
from layertree.rewrite.reverse_mode import derivatives, differentiable

CellTapes: TypeAlias = Mapping[Cell, Tape[Any, Any]]
"""The tapes of the cells in one run."""


class ValueProgram:
    """Several formulas of one input, computed together. ``states`` says what their free variables stand for."""

    def __init__(
        self,
        formulas: Sequence[AnyLayer],
        spec: SpecTree,
        states: States | None = None,
        options: Options = PLAIN,
        names: CellNames | None = None,
    ) -> None:
        root = simplified(layer_of("tuple")(tuple(formulas)), spec)
        graph = lower(root, spec, states, names)
        self.program: AnyProgram = apply(planned(graph, (), options.threads), spec, options)
        self.cells: list[Cell] = self.program.cells
        self._states = self.program.states
        self._are_new = _are_new(self.program)
        outputs = self.program.graph.outputs
        self._is_nested = isinstance(outputs, tuple) and any(isinstance(one, tuple) for one in outputs)
        self._frames: list[Any] = []

    def now(self, data: Data) -> Data:
        """The values for what the cells hold now."""
        return self.run(data, [value for value, _ in snapshot(self.cells)] if self.cells else ())

    def run(self, data: Data, weights: Sequence[Data], states: Sequence[Data] = ()) -> Data:
        """The values for some values of the cells, in the order of ``cells``, and of the free variables."""
        given = [states[key] for key in self._states] if states else ()  # type: ignore[index]  # keys are numbers here
        program: Any = self.program  # the frames are of the program's own kind
        frames = self._frames
        frame = frames.pop() if frames else program.frame()
        results = program.run(frame, data, weights, given, ())
        frames.append(frame)  # not after an error: a thread may still be running in the frame
        if not self._are_new:
            return read_only(results)
        for result in flat(results) if self._is_nested else results:
            if type_of(result) is ndarray:
                result.setflags(write=False)
        return results

    def reserve(self) -> None:
        """Allocate the memory of a run, unless memory for one is free."""
        if not self._frames:
            self._frames.append(self.program.frame())

    def trial(self, data: Data, program: AnyProgram) -> None:
        """Run another program, such as an instrumented one, in the place of this one's."""
        any_program: Any = program
        any_program.run(program.frame(), data, [value for value, _ in snapshot(self.cells)], (), ())


def _are_new(program: AnyProgram) -> bool:
    """Whether each value is a number or a new array, and no view of the input or of a cell."""
    if not isinstance(program, Program):
        return False
    liveness = program.liveness
    return all(
        not op.is_array or liveness.locations[op] == "output" or bool(liveness.bases[op])
        for op in program.graph.results()
    )


class GradientProgram:
    """The deltas of a formula's input and leaves, for given deltas of its value. The program runs forward again."""

    def __init__(
        self,
        formula: AnyLayer,
        leaves: Sequence[AnyLayer],
        specs: tuple[SpecTree, SpecTree],
        options: Options,
        names: CellNames,
    ) -> None:
        source, output = specs
        variables: list[Free[Any]] = [Free(part) for part in flat(output)]
        delta = nested(output, [_seed(one) for one in variables])
        found = derivatives(formula.__layer__(), source, delta)
        self._targets = [found.get(Identity()), *[found.get(leaf) for leaf in leaves]]
        formulas = [one for target in self._targets for one in flat(target, parts_of_mapping) if one is not None]
        states: States = {variable: position for position, variable in enumerate(variables)}
        self._program = ValueProgram(formulas, source, states, options, names)

    def run(self, data: Data, cells: CellTapes, delta: Data, value: Data) -> tuple[Data, ...]:
        """The deltas of the input and of each leaf, None where none arrives; ``value`` is the formula's value."""
        weights = [cells[cell].value for cell in self._program.cells]
        found = iter(self._program.run(data, weights, _dense(delta, value)))
        return tuple(
            [
                folded(target, lambda one: None if one is None else next(found), as_parts, parts_of_mapping)
                for target in self._targets
            ]
        )


def _seed(variable: Free[Any]) -> AnyLayer:
    """A delta as a free variable; a value that is no float has no delta, so the number in its place is not used."""
    return variable if differentiable(variable.spec) else Literal(0.0)


def _dense(delta: Data, value: Data) -> list[Data]:
    """The parts of a delta in the order of the value's parts, with zeros for the parts that have none."""
    given = [(at_path(delta, path), part) for path, part in paths(value)]
    return [_zero(part) if one is None else one for one, part in given]


def _zero(value: Data) -> Data:
    return np.zeros_like(value) if is_a(value, np.ndarray) else type(value)(0)


class SideEffectProgram:
    """The contributions of a formula to its counters and averages, of each cell combined to one."""

    def __init__(self, formula: AnyLayer, source: SpecTree, options: Options, names: CellNames) -> None:
        found = side_effects_of(formula.__layer__(), source)
        self._cells = [leaf.cell for leaf in found]
        formulas = [combined(leaf.cell, contributions).layer for leaf, contributions in found.items()]
        self._program = ValueProgram(formulas, source, None, options, names) if formulas else None

    def run(self, data: Data, cells: CellTapes) -> dict[Cell, Data]:
        """The contribution to each cell, for data and the tapes of cells."""
        if self._program is None:
            return {}
        values = [cells[cell].value for cell in self._program.cells]
        return dict(zip(self._cells, self._program.run(data, values), strict=True))
