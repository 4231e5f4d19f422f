"""Reverse-mode differentiation in the tree namespace: the derivative of a formula is another formula.

The sweep makes a tape for each node, whose value is a layer; ``pull_back`` runs the gradients of these tapes in the
tree namespace. The sides of an If get gates, which select the delta of the side that was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np

from layertree.core.deltas import Parts, as_parts
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.core.nested import as_dict, flat, folded, parts_of_mapping
from layertree.core.provenance import gradient_marks
from layertree.core.spec import spec_of
from layertree.layers.control import If
from layertree.namespaces.hash_consing import INPUT as INPUT
from layertree.namespaces.hash_consing import TreeValue, source_of
from layertree.namespaces.tree import Derivation
from layertree.sweep.reading import Demands, Hoist, Reading, Request
from layertree.sweep.sweep import sweep
from layertree.tape import backward
from layertree.tape.tapes import KeptTape, LeafTape, next_serial


class TreeTape(KeptTape[Any, Any]):
    """A tape whose value is a layer."""

    __slots__ = ("_layer", "_xp")

    is_trainable: bool
    is_active: bool

    def __init__(self, xp: Derivation, layer: Any, value: TreeValue, upstream: tuple[Any, ...]) -> None:
        self.value = value
        self.upstream = upstream
        self._layer = layer
        self._xp = xp
        trainable = False
        for tape in upstream:
            if tape.is_trainable:
                trainable = layer.__has_gradient__ and differentiable(value.spec)
                break
        self.is_trainable = self.is_active = trainable
        self.serial = next_serial()

    def pullbacks(self, delta: Any) -> Any:
        self._xp.marks = gradient_marks(self._layer)  # the closures are run before the next tape's are asked for
        return self._layer.gradient(self._xp, delta, self.value, *[tape.value for tape in self.upstream])


class TreeLeaf(LeafTape[Any, Any]):
    """A leaf of a derivation; what is trainable goes by its layer as key."""

    __slots__ = ("cell", "key")

    def __init__(self, value: TreeValue, is_trainable: bool) -> None:
        self.value = value
        self.key: Any = value.layer
        self.cell = getattr(value.layer, "cell", None)
        self.upstream: tuple[Any, ...] = ()
        self.is_trainable = self.is_active = is_trainable
        self.serial = next_serial()


class Entry(KeptTape[Any, Any]):
    """The way of a tape into the sides of an If: the delta that comes out is that of the side taken.

    One for both sides, so that deltas go on once from here. What arrives is ``Parts``, by side.
    """

    __slots__ = ("condition", "xp")

    def __init__(self, xp: Derivation, inner: Any, condition: TreeValue) -> None:
        self.xp = xp
        self.value = inner.value
        self.upstream = (inner,)
        self.condition = condition
        self.is_trainable = self.is_active = inner.is_trainable
        self.serial = next_serial()

    def pullbacks(self, delta: Parts) -> tuple[Callable[[], Any]]:
        return (lambda: self._chosen(delta.get(_THEN), delta.get(_OTHERWISE), self.value),)

    def _chosen(self, then: Any, otherwise: Any, leaf: TreeValue) -> Any:
        return folded((then, otherwise, leaf), lambda three: self._chosen_of_one(*three), as_parts, self._by_part)

    def _by_part(self, three: tuple[Any, Any, TreeValue]) -> Any:
        """The deltas of both branches with the value's part, by position, where they are those of a tuple."""
        then, otherwise, leaf = three
        if not (isinstance(then, Parts) or isinstance(otherwise, Parts)):
            return None
        first, second = then or Parts({}), otherwise or Parts({})
        parts = sorted(first.keys() | second.keys())
        return {i: (first.get(i), second.get(i), self.xp.item(leaf, position=i)) for i in parts}

    def _chosen_of_one(self, then: Any, otherwise: Any, leaf: TreeValue) -> Any:
        if then is otherwise:
            return then
        first, second = [self.absent(leaf) if delta is None else delta for delta in (then, otherwise)]
        return first if first is second else self.xp.operation(_IF, (self.condition, first, second))

    def absent(self, leaf: TreeValue) -> TreeValue:
        """The delta of a side that has none."""
        return self.xp.zeros_like(leaf)


_THEN, _OTHERWISE = 0, 1


class _Gate(KeptTape[Any, Any]):
    """An entry as one side sees it."""

    __slots__ = ("side",)

    def __init__(self, entry: Entry, side: int) -> None:
        self.value = entry.value
        self.upstream = (entry,)
        self.side = side
        self.is_trainable = self.is_active = entry.is_trainable
        self.serial = next_serial()

    def pullbacks(self, delta: Any) -> tuple[Callable[[], Any]]:
        return (lambda: Parts({self.side: delta}),)


_IF: Any = If(INPUT, INPUT, INPUT)
"""What the Ifs of a derivative are made after."""


class _Branching(KeptTape[Any, Any]):
    """The tape of an If: deltas go to both branches, whose gates let through what counts."""

    __slots__ = ()

    def __init__(self, value: TreeValue, upstream: tuple[Any, ...]) -> None:
        self.value = value
        self.upstream = upstream
        self.is_trainable = self.is_active = any(tape.is_trainable for tape in upstream[1:])
        self.serial = next_serial()

    def pullbacks(self, delta: Any) -> tuple[Any, ...]:
        return (None, lambda: delta, lambda: delta)


class _Guard:
    """Inside which branches a reading is: from the innermost one outward.

    ``entries`` are those of both sides of the If, by the tape that enters.
    """

    def __init__(
        self, reading: Deriving, condition: TreeValue, entries: dict[int, Entry], side: int, outer: _Guard | None
    ) -> None:
        self._xp = reading.xp
        self._entry = reading.entry
        self._condition = condition
        self._entries = entries
        self._gates: dict[int, _Gate] = {}
        self._side = side
        self.outer = outer

    def gate(self, tape: Any) -> Any:
        """A tape of the formula around the branch as it is seen from inside."""
        if not tape.is_trainable:
            return tape
        key = id(tape)
        gate = self._gates.get(key)
        if gate is None:
            entry = self._entries.get(key)
            if entry is None:
                entry = self._entries[key] = self._entry(self._xp, tape, self._condition)
            gate = self._gates[key] = _Gate(entry, self._side)
        return gate


class Deriving(Reading[Any]):
    """The reading whose results are tapes of layers. Of the leaves those that are ``wanted`` train, or all."""

    made: ClassVar[type[TreeTape]] = TreeTape
    entry: ClassVar[type[Entry]] = Entry

    def __init__(self, xp: Derivation, wanted: Collection[Any] | None) -> None:
        self.xp = xp
        self.wanted = wanted
        self.leaves: dict[Any, TreeLeaf] = {}

    def leaf(self, value: TreeValue) -> TreeLeaf:
        """The tape of a leaf that can be differentiated by."""
        trains = (self.wanted is None or value.layer in self.wanted) and differentiable(value.spec)
        return TreeLeaf(value, trains)

    def apply(self, node: Any, inputs: list[Any]) -> TreeTape:
        value = self.xp.operation(node, tuple([tape.value for tape in inputs]))
        tape = self.made(self.xp, node, value, tuple(inputs))
        if node.__has_tape__ and tape.is_trainable:
            raise DTypeError(
                f"{type(node).__name__} makes a tape of its own, so it runs, but has no derivative as a formula: "
                "give it compute and gradient instead"
            )
        return tape

    def constant(self, node: Any, context: Any) -> TreeLeaf:
        return TreeLeaf(self.xp.constant(node), False)

    def cell(self, node: Any, context: _Guard | None) -> Any:
        leaf = self.leaves.get(node)
        if leaf is None:
            value = self.xp.known(node, spec_of(node.value))
            leaf = self.leaves[node] = self.leaf(value) if node.is_trainable else TreeLeaf(value, False)
        return self.gated(leaf, context)

    def free(self, node: Any, context: _Guard | None) -> Any:
        leaf = self.leaves.get(node)
        if leaf is None:
            leaf = self.leaves[node] = self.leaf(self.xp.known(node, node.spec))
        return self.gated(leaf, context)

    def gated(self, tape: Any, guard: _Guard | None) -> Any:
        """A tape as it is seen from inside of branches."""
        chain: list[_Guard] = []
        while guard is not None:
            chain.append(guard)
            guard = guard.outer
        for one in reversed(chain):
            tape = one.gate(tape)
        return tape

    def cond(self, node: Any, inputs: list[Any], source: Any, context: _Guard | None) -> Demands[_Branching]:
        condition = inputs[0].value
        yield Hoist(node)
        entries: dict[int, Entry] = {}
        tapes: list[Any] = []
        for body, side in ((node.then, _THEN), (node.otherwise, _OTHERWISE)):
            guard = _Guard(self, condition, entries, side, context)
            tapes.append((yield Request(body, guard.gate(source), guard, guard.gate)))
        value = self.xp.operation(node, (condition, *[tape.value for tape in tapes]))
        return _Branching(value, (inputs[0], *tapes))


def derivatives(layer: Any, spec: Any, delta: Any = None) -> dict[Any, Any]:
    """The derivatives of a formula as formulas of the same input, by Weight, and by ``INPUT`` for the input.

    ``delta`` is a layer or data of the output's shape, 1 where the output is one number. A tuple input has a dict
    from position to formula.

    >>> from layertree import Identity, Sin
    >>> derivatives(Sin(Identity()), spec_of(1.0))[INPUT]
    Times(Literal(1.0), Cos(Identity()))
    """
    return Forward(layer.__layer__(), spec).derivatives(delta)


class Forward:
    """The way forward through a formula, whose output has a ``spec``, and from there back."""

    def __init__(self, root: Any, spec: Any) -> None:
        self._xp = Derivation()
        self._tape = _taped(self._xp, root, source_of(self._xp, root, spec), None)
        self.spec: Any = self._tape.value.spec

    def derivatives(self, delta: Any = None) -> dict[Any, Any]:
        """What ``derivatives`` gives."""
        found = _pulled(self._xp, self._tape, delta)
        return {key: layers_of(value) for key, value in found.items()}


def pull_back(
    xp: Derivation, root: Any, source: TreeValue, delta: Any, wanted: Collection[Any] | None = None
) -> Mapping[Any, Any]:
    """The derivatives as values, by their leaves: those that are ``wanted``, or all."""
    return _pulled(xp, _taped(xp, root, source, wanted), delta)


def _taped(xp: Derivation, root: Any, source: TreeValue, wanted: Collection[Any] | None) -> Any:
    reading = Deriving(xp, wanted)
    return sweep(root, reading.leaf(source), reading)


def _pulled(xp: Derivation, tape: Any, delta: Any) -> Mapping[Any, Any]:
    return backward.pull_back([(tape, _seed(xp, tape.value, delta))], xp.add)


def differentiable(spec: Any) -> bool:
    """Whether data of a spec has deltas."""
    if is_a(spec, tuple):
        return any(part.dtype.kind == "f" for part in flat(spec))
    return bool(spec.dtype.kind == "f")


def _seed(xp: Derivation, output: TreeValue, delta: Any) -> Any:
    if is_a(delta, tuple):
        return folded((output, delta), lambda pair: _seed(xp, *pair), as_parts, _parts_to_seed)
    if delta is None:
        return xp.ones_like(output) if not output.spec.weak else xp.lift(1.0)
    if is_a(delta, TreeValue):
        return delta
    if hasattr(delta, "__layer__"):
        return TreeValue(delta.__layer__(), output.spec)
    return xp.lift(delta if output.spec.weak else np.asarray(delta, output.spec.dtype)[()])


def _parts_to_seed(pair: tuple[TreeValue, Any]) -> Any:
    """Pairs of an output and its delta, by position, where the delta is a tuple."""
    output, delta = pair
    return {i: (TreeValue(None, output.spec[i]), part) for i, part in enumerate(delta)} if is_a(delta, tuple) else None


def layers_of(value: Any) -> Any:
    """The layer of a value; of a tuple's parts, those of the parts by position."""
    return folded(value, attrgetter("layer"), as_dict, parts_of_mapping)
