"""The language of rewrite rules: a pattern and a replacement, both terms with variables.

A term is a tree of case classes. Its variables are leaves of two classes, ``Wildcard`` for any sub-formula and
``Number`` for a constant, and attributes of two classes, ``AttributeWildcard`` and ``ComputedAttribute``. A rule whose
pattern matches a node under some bindings replaces the node by the replacement with the same bindings (Baader, Nipkow:
Term Rewriting and All That, 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from itertools import product
from typing import Any, ClassVar, TypeAlias

import attrs

from layertree.core.fields import attribute, layer, lift
from layertree.core.layer import AnyLayer, Layer
from layertree.core.structure import children_of, post_order, rebuild
from layertree.rewrite.folding import is_moderate
from layertree.rewrite.intervals import PROPERTIES

Bindings: TypeAlias = dict[str, Any]
"""What each variable of a pattern matched, by name: of a leaf a TreeValue, of an attribute its value."""


@layer
class Wildcard(Layer[object, Any]):
    """A variable of a pattern, which matches any sub-formula; all occurrences of one name match equal sub-formulas.

    ``where`` names properties that the matched value must have for every input: ``"constant"`` (a number),
    ``"finite"`` (neither infinite nor NaN, and far from overflow), ``"moderate"`` (of a magnitude from 1/64 to 64),
    ``"nonnegative"`` (or NaN), ``"nonzero"`` (or NaN), ``"unsigned"`` (never -0.0),
    ``"signless"`` (integers, or neither negative nor -0.0) and ``"scalar"`` (of rank 0). Interval arithmetic over the
    sub-formula proves a property; without a proof the pattern does not match.
    """

    name: str = attribute(help="the name of the variable")
    where: tuple[str, ...] = attribute(default=(), choices=PROPERTIES, help="the properties that a match must have")

    __control__: ClassVar[str | None] = "wildcard"


@layer
class Number(Layer[object, Any]):
    """A variable of a pattern, which matches any constant of rank 0, of any dtype.

    With ``natural`` it matches only 1, 2, 3 and so on, with ``moderate`` only a magnitude from 1/64 to 64.
    """

    name: str = attribute(help="the name of the variable")
    natural: bool = attribute(default=False, help="whether the number must be a whole number of at least 1")
    moderate: bool = attribute(default=False, help="whether the magnitude must be from 1/64 to 64")

    __control__: ClassVar[str | None] = "wildcard"

    def admits(self, number: float) -> bool:
        """Whether the variable matches a number."""
        return (not self.natural or (number >= 1 and number % 1 == 0)) and (not self.moderate or is_moderate(number))


Variable: TypeAlias = Wildcard | Number
"""A leaf of a pattern that is bound by a match."""


@attrs.frozen
class AttributeWildcard:
    """An attribute of a pattern that matches any value; all occurrences of one name match equal values."""

    name: str


@attrs.frozen
class ComputedAttribute:
    """An attribute of a replacement: a function of the values that attribute wildcards of the same names matched."""

    function: Callable[..., object]

    def value(self, bindings: Mapping[str, object]) -> object:
        """The value of the attribute under some bindings."""
        return self.function(**{name: bindings[name] for name in signature(self.function).parameters})


def form(cls: type[AnyLayer], *children: AnyLayer, **attributes: object) -> AnyLayer:
    """A node of a pattern whose attributes may be wildcards, which the constructor of the class would refuse.

    >>> from layertree import Reshape
    >>> form(Reshape, Wildcard("a"), shape=AttributeWildcard("s"))
    Reshape(Wildcard(name='a'), shape=AttributeWildcard(name='s'))
    """
    node: AnyLayer = object.__new__(cls)
    layout = cls.__layout__
    fields: dict[str, attrs.Attribute[object]] = attrs.fields_dict(cls)  # type: ignore[arg-type]  # of attrs, by @layer
    defaults = {name: fields[name].default for name in layout.attributes}
    node.__dict__.update(defaults | attributes)
    node.__dict__.update(zip(layout.operands + layout.regions, children, strict=True))
    return node


def _variables(term: AnyLayer) -> Iterator[str]:
    """The names of all variables of a term, attributes included."""
    for node in post_order(term):
        if isinstance(node, (Wildcard, Number)):
            yield node.name
        else:
            for name in node.__layout__.attributes:
                value = getattr(node, name)
                if isinstance(value, AttributeWildcard):
                    yield value.name
                elif isinstance(value, ComputedAttribute):
                    yield from signature(value.function).parameters


@attrs.frozen
class Rule:
    """Rewrites a node that ``pattern`` matches to ``replacement`` under the same bindings.

    Constants in a pattern match by ``==``, so ``Literal(0)`` matches any zero of rank 0. ``when`` is a further
    condition, a function whose parameters are names of variables: of an attribute wildcard the condition receives the
    value, of a Number the number, and of a Wildcard a function from the name of a property to whether the property is
    proven.

    A rule applies only where dtype and rank of the node stay, and a rule whose replacement lacks a variable of the
    pattern only where the shapes are known to stay. Further conditions keep results correct:

    - With a Number in the pattern, all wildcards must have the dtype of the node, and each number that the rule
      computes must be sound in that dtype: finite, exact for whole numbers, no product that vanishes.
    - A rule that changes the order of arithmetic operations applies only where all operands have one dtype of floats,
      or are Python integers, since other integers wrap around; Python numbers adopt the dtype of arrays. A rule that
      only moves elements applies to every dtype.

    Raises TypeError for a pattern that is no operation, ValueError for a variable that only the replacement has.

    >>> from layertree import Negative
    >>> a = Wildcard("a")
    >>> Rule(Negative(Negative(a)), a)
    Rule(Negative(Negative(Wildcard(name='a'))), Wildcard(name='a'))
    """

    pattern: AnyLayer = attrs.field(converter=lift)
    replacement: AnyLayer = attrs.field(converter=lift)
    when: Callable[..., bool] | None = None
    keeps_all: bool = attrs.field(init=False, repr=False, eq=False)
    """Whether the replacement has all variables of the pattern, so that the shape stays by itself."""

    def __attrs_post_init__(self) -> None:
        if self.pattern.__control__ is not None and self.pattern.__control__ != "cond":
            raise TypeError(f"{self.pattern!r} is no pattern: give an operation, such as Sin(Wildcard('a'))")
        known, kept = set(_variables(self.pattern)), set(_variables(self.replacement))
        if kept - known:
            unknown = sorted(kept - known)
            raise ValueError(f"the replacement has {unknown}, which the pattern {self.pattern!r} does not have")
        object.__setattr__(self, "keeps_all", known == kept)

    def __repr__(self) -> str:
        condition = "" if self.when is None else f", when={getattr(self.when, '__name__', self.when)}"
        return f"Rule({self.pattern!r}, {self.replacement!r}{condition})"


def commuted(rule: Rule) -> tuple[Rule, ...]:
    """The rule for both orders of the operands of each Plus and Times in its pattern (matching modulo commutativity).

    A Number stays the first operand, where simplification puts constants.

    >>> from layertree import Exp, Plus
    >>> a, b = Wildcard("a"), Wildcard("b")
    >>> [variant.pattern for variant in commuted(Rule(Plus(Exp(a), b), Plus(b, Exp(a))))]
    [Plus(Exp(Wildcard(name='a')), Wildcard(name='b')), Plus(Wildcard(name='b'), Exp(Wildcard(name='a')))]
    """
    patterns = dict.fromkeys(_orders(rule.pattern))
    return tuple([Rule(pattern, rule.replacement, rule.when) for pattern in patterns])


def _orders(term: AnyLayer) -> list[AnyLayer]:
    """The term with the operands of its commutative operations in each order; patterns are small, so it recurses."""
    children = children_of(term)
    found: list[AnyLayer] = [rebuild(term, chosen) for chosen in product(*map(_orders, children))]
    if term.__function__ in ("add", "multiply") and not isinstance(children[0], Number):
        found += [rebuild(node, children_of(node)[::-1]) for node in found]
    return found
