"""Compiled rules: patterns as predicates, replacements as straight-line programs.

Matching is that of term rewriting, on nodes under hash consing: equal sub-formulas are one TreeValue, so a variable
that occurs twice compares by identity.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any, TypeAlias

import numpy as np

from layertree.core.dynamic import is_a, type_of
from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.core.narrowing import is_literal
from layertree.core.spec import SpecTree
from layertree.core.structure import children_of, post_order
from layertree.namespaces.hash_consing import Scalar, Table, TreeValue
from layertree.rewrite.folding import is_sound
from layertree.rewrite.intervals import has_property
from layertree.rewrite.pattern import AttributeWildcard, Bindings, ComputedAttribute, Number, Rule, Wildcard
from layertree.rewrite.reassociation import DTypeCondition, dtype_condition

Test: TypeAlias = Callable[[TreeValue, Bindings], bool]
"""Whether a value matches a part of a pattern; binds variables as it goes."""

AttributeTest: TypeAlias = Callable[[AnyLayer, Bindings], bool]
"""Whether an attribute of a node matches that of a pattern; binds attribute wildcards as it goes."""


class Matcher:
    """The predicates of a pattern that is an operation: one for each child, and one for each attribute."""

    def __init__(self, pattern: AnyLayer) -> None:
        bound: set[str] = set()
        self._properties: list[tuple[str, str]] = []
        self._attributes = _attribute_tests(pattern, bound)
        self._children = [self._test(child, bound) for child in children_of(pattern)]

    def match(self, node: AnyLayer | None, values: tuple[TreeValue, ...]) -> Bindings | None:
        """The bindings under which the pattern is a node over some values, or None.

        ``node`` gives the attributes; for a class without attributes it may be None.
        """
        if len(values) != len(self._children):
            return None
        bindings: Bindings = {}
        if node is not None:
            for test in self._attributes:
                if not test(node, bindings):
                    return None
        for child, value in zip(self._children, values, strict=True):
            if not child(value, bindings):
                return None
        # Properties come last, since interval arithmetic may visit the whole formula.
        for name, wanted in self._properties:
            if not has_property(bindings[name], wanted):
                return None
        return bindings

    def _test(self, pattern: AnyLayer, bound: set[str]) -> Test:
        if isinstance(pattern, Wildcard):
            self._properties.extend([(pattern.name, wanted) for wanted in pattern.where])
            return _variable(pattern.name, bound)
        if isinstance(pattern, Number):
            return _number(pattern, _variable(pattern.name, bound))
        if is_literal(pattern):
            return _constant(pattern)
        attributes = _attribute_tests(pattern, bound)
        return _operation(type(pattern), attributes, [self._test(child, bound) for child in children_of(pattern)])


def _variable(name: str, bound: set[str]) -> Test:
    """The first occurrence of a variable binds any value; later ones match the same value."""
    if name in bound:
        return lambda value, bindings: bindings[name] is value
    bound.add(name)

    def bind(value: TreeValue, bindings: Bindings) -> bool:
        bindings[name] = value
        return True

    return bind


def _number(pattern: Number, variable: Test) -> Test:
    def test(value: TreeValue, bindings: Bindings) -> bool:
        return value.kind is Scalar and pattern.admits(value.layer.data) and variable(value, bindings)

    return test


def _constant(pattern: Literal[Any]) -> Test:
    data = pattern.data
    return lambda value, bindings: value.kind is Scalar and bool(value.layer.data == data)


def _operation(cls: type[AnyLayer], attributes: list[AttributeTest], children: list[Test]) -> Test:
    """The test of an operation below the root of a pattern."""
    if len(children) == 2 and not attributes:
        return _binary(cls, *children)

    def test(value: TreeValue, bindings: Bindings) -> bool:
        if value.kind is not cls or len(value.children) != len(children):
            return False
        if not all(attribute(value.layer, bindings) for attribute in attributes):
            return False
        return all(child(operand, bindings) for child, operand in zip(children, value.children, strict=True))

    return test


def _binary(cls: type[AnyLayer], first: Test, second: Test) -> Test:
    """The test of a binary operation without attributes, the most frequent one, unrolled for speed."""

    def test(value: TreeValue, bindings: Bindings) -> bool:
        if value.kind is not cls:
            return False
        one, two = value.children
        return first(one, bindings) and second(two, bindings)

    return test


def _attribute_tests(pattern: AnyLayer, bound: set[str]) -> list[AttributeTest]:
    layout = pattern.__layout__
    tests = [_attribute(name, getattr(pattern, name), bound) for name in layout.attributes]
    return tests + [_same(name, getattr(pattern, name)) for name in layout.identities]


def _attribute(name: str, wanted: object, bound: set[str]) -> AttributeTest:
    # Attributes are equal when their texts are: 1, 1.0 and True differ.
    if not isinstance(wanted, AttributeWildcard):
        return lambda node, bindings: repr(getattr(node, name)) == repr(wanted)
    variable = wanted.name
    if variable in bound:
        return lambda node, bindings: repr(getattr(node, name)) == repr(bindings[variable])
    bound.add(variable)

    def bind(node: AnyLayer, bindings: Bindings) -> bool:
        bindings[variable] = getattr(node, name)
        return True

    return bind


def _same(name: str, wanted: object) -> AttributeTest:
    return lambda node, bindings: getattr(node, name) is wanted


class Instruction:
    """One node of a replacement: the class and attributes of the node, and the registers of its operands."""

    def __init__(self, template: AnyLayer, sources: list[int]) -> None:
        self.cls: type[AnyLayer] = type(template)
        self.sources = sources
        self._template = template
        self._attributes: dict[str, object] = {name: getattr(template, name) for name in template.__layout__.attributes}
        self._is_open = any(
            isinstance(one, (AttributeWildcard, ComputedAttribute)) for one in self._attributes.values()
        )

    def is_sound(self, values: tuple[TreeValue, ...], result: object, spec: SpecTree) -> bool:
        """Whether the result may replace the operation in a formula of a spec: a folded constant must be sound."""
        if isinstance(spec, tuple) or not values or any(value.kind is not Scalar for value in values):
            return True
        if not isinstance(result, TreeValue) or result.kind is not Scalar:
            return False
        operands = tuple([value.layer.data for value in values])
        return is_sound(result.layer.data, self.cls.__function__, operands, spec.dtype)

    def node(self, bindings: Bindings, values: tuple[TreeValue, ...]) -> AnyLayer | None:
        """A node of the class and with the attributes; None for a class that has operands alone."""
        if self.cls.__layout__.plain:
            return None
        if not self._is_open:
            return self._template
        return self.cls(*[value.layer for value in values], **self._filled(bindings))

    def _filled(self, bindings: Bindings) -> dict[str, object]:
        return {
            name: bindings[value.name]
            if isinstance(value, AttributeWildcard)
            else value.value(bindings)
            if isinstance(value, ComputedAttribute)
            else value
            for name, value in self._attributes.items()
        }


class CompiledRule:
    """A rule as a matcher and a straight-line program over registers.

    The registers hold the bound variables, then the constants of the replacement, then the result of each instruction;
    ``start`` is the register of the first instruction, ``result`` that of the replacement.
    """

    start: int
    result: int

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._matcher = Matcher(rule.pattern)
        self._dtypes: DTypeCondition | None = dtype_condition(rule)
        self._wildcards, self._combines = _wildcards_of(rule.pattern)
        self._parameters = () if rule.when is None else tuple(signature(rule.when).parameters)
        order: list[AnyLayer] = post_order(rule.replacement)
        variables = {id(node): node.name for node in order if isinstance(node, (Wildcard, Number))}
        self._names = tuple(dict.fromkeys(variables.values()))
        self._constants: list[Literal[Any]] = [node for node in order if isinstance(node, Literal)]
        registers = {key: self._names.index(name) for key, name in variables.items()}
        registers |= {id(node): len(self._names) + i for i, node in enumerate(self._constants)}
        self.start = len(self._names) + len(self._constants)
        self.instructions: list[Instruction] = []
        for node in order:
            if id(node) not in registers:
                registers[id(node)] = self.start + len(self.instructions)
                self.instructions.append(Instruction(node, [registers[id(child)] for child in children_of(node)]))
        self.result = registers[id(rule.replacement)]

    def bindings(self, node: AnyLayer | None, values: tuple[TreeValue, ...], spec: SpecTree) -> Bindings | None:
        """The bindings under which the rule applies to a node of a spec over some values, or None."""
        found = self._matcher.match(node, values)
        if found is None or (self._combines and not self._has_one_dtype(found, spec)):
            return None
        when = self.rule.when
        if when is None or when(**{name: self._argument(name, found[name]) for name in self._parameters}):
            return found
        return None

    def _argument(self, name: str, bound: Any) -> object:
        """The argument of ``when`` for a variable: the number, the attribute, or the properties of a wildcard."""
        if name in self._wildcards:
            return partial(has_property, bound)
        return bound.layer.data if isinstance(bound, TreeValue) else bound

    def _has_one_dtype(self, bindings: Bindings, spec: SpecTree) -> bool:
        """Whether all wildcards have the dtype of the node, so that one range of numbers holds for all of them."""
        if isinstance(spec, tuple):
            return False
        specs: list[SpecTree] = [bindings[name].spec for name in self._wildcards]
        return not any(isinstance(one, tuple) or one.dtype != spec.dtype for one in specs)

    def dtype(self, spec: SpecTree, values: tuple[TreeValue, ...], bindings: Bindings) -> np.dtype[Any] | str | None:
        """The dtype in which a match computes, "" if the rule serves every dtype; None if it must not be applied."""
        return "" if self._dtypes is None else self._dtypes.dtype(spec, values, bindings)

    def admits(self, registers: list[TreeValue], dtype: np.dtype[Any] | str) -> bool:
        """Whether all instructions computed in the dtype."""
        condition = self._dtypes
        return condition is None or all(
            condition.admits(instruction.cls, value.spec, value.kind is Scalar, dtype)
            for instruction, value in zip(self.instructions, registers[self.start :], strict=True)
        )

    def registers(self, xp: Table, bindings: Bindings) -> list[TreeValue]:
        """The registers before the first instruction."""
        return [*[bindings[name] for name in self._names], *map(xp.constant, self._constants)]


def _wildcards_of(pattern: AnyLayer) -> tuple[tuple[str, ...], bool]:
    """The names of a pattern's wildcards, and whether the pattern has a Number below several operations."""
    order = post_order(pattern)
    names = dict.fromkeys([node.name for node in order if isinstance(node, Wildcard)])
    has_numbers = any(isinstance(node, Number) for node in order)
    return tuple(names), has_numbers and sum(bool(children_of(node)) for node in order) > 1


class _Untyped(Table):
    """A table that infers no specs."""

    def _spec(self, key: tuple[Any, ...], node: AnyLayer | None, values: tuple[TreeValue, ...]) -> SpecTree:
        return ()


def match(pattern: AnyLayer, node: AnyLayer) -> dict[str, object] | None:
    """The bindings under which a pattern is a formula, or None. A pattern that requires properties matches nothing.

    >>> from layertree import Identity, Negative, Sin
    >>> match(Negative(Wildcard("a")), Negative(Sin(Identity())))
    {'a': Sin(Identity())}
    """
    table = _Untyped()
    found: dict[int, TreeValue] = {}
    for one in post_order(node):
        if is_a(one, Literal):
            found[id(one)] = table.constant(one)
        elif one.__control__ in ("source", "cell", "free"):
            found[id(one)] = table.known(one, ())
        else:
            found[id(one)] = table.operation(one, tuple([found[id(child)] for child in children_of(one)]))
    value = found[id(node)]
    if value.kind is not type_of(pattern):
        return None
    bindings = Matcher(pattern).match(node, value.children)
    if bindings is None:
        return None
    return {name: bound.layer if isinstance(bound, TreeValue) else bound for name, bound in bindings.items()}
