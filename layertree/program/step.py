"""A training step as one program: forward, backward and commit."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree._cell import Content, rebinding, require_no_update
from layertree._gradients import snapshot
from layertree.namespaces import namespace_of
from layertree.program._ops import Graph, Op, flat, nested
from layertree.program.derive import Update, training_step
from layertree.program.frame import Fresh
from layertree.program.lower import lower
from layertree.program.owned import owned
from layertree.program.parts import planned
from layertree.program.rules import simplified


class StepProgram:
    """The program of a step for one specification of the input."""

    def __init__(self, layer: Any, spec: Any, optimizer: Any, threads: int | None = None) -> None:
        step = training_step(layer, spec, None, optimizer)
        graph, given = owned(lower(simplified(step.root(), spec), spec, step.states), 1)
        self.program: Any = planned(graph, given, threads)
        self._updates = step.updates
        self._cells = [update.cell for update in step.updates]
        self._read = self.program.cells
        self._all = [*self._cells, *[cell for cell in self._read if cell not in self._cells]]
        self._states = self.program.states
        self._recipes = _recipes(graph, given)
        self._shapes = [(op.spec.shape, op.spec.dtype) for op in given]
        self._frames: list[tuple[Any, Fresh]] = []
        self._errstate = not self.program.is_plain

    def run(self, data: Any) -> Any:
        """One step; the value before it. Another commit meanwhile means that it is taken anew from there."""
        while True:
            contents = dict(zip(self._all, snapshot(self._all), strict=True))
            frame = self._frames.pop() if self._frames else (self.program.frame(), Fresh(self._shapes))
            try:
                value, after = self._computed(data, contents, frame)
            finally:
                self._frames.append(frame)
            if self._commit(contents, after):
                return value

    def _computed(self, data: Any, contents: dict[Any, Content], memory: Any) -> tuple[Any, list[Content]]:
        frame, sets = memory
        weights = [contents[cell].value for cell in self._read]
        states = [self._state(contents[cell], cell, position) for cell, position in self._states]
        fresh = sets.take()
        if self._errstate:
            with np.errstate(all="ignore"):
                results = self.program.run(frame, data, weights, states, fresh.arrays)
        else:
            results = self.program.run(frame, data, weights, states, fresh.arrays)
        arrays = fresh.handed_out()
        found = [arrays[place] if is_array else results[place] for is_array, place in self._recipes]
        return results[0], _contents(self._updates, found)

    def _state(self, content: Content, cell: Any, position: int) -> Any:
        rule = next(update.rule for update in self._updates if update.cell is cell)
        state = content.state
        if state is None or state[0] is not type(rule):
            state = (type(rule), rule.start(namespace_of(content.value), content.value))
        return list(flat(state[1]))[position]

    def _commit(self, contents: dict[Any, Content], after: list[Content]) -> bool:
        require_no_update("a step")
        cells = self._cells
        if len(cells) == 1:  # one assignment is whole by itself
            cell = cells[0]
            if cell.content is not contents[cell]:
                return False
            cell.content = after[0]
            return True
        with rebinding:
            if any(cell.content is not contents[cell] for cell in cells):
                return False
            for cell, content in zip(cells, after, strict=True):
                cell.content = content
        return True


def _recipes(graph: Graph, given: list[Op]) -> list[tuple[bool, int]]:
    """Where each new value and state part is found: among the arrays, or among the results."""
    return [
        (True, given.index(op)) if op in given else (False, place) for place, op in enumerate(graph.results()) if place
    ]


def _contents(updates: tuple[Update, ...], found: list[Any]) -> list[Content]:
    contents, position = [], 0
    for update in updates:
        parts = found[position + 1 : position + 1 + len(list(flat(update.state)))]
        contents.append(Content(found[position], (type(update.rule), nested(update.state, parts))))
        position += 1 + len(parts)
    return contents
