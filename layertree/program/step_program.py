"""A training step as one program: forward, backward and the new values of cells, then the commit."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from layertree.core.cell import Cell, Content, UpdateRule, is_updating, replaced, require_no_update, snapshot
from layertree.core.dynamic import type_of
from layertree.program.engine import Executable
from layertree.program.ir.naming import names_of_cells
from layertree.program.ir.operations import AnyLayer, Data, Graph, Op, SpecTree
from layertree.program.lower.lowering import lower
from layertree.program.lower.step_derivation import training_step
from layertree.program.lower.updates import Part, Update
from layertree.program.options import PLAIN, Options, program_of
from layertree.program.passes.pipeline import Lowered
from layertree.program.passes.result_ownership import owned
from layertree.program.runtime.output_buffers import OutputBuffers
from layertree.tape.commit import rebound

States: TypeAlias = Sequence[Sequence[Part]]
"""For each update the value and the parts of the state before a step."""


class _Memory(NamedTuple):
    """The memory of one run at a time."""

    frame: Any  # of the program's own kind
    outputs: OutputBuffers


class StepProgram:
    """The program of a training step for one spec of the input; with ``flat`` equal updates are one."""

    def __init__(
        self,
        layer: AnyLayer,
        spec: SpecTree,
        optimizer: UpdateRule | None,
        options: Options = PLAIN,
        *,
        flat: bool = True,
    ) -> None:
        step = training_step(layer, spec, optimizer, flat=flat)
        graph, given = owned(lower(step.root(), spec, step.states, names_of_cells(layer)), 1)
        self.lowered: Lowered = Lowered(graph, tuple(given), options.threads)
        self.program: Executable = program_of(self.lowered, spec, options)
        self._updates = step.updates
        self._changed = [cell for update in step.updates for cell in update.cells]
        self._cells = list(dict.fromkeys([*self._changed, *self.program.cells]))
        indices = {cell: index for index, cell in enumerate(self._cells)}
        self._read = [indices[cell] for cell in self.program.cells]
        self._states = cast("list[tuple[int, int]]", self.program.states)
        self._sources = _sources(graph, given)
        self._types = [(op.shape, op.dtype) for op in given]
        self._memory: list[_Memory] = []
        self._kept = _kept(step.updates)
        self._arguments = (layer, spec, optimizer, options)
        self._ungrouped: StepProgram | None = None

    def run(self, data: Data) -> Data:
        """One step; returns the value before it. If another commit came in between, the step is computed again."""
        require_no_update("a step")
        while True:
            contents = snapshot(self._cells)
            states = self._states_before(contents)
            if states is None:
                return self._without_groups().run(data)
            memory = self._memory.pop() if self._memory else self._allocated()
            value, after = self._computed(data, contents, states, memory)
            self._memory.append(memory)  # not after an error: a thread may still be running in the frame
            if rebound(self._changed, contents, after):
                return value

    def runner(self) -> Callable[[Data], Data]:
        """The function that makes a step: ``run``, or a shorter one for a single number without a state."""
        function = self.program.plain_function
        is_of_one_cell = self._cells == self._changed and len(self._cells) == 1
        if not self._kept or function is None or not is_of_one_cell:
            return self.run
        return _of_number(self._cells[0], function, self._kept[0])

    def _states_before(self, contents: list[Content]) -> States | None:
        """The values and states of all updates, where the program reads them besides the cells.

        None where cells of one update have states that cannot be updated as one array.
        """
        if not self._states:
            return ()
        found: list[Sequence[Part]] = []
        start = 0
        for update in self._updates:
            end = start + len(update.cells)
            parts = update.parts(contents[start:end])
            if parts is None:
                return None
            found.append(parts)
            start = end
        return found

    def _allocated(self) -> _Memory:
        return _Memory(self.program.frame(), OutputBuffers(self._types))

    def reserve(self) -> None:
        """Allocate the memory of a step, unless memory for one is free."""
        if not self._memory:
            memory = self._allocated()
            memory.outputs.allocate()
            self._memory.append(memory)

    def trial(self, data: Data, program: Executable) -> None:
        """Compute one step by another program, such as an instrumented one, and change nothing."""
        contents = snapshot(self._cells)
        states = self._states_before(contents)
        if states is None:
            return
        twin = copy.copy(self)
        twin.program = program
        twin._computed(data, contents, states, twin._allocated())

    def _without_groups(self) -> StepProgram:
        """The program that updates each cell by itself: another step left cells of one group in different states."""
        if self._ungrouped is None:
            self._ungrouped = StepProgram(*self._arguments, flat=False)
        return self._ungrouped

    def _computed(
        self, data: Data, contents: list[Content], before: States, memory: _Memory
    ) -> tuple[Data, list[Content]]:
        """The value before a step, and the contents of the cells after it."""
        weights = [contents[index][0] for index in self._read]
        states = [before[number][position] for number, position in self._states] if before else ()
        outputs = memory.outputs.take()
        results = self.program.run(memory.frame, data, weights, states, outputs.arrays)
        arrays = outputs.views()
        found: Sequence[Part] = arrays
        if self._sources is not None:
            found = [arrays[index] if is_array else results[index] for is_array, index in self._sources]
        if self._kept:
            return results[0], [(found[index], kept) for index, kept in enumerate(self._kept)]
        after: list[Content] = []
        start = 0
        for update in self._updates:
            end = start + len(update.formulas)
            after.extend(update.contents(found[start:end]))
            start = end
        return results[0], after


def _of_number(cell: Cell, function: Callable[..., Any], kept: Kept) -> Callable[[Data], Data]:
    """The step of one cell that holds a Python number, without any memory to take."""

    def run(data: Data) -> Data:
        if is_updating():
            require_no_update("a step")
        while True:
            content = cell.content
            value, new = function(data, (content[0],), (), (), ())
            if replaced(cell, content, (new, kept)):
                return value

    return run


Kept: TypeAlias = tuple[Any, tuple[()]]
"""The class of a rule without a state, and the empty state: what a cell's content has besides its value."""


def _kept(updates: Sequence[Update]) -> list[Kept]:
    """What each cell's content has besides its value, if no rule has a state; else nothing."""
    if any(update.is_flat or len(update.formulas) > 1 for update in updates):
        return []
    return [(type_of(update.rule), ()) for update in updates]


def _sources(graph: Graph, given: list[Op]) -> list[tuple[bool, int]] | None:
    """For each new value and state part whether it is an output array or a result, and its index there.

    None where all are output arrays, in order.
    """
    if graph.results()[1:] == given:
        return None
    arrays = {op: index for index, op in enumerate(given)}
    return [(True, arrays[op]) if op in arrays else (False, index) for index, op in enumerate(graph.results()) if index]
