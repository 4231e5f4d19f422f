"""Rules made ready: patterns as tests of values, replacements as steps, and an index of which rule can apply where."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from inspect import signature
from typing import Any

from layertree.core.dynamic import is_a, type_of
from layertree.core.literal import Literal
from layertree.core.structure import children_of, post_order
from layertree.namespaces.hash_consing import Scalar, Table, TreeValue
from layertree.rewrite._facts import holds
from layertree.rewrite._numbers import stands_for
from layertree.rewrite._regrouping import regrouping
from layertree.rewrite.pattern import Bindings, Computed, Number, Rule, Setting, Variable

Test = Callable[[TreeValue, Bindings], bool]


class Matcher:
    """A pattern that is an operation, as tests of the values of its children and of its attributes."""

    def __init__(self, pattern: Any) -> None:
        self.cls = type_of(pattern)
        bound: set[str] = set()
        self._facts: list[tuple[str, str]] = []
        self._attributes = _attribute_tests(pattern, bound)
        self._children = [self._test(child, bound) for child in children_of(pattern)]

    def match(self, node: Any, values: tuple[TreeValue, ...]) -> Bindings | None:
        """The bindings under which the pattern is a node over some values, or None. A plain class needs no node."""
        if len(values) != len(self._children):
            return None
        bindings: Bindings = {}
        for test in self._attributes:
            if not test(node, bindings):
                return None
        for child, value in zip(self._children, values, strict=True):
            if not child(value, bindings):
                return None
        # What takes a walk to find out comes last.
        for name, fact in self._facts:
            if not holds(bindings[name], fact):
                return None
        return bindings

    def _test(self, pattern: Any, bound: set[str]) -> Test:
        if isinstance(pattern, Variable):
            self._facts.extend([(pattern.name, fact) for fact in pattern.where])
            return _place(pattern.name, bound)
        if isinstance(pattern, Number):
            return _number(pattern, _place(pattern.name, bound))
        if pattern.__control__ == "constant":
            return _constant(pattern.data)
        attributes = _attribute_tests(pattern, bound)
        return _operation(type(pattern), attributes, [self._test(child, bound) for child in children_of(pattern)])


def _place(name: str, bound: set[str]) -> Test:
    """The first time a place takes any value, from then on the same. Equal values are one, so identity tells."""
    if name in bound:
        return lambda value, bindings: bindings[name] is value
    bound.add(name)

    def bind(value: TreeValue, bindings: Bindings) -> bool:
        bindings[name] = value
        return True

    return bind


def _number(pattern: Number, place: Test) -> Test:
    def test(value: TreeValue, bindings: Bindings) -> bool:
        return value.kind is Scalar and pattern.admits(value.layer.data) and place(value, bindings)

    return test


def _constant(data: Any) -> Test:
    return lambda value, bindings: value.kind is Scalar and bool(value.layer.data == data)


def _operation(cls: Any, attributes: list[Any], children: list[Test]) -> Test:
    """The test of an operation below the root."""
    if len(children) == 2 and not attributes:
        return _binary(cls, *children)

    def test(value: TreeValue, bindings: Bindings) -> bool:
        if value.kind is not cls or len(value.children) != len(children):
            return False
        if not all(attribute(value.layer, bindings) for attribute in attributes):
            return False
        return all(child(below, bindings) for child, below in zip(children, value.children, strict=True))

    return test


def _binary(cls: Any, first: Test, second: Test) -> Test:
    """The same of the most frequent sort, without the loops."""

    def test(value: TreeValue, bindings: Bindings) -> bool:
        if value.kind is not cls:
            return False
        one, two = value.children
        return first(one, bindings) and second(two, bindings)

    return test


def _attribute_tests(pattern: Any, bound: set[str]) -> list[Any]:
    layout = pattern.__layout__
    tests = [_attribute(name, getattr(pattern, name), bound) for name in layout.attributes]
    return tests + [_same(name, getattr(pattern, name)) for name in layout.identities]


def _attribute(name: str, wanted: Any, bound: set[str]) -> Callable[[Any, Bindings], bool]:
    # Attributes are the same when their texts are: 1, 1.0 and True differ.
    if not isinstance(wanted, Setting):
        return lambda node, bindings: repr(getattr(node, name)) == repr(wanted)
    setting = wanted.name
    if setting in bound:
        return lambda node, bindings: repr(getattr(node, name)) == repr(bindings[setting])
    bound.add(setting)

    def bind(node: Any, bindings: Bindings) -> bool:
        bindings[setting] = getattr(node, name)
        return True

    return bind


def _same(name: str, wanted: Any) -> Callable[[Any, Bindings], bool]:
    return lambda node, bindings: getattr(node, name) is wanted


class Step:
    """One node of a replacement: how it is made, of which slots of a frame."""

    def __init__(self, pattern: Any, sources: list[int]) -> None:
        self.cls = type_of(pattern)
        self.pattern = pattern
        self.sources = sources
        attributes = {name: getattr(pattern, name) for name in self.cls.__layout__.attributes}
        self._open = any(isinstance(value, (Setting, Computed)) for value in attributes.values())
        self._attributes = attributes

    def holds(self, values: tuple[TreeValue, ...], found: Any, spec: Any) -> bool:
        """Whether what is made may stand for its operands in a formula of a spec: of numbers it has to be sound."""
        if is_a(spec, tuple) or not values or any(value.kind is not Scalar for value in values):
            return True
        if type_of(found) is not TreeValue or found.kind is not Scalar:
            return False
        operands = tuple([value.layer.data for value in values])
        return stands_for(found.layer.data, self.cls.__function__, operands, spec.dtype)

    def node(self, bindings: Bindings, values: tuple[TreeValue, ...]) -> Any:
        """A node of the class and attributes; None for a plain class."""
        if self.cls.__layout__.plain:
            return None
        if not self._open:
            return self.pattern
        return self.cls(*[value.layer for value in values], **self._filled(bindings))

    def _filled(self, bindings: Bindings) -> dict[str, Any]:
        return {
            name: bindings[value.name]
            if isinstance(value, Setting)
            else value.value(bindings)
            if isinstance(value, Computed)
            else value
            for name, value in self._attributes.items()
        }


class Ready:
    """A rule made ready. A frame of it has slots: what the places took, the constants, then what each step makes."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.matcher = Matcher(rule.pattern)
        self._regrouping = regrouping(rule)
        slots: dict[int, int] = {}
        places: dict[str, int] = {}
        order = post_order(rule.replacement)
        for node in order:
            if node.__control__ == "place":
                slots[id(node)] = places.setdefault(node.name, len(places))
        self._names = tuple(places)
        self._constants: list[Literal[Any]] = [node for node in order if node.__control__ == "constant"]
        for node in self._constants:
            slots[id(node)] = len(places) + self._constants.index(node)
        self.start = len(places) + len(self._constants)
        self.steps: list[Step] = []
        self._variables, self._gathers = _variables_of(rule.pattern)
        self._asked = () if rule.when is None else tuple(signature(rule.when).parameters)
        for node in order:
            if id(node) not in slots:
                slots[id(node)] = self.start + len(self.steps)
                self.steps.append(Step(node, [slots[id(child)] for child in children_of(node)]))
        self.result = slots[id(rule.replacement)]

    def bindings(self, node: Any, values: tuple[TreeValue, ...], spec: Any) -> Bindings | None:
        """The bindings under which the rule applies to a node of a spec over some values, or None."""
        found = self.matcher.match(node, values)
        if found is None or (self._gathers and not self._is_of_one_dtype(found, spec)):
            return None
        when = self.rule.when
        return found if when is None or when(**{name: self._told(name, found[name]) for name in self._asked}) else None

    def _told(self, name: str, taken: Any) -> Any:
        """What a condition is told of what took a place."""
        if name in self._variables:
            return partial(holds, taken)
        return taken.layer.data if is_a(taken, TreeValue) else taken

    def _is_of_one_dtype(self, bindings: Bindings, spec: Any) -> bool:
        """Whether numbers meet one dtype alone, so that there is one largest number."""
        if is_a(spec, tuple):
            return False
        specs = [bindings[name].spec for name in self._variables]
        return not any(is_a(one, tuple) or one.dtype != spec.dtype for one in specs)

    def dtype(self, spec: Any, values: tuple[TreeValue, ...], bindings: Bindings) -> Any:
        """The dtype in which a match computes, "" where it does not matter; None where the rule may not be used."""
        return "" if self._regrouping is None else self._regrouping.dtype(spec, values, bindings)

    def admits(self, slots: list[TreeValue], dtype: Any) -> bool:
        """Whether what the steps made computes in the dtype."""
        return self._regrouping is None or all(
            self._regrouping.admits(step.cls, made.spec, made.kind is Scalar, dtype)
            for step, made in zip(self.steps, slots[self.start :], strict=True)
        )

    def slots(self, xp: Table, bindings: Bindings) -> list[TreeValue]:
        """The slots of a frame before its first step."""
        return [*[bindings[name] for name in self._names], *map(xp.constant, self._constants)]


def _variables_of(pattern: Any) -> tuple[tuple[str, ...], bool]:
    """The names of a pattern's variables, and whether it has numbers in more than one operation."""
    order = post_order(pattern)
    names = dict.fromkeys([node.name for node in order if isinstance(node, Variable)])
    has_numbers = any(isinstance(node, Number) for node in order)
    return tuple(names), has_numbers and sum(bool(children_of(node)) for node in order) > 1


class RuleBook:
    """Rules by what two levels of a node look like: of most nodes none applies, which takes one look-up to see."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._by_class: dict[Any, list[Rule]] = {}
        self._ready: dict[int, Ready] = {}
        self._found: dict[tuple[Any, ...], tuple[Ready, ...]] = {}
        for rule in rules:
            self._by_class.setdefault(type(rule.pattern), []).append(rule)

    def candidates(self, cls: Any, values: tuple[TreeValue, ...]) -> tuple[Ready, ...]:
        """The rules that may apply to a class over some values."""
        if cls not in self._by_class:
            return ()
        key: tuple[Any, ...] = (cls, *[value.kinds or _kinds_of(value) for value in values])
        if len(values) == 2:
            key = (*key, _kinship(*values))
        found = self._found.get(key)
        if found is None:
            rules = [rule for rule in self._by_class[cls] if _fits(children_of(rule.pattern), values)]
            found = self._found[key] = tuple(map(self._readied, rules))
        return found

    def _readied(self, rule: Rule) -> Ready:
        """The rule made ready, when it is first wanted: a formula needs few of them."""
        found = self._ready.get(id(rule))
        if found is None:
            found = self._ready[id(rule)] = Ready(rule)
        return found


_FEW = 3


def _kinds_of(value: TreeValue) -> tuple[Any, ...]:
    """The kind of a value and those of its children, if these are few."""
    few = value.children if len(value.children) <= _FEW else ()
    value.kinds = (value.kind, *[child.kind for child in few])
    found: tuple[Any, ...] = value.kinds
    return found


def _kinship(first: TreeValue, second: TreeValue) -> str:
    """Whether two operands are the same, or one is an operand of the other."""
    if first is second:
        return "same"
    if second in first.children:
        return "second in first"
    return "first in second" if first in second.children else ""


def _fits(patterns: tuple[Any, ...], values: tuple[TreeValue, ...]) -> bool:
    """Whether a rule can apply to these values, and to all others that look alike."""
    if len(patterns) != len(values):
        return False
    if len(values) == 2 and _wanted_kinship(*patterns) not in ("", _kinship(*values)):
        return False
    return all(_allows(pattern, value.kinds) for pattern, value in zip(patterns, values, strict=True))


def _wanted_kinship(first: Any, second: Any) -> str:
    """The kinship that two patterns ask for, since they have a variable in common."""
    if _is_place(first) and _is_place(second):
        return "same" if first.name == second.name else ""
    if _is_place(second) and second.name in map(_name, children_of(first)):
        return "second in first"
    return "first in second" if _is_place(first) and first.name in map(_name, children_of(second)) else ""


def _is_place(pattern: Any) -> bool:
    return bool(pattern.__control__ == "place")


def _name(pattern: Any) -> Any:
    return pattern.name if _is_place(pattern) else None


def _allows(pattern: Any, kinds: tuple[Any, ...]) -> bool:
    """Whether a value of some kinds can be what a pattern says."""
    if isinstance(pattern, Variable):
        return True
    if isinstance(pattern, Number) or pattern.__control__ == "constant":
        return kinds[0] is Scalar
    below = children_of(pattern)
    if type(pattern) is not kinds[0] or len(kinds) == 1:
        return type(pattern) is kinds[0]
    return len(below) == len(kinds) - 1 and all(map(_allows, below, [(kind,) for kind in kinds[1:]]))


@lru_cache(maxsize=32)
def rule_book(rules: tuple[Rule, ...]) -> RuleBook:
    """The index of some rules, made once."""
    return RuleBook(rules)


class _Untyped(Table):
    """A table that asks for no specs."""

    def _spec(self, key: tuple[Any, ...], node: Any, values: tuple[TreeValue, ...]) -> Any:
        return ()


def match(pattern: Any, node: Any) -> Bindings | None:
    """The bindings under which a pattern is a formula, or None. What asks for facts matches nothing here.

    >>> from layertree import Identity, Negative, Sin
    >>> match(Negative(Variable("a")), Negative(Sin(Identity())))
    {'a': Sin(Identity())}
    """
    table = _Untyped()
    made: dict[int, TreeValue] = {}
    for one in post_order(node):
        values = tuple([made[id(child)] for child in children_of(one)])
        leaf = one.__control__ in ("source", "cell", "free", "constant")
        read = table.constant if one.__control__ == "constant" else partial(table.known, spec=())
        made[id(one)] = read(one) if leaf else table.operation(one, values)
    value = made[id(node)]
    if value.kind is not type(pattern):
        return None
    found = Matcher(pattern).match(node, value.children)
    if found is None:
        return None
    return {name: taken.layer if isinstance(taken, TreeValue) else taken for name, taken in found.items()}
