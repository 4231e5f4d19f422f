"""Emission: the source of a Python function in NumPy, one line an operation, with the operation's layer as comment."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from layertree import kernels
from layertree.core.nested import nested, nested_text
from layertree.namespaces import NUMPY
from layertree.program.codegen.buffer_assignment import BufferAssignment
from layertree.program.codegen.inlining import Inlining, parenthesized
from layertree.program.codegen.liveness import Liveness, Location
from layertree.program.codegen.loops import LoopWriter
from layertree.program.codegen.names import INDENT, Names, lines_of
from layertree.program.codegen.source import Source
from layertree.program.codegen.templates import expression, filling_line, is_infix, scalar_functions
from layertree.program.ir.constants import as_array, before_broadcast
from layertree.program.ir.naming import comments_of, is_of_update, preferred_name
from layertree.program.ir.operations import Array, Body, Graph, Op
from layertree.program.ir.primitives import is_elementwise
from layertree.program.ir.views import view_text
from layertree.program.passes.loop_nest import Chain
from layertree.program.runtime.arena import ArenaSlice, BoundView
from layertree.program.runtime.frame import Buffer

_INFINITIES = {float("inf"): "inf", -float("inf"): "minus_inf"}
_WORDS = {"0": "zero", "1": "one", "2": "two", "-1": "minus_one", "0.5": "half"} | {"inf": "inf", "-inf": "minus_inf"}
"""The variables of numbers beside arrays, by the text of the number; a comment gives the value of any other number."""
_WIDTH = 100
_EXTRA = 10
"""How many lines a source may have besides those of operations."""
_NUMPY = ModuleType("numpy")
_NUMPY.__dict__.update((name, value) for name, value in vars(np).items() if name != "__getattr__")
"""NumPy without its ``__getattr__``: Python caches the look-up of a name only in a module that has none."""
_DEEPEST = 40
"""How many Ifs are written inside of one another; Python takes 100 levels of indentation."""
_LONG = 1 << 63
"""From which magnitude on an integer is a constant with a name: its digits are no part of the source."""
_SMALL = 1 << 14
"""Up to how many bytes the result of a product is small."""


def emit(
    graph: Graph,
    liveness: Liveness,
    memory: BufferAssignment,
    destinations: Iterable[Op] = (),
    *,
    by_line: bool = False,
) -> Source:
    """The source of a graph. The values of ``destinations`` go to the arrays in ``new``, in this order.

    Numbers are inlined and loop nests divided among threads, unless ``by_line``, so that an observer sees the value of
    each operation after its line.
    """
    writer = _Emitter(graph, liveness, memory, list(destinations), by_line)
    writer.block(graph.ops, INDENT)
    return writer.source()


class _Emitter:
    """The function so far: the text of each value, the lines with their ops, the globals, and the buffers."""

    def __init__(
        self, graph: Graph, liveness: Liveness, memory: BufferAssignment, destinations: list[Op], by_line: bool
    ) -> None:
        self.graph, self.liveness, self.memory = graph, liveness, memory
        self.destinations, self.by_line = destinations, by_line
        self.globals: dict[str, Any] = {"np": _NUMPY, "kernels": kernels, "xp": NUMPY}
        by_name: dict[str, list[Op]] = {}
        for op in liveness.order:
            by_name.setdefault(op.name, []).append(op)
            if op.name == "where" or not is_infix(op):
                self.globals.update(scalar_functions(op))
        self.names = Names(frozenset(self.globals))
        self.reads = {op: self._reads(op) for op in liveness.order}
        self.uses = Counter(itertools.chain.from_iterable(self.reads.values()))
        self.uses.update(read for op in liveness.order for body in op.bodies for read in body.results)
        self.uses.update(graph.results())
        self.results_of: dict[Op, list[Op]] = {}
        for op in by_name.get("result", ()):
            self.results_of.setdefault(op.inputs[0], []).append(op)
        self.inlining = Inlining(graph, liveness)
        self.inlined: set[Op] = set()
        self.results = set(graph.results())
        self.text: dict[Op, str] = {}
        self.values: dict[Op, str] = {}
        self.buffers: dict[str, Buffer] = {}
        self.lines: list[tuple[str, Op]] = []
        self.numbers: dict[tuple[str, Any], str] = {}
        self.notes: list[str] = []  # on numbers in the line that comes next
        self.leaves = {name: by_name.get(name, []) for name in ("input", "cell", "state")}
        self.comments = comments_of(self.leaves["cell"])
        for op in [*self.leaves["input"], *self.leaves["cell"], *self.leaves["state"]]:
            self.text[op] = "x" if op.attributes["key"] == () else self.names.take(preferred_name(op))
        for op in destinations:
            self.text[op] = self.names.take(f"new_{preferred_name(op)}")

    def source(self) -> Source:
        """The whole function, with lines at its head that unpack the arguments."""
        head = ["def step(x, weights, states, new, buffers):"]
        if isinstance(self.graph.source, tuple) and self.graph.source:
            head.append(f"{INDENT}{nested_text(self.graph.source, self.text.__getitem__)} = x")
        cells, states = self.leaves["cell"], self.leaves["state"]
        operations = sum(bool(op.inputs) for op in self.liveness.order)
        room = operations + _EXTRA - len(self.lines) - 1  # the last line returns
        for names, argument in (
            ([self.text[op] for op in cells], "weights"),
            ([self.text[op] for op in states], "states"),
            ([self.text[op] for op in self.destinations], "new"),
            (list(self.buffers), "buffers"),
        ):
            head.extend(_unpacked(names, argument, room - len(head)))
        lines = {len(head) + i: op for i, (_, op) in enumerate(self.lines, 1)}
        text = [*head, *[line for line, _ in self.lines], f"{INDENT}return {self._outputs()}"]
        buffers = tuple(self.buffers.values())
        values = {op: text for op, text in self.text.items() if self.liveness.locations.get(op) != "view"}
        return Source(
            "\n".join(text) + "\n", self.globals, tuple(cells), tuple(states), buffers, lines, values | self.values
        )

    def _outputs(self) -> str:
        return nested_text(self.graph.outputs, self._output)

    def _output(self, op: Op) -> str:
        """The expression of an output, a copy where the value lies in the arena."""
        if op in self.destinations:
            return "None"
        return f"{self.of(op)}.copy()" if op.is_array and self.liveness.bases[op] else self.of(op)

    def block(self, ops: list[Op], indent: str) -> None:
        """Write the lines of some operations."""
        for op in ops:
            location = self.liveness.locations[op]
            if location == "leaf":
                continue
            if location == "cond":
                self._branch(op, indent)
            elif location == "fused":
                self._loop_nest(op, indent)
            elif op.name == "hook":
                self._hook(op, indent)
            elif op.name != "result":
                self._operation(op, location, indent)

    def _hook(self, op: Op, indent: str) -> None:
        """A call of a user's function, with copies of arrays that are overwritten later: the function may keep them."""
        name = self.names.take("hook")
        self.globals[name] = op.attributes["function"]
        shown = [f"{self.of(read)}.copy()" if self.liveness.bases[read] else self.of(read) for read in op.inputs]
        text = nested(op.attributes["pattern"], shown)
        self.line(f"{name}({nested_text(text, str)})", op, indent)

    def _operation(self, op: Op, location: Location, indent: str) -> None:
        if location == "view":
            self._view(op, indent)
            return
        if op.name == "stack":
            self.text[op] = self.buffer(preferred_name(op), self.memory.slices[op])
            return
        arguments: list[str] = []
        for read in self.reads[op]:
            text = self.operand(read, op)
            arguments.append(parenthesized(read, op, text) if read in self.inlined else text)
        if location in ("buffer", "given"):
            self.line(self._filling_line(op, location, arguments), op, indent)
            return
        text = expression(op, arguments)
        if not self.by_line and self.inlining.inlines(op, text):
            self.text[op] = text
            self.inlined.add(op)
            return
        self._give_back_names(op)
        is_new = op in self.results and is_of_update(op)
        preferred = f"new_{preferred_name(op)}" if is_new else preferred_name(op)
        self.text[op] = self.names.take(preferred, again=location == "number")
        self.line(f"{self.text[op]} = {text}", op, indent)

    def _filling_line(self, op: Op, location: Location, arguments: list[str]) -> str:
        """The line that fills a slice of the arena, or an array of the caller."""
        work = [self.buffer("work", one) for one in self.memory.workspaces.get(op, ())]
        if location == "buffer":
            operand = self.memory.overwritten.get(op)
            self.text[op] = (
                self.text[operand] if operand is not None else self.buffer(preferred_name(op), self.memory.slices[op])
            )
            if self._is_small_product(op):
                return f"np.dot({', '.join(arguments)}, out={self.text[op]})"
        return filling_line(op, arguments, self.text[op], work, by_columns=op in self.memory.by_columns)

    def _is_small_product(self, op: Op) -> bool:
        """Whether ``dot`` is quicker than ``matmul``: ``dot`` checks less, but sets the result to 0 first.

        ``dot`` takes a matrix of one element for a scalar factor, and then NaN times 0 is lost.
        """
        place = self.memory.slices[op]
        if op.name != "matmul" or place.by_columns or place.nbytes > _SMALL:
            return False
        if any(read.shape == (1, 1) for read in op.inputs):
            return False
        return all(one.ndim == 2 and one.dtype.char in "fd" for one in (op, *op.inputs))

    def _give_back_names(self, op: Op) -> None:
        """Give back the variables of numbers whose last use is in the line of an operation."""
        for read in self.inlining.ended(op):
            self.names.give(self.text[read])

    def _reads(self, op: Op) -> Sequence[Op]:
        """The operands as the line reads them: ufuncs broadcast by themselves, so broadcast views are left out."""
        if self.liveness.locations[op] not in ("buffer", "given") or not is_elementwise(op.name):
            return op.inputs
        return [before_broadcast(read, op) for read in op.inputs]

    def _view(self, op: Op, indent: str) -> None:
        """A view: inlined into its only user, or a line; a costly view of an arena slice is made with the arena."""
        if not self.uses[op]:
            return
        place = self.memory.slices.get(op.inputs[0])
        is_one = op.name == "getitem" and isinstance(op.index, tuple) and all(type(one) is int for one in op.index)
        if place is not None and (is_one or op.name in ("broadcast_to", "windows")):
            self.text[op] = self.names.take(preferred_name(op))
            self.buffers[self.text[op]] = BoundView(op, place)
            return
        operand = op.inputs[0]
        is_number = not operand.is_array
        text = view_text(op.name, self.of(operand), op.attributes, op.ndim, of_number=is_number)
        if self.uses[op] == 1:
            self.text[op] = text
            return
        self.text[op] = self.names.take(preferred_name(op))
        self.line(f"{self.text[op]} = {text}", op, indent)

    def _branch(self, op: Op, indent: str) -> None:
        """An If as a statement; inside of many others as statements one after the other, since Python limits depth."""
        if len(indent) < _DEEPEST * len(INDENT):
            self._nested_branch(op, indent)
            return
        stack = [self._flat_branch(op, indent, "")]
        while stack:
            for inner, flag in stack[-1]:
                stack.append(self._flat_branch(inner, indent, flag))
                break
            else:
                stack.pop()

    def _flat_branch(self, op: Op, indent: str, flag: str) -> Iterator[tuple[Op, str]]:
        """Write an If as statements under flags; yields each If inside, whose lines come next, with its flag.

        ``flag`` is the variable that says whether the If runs.
        """
        condition, prefix = self.of(op.inputs[0]), flag and f"{flag} and "
        taken, other = self.names.take("taken"), self.names.take("other")
        results = [self.names.take("branch") for _ in op.bodies[0].results]
        self.lines.append((f"{indent}{taken} = {prefix}({condition})", op))
        self.lines.append((f"{indent}{other} = {prefix}not {taken}", op))
        for name, body in zip((taken, other), op.bodies, strict=True):
            is_open = False
            for inner in body.ops:
                if self.liveness.locations[inner] == "cond":
                    yield inner, name
                    is_open = False
                    continue
                start = len(self.lines)
                self.block([inner], indent + INDENT)
                if len(self.lines) > start and not is_open:
                    self.lines.insert(start, (f"{indent}if {name}:", op))
                    is_open = True
            self.lines.append((f"{indent}if {name}:", op))
            self._assign_results(op, body, indent + INDENT, results)
        self._name_results(op, results)

    def _nested_branch(self, op: Op, indent: str) -> None:
        results = [self.names.take("branch") for _ in op.bodies[0].results]
        for keyword, body in zip((f"if {self.of(op.inputs[0])}:", "else:"), op.bodies, strict=True):
            self.lines.append((f"{indent}{keyword}", op))
            self.block(body.ops, indent + INDENT)
            self._assign_results(op, body, indent + INDENT, results)
        self._name_results(op, results)

    def _name_results(self, op: Op, results: list[str]) -> None:
        for read in self.results_of.get(op, ()):
            self.text[read] = results[read.position]

    def _assign_results(self, op: Op, body: Body, indent: str, results: list[str]) -> None:
        given = ", ".join(map(self.of, body.results)) or "None"
        self.lines.append((f"{indent}{', '.join(results) or '_'} = {given}", op))

    def _loop_nest(self, op: Op, indent: str) -> None:
        """A loop over blocks, after the lines that make its results."""
        chain: Chain = op.attributes["chain"]
        results = self.results_of.get(op, [])
        for result, inner in zip(results, chain.results, strict=True):
            self._nest_result(result, inner, indent)
        memory = self.memory
        LoopWriter(self, op, memory.nests[op], memory.workspaces[op][0].offset).write(results, indent)

    def _nest_result(self, result: Op, inner: Op, indent: str) -> None:
        """The whole array that a loop nest fills block by block."""
        location = self.liveness.locations[result]
        if location == "buffer":
            self.text[result] = self.buffer(preferred_name(inner), self.memory.slices[result])
        elif location == "output":
            self.text[result] = self.names.take(preferred_name(inner))
            shape, dtype = result.shape, result.dtype.name
            self.line(f"{self.text[result]} = np.empty({shape}, np.{dtype})", result.inputs[0], indent)

    def buffer(self, preferred: str, place: ArenaSlice) -> str:
        """A variable for a slice of the arena."""
        name = self.names.take(preferred)
        self.buffers[name] = place
        return name

    def line(self, line: str, op: Op, indent: str, run: Op | None = None) -> None:
        """Add a line that belongs to an op; ``run`` is the op whose value exists after the line, if that is another."""
        note = self.comments.of(op)
        if self.notes:
            note = ", ".join([one for one in (note, *self.notes) if one])
            self.notes.clear()
        text = f"{indent}{line}"
        self.lines.append((f"{text:<{_WIDTH - 28}}  # {note}" if note else text, run or op))

    def operand(self, read: Op, op: Op) -> str:
        """The expression of an operand; a number beside arrays is an array without axes.

        A row beside a matrix of one row is indexed to be such a matrix: broadcasting would take as long as the call.
        """
        if not op.is_array or not is_elementwise(op.name):
            return self.of(read)
        if read.is_array and op.shape == (1, *read.shape):
            return f"{self.of(read)}[None]"
        if read.name != "constant" or read.is_array:
            return self.of(read)
        array = as_array(read, op)
        return self.of(read) if array is None else self._number(array)

    def _number(self, array: Array) -> str:
        text = str(array[()]).removesuffix(".0")
        name = self.numbers.get((text, array.dtype))
        if name is None:
            name = self.numbers[text, array.dtype] = self.names.take(_WORDS.get(text, "number"))
            self.globals[name] = array
        if text not in _WORDS:
            self.notes.append(f"{name} = {text}")
        return name

    def of(self, op: Op) -> str:
        """The expression of a value."""
        return self.text.get(op) or self._constant(op)

    def _constant(self, op: Op) -> str:
        data = op.attributes["data"]
        if isinstance(data, int) and abs(data) < _LONG:
            return repr(data) if data >= 0 else f"({data!r})"
        if type(data) is float and math.isfinite(data):
            return repr(data) if math.copysign(1.0, data) > 0.0 else f"({data!r})"
        name = self.text[op] = self.names.take(_INFINITIES.get(data, "constant") if type(data) is float else "constant")
        self.globals[name] = data
        return name


def _unpacked(names: list[str], argument: str, room: int) -> list[str]:
    """The lines that unpack an argument, a tuple, into variables: wrapped where there is room for so many lines."""
    if not names:
        return []
    after = f"{',' if len(names) == 1 else ''} = {argument}"
    lines = lines_of(names, "", after, INDENT)
    return lines if len(lines) <= max(room, 1) else [f"{INDENT}{', '.join(names)}{after}"]
