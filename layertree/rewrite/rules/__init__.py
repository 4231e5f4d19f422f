"""The rules of simplification, each a pattern and its replacement.

The rules whose pattern has its root in a family of layers stand in the module of the same name: the rules of
``layers/arithmetic.py`` in ``rules/arithmetic.py``. A module loads when simplification first looks up a node of its
family, so a formula loads only layer classes near to its own. Within a module the order of the rules is the order in
which they are tried.

The rules hold for every value, NaN, infinity and the sign of a zero included, up to rounding where constants are
combined. A rule that would hide a NaN or an infinity (a product with zero, a difference that cancels, multiples of two
signs that are collected) requires properties that exclude both. Constants are combined only where the result is
neither infinite nor newly zero.

Two exceptions: an intermediate result within a factor of 64 of the largest or smallest number of its dtype may
overflow or vanish on one side alone, with the infinity or NaN that follows (``(2.0 * a) * b`` becomes
``2.0 * (a * b)`` for every ``a``); and a logarithm undoes an exponential that overflows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import overload

from layertree.rewrite.pattern import Rule
from layertree.rewrite.rule_index import by_root

FAMILIES = (
    "arithmetic",
    "comparison",
    "control",
    "elementwise",
    "linear_algebra",
    "reduction",
    "shape",
    "stacks",
)
"""The families of layers with rules."""

_LAYERS = "layertree.layers"


class RuleSet(Sequence[Rule]):
    """The rules of all families as one immutable sequence. Look-up by the root of a pattern loads one family alone."""

    def __init__(self) -> None:
        self._rules: tuple[Rule, ...] | None = None
        self._by_root: dict[type, Sequence[Rule]] = {}
        self._loaded: set[str] = set()

    def rooted_in(self, cls: type) -> Sequence[Rule]:
        """The rules whose pattern has a node of a class as its root, in the order in which they are tried."""
        package, _, family = cls.__module__.rpartition(".")
        if package == _LAYERS and family in FAMILIES and family not in self._loaded:
            self._by_root.update(by_root(rules_of(family)))
            self._loaded.add(family)
        return self._by_root.get(cls, ())

    def _all(self) -> tuple[Rule, ...]:
        if self._rules is None:
            self._rules = tuple([rule for family in FAMILIES for rule in rules_of(family)])
        return self._rules

    @overload
    def __getitem__(self, index: int, /) -> Rule: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[Rule, ...]: ...
    def __getitem__(self, index: int | slice, /) -> Rule | tuple[Rule, ...]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._all())

    def __add__(self, other: tuple[Rule, ...]) -> tuple[Rule, ...]:
        return self._all() + tuple(other)

    def __radd__(self, other: tuple[Rule, ...]) -> tuple[Rule, ...]:
        return tuple(other) + self._all()

    def __repr__(self) -> str:
        return repr(self._all())


def rules_of(family: str) -> tuple[Rule, ...]:
    """The rules of a family of layers, in the order in which they are tried."""
    rules: tuple[Rule, ...] = import_module(f"{__name__}.{family}").RULES
    return rules


RULES: RuleSet = RuleSet()
"""All rules of simplification."""
