"""Finite checks: the first layer that makes a NaN or an infinity of finite operands, forward or backward."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np

from layertree.core.narrowing import is_layer
from layertree.core.provenance import origin_of
from layertree.core.spec import spec_text
from layertree.program.codegen.batch_program import AnyProgram
from layertree.program.codegen.program import Program
from layertree.program.ir.operations import Data, Op
from layertree.program.ir.views import VIEWS
from layertree.program.passes.loop_nest import Chain
from layertree.program.report.instrumentation import instrumented
from layertree.program.runtime.diagnostics import layer_text


class Flaws(NamedTuple):
    """Whether a value has NaNs, and whether it has infinities."""

    nan: bool
    infinity: bool

    def union(self, other: Flaws) -> Flaws:
        """The flaws that one of two values has."""
        return Flaws(self.nan or other.nan, self.infinity or other.infinity)

    @property
    def text(self) -> str:
        """The flaws in words."""
        return "a NaN" if self.nan else "an infinity"


NONE = Flaws(False, False)


def flaws_of(value: Data) -> Flaws:
    """The flaws of a number or an array; integers and booleans have none."""
    data = np.asarray(value)
    if data.dtype.kind != "f" or np.isfinite(data).all():
        return NONE
    return Flaws(bool(np.isnan(data).any()), bool(np.isinf(data).any()))


class LayerGroups:
    """The ops of a program by the layer they were lowered from.

    ``read`` are the values of other groups that each group reads, ``given`` the values that other groups or the caller
    read. Within one group infinities may come and go; checked are only the values that a group gives.
    """

    def __init__(self, program: Program) -> None:
        self.read: dict[Hashable, set[Op]] = defaultdict(set)
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
                if op.dtype.kind == "f":
                    self.read[own].add(operand)


def _all(program: Program) -> Iterator[Op]:
    for op in program.liveness.order:
        if op.name == "fused":
            chain: Chain = op.attributes["chain"]
            yield from chain.graph.ops
        yield op


def _is_gradient_of(op: Op, operand: Op) -> bool:
    """Whether an op belongs to the gradient of the layer that an operand belongs to."""
    origin = origin_of(op.layer)
    return is_layer(origin) and operand.layer is not None and origin == operand.layer


def group_of(op: Op) -> Hashable:
    """The identity of an op's group: of its layer, of the whole gradient of a layer, or of a leaf by itself."""
    origin = origin_of(op.layer)
    if not op.inputs or op.layer is None:
        return id(op)
    return (id(origin), "gradient") if origin is not None else id(op.layer)


def shown(op: Op) -> Op:
    """The op that computed a value, behind views and results of loop nests."""
    while True:
        if op.name in VIEWS:
            op = op.inputs[0]
        elif op.name == "result" and op.inputs[0].name == "fused":
            chain: Chain = op.inputs[0].attributes["chain"]
            op = chain.results[op.position]
        else:
            return op


class FiniteCheck:
    """The observer of one call of a program: raises FloatingPointError where a layer makes a NaN or an infinity."""

    def __init__(self, program: Program, ops: list[Op], groups: LayerGroups) -> None:
        self._program = program
        self._ops = ops
        self._groups = groups
        self._flaws: dict[Op, Flaws] = {}

    def see(self, number: int, value: Data, /) -> None:
        """Note the flaws of a value, and judge them where the value leaves its layer."""
        op = self._ops[number]
        found = flaws_of(value)
        if found == NONE:
            return
        self._flaws[op] = found.union(self._flaws.get(op, NONE))
        if op.inputs and op in self._groups.given:
            self._judge(op, found)

    def _judge(self, op: Op, found: Flaws) -> None:
        """Raise unless the layer's operands, or a number that a mask or a border puts in, had the flaws already."""
        known = NONE
        for value in op.attributes.values():
            known = known.union(flaws_of(value)) if type(value) is float else known
        for operand in self._groups.read[group_of(op)]:
            known = known.union(self._of(operand))
        if found.nan and not known.nan:
            raise FloatingPointError(_message(op, Flaws(True, False)))
        if found.infinity and known == NONE:
            raise FloatingPointError(_message(op, found))

    def _of(self, op: Op) -> Flaws:
        """The flaws of an operand; those of constants, stacks and branches are derived."""
        if op.name == "constant":
            return flaws_of(op.attributes.get("fill", op.attributes["data"]))
        if op.name == "stack":
            return reduce(Flaws.union, [self._of(shown(read)) for read in op.inputs])
        if op.name == "result":
            sides = [self._of(shown(body.results[op.position])) for body in op.inputs[0].bodies]
            return reduce(Flaws.union, sides, NONE)
        return self._flaws.get(self._outside(op), NONE)

    def _outside(self, op: Op) -> Op:
        """The operand of a loop nest that a leaf of the nest stands for; any other op itself."""
        for one in self._program.liveness.order:
            if one.name == "fused":
                chain: Chain = one.attributes["chain"]
                if op in chain.leaves:
                    return shown(one.inputs[chain.leaves.index(op)])
        return op

    def end(self) -> None:
        """Raise where flaws of the input or of a cell reach a result without a layer that made them."""
        results = set(map(shown, self._program.graph.results()))
        if all(self._of(op) == NONE for op in self._groups.given & results):
            return
        for op, found in self._flaws.items():
            if op.name in ("input", "cell"):
                raise FloatingPointError(f"{_leaf_text(op)} holds {found.text}: no layer made it")


def _leaf_text(op: Op) -> str:
    if op.name == "cell":
        return f"the cell {op.attributes['name']}"
    return "the input x" + "".join(f"[{one}]" for one in op.attributes["key"])


def _message(op: Op, found: Flaws) -> str:
    what = f"{found.text} in {spec_text(op.spec)}"
    origin = origin_of(op.layer)
    if is_layer(origin):
        return f"backward, the gradient made {what}: {layer_text(origin)}"
    if origin is not None or op.layer is None:
        return f"the update by {origin!r} made {what}"
    return f"forward, the layer made {what}: {layer_text(op.layer)}"


def checked(program: AnyProgram) -> AnyProgram:
    """The program, raising FloatingPointError for the first layer that makes a NaN or an infinity."""
    groups: dict[Program, LayerGroups] = {}

    def observe(part: Program, ops: list[Op]) -> FiniteCheck:
        if part not in groups:
            groups[part] = LayerGroups(part)
        return FiniteCheck(part, ops, groups[part])

    return instrumented(program, observe)
