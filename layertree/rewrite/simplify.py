"""Simplification: a formula rebuilt node by node, each in its simplest form before the next one is built on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from layertree.core.dynamic import is_a, type_of
from layertree.core.literal import Literal
from layertree.core.provenance import marks_of
from layertree.core.spec import WEAK_TYPES, spec_of
from layertree.core.structure import children_of
from layertree.layers.arithmetic import Plus, Times
from layertree.layers.reduction import AxisSize
from layertree.layers.shape import OnesLike, ZerosLike
from layertree.layers.structure import Item, Tuple
from layertree.namespaces.hash_consing import Inlining, Scalar, TreeValue, is_known, label, over, source_of
from layertree.namespaces.tree import Derivation
from layertree.rewrite._matching import Ready, RuleBook, rule_book
from layertree.rewrite.pattern import Bindings, Rule
from layertree.rewrite.rules import RULES
from layertree.sweep.reading import Demands, Request
from layertree.sweep.sweep import sweep
from layertree.tape.run import compute

_FOLDED_ELEMENTS = 1024
_DEEPEST = 10_000
_COMMUTATIVE = (Plus, Times)
_SHAPE_ONLY = (AxisSize, OnesLike, ZerosLike)


def simplify(layer: Any, spec: Any, rules: Iterable[Rule] = RULES) -> Any:
    """The formula in its simplest form by some rules, for an input of a spec.

    Constants are folded, equal nodes become one, compositions are put in place, and a branch whose condition is known
    takes the place of its If. A rule applies only where shape and dtype stay. Works on any depth, in near linear time.

    >>> from layertree import Identity, Plus, Times
    >>> simplify(Times(1.0, Plus(Identity(), 0.0)), spec_of(2.0))
    Identity()

    Rules of your own come beside those that there are, or instead of them:

    >>> from layertree import Negative, Sin
    >>> from layertree.rewrite.pattern import Variable
    >>> a = Variable("a")
    >>> odd = Rule(Sin(Negative(a)), Negative(Sin(a)))
    >>> simplify(Sin(Negative(Identity())), spec_of(2.0), [*RULES, odd])
    Negative(Sin(Identity()))

    Raises ValueError for rules that do not come to an end.
    """
    return simplify_all([layer], spec, rules)[0]


def simplify_all(layers: Sequence[Any], spec: Any, rules: Iterable[Rule] = RULES) -> list[Any]:
    """Several formulas of one input in their simplest form: what is equal in them is one node, the same object.

    >>> from layertree import Exp, Identity, Plus
    >>> first, second = simplify_all([Exp(Identity()), Plus(Exp(Identity()), 0.0)], spec_of(2.0))
    >>> first is second
    True
    """
    roots = [layer.__layer__() for layer in layers]
    if rules is RULES and _are_simplest(roots, spec):
        return roots
    xp = Simplification(rules)
    is_one = len(roots) == 1
    root: Any = roots[0] if is_one else Tuple(tuple(roots))
    value = xp.read(root, source_of(xp, root, spec))
    found = [value.layer] if is_one else [part.layer for part in value.children]
    if rules is RULES:
        mark_simplest(found, spec)
    return found


class _Simplest(NamedTuple):
    """What the formulas that one simplification made share, and keep: the spec of the input that it was for."""

    spec: Any


def mark_simplest(layers: Iterable[Any], spec: Any) -> None:
    """Note that one simplification by the rules that there are has made some formulas: it need not be done again."""
    made = _Simplest(spec)
    for layer in layers:
        if children_of(layer):
            layer.__dict__["_simplest"] = made


def _are_simplest(layers: list[Any], spec: Any) -> bool:
    """Whether one simplification has made all of some formulas, which may stand side by side in tuples."""
    first: _Simplest | None = None
    pending = list(layers)
    while pending:
        layer = pending.pop()
        made = layer.__dict__.get("_simplest")
        if made is None and type_of(layer) is Tuple:
            pending.extend(layer.operands)
            continue
        first = first or made
        if made is None or made is not first:
            return False
    return first is not None and bool(first.spec == spec)


class Simplification(Derivation):
    """The tree namespace in which each node is made in its simplest form, so that what is built in it is simplified."""

    def __init__(self, rules: Iterable[Rule] = RULES) -> None:
        super().__init__()
        self._rules = _standard() if rules is RULES else rule_book(tuple(rules))

    def read(self, layer: Any, source: TreeValue) -> TreeValue:
        """The value of a formula over one of the input."""
        found: TreeValue = sweep(layer, source, Simplifying(self))
        return found

    def _made(self, key: tuple[Any, ...], node: Any, values: tuple[TreeValue, ...]) -> TreeValue:
        found = self._begun(key, node, values)
        return found if type(found) is TreeValue else self._finished(found)

    def _begun(self, key: tuple[Any, ...], node: Any, values: tuple[TreeValue, ...]) -> Any:
        """The simplest form of an operation; where a rule applies, the frame in which it has to be carried out."""
        cls = key[0]
        if cls in _COMMUTATIVE:
            found = self._nodes.get((cls, (), values[1], values[0]))
            if found is not None:
                return self.keep(key, found)
        spec = self._spec(key, node, values)
        found = self._evaluated(key, node, values, spec)
        if found is not None:
            return self.keep(key, found)
        candidates = self._rules.candidates(cls, values)
        if candidates:
            frame = _Frame(key, node, values, spec, iter(candidates))
            if frame.next_rule(self):
                return frame
        return self.keep(key, TreeValue(self.layer_over(key, node, values), spec, values))

    def _finished(self, frame: _Frame) -> TreeValue:
        """What a frame comes to. The frames that it leads to are kept in a list, so that depth is no limit."""
        frames = [frame]
        while True:
            found = frames[-1].proceed(self)
            if type(found) is TreeValue:
                frames.pop()
                if not frames:
                    return found
                frames[-1].slots.append(found)
            else:
                frames.append(found)
                if len(frames) > _DEEPEST:
                    raise ValueError(f"the rules do not come to an end, as with {found.ready.rule!r}")

    def _evaluated(self, key: Any, node: Any, values: tuple[TreeValue, ...], spec: Any) -> TreeValue | None:
        """What an operation comes to without any rule."""
        if _is_constant(values):
            return self._folded(key, node, values, spec)
        if key[0] in _SHAPE_ONLY:
            return self._measured(key, node, values, spec)
        if key[0] is Item and values[0].kind is Tuple:
            position: int = node.position
            return values[0].children[position]
        return None

    def begin(self, cls: Any, node: Any, values: tuple[TreeValue, ...]) -> Any:
        """The simplest form of an operation, or the frame in which it has to be carried out."""
        key = (cls, () if node is None else label(node), *values)
        found = self._nodes.get(key)
        return self._begun(key, node, values) if found is None else found

    def keep(self, key: tuple[Any, ...], value: TreeValue) -> TreeValue:
        """Note the simplest form of an operation."""
        self._nodes[key] = value
        return value

    def _folded(self, key: Any, node: Any, values: tuple[TreeValue, ...], spec: Any) -> TreeValue | None:
        """A small operation on constants alone as a constant."""
        cls = key[0]
        if (
            cls.__control__ is not None
            or cls.__has_tape__
            or cls.__has_effect__
            or cls.__layout__.identities
            or is_a(spec, tuple)
        ):
            return None
        data = tuple([value.layer.data for value in values])
        if any(is_a(one, tuple) or np.size(one) > _FOLDED_ELEMENTS for one in data):
            return self.constant(Literal(data[0][node.position])) if cls is Item else None
        try:
            with np.errstate(all="ignore"):
                result = compute(over(key, node, values), data)[1]
        except (ArithmeticError, ValueError):  # such as a Python integer that the dtype cannot hold
            return None
        if np.size(result) > _FOLDED_ELEMENTS or spec_of(result) != spec:
            return None
        return self.constant(Literal(result))

    def _measured(self, key: Any, node: Any, values: tuple[TreeValue, ...], spec: Any) -> TreeValue | None:
        """A number that depends on a shape alone as a constant, where the sizes that matter are known."""
        if spec.shape != ():
            return None
        layer = over(key, node, values)
        # A size that is not known does not matter if two guesses at it give the same.
        found = {compute(layer, (_stand_in(values[0].spec, guess),))[1] for guess in (1, 2)}
        return self.constant(Literal(found.pop())) if len(found) == 1 else None


def _stand_in(spec: Any, guess: int) -> Any:
    """Data of a spec that takes no memory."""
    if spec.weak:
        return WEAK_TYPES[spec.dtype](0)
    shape = tuple([dim if is_a(dim, int) else guess for dim in spec.shape])
    return np.broadcast_to(spec.dtype.type(0), shape)[()]


@cache
def _standard() -> RuleBook:
    """The index of the rules that there are, for which none of them has to be hashed."""
    return RuleBook(RULES)


def _is_constant(values: tuple[TreeValue, ...]) -> bool:
    for value in values:
        if value.kind is not Scalar and value.kind is not Literal:
            return False
    return bool(values)


class _Frame:
    """A rule in the course of being applied to a node: what took the places, and what its steps have made."""

    __slots__ = ("bindings", "candidates", "dtype", "key", "node", "ready", "slots", "spec", "values")

    def __init__(self, key: Any, node: Any, values: tuple[TreeValue, ...], spec: Any, rules: Iterator[Ready]) -> None:
        self.key = key
        self.node = node
        self.values = values
        self.spec = spec
        self.candidates = rules
        self.ready: Any = None
        self.slots: list[TreeValue] = []
        self.bindings: Bindings = {}
        self.dtype: Any = None

    def next_rule(self, xp: Simplification) -> bool:
        """Go on to the next rule that applies; False where there is none."""
        for ready in self.candidates:
            found = ready.bindings(self.node, self.values, self.spec)
            if found is None:
                continue
            self.dtype = ready.dtype(self.spec, self.values, found)
            if self.dtype is not None:
                self.ready, self.bindings, self.slots = ready, found, ready.slots(xp, found)
                return True
        return False

    def proceed(self, xp: Simplification) -> Any:
        """The simplest form, or the frame of a step that has to be finished first."""
        while True:
            found = self._carried_out(xp)
            if found is not None and type_of(found) is not TreeValue:
                return found
            if found is not None and self._keeps(found):
                return xp.keep(self.key, found)
            if not self.next_rule(xp):
                layer = xp.layer_over(self.key, self.node, self.values)
                return xp.keep(self.key, TreeValue(layer, self.spec, self.values))

    def _keeps(self, made: TreeValue) -> bool:
        """Whether what the rule makes has the shape and dtype that there were, and computes in the same dtype."""
        ready = self.ready
        return _stays(self.spec, made.spec, ready.rule.keeps_all) and bool(ready.admits(self.slots, self.dtype))

    def _carried_out(self, xp: Simplification) -> Any:
        """What the rule makes, or the frame of a step to finish first; None where a gathered number does not hold."""
        ready: Any = self.ready
        slots: Any = self.slots
        while len(slots) < ready.start + len(ready.steps):
            step = ready.steps[len(slots) - ready.start]
            values = tuple([slots[source] for source in step.sources])
            found = xp.begin(step.cls, step.node(self.bindings, values), values)
            if not step.holds(values, found, self.spec):
                return None
            if type_of(found) is not TreeValue:
                return found
            slots.append(found)
        return slots[ready.result]


class Simplifying(Inlining):
    """The reading whose results are simple values: of an If whose condition is known, those of the branch it takes."""

    def apply(self, node: Any, inputs: list[TreeValue]) -> TreeValue:
        """An operation in its simplest form: what is new in it stands for the node."""
        self.xp.marks = marks_of(node)
        return self.xp.operation(node, tuple(inputs))

    def cond(self, node: Any, inputs: list[TreeValue], source: TreeValue, context: Any) -> Demands[TreeValue]:
        """An If; where the condition is a constant, the branch that it takes."""
        condition = inputs[0]
        if condition.kind is Scalar:
            taken: TreeValue = yield Request(node.then if condition.layer.data else node.otherwise, source, context)
            return taken
        return (yield from super().cond(node, inputs, source, context))

    def choose(self, node: Any, condition: TreeValue, then: TreeValue, otherwise: TreeValue) -> TreeValue:
        """An If, or the branch where both are one."""
        return then if then is otherwise else super().choose(node, condition, then, otherwise)


def _stays(before: Any, after: Any, keeps_all: bool) -> bool:
    """Whether shape and dtype are known to be the same."""
    if before is after:
        return keeps_all or is_known(before)
    if is_a(before, tuple) or is_a(after, tuple):
        return bool(before == after)
    if (before.dtype, before.weak, before.ndim) != (after.dtype, after.weak, after.ndim):
        return False
    return keeps_all or (before.shape == after.shape and is_known(before))
