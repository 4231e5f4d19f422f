"""Programs of values, for one spec of the input: of formulas, of their deltas, and of their side effects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy import ndarray

from layertree.core.cell import Cell, snapshot
from layertree.core.data import read_only
from layertree.core.deltas import Parts, as_parts
from layertree.core.dynamic import is_a, type_of
from layertree.core.free import Free
from layertree.core.identity import Identity
from layertree.core.literal import Literal
from layertree.core.nested import at_path, flat, folded, nested, parts_of_mapping, paths
from layertree.core.spec import WEAK
from layertree.core.tape import Tape
from layertree.layers import layer_of
from layertree.program.engine import Executable
from layertree.program.ir.naming import CellNames
from layertree.program.ir.nodes import has_branches
from layertree.program.ir.operations import AnyLayer, Data, Op, SpecTree
from layertree.program.ir.views import VIEWS
from layertree.program.lower.lowering import States, lower
from layertree.program.lower.side_effects import combined, side_effects_of
from layertree.program.lower.simplification import simplified
from layertree.program.options import PLAIN, Options, program_of
from layertree.program.passes.pipeline import Lowered
from layertree.rewrite.arrival import arrivals
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
        self.lowered: Lowered = Lowered(graph, (), options.threads)
        self.program: Executable = program_of(self.lowered, spec, options)
        self.cells: Sequence[Cell] = self.program.cells
        self._states = self.program.states
        self._are_new = self.program.makes_new
        self._of_input = [_is_of_input(op) for op in graph.results()]
        outputs = graph.outputs
        self._is_nested = isinstance(outputs, tuple) and any(isinstance(one, tuple) for one in outputs)
        self._frames: list[Any] = []

    def now(self, data: Data) -> Data:
        """The values for what the cells hold now."""
        return self.run(data, [value for value, _ in snapshot(self.cells)] if self.cells else ())

    def run(self, data: Data, weights: Sequence[Data], states: Sequence[Data] = ()) -> Data:
        """The values for some values of the cells, in the order of ``cells``, and of the free variables."""
        given = [states[key] for key in self._states] if states else ()
        program = self.program
        frames = self._frames
        frame = frames.pop() if frames else program.frame()
        results = program.run(frame, data, weights, given, ())
        frames.append(frame)  # not after an error: a thread may still be running in the frame
        if not self._are_new:
            return read_only(self._with_copies(results))
        for result in flat(results) if self._is_nested else results:
            if type_of(result) is ndarray:
                result.setflags(write=False)
        return results

    def _with_copies(self, results: Data) -> Data:
        """The results, with a copy of each that is an array of the caller, since ``x + 0.0`` is simplified to ``x``."""
        if not any(self._of_input):
            return results
        given = zip(flat(results), self._of_input, strict=True)
        return nested(results, [one.copy() if is_input else one for one, is_input in given])

    def reserve(self) -> None:
        """Allocate the memory of a run, unless memory for one is free."""
        if not self._frames:
            self._frames.append(self.program.frame())

    def trial(self, data: Data, program: Executable) -> None:
        """Run another program, such as an instrumented one, in the place of this one's."""
        program.run(program.frame(), data, [value for value, _ in snapshot(self.cells)], (), ())


def _is_of_input(op: Op) -> bool:
    """Whether a value is an array of the input, or a view of one."""
    while op.name in VIEWS:
        op = op.inputs[0]
    return op.is_array and op.name == "input"


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
        given = [Free[bool](WEAK[bool]) for _ in variables]
        root, keys = formula.__layer__(), (Identity[Any, Any](), *leaves)
        found = derivatives(root, source, delta)
        known = arrivals(root, source, nested(output, given)) if is_a(output, tuple) or has_branches(root) else {}
        self._targets = [found.get(key) for key in keys]
        self._arrivals = [known.get(key) for key in keys]
        formulas = _leaves_of(self._targets)
        self._size = len(formulas)
        states: States = {variable: position for position, variable in enumerate((*variables, *given))}
        self._program = ValueProgram([*formulas, *_leaves_of(self._arrivals)], source, states, options, names)

    def run(self, data: Data, cells: CellTapes, delta: Data, value: Data) -> tuple[Data, ...]:
        """The deltas of the input and of each leaf, None where none arrives; ``value`` is the formula's value."""
        weights = [cells[cell].value for cell in self._program.cells]
        parts = [(at_path(delta, path), part) for path, part in paths(value)]
        dense = [_zero(part) if one is None else one for one, part in parts]
        results = self._program.run(data, weights, [*dense, *[one is not None for one, _ in parts]])
        found, arrived = iter(results[: self._size]), iter(results[self._size :])
        return tuple(
            [
                _arriving(_filled(target, found), _filled(arrival, arrived))
                for target, arrival in zip(self._targets, self._arrivals, strict=True)
            ]
        )


def _leaves_of(targets: Iterable[Data]) -> list[AnyLayer]:
    """The formulas of derivatives, from the left."""
    return [one for target in targets for one in flat(target, parts_of_mapping) if one is not None]


def _filled(target: Data, results: Iterator[Data]) -> Data:
    """The results of formulas in the nesting of a derivative; None where there is none."""
    return folded(target, lambda one: None if one is None else next(results), as_parts, parts_of_mapping)


def _arriving(delta: Data, arrival: Data) -> Data:
    """The parts of a delta that arrive, None where none does; every part where no arrival is known."""
    if arrival is None:
        return delta
    return folded((delta, arrival), lambda pair: pair[0] if pair[1] else None, _given_parts, _parts_and_arrivals)


def _parts_and_arrivals(pair: tuple[Data, Data]) -> dict[int, tuple[Data, Data]] | None:
    """Pairs of a delta and its arrival, by position, where the delta is that of a tuple."""
    delta, arrival = pair
    return {i: (part, arrival[i]) for i, part in delta.items()} if is_a(delta, Parts) else None


def _given_parts(parts: Mapping[int, Data], results: list[Data]) -> Parts | None:
    """Parts without those that are None; None where all are."""
    return Parts({i: one for i, one in zip(parts, results, strict=True) if one is not None}) or None


def _seed(variable: Free[Any]) -> AnyLayer:
    """A delta as a free variable; a value that is no float has no delta, so the number in its place is not used."""
    return variable if differentiable(variable.spec) else Literal(0.0)


def _zero(value: Data) -> Data:
    return np.zeros_like(value) if is_a(value, np.ndarray) else type(value)(0)


class SideEffectProgram:
    """The contributions of a formula to its counters and averages, of each cell combined to one."""

    def __init__(self, formula: AnyLayer, source: SpecTree, options: Options, names: CellNames) -> None:
        found = side_effects_of(formula.__layer__(), source)
        arrivals = [effect.arrival for effect in found.values()]
        self._cells = [leaf.cell for leaf in found]
        self._are_sure = [arrival is None for arrival in arrivals]
        formulas = [combined(leaf.cell, effect.contributions).layer for leaf, effect in found.items()]
        formulas += [arrival for arrival in arrivals if arrival is not None]
        self._program = ValueProgram(formulas, source, None, options, names) if formulas else None

    def run(self, data: Data, cells: CellTapes) -> dict[Cell, Data]:
        """The contribution to each cell that gets one, for data and the tapes of cells."""
        if self._program is None:
            return {}
        values = [cells[cell].value for cell in self._program.cells]
        results = self._program.run(data, values)
        arrived = iter(results[len(self._cells) :])
        contributions = zip(self._cells, results[: len(self._cells)], self._are_sure, strict=True)
        return {cell: contribution for cell, contribution, is_sure in contributions if is_sure or next(arrived)}
