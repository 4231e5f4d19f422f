"""A training step as one program: forward, backward and commit."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from layertree.core.cell import Cell, Content, is_updating, replaced, require_no_update
from layertree.core.dynamic import type_of
from layertree.program._ops import Graph, Op
from layertree.program.derive import training_step
from layertree.program.frame import Fresh
from layertree.program.lower import lower
from layertree.program.names import names_of_cells
from layertree.program.options import PLAIN, Options, ready
from layertree.program.owned import owned
from layertree.program.parts import planned
from layertree.program.updates import Update
from layertree.tape.commit import rebound, snapshot


class StepProgram:
    """The program of a step for one specification of the input."""

    def __init__(self, layer: Any, spec: Any, optimizer: Any, options: Options = PLAIN, *, flat: bool = True) -> None:
        step = training_step(layer, spec, optimizer, flat=flat)
        graph, given = owned(lower(step.root(), spec, step.states, names_of_cells(layer)), 1)
        self.program: Any = ready(planned(graph, given, options.threads), spec, options)
        self._updates = step.updates
        self._changed = [cell for update in step.updates for cell in update.cells]
        self._cells = list(dict.fromkeys([*self._changed, *self.program.cells]))
        places = {cell: place for place, cell in enumerate(self._cells)}
        self._read = [places[cell] for cell in self.program.cells]
        self._states = self.program.states
        self._places = _places(graph, given)
        self._shapes = [(op.spec.shape, op.spec.dtype) for op in given]
        self._memory: list[tuple[Any, Fresh]] = []
        self._is_plain: bool = self.program.is_plain
        self._kept = _kept(step.updates)
        self._arguments = (layer, spec, optimizer, options)
        self._apart: StepProgram | None = None

    def run(self, data: Any) -> Any:
        """One step; the value before it. After another commit meanwhile it is taken anew from there."""
        require_no_update("a step")
        while True:
            contents = snapshot(self._cells)
            parts = self._parts(contents)
            if None in parts:
                return self._without_groups().run(data)
            memory = self._memory.pop() if self._memory else self._allocated()
            value, after = self._computed(data, contents, parts, memory)
            self._memory.append(memory)  # not after an error: some thread may be at work in it still
            if rebound(self._changed, contents, after):
                return value

    def runner(self) -> Callable[[Any], Any]:
        """What takes a step: ``run``, or a function that does the same for one number that keeps no state."""
        if not self._kept or not self._is_plain or self._cells != self._changed or len(self._cells) > 1:
            return self.run
        return _of_number(self._cells[0], self.program.function, self._kept[0])

    def _parts(self, contents: list[Content]) -> list[Any]:
        """The values and states of what is updated, where the program reads them beside the cells."""
        if not self._states:
            return []
        parts: list[Any] = []
        start = 0
        for update in self._updates:
            end = start + len(update.cells)
            parts.append(update.parts(contents[start:end]))
            start = end
        return parts

    def _allocated(self) -> tuple[Any, Fresh]:
        return self.program.frame(), Fresh(self._shapes)

    def reserve(self) -> None:
        """Allocate what a step works in, where nothing is there for one."""
        if not self._memory:
            frame, sets = self._allocated()
            sets.fill()
            self._memory.append((frame, sets))

    def watched(self, data: Any, program: Any) -> None:
        """Compute one step by a program that is watched, and change nothing."""
        contents = snapshot(self._cells)
        parts = self._parts(contents)
        if None in parts:
            return
        twin = copy.copy(self)
        twin.program = program
        twin._computed(data, contents, parts, twin._allocated())

    def _without_groups(self) -> StepProgram:
        """The program for weights that some other step has left in states that differ: each is updated by itself."""
        if self._apart is None:
            self._apart = StepProgram(*self._arguments, flat=False)
        return self._apart

    def _computed(self, data: Any, contents: list[Content], parts: Any, memory: Any) -> tuple[Any, list[Content]]:
        frame, sets = memory
        weights = [contents[place][0] for place in self._read]
        states = [parts[number][position] for number, position in self._states] if parts else ()
        fresh = sets.take()
        results = self.program.run(frame, data, weights, states, fresh.arrays)
        arrays = fresh.handed_out()
        found = arrays
        if self._places is not None:
            found = [arrays[place] if is_array else results[place] for is_array, place in self._places]
        if self._kept:
            return results[0], [(found[place], kept) for place, kept in enumerate(self._kept)]
        after: list[Content] = []
        start = 0
        for update in self._updates:
            end = start + len(update.made)
            after.extend(update.contents(found[start:end]))
            start = end
        return results[0], after


def _of_number(cell: Cell, function: Callable[..., Any], kept: Any) -> Callable[[Any], Any]:
    def run(data: Any) -> Any:
        if is_updating():
            require_no_update("a step")
        while True:
            content = cell.content
            value, new = function(data, (content[0],), (), (), ())
            if replaced(cell, content, (new, kept)):
                return value

    return run


def _kept(updates: Sequence[Update]) -> list[tuple[Any, Any]]:
    """What is kept of each cell besides its value, where that is the same after each step; else nothing."""
    if any(update.is_flat or len(update.made) > 1 for update in updates):
        return []
    return [(type_of(update.rule), ()) for update in updates]


def _places(graph: Graph, given: list[Op]) -> list[tuple[bool, int]] | None:
    """Where each new value and state part is found: among the arrays, or among the results; None for all arrays."""
    if graph.results()[1:] == given:
        return None
    arrays = {op: place for place, op in enumerate(given)}
    return [(True, arrays[op]) if op in arrays else (False, place) for place, op in enumerate(graph.results()) if place]
