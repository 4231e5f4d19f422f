"""Simplification: a formula rebuilt node by node, each in its simplest form before the next one is built on it."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

import numpy as np

from layertree._kinds import type_of
from layertree._literal import Literal
from layertree._run import compute
from layertree._spec import spec_of
from layertree._structure import operands_of, rebuild
from layertree._sweep import Request, sweep
from layertree.layers.control import If
from layertree.namespaces.spec import branches, infer
from layertree.rewrite.pattern import Rule, match, substitute
from layertree.rewrite.rules import RULES

_FOLDED_ELEMENTS = 1024


def simplify(layer: Any, spec: Any, rules: Iterable[Rule] = RULES) -> Any:
    """The formula in its simplest form by some rules, for an input of a spec.

    Constants are folded, equal nodes become one, compositions are put in place, and a branch whose condition is known
    takes the place of its If. A rule applies only where shape and dtype stay. Works on any depth, in near linear time.

    >>> from layertree import Identity, Plus, Times
    >>> from layertree.rewrite.simplify import simplify
    >>> simplify(Times(1.0, Plus(Identity(), 0.0)), spec_of(2.0))
    Identity()
    """
    reading = Simplifying(rules)
    root = layer.__layer__()
    return sweep(root, reading.source(root, spec), reading).layer


class Simple:
    """A node in its simplest form, and its spec."""

    __slots__ = ("layer", "spec")

    def __init__(self, layer: Any, spec: Any) -> None:
        self.layer: Any = layer
        self.spec: Any = spec


class Simplifying:
    """The reading whose results are simple nodes; it keeps one node of those that are equal."""

    def __init__(self, rules: Iterable[Rule] = RULES) -> None:
        self._table: dict[Any, Simple] = {}
        self._rules: dict[type, list[Rule]] = {}
        for rule in rules:
            self._rules.setdefault(type_of(rule.pattern), []).append(rule)

    def source(self, root: Any, spec: Any) -> Simple:
        """The input as a simple node: the formula's own, where it has one."""
        from layertree._identity import Identity
        from layertree._structure import post_order

        own = next((node for node in post_order(root) if node._control == "source"), None)
        return self._known(Identity() if own is None else own, spec)

    def apply(self, node: Any, inputs: list[Simple]) -> Simple:
        """An operation over simple operands."""
        return self._simplest(rebuild(node, tuple([simple.layer for simple in inputs])))

    def constant(self, node: Any, context: Any) -> Simple:
        """A constant is simple."""
        return self._known(node, spec_of(node.data))

    def cell(self, node: Any, context: Any) -> Simple:
        """A cell is simple."""
        return self._known(node, spec_of(node.value))

    def free(self, node: Any, context: Any) -> Simple:
        """A free variable is simple."""
        return self._known(node, node.spec)

    def cond(self, node: Any, inputs: list[Simple], source: Simple, context: Any) -> Generator[Request, Simple, Simple]:
        """An If whose condition is known is the branch it takes."""
        condition = inputs[0]
        if condition.layer._control == "constant":
            return (yield Request(node.then if condition.layer.data else node.otherwise, source, context))
        then = yield Request(node.then, source, context)
        otherwise = yield Request(node.otherwise, source, context)
        if then.layer == otherwise.layer:
            return then
        layer: Any = If(condition.layer, then.layer, otherwise.layer)
        return self._known(layer, branches(layer, condition.spec, then.spec, otherwise.spec))

    def call(self, node: Any, inputs: list[Simple], source: Any, context: Any) -> Generator[Request, Simple, Simple]:
        """A composition is its outer formula over the inner one."""
        return (yield Request(node.outer, inputs[0], context))

    def _known(self, layer: Any, spec: Any) -> Simple:
        return self._table.setdefault(layer, Simple(layer, spec))

    def _spec(self, layer: Any) -> Any:
        known = self._table.get(layer)
        if known is not None:
            return known.spec
        return self.constant(layer, None).spec if layer._control == "constant" else self.cell(layer, None).spec

    def _simplest_layer(self, layer: Any) -> Any:
        return self._simplest(layer).layer

    def _simplest(self, layer: Any) -> Simple:
        """The simplest form of a node over simple operands."""
        known = self._table.get(layer)
        if known is not None:
            return known
        spec = infer(layer, [self._spec(operand) for operand in operands_of(layer)])
        simple = self._folded(layer, spec) or self._rewritten(layer, spec) or Simple(layer, spec)
        self._table[layer] = simple
        return self._table.setdefault(simple.layer, simple)

    def _folded(self, layer: Any, spec: Any) -> Simple | None:
        """A small operation on constants alone as a constant."""
        operands = operands_of(layer)
        if not operands or layer._has_tape or layer._has_effect or layer._layout.identities:
            return None
        if not all(operand._control == "constant" for operand in operands) or isinstance(spec, tuple):
            return None
        if any(np.size(operand.data) > _FOLDED_ELEMENTS for operand in operands):
            return None
        with np.errstate(all="ignore"):
            data = compute(layer, tuple([operand.data for operand in operands]))[1]
        if np.size(data) > _FOLDED_ELEMENTS or spec_of(data) != spec:
            return None
        return self.constant(Literal(data), None)

    def _rewritten(self, layer: Any, spec: Any) -> Simple | None:
        """What the first rule that fits puts in the node's place."""
        for rule in self._rules.get(type_of(layer), ()):
            bindings = match(rule.pattern, layer)
            if bindings is not None:
                made = substitute(rule.replacement, bindings, self._simplest_layer)
                found = self._spec(made)
                if _stays(spec, found, rule.keeps_all):
                    return self._table.setdefault(made, Simple(made, found))
        return None


def _stays(before: Any, after: Any, keeps_all: bool) -> bool:
    """Whether shape and dtype are known to be the same."""
    if isinstance(before, tuple) or isinstance(after, tuple):
        return bool(before == after)
    if (before.dtype, before.weak, before.ndim) != (after.dtype, after.weak, after.ndim):
        return False
    return keeps_all or (before.shape == after.shape and None not in before.shape)
