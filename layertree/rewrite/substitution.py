"""Substitution: sub-formulas replaced by other formulas, at all occurrences at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.errors import UnknownPathError
from layertree.core.fields import lift
from layertree.core.layer import AnyLayer, Layer
from layertree.core.structure import children_of, own_children, post_order, rebuild
from layertree.rewrite.selection import find, unknown
from layertree.rewrite.surgery import Rewritable
from layertree.rewrite.traversal import nodes_below

R = TypeVar("R")


def substitute(layer: Rewritable[R], replacements: Mapping[Any, object] | Iterable[tuple[AnyLayer, object]]) -> R:
    """The formula with each sub-formula that equals a key replaced by the value of the key, all at once.

    The keys are formulas of the same input, such as the input itself, a weight, or any sub-formula. The outer part of a
    composition has another input, so there only formulas that do not depend on the input are equal to a key.

    >>> from layertree import Identity, Plus, Sin, Times
    >>> x = Identity()
    >>> substitute(Times(Sin(x), Plus(Sin(x), x)), {Sin(x): x, x: Sin(x)})
    Times(Identity(), Plus(Identity(), Sin(Identity())))

    Raises UnknownPathError for a key that is no part of the formula, ValueError for a replacement in the outer part of
    a composition that depends on the input.
    """
    root = layer.__layer__()
    given: Any = replacements
    pairs: list[tuple[AnyLayer, object]] = list(given.items() if is_a(given, Mapping) else given)
    substitution = _Substitution([(key.__layer__(), lift(new)) for key, new in pairs])
    # Outer parts of compositions first, where only closed formulas are replaced; then over the formula's own input.
    outer = [node.outer for node in post_order(root) if node.__control__ == "call"]
    result = substitution.of_root(root, substitution.of_outer(outer))
    substitution.require_all(root)
    return layer.with_layer(result, [new for _, new in pairs if isinstance(new, Layer)])


class _Substitution:
    """A simultaneous substitution, and the keys that it has not applied yet."""

    def __init__(self, pairs: list[tuple[AnyLayer, AnyLayer]]) -> None:
        self._new = dict(pairs)
        self._open = {key for key in self._new if _is_open(key)}
        self._unused = dict.fromkeys(self._new)

    def of_outer(self, outer: list[AnyLayer]) -> dict[int, AnyLayer]:
        """The replacement of each node within the outer parts of compositions, by id."""
        results: dict[int, AnyLayer] = {}
        for node in nodes_below(outer):
            new = None if node in self._open else self._new.get(node)
            if new is None:
                new = rebuild(node, tuple([results[id(child)] for child in children_of(node)]))
            else:
                self._unused.pop(node, None)
                if _is_open(new):
                    raise ValueError(
                        f"{brief_formula(new)} depends on the input, and would take the place of {brief_formula(node)} "
                        "in the outer part of a composition, which has another input: exchange it there, then compose"
                    )
            results[id(node)] = new
        return results

    def of_root(self, root: AnyLayer, outer: Mapping[int, AnyLayer]) -> AnyLayer:
        """The replacement of a formula, given those of the outer parts of its compositions."""
        results: dict[int, AnyLayer] = {}
        for node in post_order(root, own_children):
            new = self._new.get(node)
            if new is None:
                children = [results[id(child)] for child in own_children(node)]
                if node.__control__ == "call":
                    children.append(outer[id(node.outer)])
                new = rebuild(node, tuple(children))
            else:
                self._unused.pop(node, None)
            results[id(node)] = new
        return results[id(root)]

    def require_all(self, root: AnyLayer) -> None:
        """An error for a key that the formula does not have."""
        for key in self._unused:
            if not find(root, key):
                raise unknown(root, key)
            # A key that vanished with the sub-formula of another key is no mistake.
            if not any(find(other, key) for other in self._new if other is not key):
                raise UnknownPathError(
                    f"{brief_formula(key)} depends on the input, and stands in the outer part of a composition alone, "
                    "which has another input: exchange it there, then compose"
                )


def _is_open(layer: AnyLayer) -> bool:
    """Whether a formula depends on its input."""
    return any(node.__control__ == "source" for node in post_order(layer, own_children))
