"""The first layer that makes a NaN or an infinity of finite operands, forward or backward."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from layertree.core.layer import Layer
from layertree.core.provenance import origin_of
from layertree.core.spec import spec_text
from layertree.program._ops import Op
from layertree.program.located import layer_text
from layertree.program.passes import Program
from layertree.program.views import VIEWS
from layertree.program.watch import watched


class Flaws(NamedTuple):
    """Whether a value has NaNs, and whether it has infinities."""

    nan: bool
    infinity: bool

    def __or__(self, other: Any) -> Flaws:
        return Flaws(self.nan or other.nan, self.infinity or other.infinity)

    @property
    def text(self) -> str:
        """In words."""
        return "a NaN" if self.nan else "an infinity"


NONE = Flaws(False, False)


def flaws_of(value: Any) -> Flaws:
    """The flaws of a number or an array; what is no float has none."""
    data = np.asarray(value)
    if data.dtype.kind != "f" or np.isfinite(data).all():
        return NONE
    return Flaws(bool(np.isnan(data).any()), bool(np.isinf(data).any()))


class Groups:
    """The ops of a program by the layer they belong to: what each group reads from others, and what others read.

    Inside of a layer's own formula, or of its gradient's, infinities may come and go: what counts is what it gives.
    """

    def __init__(self, program: Program) -> None:
        self.read: dict[Any, set[Op]] = defaultdict(set)
        self.given: set[Op] = set(map(shown, program.graph.results()))
        for op in _all(program):
            own = group_of(op)
            for body in op.bodies:
                self.given.update(map(shown, body.results))
            for operand in map(shown, op.inputs):
                if group_of(operand) == own:
                    continue
                if not _is_gradient_of(op, operand):
                    self.given.add(operand)
                if op.spec.dtype.kind == "f":
                    self.read[own].add(operand)


def _all(program: Program) -> Iterator[Op]:
    for op in program.storage.order:
        if op.name == "fused":
            yield from op.attributes["chain"].graph.ops
        yield op


def _is_gradient_of(op: Op, operand: Op) -> bool:
    """Whether an op belongs to the gradient of the layer that an operand belongs to."""
    origin = origin_of(op.layer)
    return isinstance(origin, Layer) and operand.layer is not None and origin == operand.layer


def group_of(op: Op) -> Any:
    """What tells the layer of an op from others: of a gradient all of it belongs together."""
    origin = origin_of(op.layer)
    if not op.inputs or op.layer is None:
        return id(op)
    return (id(origin), "gradient") if origin is not None else id(op.layer)


def shown(op: Op) -> Op:
    """The op whose value a view shows, or a chain or a branch gives, as far as it is one."""
    while True:
        if op.name in VIEWS:
            op = op.inputs[0]
        elif op.name == "result" and op.inputs[0].name == "fused":
            op = op.inputs[0].attributes["chain"].results[op.attributes["position"]]
        else:
            return op


class FiniteCheck:
    """Watches one call of a program, and raises FloatingPointError where a layer makes what is not finite."""

    def __init__(self, program: Program, ops: list[Op], groups: Groups) -> None:
        self._program = program
        self._ops = ops
        self._groups = groups
        self._flaws: dict[Op, Flaws] = {}

    def see(self, number: int, value: Any, /) -> None:
        """An op has run, or a leaf is read."""
        op = self._ops[number]
        found = flaws_of(value)
        if found == NONE:
            return
        self._flaws[op] = found | self._flaws.get(op, NONE)
        if op.inputs and op in self._groups.given:
            self._judge(op, found)

    def _judge(self, op: Op, found: Flaws) -> None:
        known = NONE
        for value in op.attributes.values():  # a number that a mask or a border puts in
            known = known | flaws_of(value) if type(value) is float else known
        for operand in self._groups.read[group_of(op)]:
            known = known | self._of(operand)
        if found.nan and not known.nan:
            raise FloatingPointError(_message(op, Flaws(True, False)))
        if found.infinity and known == NONE:
            raise FloatingPointError(_message(op, found))

    def _of(self, op: Op) -> Flaws:
        """The flaws of an operand: of a constant and of a branch they are looked up here."""
        if op.name == "constant":
            return flaws_of(op.attributes.get("fill", op.attributes["data"]))
        if op.name == "stack":
            return reduce(Flaws.__or__, [self._of(shown(read)) for read in op.inputs])
        if op.name == "result":
            known = NONE
            place: int = op.attributes["position"]
            for body in op.inputs[0].bodies:
                known = known | self._of(shown(body.results[place]))
            return known
        return self._flaws.get(self._outside(op), NONE)

    def _outside(self, op: Op) -> Op:
        """What a leaf of a chain stands for."""
        for one in self._program.storage.order:
            leaves: tuple[Op, ...] = one.attributes["chain"].leaves if one.name == "fused" else ()
            if op in leaves:
                return shown(one.inputs[leaves.index(op)])
        return op

    def end(self) -> None:
        """What came in as it was, and reaches the result, is told of, too."""
        if not any(self._of(op) != NONE for op in self._groups.given & set(map(shown, self._program.graph.results()))):
            return
        for op, found in self._flaws.items():
            if op.name in ("input", "cell"):
                raise FloatingPointError(f"{_leaf_text(op)} holds {found.text}: no layer made it")


def _leaf_text(op: Op) -> str:
    if op.name == "cell":
        return f"the cell {op.attributes['name']}"
    return "the input x" + "".join(f"[{one}]" for one in op.attributes["key"])


def _message(op: Op, found: Flaws) -> str:
    kind = f"{found.text} in {spec_text(op.spec)}"
    origin = origin_of(op.layer)
    if isinstance(origin, Layer):
        return f"backward, the gradient made {kind}: {layer_text(origin)}"
    if origin is not None:
        return f"the update by {origin!r} made {kind}"
    return f"forward, the layer made {kind}: {layer_text(op.layer)}"


def checked(program: Any) -> Any:
    """The program, raising FloatingPointError for the first layer that makes a NaN or an infinity."""
    groups: dict[Program, Groups] = {}

    def watch(part: Program, ops: list[Op]) -> FiniteCheck:
        if part not in groups:
            groups[part] = Groups(part)
        return FiniteCheck(part, ops, groups[part])

    return watched(program, watch)
