"""The source of a program: NumPy, one line an operation, with the layer it comes from."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from layertree import kernels
from layertree._record import record
from layertree.core.dynamic import is_a, type_of
from layertree.core.nested import nested, nested_text
from layertree.namespaces import NUMPY
from layertree.program import phrases
from layertree.program._ops import Graph, Op
from layertree.program.inline import Inlining, inside
from layertree.program.loops import Blocks, LoopWriter
from layertree.program.memory import MemoryPlan, Place
from layertree.program.names import INDENT, Comments, Names, is_of_update, lines_of, wish
from layertree.program.numbers import beside_arrays, number_of
from layertree.program.storage import Storage
from layertree.program.views import view_text

_INFINITIES = {float("inf"): "inf", -float("inf"): "minus_inf"}
_WORDS = {"0": "zero", "1": "one", "2": "two", "-1": "minus_one", "0.5": "half"} | {"inf": "inf", "-inf": "minus_inf"}
"""What numbers are called that stand beside arrays, by their text; the value of any other is told."""
_WIDTH = 100
_EXTRA = 10
"""How many lines there may be besides those of operations."""
_NUMPY = ModuleType("numpy")
_NUMPY.__dict__.update((name, value) for name, value in vars(np).items() if name != "__getattr__")
"""NumPy as programs see it: a module with a ``__getattr__`` is one whose names Python looks up anew at each call."""
_SMALL = 1 << 14
"""How many bytes the result of a small product has."""


@record(eq=False)
class BoundView:
    """A view of an arena array that is made when the arena is, since making it takes longer than using it."""

    op: Op
    place: Place


@record(eq=False)
class Source:
    """The text of ``step(x, weights, states, new, buffers)``, what its names mean, and what it takes in which order.

    ``buffers`` are places in the arena, and views of them; ``lines`` tells the op of a line, counted from 1;
    ``values`` what holds the value of an op after its line, but for views.
    """

    text: str
    names: dict[str, Any]
    cells: tuple[Op, ...]
    states: tuple[Op, ...]
    buffers: tuple[Place | BoundView | Blocks, ...]
    lines: dict[int, Op]
    values: dict[Op, str]


def emit(
    graph: Graph, storage: Storage, memory: MemoryPlan, given: Iterable[Op] = (), *, by_line: bool = False
) -> Source:
    """Write a graph as a function. ``given`` are the ops whose results go to the arrays in ``new``, in this order.

    Numbers stand inside of the expressions that read them, and loops over blocks are shared among threads: but not
    ``by_line``, for who watches what each line gives.
    """
    writer = _Writer(graph, storage, memory, list(given), by_line)
    writer.block(graph.ops, INDENT)
    return writer.source()


class _Writer:
    def __init__(self, graph: Graph, storage: Storage, memory: MemoryPlan, given: list[Op], by_line: bool) -> None:
        self.graph, self.storage, self.memory, self.given, self.by_line = graph, storage, memory, given, by_line
        self.globals: dict[str, Any] = {"np": _NUMPY, "kernels": kernels, "xp": NUMPY}
        for op in storage.order:
            if op.name == "where" or not phrases.is_infix(op):
                self.globals.update(phrases.functions(op))
        self.names = Names(frozenset(self.globals))
        self.reads = {op: self._read(op) for op in storage.order}
        self.uses = Counter(itertools.chain.from_iterable(self.reads.values()))
        self.uses.update(read for op in storage.order for body in op.bodies for read in body.results)
        self.uses.update(graph.results())
        by_name: dict[str, list[Op]] = {}
        for op in storage.order:
            by_name.setdefault(op.name, []).append(op)
        self.results_of: dict[Op, list[Op]] = {}
        for op in by_name.get("result", ()):
            self.results_of.setdefault(op.inputs[0], []).append(op)
        self.inlining = Inlining(graph, storage)
        self.inlined: set[Op] = set()
        self.results = set(graph.results())
        self.text: dict[Op, str] = {}
        self.values: dict[Op, str] = {}
        self.buffers: dict[str, Place | BoundView | Blocks] = {}
        self.lines: list[tuple[str, Op]] = []
        self.numbers: dict[tuple[str, Any], str] = {}
        self.told: list[str] = []  # of numbers in the line that comes next
        self.leaves = {name: by_name.get(name, []) for name in ("input", "cell", "state")}
        self.comments = Comments({op.attributes["key"]: op.attributes["name"] for op in self.leaves["cell"]})
        for op in [*self.leaves["input"], *self.leaves["cell"], *self.leaves["state"]]:
            self.text[op] = "x" if op.attributes["key"] == () else self.names.take(wish(op))
        for op in given:
            self.text[op] = self.names.take(f"new_{wish(op)}")

    def source(self) -> Source:
        """The whole function, from its lines."""
        head = ["def step(x, weights, states, new, buffers):"]
        if is_a(self.graph.source, tuple) and self.graph.source:
            head.append(f"{INDENT}{nested_text(self.graph.source, self.text.__getitem__)} = x")
        cells, states = self.leaves["cell"], self.leaves["state"]
        operations = sum(bool(op.inputs) for op in self.storage.order)
        room = operations + _EXTRA - len(self.lines) - 1  # the last line returns
        for names, given in (
            ([self.text[op] for op in cells], "weights"),
            ([self.text[op] for op in states], "states"),
            ([self.text[op] for op in self.given], "new"),
            (list(self.buffers), "buffers"),
        ):
            head.extend(_unpacked(names, given, room - len(head)))
        lines = {len(head) + i: op for i, (_, op) in enumerate(self.lines, 1)}
        text = [*head, *[line for line, _ in self.lines], f"{INDENT}return {self._outputs()}"]
        buffers = tuple(self.buffers.values())
        values = {op: text for op, text in self.text.items() if self.storage.kinds.get(op) != "view"} | self.values
        return Source("\n".join(text) + "\n", self.globals, tuple(cells), tuple(states), buffers, lines, values)

    def _outputs(self) -> str:
        return nested_text(self.graph.outputs, self._output)

    def _output(self, op: Op) -> str:
        """What is handed out, never a part of the arena."""
        if op in self.given:
            return "None"
        return f"{self.of(op)}.copy()" if op.is_array and self.storage.roots[op] else self.of(op)

    def block(self, ops: list[Op], indent: str) -> None:
        """The lines of some operations, one after the other."""
        for op in ops:
            kind = self.storage.kinds[op]
            if kind == "leaf":
                continue
            if kind == "cond":
                self._branch(op, indent)
            elif kind == "fused":
                self._chain(op, indent)
            elif op.name == "hook":
                self._hook(op, indent)
            elif op.name != "result":
                self._operation(op, kind, indent)

    def _hook(self, op: Op, indent: str) -> None:
        """A call with copies: the function may keep what it is given."""
        name = self.names.take("hook")
        self.globals[name] = op.attributes["function"]
        shown = [f"{self.of(read)}.copy()" if self.storage.roots[read] else self.of(read) for read in op.inputs]
        text = nested(op.attributes["pattern"], shown)
        self.line(f"{name}({nested_text(text, str)})", op, indent)

    def _operation(self, op: Op, kind: str, indent: str) -> None:
        if kind == "view":
            self._view(op, indent)
            return
        if op.name == "stack":
            self.text[op] = self.buffer(wish(op), self.memory.places[op])
            return
        arguments: list[str] = []
        for read in self.reads[op]:
            text = self.operand(read, op)
            arguments.append(inside(read, op, text) if read in self.inlined else text)
        if kind in ("buffer", "given"):
            work = [self.buffer("work", place) for place in self.memory.workspaces.get(op, ())]
            if kind == "buffer":
                taken = self.memory.same.get(op)
                self.text[op] = self.text[taken] if taken is not None else self.buffer(wish(op), self.memory.places[op])
            line = phrases.INTO[op.name](op, arguments, self.text[op], work)
            if kind == "buffer" and self._is_small_product(op):
                line = f"np.dot({', '.join(arguments)}, out={self.text[op]})"
        else:
            text = phrases.expression(op, arguments)
            if not self.by_line and self.inlining.inlines(op, text):
                self.text[op] = text
                self.inlined.add(op)
                return
            self._free(op)
            is_new = op in self.results and is_of_update(op)
            self.text[op] = self.names.take(f"new_{wish(op)}" if is_new else wish(op), again=kind == "number")
            line = f"{self.text[op]} = {text}"
        self.line(line, op, indent)

    def _is_small_product(self, op: Op) -> bool:
        """Whether ``dot`` takes less than ``matmul``: it asks less of its operands, but clears the result first.

        A matrix of one element it takes for a number, and a NaN times 0 for nothing.
        """
        place = self.memory.places[op]
        if op.name != "matmul" or place.by_columns or place.nbytes > _SMALL:
            return False
        if any(read.spec.shape == (1, 1) for read in op.inputs):
            return False
        return all(len(one.spec.shape) == 2 and one.spec.dtype.char in "fd" for one in (op, *op.inputs))

    def _free(self, op: Op) -> None:
        """Give back the names of numbers that are read for the last time here."""
        for read in self.inlining.ended(op):
            self.names.give(self.text[read])

    def _read(self, op: Op) -> Sequence[Op]:
        """The operands as they are read: what is only broadcast is read as it lies, since the result says how far."""
        if self.storage.kinds[op] not in ("buffer", "given") or not phrases.is_elementwise(op.name):
            return op.inputs
        return [_narrow(read, op) for read in op.inputs]

    def _view(self, op: Op, indent: str) -> None:
        """A view, inside of the line that reads it where there is one; a costly one of the arena with the arena."""
        if not self.uses[op]:
            return
        place = self.memory.places.get(op.inputs[0])
        is_one = op.name == "getitem" and all(type_of(one) is int for one in op.attributes["index"])
        if place is not None and (is_one or op.name in ("broadcast_to", "windows")):
            self.text[op] = self.names.take(wish(op))
            self.buffers[self.text[op]] = BoundView(op, place)
            return
        operand = op.inputs[0]
        is_number = not operand.is_array
        text = view_text(op.name, self.of(operand), op.attributes, len(op.spec.shape), of_number=is_number)
        if self.uses[op] == 1:
            self.text[op] = text
            return
        self.text[op] = self.names.take(wish(op))
        self.line(f"{self.text[op]} = {text}", op, indent)

    def _branch(self, op: Op, indent: str) -> None:
        results = [self.names.take("branch") for _ in op.bodies[0].results]
        for keyword, body in zip((f"if {self.of(op.inputs[0])}:", "else:"), op.bodies, strict=True):
            self.lines.append((f"{indent}{keyword}", op))
            self.block(body.ops, indent + INDENT)
            given = ", ".join(map(self.of, body.results)) or "None"
            self.lines.append((f"{indent}{INDENT}{', '.join(results) or '_'} = {given}", op))
        for read in self.results_of.get(op, ()):
            self.text[read] = results[read.attributes["position"]]

    def _chain(self, op: Op, indent: str) -> None:
        """A loop over blocks."""
        chain = op.attributes["chain"]
        results = self.results_of.get(op, [])
        for result, inner in zip(results, chain.results, strict=True):
            self._chain_result(result, inner, indent)
        LoopWriter(self, op, self.memory.workspaces[op][0].offset).write(results, indent)

    def _chain_result(self, result: Op, inner: Op, indent: str) -> None:
        """The whole array that a chain fills block by block."""
        kind = self.storage.kinds[result]
        if kind == "buffer":
            self.text[result] = self.buffer(wish(inner), self.memory.places[result])
        elif kind == "output":
            self.text[result] = self.names.take(wish(inner))
            shape, dtype = result.spec.shape, result.spec.dtype.name
            self.line(f"{self.text[result]} = np.empty({shape}, np.{dtype})", result.inputs[0], indent)

    def buffer(self, wished: str, place: Place) -> str:
        name = self.names.take(wished)
        self.buffers[name] = place
        return name

    def line(self, line: str, op: Op, indent: str, run: Op | None = None) -> None:
        """A line that belongs to an op; ``run`` is the one whose value is there after it, where that is another."""
        note = self.comments.of(op)
        if self.told:
            note = ", ".join([one for one in (note, *self.told) if one])
            self.told.clear()
        text = f"{indent}{line}"
        self.lines.append((f"{text:<{_WIDTH - 28}}  # {note}" if note else text, run or op))

    def operand(self, read: Op, op: Op) -> str:
        """The text of a value where an operation reads it; a number beside arrays is one, too.

        A row beside a matrix of one row is such a matrix: then NumPy need not broadcast, which takes as long as a call.
        """
        if not op.is_array or not phrases.is_elementwise(op.name):
            return self.of(read)
        if read.is_array and op.spec.shape == (1, *read.spec.shape):
            return f"{self.of(read)}[None]"
        if read.name != "constant" or read.is_array:
            return self.of(read)
        array = beside_arrays(read, op)
        return self.of(read) if array is None else self._number(array)

    def _number(self, array: Any) -> str:
        text = str(array[()]).removesuffix(".0")
        name = self.numbers.get((text, array.dtype))
        if name is None:
            name = self.numbers[text, array.dtype] = self.names.take(_WORDS.get(text, "number"))
            self.globals[name] = array
        if text not in _WORDS:
            self.told.append(f"{name} = {text}")
        return name

    def of(self, op: Op) -> str:
        """The text of a value where it is read."""
        return self.text.get(op) or self._constant(op)

    def _constant(self, op: Op) -> str:
        data = op.attributes["data"]
        if type(data) in (int, bool) or (type(data) is float and np.isfinite(data)):
            return repr(data) if data >= 0 and not np.signbit(data) else f"({data!r})"
        name = self.text[op] = self.names.take(_INFINITIES.get(data, "constant") if type(data) is float else "constant")
        self.globals[name] = data
        return name


def _narrow(read: Op, reader: Op) -> Op:
    """What a value is broadcast from; of a constant of one number that number."""
    while read.name == "broadcast_to" or (read.name == "reshape" and not read.inputs[0].spec.shape):
        read = read.inputs[0]
    return number_of(read, reader) if read.is_array and "fill" in read.attributes else read


def _unpacked(names: list[str], given: str, room: int) -> list[str]:
    """The lines that give names to the parts of a tuple: wrapped, if there is room for so many."""
    if not names:
        return []
    after = f"{',' if len(names) == 1 else ''} = {given}"
    lines = lines_of(names, "", after, INDENT)
    return lines if len(lines) <= max(room, 1) else [f"{INDENT}{', '.join(names)}{after}"]
