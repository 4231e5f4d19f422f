"""Reverse-mode differentiation in the tree namespace: the derivative of a formula is another formula.

The sweep makes a tape for each node, whose value is a layer; ``pull_back`` runs the gradients of these tapes in the
tree namespace. Both branches of an If get the delta of its result. Where a tape of the enclosing formula enters the
branches, a gate selects the delta from the branch that the condition takes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter
from typing import Any, ClassVar, TypeAlias

import numpy as np

from layertree.core.cell import Cell
from layertree.core.deltas import Parts, as_parts
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, GradientError
from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.core.narrowing import is_tuple
from layertree.core.nested import as_dict, flat, folded, parts_of_mapping
from layertree.core.provenance import gradient_marks
from layertree.core.spec import SpecTree, shape_text, spec_of, spec_text
from layertree.core.structure import children_of
from layertree.core.weight import CellLayer
from layertree.layers.control import If
from layertree.namespaces.hash_consing import INPUT as INPUT
from layertree.namespaces.hash_consing import TreeValue, source_of
from layertree.namespaces.tree import Derivation
from layertree.rewrite.types import Derivative, DerivativeValue
from layertree.sweep.reading import Demands, Hoist, Reading, Request
from layertree.sweep.sweep import sweep
from layertree.tape import backward
from layertree.tape.masked import Mask, MaskedSums
from layertree.tape.tapes import KeptTape, LeafTape, next_serial

TreeDelta: TypeAlias = TreeValue | Parts
"""A delta in the tree namespace: a layer, or for a tuple the deltas of its parts."""

AnyTreeTape: TypeAlias = KeptTape[TreeValue, TreeDelta]
"""A tape whose value is a layer."""

Pullback: TypeAlias = Callable[[], TreeDelta | None]


class TreeTape(AnyTreeTape):
    """The tape of an operation."""

    __slots__ = ("layer", "xp")

    xp: Derivation
    serial: int
    is_trainable: bool
    is_active: bool

    def __init__(self, xp: Derivation, layer: AnyLayer, value: TreeValue, upstream: tuple[AnyTreeTape, ...]) -> None:
        self.value = value
        self.upstream = upstream
        self.layer: Any = layer
        self.xp = xp
        trainable = False
        for tape in upstream:
            if tape.is_trainable:
                trainable = layer.__has_gradient__ and differentiable(value.spec)
                break
        self.is_trainable = self.is_active = trainable
        self.serial = next_serial()

    def pullbacks(self, delta: TreeDelta, mask: Mask | None = None) -> tuple[Pullback | None, ...]:
        """One closure an operand, which builds its delta; ``mask`` is that of the delta of an elementwise layer."""
        self.xp.marks = gradient_marks(self.layer)  # the closures run before the pullbacks of the next tape
        xp = self.xp if mask is None else MaskedSums(self.xp, mask)
        found: tuple[Pullback | None, ...] = self.layer.gradient(
            xp, delta, self.value, *[tape.value for tape in self.upstream]
        )
        return found


class TreeLeaf(LeafTape[TreeValue, TreeDelta]):
    """The tape of a leaf; ``pull_back`` gives the delta of a trainable leaf by its layer."""

    __slots__ = ("cell", "key")

    upstream: tuple[AnyTreeTape, ...]
    is_active: bool
    serial: int

    def __init__(self, value: TreeValue, is_trainable: bool) -> None:
        self.value = value
        self.key: AnyLayer = value.layer
        self.cell: Cell | None = getattr(value.layer, "cell", None)
        self.upstream = ()
        self.is_trainable = self.is_active = is_trainable
        self.serial = next_serial()


_THEN, _OTHERWISE = 0, 1


class Gate(AnyTreeTape):
    """The entry of a tape of the enclosing formula into both branches of an If.

    The delta that reaches the gate is ``Parts`` by branch; the delta that leaves it is the If of both. One gate serves
    both branches, so the backward pass goes on from the tape only once.
    """

    __slots__ = ("condition", "xp")

    condition: TreeValue
    xp: Derivation
    value: TreeValue
    upstream: tuple[AnyTreeTape, ...]
    is_trainable: bool
    is_active: bool
    serial: int

    def __init__(self, xp: Derivation, inner: AnyTreeTape, condition: TreeValue) -> None:
        self.xp = xp
        self.value = inner.value
        self.upstream = (inner,)
        self.condition = condition
        self.is_trainable = self.is_active = inner.is_trainable
        self.serial = next_serial()

    def pullbacks(self, delta: Parts) -> tuple[Pullback]:
        return (lambda: self._selected(delta.get(_THEN), delta.get(_OTHERWISE), self.value),)

    def _selected(self, then: TreeDelta | None, otherwise: TreeDelta | None, leaf: TreeValue) -> TreeDelta:
        """The delta of the branch that is taken; of a tuple, part by part."""
        delta: TreeDelta = folded(
            (then, otherwise, leaf), lambda three: self._selected_leaf(*three), as_parts, self._by_part
        )
        return delta

    def _by_part(
        self, three: tuple[TreeDelta | None, TreeDelta | None, TreeValue]
    ) -> dict[int, tuple[TreeDelta | None, TreeDelta | None, TreeValue]] | None:
        """Both deltas and the value of each part of a tuple, by position; None where the value is no tuple."""
        then, otherwise, leaf = three
        if not (isinstance(then, Parts) or isinstance(otherwise, Parts)):
            return None
        first = then if isinstance(then, Parts) else Parts({})
        second = otherwise if isinstance(otherwise, Parts) else Parts({})
        parts = sorted(first.keys() | second.keys())
        return {i: (first.get(i), second.get(i), self.xp.item(leaf, position=i)) for i in parts}

    def _selected_leaf(self, then: TreeValue | None, otherwise: TreeValue | None, leaf: TreeValue) -> TreeValue | None:
        if then is otherwise:
            return then
        first, second = [self.absent(leaf) if delta is None else delta for delta in (then, otherwise)]
        return first if first is second else self.xp.operation(_IF, (self.condition, first, second))

    def absent(self, leaf: TreeValue) -> TreeValue:
        """The delta of a branch that has none."""
        return self.xp.zeros_like(leaf)


class _BranchTape(AnyTreeTape):
    """A gate as one branch sees it: deltas of the branch reach the gate under the branch's position."""

    __slots__ = ("branch",)

    def __init__(self, gate: Gate, branch: int) -> None:
        self.value = gate.value
        self.upstream = (gate,)
        self.branch = branch
        self.is_trainable = self.is_active = gate.is_trainable
        self.serial = next_serial()

    def pullbacks(self, delta: TreeDelta) -> tuple[Pullback]:
        return (lambda: Parts({self.branch: delta}),)


_IF: AnyLayer = If(INPUT, INPUT, INPUT)
"""The template of all Ifs of a derivative."""


class _IfTape(AnyTreeTape):
    """The tape of an If, whose delta goes to both branches."""

    __slots__ = ()

    def __init__(self, value: TreeValue, upstream: tuple[AnyTreeTape, ...]) -> None:
        self.value = value
        self.upstream = upstream
        self.is_trainable = self.is_active = any(tape.is_trainable for tape in upstream[1:])
        self.serial = next_serial()

    def pullbacks(self, delta: TreeDelta) -> tuple[Pullback | None, ...]:
        return (None, lambda: delta, lambda: delta)


class _Branch:
    """One branch of an If, in the chain of the branches that enclose a node, the innermost first.

    ``gates`` are those of the If, which both of its branches share, by the id of the tape that enters.
    """

    def __init__(
        self, reading: Deriving, condition: TreeValue, gates: dict[int, Gate], branch: int, outer: _Branch | None
    ) -> None:
        self._xp = reading.xp
        self._gate = reading.gate
        self._condition = condition
        self._gates = gates
        self._entered: dict[int, _BranchTape] = {}
        self._branch = branch
        self.outer = outer

    def enter(self, tape: AnyTreeTape) -> AnyTreeTape:
        """A tape of the enclosing formula as the branch sees it."""
        if not tape.is_trainable:
            return tape
        key = id(tape)
        entered = self._entered.get(key)
        if entered is None:
            gate = self._gates.get(key)
            if gate is None:
                gate = self._gates[key] = self._gate(self._xp, tape, self._condition)
            entered = self._entered[key] = _BranchTape(gate, self._branch)
        return entered


class Deriving(Reading[AnyTreeTape]):
    """The reading whose results are tapes of layers. Only the leaves in ``wanted`` are trainable; None means all."""

    made: ClassVar[type[TreeTape]] = TreeTape
    gate: ClassVar[type[Gate]] = Gate

    def __init__(self, xp: Derivation, wanted: Collection[AnyLayer] | None) -> None:
        self.xp = xp
        self.wanted = wanted
        self.leaves: dict[AnyLayer, TreeLeaf] = {}

    def leaf(self, value: TreeValue) -> TreeLeaf:
        """The tape of a leaf that may be a target."""
        is_trainable = (self.wanted is None or value.layer in self.wanted) and differentiable(value.spec)
        return TreeLeaf(value, is_trainable)

    def apply(self, node: AnyLayer, inputs: list[AnyTreeTape]) -> TreeTape:
        value = self.xp.operation(node, tuple([tape.value for tape in inputs]))
        tape = self.made(self.xp, node, value, tuple(inputs))
        if node.__has_tape__ and tape.is_trainable:
            raise DTypeError(
                f"{type(node).__name__} makes a tape of its own, so it runs, but has no derivative as a formula: "
                "give it compute and gradient instead"
            )
        return tape

    def constant(self, node: Literal[Any], context: _Branch | None) -> TreeLeaf:
        return TreeLeaf(self.xp.constant(node), False)

    def cell(self, node: CellLayer[Any], context: _Branch | None) -> AnyTreeTape:
        leaf = self.leaves.get(node)
        if leaf is None:
            value = self.xp.known(node, spec_of(node.value))
            leaf = self.leaves[node] = self.leaf(value) if node.is_trainable else TreeLeaf(value, False)
        return self.entered(leaf, context)

    def free(self, node: Any, context: _Branch | None) -> AnyTreeTape:
        leaf = self.leaves.get(node)
        if leaf is None:
            leaf = self.leaves[node] = self.leaf(self.xp.known(node, node.spec))
        return self.entered(leaf, context)

    def entered(self, tape: AnyTreeTape, branch: _Branch | None) -> AnyTreeTape:
        """A tape as a branch sees it, through the gates of all enclosing branches from the outermost inward."""
        chain: list[_Branch] = []
        while branch is not None:
            chain.append(branch)
            branch = branch.outer
        for one in reversed(chain):
            tape = one.enter(tape)
        return tape

    def cond(
        self, node: AnyLayer, inputs: list[AnyTreeTape], source: AnyTreeTape, context: _Branch | None
    ) -> Demands[AnyTreeTape]:
        condition = inputs[0].value
        yield Hoist(node)
        gates: dict[int, Gate] = {}
        tapes: list[AnyTreeTape] = []
        for position, body in enumerate(children_of(node)[1:]):
            branch = _Branch(self, condition, gates, position, context)
            tapes.append((yield Request(body, branch.enter(source), branch, branch.enter)))
        value = self.xp.operation(node, (condition, *[tape.value for tape in tapes]))
        return _IfTape(value, (inputs[0], *tapes))


def derivatives(layer: AnyLayer, spec: SpecTree, delta: object = None) -> dict[Any, Any]:
    """The derivatives of a formula as formulas of the same input, by Weight, and by ``INPUT`` for the input.

    ``delta`` is a layer or data of the shape of the output, None for 1 where the output is one number. The derivative
    by a tuple input is a dict from position to formula. The formulas are not simplified.

    >>> from layertree import Identity, Sin
    >>> derivatives(Sin(Identity()), spec_of(1.0))[INPUT]
    Times(Literal(1.0), Cos(Identity()))
    """
    return Forward(layer.__layer__(), spec).derivatives(delta)


class Forward:
    """The forward pass of a formula in the tree namespace, from which ``derivatives`` runs the backward pass.

    ``spec`` is the spec of the output, so that a caller can choose a delta between the two passes.
    """

    def __init__(self, root: AnyLayer, spec: SpecTree) -> None:
        self._xp = Derivation()
        self._tape = _taped(self._xp, root, source_of(self._xp, root, spec), None)
        self.spec: Any = self._tape.value.spec

    def derivatives(self, delta: object = None) -> dict[Any, Any]:
        """The result of ``derivatives``."""
        found = _pulled(self._xp, self._tape, delta)
        return {key: layers_of(value) for key, value in found.items()}


def pull_back(
    xp: Derivation, root: AnyLayer, source: TreeValue, delta: object, wanted: Collection[AnyLayer] | None = None
) -> Mapping[AnyLayer, DerivativeValue]:
    """The derivatives as values, by leaf: of the leaves in ``wanted``, or of all for None."""
    return _pulled(xp, _taped(xp, root, source, wanted), delta)


def _taped(xp: Derivation, root: AnyLayer, source: TreeValue, wanted: Collection[AnyLayer] | None) -> AnyTreeTape:
    reading = Deriving(xp, wanted)
    return sweep(root, reading.leaf(source), reading)


def _pulled(xp: Derivation, tape: AnyTreeTape, delta: object) -> Mapping[Any, DerivativeValue]:
    return backward.pull_back([(tape, _seed(xp, tape.value, delta))], xp.add, _conform)


def differentiable(spec: SpecTree) -> bool:
    """Whether data of a spec has deltas: a float, or a tuple with a float part."""
    if isinstance(spec, tuple):
        return any(part.dtype.kind == "f" for part in flat(spec))
    return spec.dtype.kind == "f"


def _conform(delta: Any, value: TreeValue) -> Any:
    """The delta of a rule; GradientError if its shape is known to differ from the shape of the value."""
    if type(delta) is not TreeValue or is_tuple(delta.spec) or is_tuple(value.spec):
        return delta
    given, wanted = delta.spec.shape, value.spec.shape
    sizes = zip(given, wanted, strict=False)
    if len(given) != len(wanted) or any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in sizes):
        raise GradientError(
            f"it gives {spec_text(delta.spec)} for {spec_text(value.spec)}: give real numbers of shape "
            f"{shape_text(value.spec.shape)}, such as by xp.sum_to(delta, operand)"
        )
    return delta


def _seed(xp: Derivation, output: TreeValue, delta: Any) -> TreeDelta:
    """The delta of the output that a backward pass starts from, in the tree namespace."""
    if is_a(delta, tuple):
        parts: Parts = folded((output, delta), lambda pair: _seed(xp, *pair), as_parts, _parts_to_seed)
        return parts
    if delta is None:
        return xp.ones_like(output) if not output.spec.weak else xp.lift(1.0)
    if isinstance(delta, TreeValue):
        return delta
    if hasattr(delta, "__layer__"):
        return TreeValue(delta.__layer__(), output.spec)
    return xp.lift(delta if output.spec.weak else np.asarray(delta, output.spec.dtype)[()])


def _parts_to_seed(pair: tuple[TreeValue, object]) -> dict[int, tuple[TreeValue, object]] | None:
    """Pairs of an output and its delta, by position, where the delta is a tuple."""
    output, delta = pair
    if not is_tuple(delta):
        return None
    return {i: (TreeValue(None, output.spec[i]), part) for i, part in enumerate(delta)}


def layers_of(value: DerivativeValue) -> Derivative:
    """The layer of a derivative in the tree namespace; of one by a tuple, the layers by position."""
    layers: Derivative = folded(value, attrgetter("layer"), as_dict, parts_of_mapping)
    return layers
