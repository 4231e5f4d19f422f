"""Simplification: a formula rebuilt bottom-up, each node in normal form before its users (innermost rewriting)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from layertree.core.dynamic import is_a
from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.core.provenance import marks_of
from layertree.core.spec import WEAK_TYPES, ArraySpec, SpecTree, spec_of
from layertree.core.structure import children_of
from layertree.layers.structure import Item, Tuple
from layertree.namespaces.hash_consing import Inlining, Scalar, TreeValue, is_known, label, over, source_of
from layertree.namespaces.tree import Derivation
from layertree.rewrite.matching import CompiledRule
from layertree.rewrite.pattern import Bindings, Rule
from layertree.rewrite.rule_index import RuleIndex, rule_index
from layertree.rewrite.rules import RULES
from layertree.sweep.reading import Demands, Request
from layertree.sweep.sweep import sweep
from layertree.tape.run import compute

_FOLDED_ELEMENTS = 1024
"""The largest constant, in elements, that constant folding reads or makes."""

_DEEPEST = 10_000
"""How many rewrites may depend on each other before the rules count as not terminating."""

_COMMUTATIVE = frozenset({"add", "multiply"})
_OF_SHAPES = frozenset({"axis_size", "ones_like", "zeros_like"})
"""The functions whose value depends on the shape of their operand alone."""

Key: TypeAlias = tuple[Any, ...]
"""The key of a node under hash consing: class, label, and the TreeValues of the operands."""


def simplify(layer: AnyLayer, spec: SpecTree, rules: Iterable[Rule] = RULES) -> Any:
    """The normal form of a formula under some rules, for an input of a spec.

    Besides the rules: constants are folded, equal nodes become one (hash consing), compositions are inlined, and an If
    whose condition is constant becomes its branch. A rule applies only where shape and dtype stay. Works for formulas
    of any depth, in near linear time.

    >>> from layertree import Identity, Minus, Times
    >>> simplify(Times(1.0, Minus(Identity(), 0.0)), spec_of(2.0))
    Identity()

    Rules of your own extend or replace the built-in ones:

    >>> from layertree import Negative, Sin
    >>> from layertree.rewrite.pattern import Wildcard
    >>> a = Wildcard("a")
    >>> odd = Rule(Sin(Negative(a)), Negative(Sin(a)))
    >>> simplify(Sin(Negative(Identity())), spec_of(2.0), [*RULES, odd])
    Negative(Sin(Identity()))

    Raises ValueError for rules that do not terminate.
    """
    return simplify_all([layer], spec, rules)[0]


def simplify_all(layers: Sequence[AnyLayer], spec: SpecTree, rules: Iterable[Rule] = RULES) -> list[Any]:
    """The normal forms of several formulas of one input, with equal sub-formulas as one node, the same object.

    >>> from layertree import Exp, Identity, Plus
    >>> first, second = simplify_all([Exp(Identity()), Plus(Exp(Identity()), 0.0)], spec_of(2.0))
    >>> first is second
    True
    """
    roots = [layer.__layer__() for layer in layers]
    if rules is RULES and _are_normal(roots, spec):
        return roots
    xp = Simplification(rules)
    is_one = len(roots) == 1
    root: AnyLayer = roots[0] if is_one else Tuple(tuple(roots))
    value = xp.read(root, source_of(xp, root, spec))
    found = [value.layer] if is_one else [part.layer for part in value.children]
    if rules is RULES:
        mark_normal(found, spec)
    return found


class _NormalForms(NamedTuple):
    """One run of simplification, which all of its results refer to: the spec of the input that the run was for."""

    spec: SpecTree


def mark_normal(layers: Iterable[AnyLayer], spec: SpecTree) -> None:
    """Note that one simplification by the built-in rules made some formulas, so that a second one is skipped."""
    run = _NormalForms(spec)
    for layer in layers:
        if children_of(layer):
            layer.__dict__["_normal_form"] = run


def _are_normal(layers: list[AnyLayer], spec: SpecTree) -> bool:
    """Whether one run of simplification made all of some formulas, or all parts of those that are tuples."""
    first: _NormalForms | None = None
    pending = list(layers)
    while pending:
        layer = pending.pop()
        run: _NormalForms | None = layer.__dict__.get("_normal_form")
        if run is None and isinstance(layer, Tuple):
            pending.extend(layer.operands)
            continue
        first = first or run
        if run is None or run is not first:
            return False
    return first is not None and bool(first.spec == spec)


class Simplification(Derivation):
    """The tree namespace in which every new node is in normal form, so that whatever is built in it is simplified."""

    def __init__(self, rules: Iterable[Rule] = RULES) -> None:
        super().__init__()
        self._rules = _built_in() if rules is RULES else rule_index(tuple(rules))

    def read(self, layer: AnyLayer, source: TreeValue) -> TreeValue:
        """The normal form of a formula over a value of its input."""
        return sweep(layer, source, Simplifying(self))

    def _made(self, key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...]) -> TreeValue:
        found = self._begun(key, node, values)
        return found if isinstance(found, TreeValue) else self._finished(found)

    def _begun(self, key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...]) -> TreeValue | _Reduction:
        """The normal form of an operation; where a rule applies, the reduction that leads to it."""
        cls: type[AnyLayer] = key[0]
        if cls.__function__ in _COMMUTATIVE:
            found = self._nodes.get((cls, (), values[1], values[0]))
            if found is not None:
                return self.keep(key, found)
        spec: SpecTree = self._spec(key, node, values)
        folded = self._evaluated(key, node, values, spec)
        if folded is not None:
            return self.keep(key, folded)
        candidates = self._rules.candidates(cls, values)
        if candidates:
            reduction = _Reduction(key, node, values, spec, iter(candidates))
            if reduction.next_rule(self):
                return reduction
        return self.keep(key, TreeValue(self.layer_over(key, node, values), spec, values))

    def _finished(self, reduction: _Reduction) -> TreeValue:
        """The normal form at the end of a reduction; nested reductions are on a stack of their own, for any depth."""
        stack = [reduction]
        while True:
            found = stack[-1].proceed(self)
            if isinstance(found, TreeValue):
                stack.pop()
                if not stack:
                    return found
                stack[-1].registers.append(found)
            else:
                stack.append(found)
                if len(stack) > _DEEPEST:
                    raise ValueError(f"the rules do not come to an end, as with {found.rule.rule!r}")

    def _evaluated(
        self, key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...], spec: SpecTree
    ) -> TreeValue | None:
        """The value of an operation that needs no rule: a folded constant, a known size, or a part of a tuple."""
        if _are_constant(values):
            return self._folded(key, node, values, spec)
        if key[0].__function__ in _OF_SHAPES:
            return self._of_shape(key, node, values, spec)
        if isinstance(node, Item) and values[0].kind is Tuple:
            return values[0].children[node.position]
        return None

    def begin(
        self, cls: type[AnyLayer], node: AnyLayer | None, values: tuple[TreeValue, ...]
    ) -> TreeValue | _Reduction:
        """The normal form of an operation, or the reduction that leads to it."""
        key = (cls, () if node is None else label(node), *values)
        found = self._nodes.get(key)
        return self._begun(key, node, values) if found is None else found

    def keep(self, key: Key, value: TreeValue) -> TreeValue:
        """Enter the normal form of an operation into the table."""
        self._nodes[key] = value
        return value

    def _folded(
        self, key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...], spec: SpecTree
    ) -> TreeValue | None:
        """Constant folding: a small operation on constants alone as a constant; None where it stays."""
        cls: type[AnyLayer] = key[0]
        if (
            cls.__control__ is not None
            or cls.__has_tape__
            or cls.__has_effect__
            or cls.__layout__.identities
            or isinstance(spec, tuple)
        ):
            return None
        data = tuple([value.layer.data for value in values])
        if any(is_a(one, tuple) or np.size(one) > _FOLDED_ELEMENTS for one in data):
            return self.constant(Literal(data[0][node.position])) if isinstance(node, Item) else None
        try:
            with np.errstate(all="ignore"):
                result = compute(over(key, node, values), data)[1]
        except (ArithmeticError, ValueError):  # such as a Python integer that the dtype cannot hold
            return None
        if np.size(result) > _FOLDED_ELEMENTS or spec_of(result) != spec:
            return None
        return self.constant(Literal(result))

    def _of_shape(
        self, key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...], spec: SpecTree
    ) -> TreeValue | None:
        """A number that depends on a shape alone as a constant, where the sizes that it depends on are known."""
        operand: SpecTree = values[0].spec
        if isinstance(spec, tuple) or spec.shape != () or isinstance(operand, tuple):
            return None
        layer = over(key, node, values)
        # The number does not depend on an unknown size if two guesses at the size give the same number.
        found = {compute(layer, (_placeholder(operand, guess),))[1] for guess in (1, 2)}
        return self.constant(Literal(found.pop())) if len(found) == 1 else None


def _placeholder(spec: ArraySpec[Any], guess: int) -> Any:
    """Zeros of a spec in constant memory, with a guess for every unknown size."""
    if spec.weak:
        return WEAK_TYPES[spec.dtype](0)
    shape = tuple([dim if isinstance(dim, int) else guess for dim in spec.shape])
    return np.broadcast_to(spec.dtype.type(0), shape)[()]


@cache
def _built_in() -> RuleIndex:
    """The index of the built-in rules, whose rules load by family."""
    return RuleIndex(RULES.rooted_in)


def _are_constant(values: tuple[TreeValue, ...]) -> bool:
    for value in values:
        if value.kind is not Scalar and value.kind is not Literal:
            return False
    return bool(values)


class _Reduction:
    """The rewriting of one node (redex): the remaining candidates, and the state of the rule that is being applied.

    ``proceed`` returns the normal form, or another reduction to finish first, whose result becomes the next register.
    """

    __slots__ = ("bindings", "candidates", "dtype", "key", "node", "registers", "rule", "spec", "values")

    candidates: Iterator[CompiledRule]
    key: Key
    node: AnyLayer | None
    spec: SpecTree
    values: tuple[TreeValue, ...]
    rule: CompiledRule
    dtype: np.dtype[Any] | str

    def __init__(
        self,
        key: Key,
        node: AnyLayer | None,
        values: tuple[TreeValue, ...],
        spec: SpecTree,
        candidates: Iterator[CompiledRule],
    ) -> None:
        self.key = key
        self.node = node
        self.values = values
        self.spec = spec
        self.candidates = candidates
        self.registers: list[TreeValue] = []
        self.bindings: Bindings = {}

    def next_rule(self, xp: Simplification) -> bool:
        """Advance to the next rule that matches; False where there is none."""
        for rule in self.candidates:
            bindings = rule.bindings(self.node, self.values, self.spec)
            if bindings is None:
                continue
            dtype = rule.dtype(self.spec, self.values, bindings)
            if dtype is not None:
                self.rule, self.bindings, self.dtype = rule, bindings, dtype
                self.registers = rule.registers(xp, bindings)
                return True
        return False

    def proceed(self, xp: Simplification) -> TreeValue | _Reduction:
        """The normal form, or the reduction of a node of the replacement, to finish first."""
        while True:
            found = self._executed(xp)
            if isinstance(found, _Reduction):
                return found
            if found is not None and self._is_valid(found):
                return xp.keep(self.key, found)
            if not self.next_rule(xp):
                layer = xp.layer_over(self.key, self.node, self.values)
                return xp.keep(self.key, TreeValue(layer, self.spec, self.values))

    def _is_valid(self, replacement: TreeValue) -> bool:
        """Whether the replacement has the shape and dtype of the node, and computes in the dtype of the match."""
        rule = self.rule
        return _stays(self.spec, replacement.spec, rule.rule.keeps_all) and rule.admits(self.registers, self.dtype)

    def _executed(self, xp: Simplification) -> TreeValue | _Reduction | None:
        """The replacement, or the reduction of one of its nodes; None where a folded constant is not sound."""
        rule, registers = self.rule, self.registers
        while len(registers) < rule.start + len(rule.instructions):
            instruction = rule.instructions[len(registers) - rule.start]
            values = tuple([registers[source] for source in instruction.sources])
            found = xp.begin(instruction.cls, instruction.node(self.bindings, values), values)
            if not instruction.is_sound(values, found, self.spec):
                return None
            if not isinstance(found, TreeValue):
                return found
            registers.append(found)
        return registers[rule.result]


class Simplifying(Inlining):
    """The reading whose results are normal forms; an If with a constant condition reads only the branch it takes."""

    def apply(self, node: AnyLayer, inputs: list[TreeValue]) -> TreeValue:
        """The normal form of an operation; new nodes inherit the provenance of the node."""
        self.xp.marks = marks_of(node)
        return self.xp.operation(node, tuple(inputs))

    def cond(self, node: Any, inputs: list[TreeValue], source: TreeValue, context: Any) -> Demands[TreeValue]:
        condition = inputs[0]
        if condition.kind is Scalar:
            taken: TreeValue = yield Request(node.then if condition.layer.data else node.otherwise, source, context)
            return taken
        return (yield from super().cond(node, inputs, source, context))

    def choose(self, node: Any, condition: TreeValue, then: TreeValue, otherwise: TreeValue) -> TreeValue:
        return then if then is otherwise else super().choose(node, condition, then, otherwise)


def _stays(before: SpecTree, after: SpecTree, keeps_all: bool) -> bool:
    """Whether shape and dtype are known to be the same before and after a rule."""
    if before is after:
        return keeps_all or is_known(before)
    if isinstance(before, tuple) or isinstance(after, tuple):
        return bool(before == after)
    if (before.dtype, before.weak, before.ndim) != (after.dtype, after.weak, after.ndim):
        return False
    return keeps_all or (before.shape == after.shape and is_known(before))
