"""Rules of rewriting: a pattern and what takes its place, both trees of case classes with variables."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from layertree._fields import attribute, layer
from layertree._layer import Layer
from layertree._structure import children_of, post_order, rebuild

Bindings = dict[str, Any]


@layer
class Variable(Layer[Any, Any]):
    """A place in a pattern that any sub-formula can take; the same one wherever its name stands."""

    name: str = attribute(help="what the place is called")

    def admits(self, node: Any) -> bool:
        """Whether a node can take the place."""
        return True


@layer
class Number(Layer[Any, Any]):
    """A place that only a constant of rank 0 can take."""

    name: str = attribute(help="what the place is called")

    def admits(self, node: Any) -> bool:
        """Whether a node can take the place."""
        return is_number(node)


def is_number(node: Any) -> bool:
    """Whether a node is a constant of rank 0."""
    return bool(node._control == "constant" and not isinstance(node.data, tuple) and np.ndim(node.data) == 0)


def _variables(pattern: Any) -> frozenset[str]:
    return frozenset(node.name for node in post_order(pattern) if isinstance(node, (Variable, Number)))


@attrs.frozen
class Rule:
    """``replacement`` takes the place of what ``pattern`` matches, with the same bindings.

    Constants in a pattern match by ``==``, so ``Literal(0)`` is any zero of rank 0. A rule that does not keep all of
    the pattern's variables is used only where the shapes are known to stay the same.

    >>> from layertree import Negative
    >>> a = Variable("a")
    >>> Rule(Negative(Negative(a)), a).keeps_all
    True
    """

    pattern: Any
    replacement: Any
    keeps_all: bool = attrs.field(init=False)

    @keeps_all.default  # pyright: ignore  # attrs has made it a field
    def _keeps_all(self) -> bool:
        return _variables(self.pattern) == _variables(self.replacement)


def match(pattern: Any, node: Any) -> Bindings | None:
    """The bindings under which a pattern is a node, or None."""
    bindings: Bindings = {}
    stack = [(pattern, node)]
    while stack:
        wanted, found = stack.pop()
        if isinstance(wanted, (Variable, Number)):
            if not wanted.admits(found) or bindings.setdefault(wanted.name, found) != found:
                return None
        elif wanted._control == "constant":
            if not is_number(found) or found.data != wanted.data:
                return None
        elif type(wanted) is not type(found) or wanted._label() != found._label():
            return None
        else:
            stack.extend(zip(children_of(wanted), children_of(found), strict=True))
    return bindings


def substitute(replacement: Any, bindings: Bindings, build: Any) -> Any:
    """A replacement with its variables filled in; ``build(node, children)`` makes each node of it."""
    made: dict[int, Any] = {}
    for node in post_order(replacement):
        if isinstance(node, (Variable, Number)):
            made[id(node)] = bindings[node.name]
        elif node._control == "constant":
            made[id(node)] = node
        else:
            made[id(node)] = build(rebuild(node, tuple([made[id(child)] for child in children_of(node)])))
    return made[id(replacement)]
