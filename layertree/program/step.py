"""A training step as one program: forward, backward and commit."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree._cell import Content, rebinding, require_no_update
from layertree._gradients import snapshot
from layertree._spec import ArraySpec
from layertree.namespaces import namespace_of
from layertree.program._ops import Graph, Op, flat, nested
from layertree.program.derive import Step, Update, training_step
from layertree.program.frame import Frame
from layertree.program.lower import lower
from layertree.program.passes import Program, build
from layertree.rewrite.simplify import simplify


class StepProgram:
    """The program of a step for one specification of the input."""

    def __init__(self, layer: Any, spec: Any, optimizer: Any) -> None:
        step = training_step(layer, spec, None, optimizer)
        graph, given = _owned(lower(simplify(step.root(), spec), spec, step.states))
        self.program: Program = build(graph, given)
        self._updates = step.updates
        self._cells = [update.cell for update in step.updates]
        read = [op.attributes["key"] for op in self.program.source.cells]
        self._read = read
        self._all = [*self._cells, *[cell for cell in read if cell not in self._cells]]
        self._states = [op.attributes["key"] for op in self.program.source.states]
        self._recipes = _recipes(step, graph, given)
        self._frames: list[Frame] = []
        self._errstate = not self.program.is_plain

    def run(self, data: Any) -> Any:
        """One step; the value before it. Another commit meanwhile means that it is taken anew from there."""
        while True:
            contents = dict(zip(self._all, snapshot(self._all), strict=True))
            frame = self._frames.pop() if self._frames else Frame(self.program)
            try:
                value, after = self._computed(data, contents, frame)
            finally:
                self._frames.append(frame)
            if self._commit(contents, after):
                return value

    def _computed(self, data: Any, contents: dict[Any, Content], frame: Frame) -> tuple[Any, list[Content]]:
        weights = [contents[cell].value for cell in self._read]
        states = [self._state(contents[cell], cell, position) for cell, position in self._states]
        fresh = frame.fresh()
        function = self.program.function
        if self._errstate:
            with np.errstate(all="ignore"):
                results = function(data, weights, states, fresh.arrays, frame.buffers)
        else:
            results = function(data, weights, states, fresh.arrays, frame.buffers)
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


def _owned(graph: Graph) -> tuple[Graph, list[Op]]:
    """The graph with every new array made by an op of its own, which can write it where the step wants it."""
    value, *rest = graph.outputs
    given: list[Op] = []
    outputs: list[Op] = [value]
    for op in rest:
        if op.is_array:
            if op in given or op is value or not _writes(op):
                op = Op("astype", (op,), {"dtype": op.spec.dtype}, ArraySpec(op.spec.shape, op.spec.dtype), op.layer)
                graph.ops.append(op)
            given.append(op)
        outputs.append(op)
    return Graph(graph.ops, graph.source, tuple(outputs)), given


def _writes(op: Op) -> bool:
    from layertree.program import phrases
    from layertree.program._ops import LEAVES
    from layertree.program.views import VIEWS

    return op.name in phrases.INTO and op.name not in VIEWS and op.name not in LEAVES


def _recipes(step: Step, graph: Graph, given: list[Op]) -> list[tuple[bool, int]]:
    """Where each new value and state part is found: among the arrays, or among the results."""
    return [
        (True, given.index(op)) if op in given else (False, place) for place, op in enumerate(graph.outputs) if place
    ]


def _contents(updates: tuple[Update, ...], found: list[Any]) -> list[Content]:
    contents, position = [], 0
    for update in updates:
        parts = found[position + 1 : position + 1 + len(list(flat(update.state)))]
        contents.append(Content(found[position], (type(update.rule), nested(update.state, parts))))
        position += 1 + len(parts)
    return contents
