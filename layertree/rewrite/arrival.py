"""Arrival of deltas: whether a backward pass reaches a leaf, as a formula of the condition of branches.

A backward pass of its own in the tree namespace: the delta of a tape is its arrival, a formula of one boolean. The rule
of a layer decides for which operands there is a delta, and the condition of an If which side has one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, ClassVar

from layertree.core.deltas import Parts, as_parts
from layertree.core.dynamic import is_a
from layertree.core.free import Free
from layertree.core.layer import Layer
from layertree.core.nested import folded, parts_of_mapping
from layertree.core.spec import WEAK
from layertree.namespaces.hash_consing import TreeValue, source_of
from layertree.namespaces.tree import Derivation
from layertree.rewrite.reverse_mode import Deriving, Gate, TreeTape, layers_of
from layertree.sweep.sweep import sweep
from layertree.tape import backward
from layertree.tape.masked import Mask


class ArrivalGate(Gate):
    """The entry of a tape into the branches of an If, for arrivals."""

    __slots__ = ()

    def absent(self, leaf: TreeValue) -> TreeValue:
        """No delta arrives."""
        return self.xp.lift(False)


class ArrivalTape(TreeTape):
    """A tape whose delta is its arrival: whether a delta arrives, as a formula of one boolean; of a tuple by part.

    The rule of the layer runs on variables in place of deltas, for the operands that it has a delta for.
    """

    __slots__ = ()

    def pullbacks(self, delta: Any, mask: Mask | None = None) -> Any:
        """One closure an operand, which gives the arrival of its delta; None where there is no delta."""
        arrivals: dict[int, Any] = {}

        def variable(pair: tuple[Any, Any]) -> TreeValue:
            spec, arrival = pair
            made = TreeValue(Free[Any](spec), spec)
            arrivals[id(made)] = arrival
            return made

        parts = folded((self.value.spec, delta), variable, as_parts, _parts_that_arrive)
        pullbacks = super().pullbacks(parts)
        whole = delta if not isinstance(delta, Parts) else None
        return tuple([one and partial(self._arrival, one, arrivals, whole) for one in pullbacks])

    def _arrival(self, pullback: Callable[[], Any], arrivals: dict[int, Any], whole: Any) -> Any:
        """The arrival of an operand's delta: that of the whole delta, or of the parts that the delta reads."""
        found = pullback()
        if found is None:
            return None

        def arrival(value: Any) -> Any:
            return self._any_of(value, arrivals) if whole is None else whole

        return folded(found, arrival, as_parts, parts_of_mapping)

    def _any_of(self, found: Any, arrivals: dict[int, Any]) -> Any:
        """Whether any part arrives that a delta is computed from; of all parts, where the delta is a constant."""
        outside = {id(self.value), *[id(tape.value) for tape in self.upstream]}
        pending, read = [self.xp.lift(found)], dict[int, Any]()
        while pending:
            value = pending.pop()
            if id(value) in arrivals:
                read[id(value)] = arrivals[id(value)]
            if id(value) not in outside:
                outside.add(id(value))
                pending.extend(value.children)
        return reduce(partial(_either, self.xp), (read or arrivals).values())


def _parts_that_arrive(pair: tuple[Any, Any]) -> Any:
    """Pairs of a spec and an arrival, by position, where the arrivals are those of parts."""
    spec, arrival = pair
    return {i: (spec[i], part) for i, part in arrival.items()} if isinstance(arrival, Parts) else None


class Arriving(Deriving):
    """The reading whose results are tapes for arrivals."""

    made: ClassVar[type[TreeTape]] = ArrivalTape
    gate: ClassVar[type[Gate]] = ArrivalGate


def arrivals(layer: Any, spec: Any, given: Any = True) -> dict[Any, Any]:
    """For each leaf that a backward pass may reach whether its delta arrives, as a formula of one boolean.

    ``given`` says whether the output has a delta: a boolean or a formula of one; of a tuple output a tuple of these.
    A tuple input has a dict from position to formula.

    A delta does not arrive where all ways to the leaf are in branches that are not taken. A delta that is zero by the
    rule of a layer arrives.

    >>> from layertree.core.spec import spec_of
    >>> from layertree import Floor, Greater, Identity, If, Plus, Weight
    >>> first, second = Weight(1.0), Weight(2.0)
    >>> positive = Greater(Identity(), 0.0)
    >>> found = arrivals(Plus(If(positive, first, 1.0), Floor(second)), spec_of(1.0))
    >>> found[first]
    If(Greater(Identity(), Literal(0.0)), Literal(True), Literal(False))
    >>> found[second]
    Literal(True)
    """
    root, xp = layer.__layer__(), Derivation()
    reading = Arriving(xp, None)
    tape = sweep(root, reading.leaf(source_of(xp, root, spec)), reading)
    if not tape.is_trainable:
        return {}
    found = backward.pull_back([(tape, folded(given, partial(_boolean, xp), _as_parts))], partial(_either, xp))
    return {key: layers_of(value) for key, value in found.items()}


def _boolean(xp: Derivation, given: Any) -> TreeValue:
    return TreeValue(given, WEAK[bool]) if is_a(given, Layer) else xp.lift(given)


def _as_parts(given: tuple[Any, ...], results: list[Any]) -> Parts:
    return Parts(dict(enumerate(results)))


def _either(xp: Derivation, first: TreeValue, second: TreeValue) -> TreeValue:
    """Whether one of two deltas arrives, or both."""
    always, never = xp.lift(True), xp.lift(False)
    if first is second or second is never or first is always:
        return first
    if first is never or second is always:
        return second
    return xp.bitwise_or(first, second)
