"""Op and Graph: the operations of a program in static single assignment form, each after the operands that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import attrs
import numpy as np

from layertree.core.layer import AnyLayer as AnyLayer
from layertree.core.nested import flat, nested, nested_text
from layertree.core.spec import ArraySpec
from layertree.core.spec import SpecTree as SpecTree

if TYPE_CHECKING:
    from layertree.program.ir.static_index import StaticIndex

ValueSpec: TypeAlias = ArraySpec[Any]
"""The shape and the dtype of one value; a weak one is that of a Python number."""


DType: TypeAlias = np.dtype[Any]

Array: TypeAlias = np.ndarray[Any, DType]

ArrayType: TypeAlias = tuple[tuple[int, ...], DType]
"""The shape and the dtype of an array."""

Number: TypeAlias = "bool | int | float | np.generic"

Data: TypeAlias = Any
"""What users compute with at run time: a number, an array, None, or nested tuples of these."""


Attributes: TypeAlias = Mapping[str, Any]
"""What an operation is besides its operands, by name: axes, shapes, indices, constants; each primitive has its own."""

StateKey: TypeAlias = "int | tuple[int, int]"
"""What a ``state`` stands for: a delta that is given, by number; or a part of an update's state, by the number of the
update and the position of the part, where position 0 is the value of the cell."""

LEAVES = frozenset(("input", "cell", "state", "constant"))
"""Operations without operands: parts of the input, values of cells, parts of update rules' states, constants."""


def sizes_of(spec: ValueSpec) -> tuple[int, ...]:
    """The shape of a spec in a program, which is compiled for sizes: every dimension is one."""
    return cast("tuple[int, ...]", spec.shape)


@attrs.frozen(eq=False, repr=False)
class Op:
    """One operation: a primitive over the values of other operations, and the value that it gives.

    ``spec`` is the spec of that value and ``layer`` the layer (or the node of a derivative) that it was lowered from.
    ``bodies`` are the two sides of a ``cond``; an op named ``result`` stands for one of the values of a ``cond``.

    An op never changes, and is equal to itself alone: a pass makes another op in its place (``rewritten``). What a
    phase finds out about an op is an entry of a mapping with the op as its key.

    >>> from layertree.core.spec import WEAK
    >>> two = Op("constant", (), {"data": 2.0}, WEAK[float])
    >>> two.name = "input"
    Traceback (most recent call last):
    attr.exceptions.FrozenInstanceError: can't set attribute
    """

    name: str
    inputs: tuple[Op, ...]
    attributes: Attributes
    spec: ValueSpec
    layer: AnyLayer | None = None
    bodies: tuple[Body, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape; a program is compiled for sizes, so every dimension is one."""
        return self.spec.shape  # type: ignore[return-value]  # sizes alone

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.spec.shape)

    @property
    def dtype(self) -> DType:
        """The dtype; of a Python number the one that NumPy gives it."""
        return self.spec.dtype

    @property
    def is_weak(self) -> bool:
        """Whether the value is a Python number, which never promotes an array."""
        return self.spec.weak

    @property
    def is_array(self) -> bool:
        """Whether the value has axes; a value without axes is a Python number or a NumPy scalar."""
        return bool(self.spec.shape)

    @property
    def is_filled(self) -> bool:
        """Whether the value is a constant array that holds one number everywhere, and takes no memory."""
        return "fill" in self.attributes

    @property
    def number(self) -> Number | None:
        """The number that a constant is, or that fills a constant array; None for every other operation."""
        if self.name != "constant":
            return None
        return cast("Number | None", self.attributes.get("fill") if self.is_array else self.attributes["data"])

    @property
    def index(self) -> StaticIndex:
        """The index of a ``getitem``."""
        return cast("StaticIndex", self.attributes["index"])

    @property
    def position(self) -> int:
        """Which of the values of its operand a ``result`` stands for."""
        return cast("int", self.attributes["position"])

    @property
    def acts(self) -> bool:
        """Whether the operation may have a side effect: a hook has one, and a branch may contain a hook."""
        return self.name == "hook" or bool(self.bodies)

    def __repr__(self) -> str:
        return f"<{self.name} {self.spec!r}>"


OpTree: TypeAlias = "Op | tuple[OpTree, ...]"
"""An operation, or nested tuples of them."""


class Body:
    """One side of a branch: its operations, and those of them whose values it gives."""

    __slots__ = ("ops", "results")

    ops: list[Op]
    results: tuple[Op, ...]

    def __init__(self, ops: list[Op], results: tuple[Op, ...]) -> None:
        self.ops = ops
        self.results = results


OpsOf: TypeAlias = Callable[[Body], Sequence[Op]]
"""Which operations a walk visits in a body."""


class Graph:
    """The operations of a program in topological order, the ops of its input, and the ops whose values it gives."""

    __slots__ = ("ops", "outputs", "source")

    ops: list[Op]
    outputs: OpTree
    source: OpTree

    def __init__(self, ops: list[Op], source: OpTree, outputs: OpTree) -> None:
        self.ops = ops
        self.source = source
        self.outputs = outputs

    def inputs(self) -> list[Op]:
        """The parts of the input, without their nesting."""
        return list(flat(self.source))

    def results(self) -> list[Op]:
        """The outputs, without their nesting."""
        return list(flat(self.outputs))

    def __str__(self) -> str:
        """The graph as text, an operation a line: its number, the numbers of its operands, its attributes, its spec."""
        numbers = {op: number for number, op in enumerate(all_ops(self.ops))}
        lines = [_line(op, numbers) for op in numbers]
        return "\n".join([*lines, f"outputs {nested_text(self.outputs, lambda op: f'%{numbers[op]}')}"])


def _line(op: Op, numbers: Mapping[Op, int]) -> str:
    operands = [f"%{numbers[read]}" if read in numbers else read.name for read in op.inputs]
    attributes = [f"{key}={value!r}" for key, value in op.attributes.items() if key in _SHOWN]
    if op.number is not None:
        attributes = [str(op.number)]
    return f"%{numbers[op]} = {' '.join([op.name, *operands, *attributes])}: {op.spec!r}"


_SHOWN = frozenset(("axes", "axis", "index", "indices", "name", "position", "shape", "value", "window"))
"""The attributes in the text of a graph; data and objects are left out."""


def ops_of(body: Body) -> Sequence[Op]:
    """The operations of one side of a branch."""
    return body.ops


def all_ops(ops: Iterable[Op], ops_of: OpsOf = ops_of) -> Iterator[Op]:
    """The operations, those of bodies before the ``cond`` that the bodies belong to; without recursion."""
    open_conds: list[Op] = []
    stack: list[Iterator[Op]] = [iter(ops)]
    while stack:
        for op in stack[-1]:
            if op.bodies:
                open_conds.append(op)
                stack.append(chain.from_iterable(map(ops_of, op.bodies)))
                break
            yield op
        else:
            stack.pop()
            if open_conds:
                yield open_conds.pop()


def names_of(graph: Graph) -> set[str]:
    """The names of the operations of a graph, those in bodies among them."""
    return {op.name for op in all_ops(graph.ops)}


def reads_of(op: Op) -> Sequence[Op]:
    """The operands of an op, and those of all operations in its bodies."""
    if not op.bodies:
        return op.inputs
    found: list[Op] = []
    for one in all_ops((op,)):
        found += one.inputs
        for body in one.bodies:
            found += body.results
    return found


def remapped(op: Op, replacements: dict[Op, Op], ops_of: OpsOf = ops_of) -> Op:
    """The op over the replacements of its operands; a new op is entered as the replacement of the old one.

    ``ops_of`` gives the operations that its bodies keep.
    """
    if not op.bodies:
        for read in op.inputs:
            if read in replacements:
                return _over(op, (), replacements)
        return op
    made: dict[Op, Op] = {}
    for one in all_ops((op,), ops_of):
        bodies = tuple([_remapped_body(body, ops_of(body), made, replacements) for body in one.bodies])
        made[one] = _over(one, bodies, replacements)
    return made[op]


def _over(op: Op, bodies: tuple[Body, ...], replacements: dict[Op, Op]) -> Op:
    """The op with other bodies, over the replacements of its operands; the op itself where nothing changes."""
    if bodies == op.bodies and not any(read in replacements for read in op.inputs):
        return op
    inputs = tuple([replacements.get(read, read) for read in op.inputs])
    result = replacements[op] = Op(op.name, inputs, op.attributes, op.spec, op.layer, bodies)
    return result


def _remapped_body(body: Body, kept: Sequence[Op], made: dict[Op, Op], replacements: dict[Op, Op]) -> Body:
    ops = [made[one] for one in kept]
    results = tuple([replacements.get(one, one) for one in body.results])
    return body if ops == body.ops and results == body.results else Body(ops, results)


def users_of(graph: Graph) -> dict[Op, list[Op]]:
    """The def-use chains: the operations that read each value, once for each time that they read it."""
    users: dict[Op, list[Op]] = {op: [] for op in graph.ops}
    for op in graph.ops:
        for read in reads_of(op):
            users.setdefault(read, []).append(op)
    return users


def rewritten(
    graph: Graph, ops: list[Op], replacements: Mapping[Op, Op], destinations: Iterable[Op]
) -> tuple[Graph, list[Op]]:
    """The graph with other operations, and the replacements of the ops that write to arrays of the caller."""
    outputs = nested(graph.outputs, [replacements.get(op, op) for op in graph.results()])
    return Graph(ops, graph.source, outputs), [replacements.get(op, op) for op in destinations]
