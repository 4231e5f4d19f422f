"""The index of rules: which rules may apply to a node, by one look-up.

A fingerprint index (Schulz: Fingerprint Indexing for Paramodulation and Rewriting, 2012): nodes whose symbols agree at
the root, at the operands and at the operands' operands have the same candidates, and most nodes have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.core.structure import children_of
from layertree.namespaces.hash_consing import Scalar, TreeValue
from layertree.rewrite.matching import CompiledRule
from layertree.rewrite.pattern import Number, Rule, Wildcard

Symbol: TypeAlias = type | None
"""The symbol at the root of a value: the class of an operation, ``Scalar`` or ``Literal`` of a constant, else None."""

Fingerprint: TypeAlias = tuple[Symbol, ...]
"""The symbol of a value, then those of its children if these are few."""

Relation: TypeAlias = str
"""How two operands share a value: ``same``, ``first in second``, ``second in first``, or empty."""


def by_root(rules: Iterable[Rule]) -> Mapping[type, Sequence[Rule]]:
    """Rules by the class of the root of their pattern, in the order in which they were given."""
    found: dict[type, list[Rule]] = {}
    for rule in rules:
        found.setdefault(type(rule.pattern), []).append(rule)
    return found


class RuleIndex:
    """Rules by root, and by fingerprints of the operands: for most nodes one look-up tells that no rule applies.

    ``rooted_in`` gives the rules for a class of the root, and is called once for each class.
    """

    def __init__(self, rooted_in: Callable[[type], Sequence[Rule]]) -> None:
        self._rooted_in = rooted_in
        self._by_root: dict[type, Sequence[Rule]] = {}
        self._compiled: dict[int, CompiledRule] = {}
        self._candidates: dict[tuple[Symbol | Fingerprint | Relation, ...], tuple[CompiledRule, ...]] = {}

    def candidates(self, cls: type, values: tuple[TreeValue, ...]) -> tuple[CompiledRule, ...]:
        """The rules that may apply to a node of a class over some values."""
        rules = self._by_root.get(cls)
        if rules is None:
            rules = self._by_root[cls] = self._rooted_in(cls)
        if not rules:
            return ()
        key: tuple[Symbol | Fingerprint | Relation, ...]
        key = (cls, *[value.kinds or _fingerprint(value) for value in values])
        if len(values) == 2:
            key = (*key, _relation(*values))
        found = self._candidates.get(key)
        if found is None:
            fitting = [rule for rule in rules if _fits(children_of(rule.pattern), values)]
            found = self._candidates[key] = tuple(map(self._compile, fitting))
        return found

    def _compile(self, rule: Rule) -> CompiledRule:
        """The compiled rule; compilation is lazy, since one formula needs few rules."""
        found = self._compiled.get(id(rule))
        if found is None:
            found = self._compiled[id(rule)] = CompiledRule(rule)
        return found


@lru_cache(maxsize=32)
def rule_index(rules: tuple[Rule, ...]) -> RuleIndex:
    """The index of some rules, memoised."""
    rules_by_root = by_root(rules)
    return RuleIndex(lambda cls: rules_by_root.get(cls, ()))


_MOST_CHILDREN = 3
"""Of a value with more children, the fingerprint is its own symbol alone."""


def _fingerprint(value: TreeValue) -> Fingerprint:
    children = value.children if len(value.children) <= _MOST_CHILDREN else ()
    found: Fingerprint = (value.kind, *[child.kind for child in children])
    value.kinds = found
    return found


def _relation(first: TreeValue, second: TreeValue) -> Relation:
    if first is second:
        return "same"
    if second in first.children:
        return "second in first"
    return "first in second" if first in second.children else ""


def _fits(patterns: tuple[AnyLayer, ...], values: tuple[TreeValue, ...]) -> bool:
    """Whether patterns may match these values, and all others with the same fingerprints and relation."""
    if len(patterns) != len(values):
        return False
    if len(values) == 2 and _wanted_relation(*patterns) not in ("", _relation(*values)):
        return False
    return all(_allows(pattern, value.kinds) for pattern, value in zip(patterns, values, strict=True))


def _wanted_relation(first: AnyLayer, second: AnyLayer) -> Relation:
    """The relation that two patterns with a variable in common require."""
    one, two = _name(first), _name(second)
    if one is not None and two is not None:
        return "same" if one == two else ""
    if two is not None and two in map(_name, children_of(first)):
        return "second in first"
    return "first in second" if one is not None and one in map(_name, children_of(second)) else ""


def _name(pattern: AnyLayer) -> str | None:
    """The name of a variable; None for another term."""
    return pattern.name if isinstance(pattern, (Wildcard, Number)) else None


def _allows(pattern: AnyLayer, fingerprint: Fingerprint) -> bool:
    """Whether a pattern may match a value with a fingerprint."""
    if isinstance(pattern, Wildcard):
        return True
    if isinstance(pattern, (Number, Literal)):
        return fingerprint[0] is Scalar
    children = children_of(pattern)
    if type(pattern) is not fingerprint[0] or len(fingerprint) == 1:
        return type(pattern) is fingerprint[0]
    return len(children) == len(fingerprint) - 1 and all(map(_allows, children, [(one,) for one in fingerprint[1:]]))
