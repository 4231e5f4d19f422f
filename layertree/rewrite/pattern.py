"""Rules of rewriting: a pattern and what takes its place, both trees of case classes with variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from itertools import product
from typing import Any, ClassVar

import attrs

from layertree.core.fields import attribute, layer, lift
from layertree.core.layer import Layer
from layertree.core.structure import children_of, post_order, rebuild
from layertree.rewrite._facts import FACTS
from layertree.rewrite._numbers import is_moderate

Bindings = dict[str, Any]


@layer
class Variable(Layer[Any, Any]):
    """A place in a pattern that any sub-formula can take; the same one wherever its name stands.

    ``where`` are facts that have to be known of it: ``"constant"`` (a number), ``"finite"`` (neither infinite nor NaN,
    and far from overflow), ``"moderate"`` (of a magnitude from 1/64 to 64), ``"nonnegative"`` (or NaN), ``"nonzero"``
    (or NaN) and ``"scalar"`` (of rank 0). They are found out from constants, integers, and what
    exp, abs, squares and the like do.
    """

    name: str = attribute(help="what the place is called")
    where: tuple[str, ...] = attribute(default=(), choices=FACTS, help="what has to be known of it")

    __control__: ClassVar[str | None] = "place"


@layer
class Number(Layer[Any, Any]):
    """A place that only a constant of rank 0 can take, of any dtype.

    With ``natural`` only 1, 2, 3 and so on, with ``moderate`` only one of a magnitude from 1/64 to 64.
    """

    name: str = attribute(help="what the place is called")
    natural: bool = attribute(default=False, help="whether it has to be a whole number of at least 1")
    moderate: bool = attribute(default=False, help="whether its magnitude has to be from 1/64 to 64")

    __control__: ClassVar[str | None] = "place"

    def admits(self, data: Any) -> bool:
        """Whether a number can take the place."""
        return (not self.natural or (data >= 1 and data % 1 == 0)) and (not self.moderate or is_moderate(data))


@attrs.frozen
class Setting:
    """A place that the value of an attribute can take."""

    name: str


@attrs.frozen
class Computed:
    """An attribute that is computed from settings, which the function takes by the names of its parameters."""

    function: Callable[..., Any]

    def value(self, bindings: Bindings) -> Any:
        """The value for what has taken the places."""
        return call_with(self.function, bindings)


def form(cls: Any, *children: Any, **attributes: Any) -> Any:
    """A node of a pattern whose attributes may be settings, which the class's constructor would refuse.

    >>> from layertree import Reshape
    >>> form(Reshape, Variable("a"), shape=Setting("s"))
    Reshape(Variable(name='a'), shape=Setting(name='s'))
    """
    made: Any = object.__new__(cls)
    layout = cls.__layout__
    defaults = {field.name: field.default for field in attrs.fields(cls) if field.name in layout.attributes}
    made.__dict__.update(defaults | attributes)
    made.__dict__.update(zip(layout.operands + layout.regions, children, strict=True))
    return made


def call_with(function: Callable[..., Any], bindings: Bindings) -> Any:
    """A function of some of the bindings, by the names of its parameters."""
    return function(**{name: bindings[name] for name in signature(function).parameters})


def _places(tree: Any) -> Iterator[str]:
    for node in post_order(tree):
        if node.__control__ == "place":
            yield node.name
        else:
            for name in node.__layout__.attributes:
                value = getattr(node, name)
                if isinstance(value, Setting):
                    yield value.name
                elif isinstance(value, Computed):
                    yield from signature(value.function).parameters


@attrs.frozen
class Rule:
    """``replacement`` takes the place of what ``pattern`` matches, with the same bindings.

    Constants in a pattern match by ``==``, so ``Literal(0)`` is any zero of rank 0. A rule that does not keep all of
    the pattern's places is used only where the shapes are known to stay the same, and any rule only where dtype and
    rank do. ``when`` is a further condition, a function of places by their names: of a setting it takes the value, of a
    number the number, and of a variable a function that tells whether one of the facts is known of it.

    A rule with numbers is used only where its variables have the dtype of the whole, and only where each number that
    it computes of them stands for them: it is finite in that dtype, whole numbers are exact, and no product vanishes.

    A rule that computes in another order is used only where all of it is in one dtype of floats, Python numbers beside
    it aside, or of Python integers: others wrap around. One that moves elements serves every dtype.

    >>> from layertree import Negative
    >>> a = Variable("a")
    >>> Rule(Negative(Negative(a)), a)
    Rule(Negative(Negative(Variable(name='a'))), Variable(name='a'))
    """

    pattern: Any = attrs.field(converter=lift)
    replacement: Any = attrs.field(converter=lift)
    when: Callable[..., bool] | None = None
    keeps_all: bool = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        if self.pattern.__control__ is not None and self.pattern.__control__ != "cond":
            raise TypeError(f"{self.pattern!r} is no pattern: give an operation, such as Sin(Variable('a'))")
        known, kept = set(_places(self.pattern)), set(_places(self.replacement))
        if kept - known:
            unknown = sorted(kept - known)
            raise ValueError(f"the replacement has {unknown}, which the pattern {self.pattern!r} does not have")
        object.__setattr__(self, "keeps_all", known == kept)

    def __repr__(self) -> str:
        condition = "" if self.when is None else f", when={getattr(self.when, '__name__', self.when)}"
        return f"Rule({self.pattern!r}, {self.replacement!r}{condition})"


def commuted(rule: Rule) -> tuple[Rule, ...]:
    """The rule with the operands of each Plus and Times of its pattern in both orders.

    Constants stay in front, where simplification puts them.

    >>> from layertree import Exp, Plus
    >>> a, b = Variable("a"), Variable("b")
    >>> [variant.pattern for variant in commuted(Rule(Plus(Exp(a), b), Plus(b, Exp(a))))]
    [Plus(Exp(Variable(name='a')), Variable(name='b')), Plus(Variable(name='b'), Exp(Variable(name='a')))]
    """
    patterns = dict.fromkeys(_orders(rule.pattern))
    return tuple([Rule(pattern, rule.replacement, rule.when) for pattern in patterns])


def _orders(tree: Any) -> list[Any]:
    children = children_of(tree)
    found = [rebuild(tree, chosen) for chosen in product(*map(_orders, children))]
    if tree.__function__ in ("add", "multiply") and not isinstance(children[0], Number):
        found += [rebuild(node, children_of(node)[::-1]) for node in found]
    return found
