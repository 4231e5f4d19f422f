"""Parts of a formula exchanged for other formulas, wherever something equal stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.errors import UnknownPathError
from layertree.core.fields import lift
from layertree.core.layer import Layer
from layertree.core.structure import children_of, own_children, post_order, rebuild
from layertree.rewrite.selection import find, unknown
from layertree.rewrite.surgery import Rewritable
from layertree.rewrite.traversal import nodes_below

R = TypeVar("R")


def substitute(layer: Rewritable[R], replacements: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> R:
    """The formula with other formulas in the place of parts of it, wherever something equal stands; all at once.

    The keys are formulas of the same input, such as the input itself, a weight, or a part that was kept by name. In the
    outer part of a composition, which has another input, only what does not depend on the input is the same thing.

    >>> from layertree import Identity, Plus, Sin, Times
    >>> x = Identity()
    >>> substitute(Times(Sin(x), Plus(Sin(x), x)), {Sin(x): x, x: Sin(x)})
    Times(Identity(), Plus(Identity(), Sin(Identity())))

    Raises UnknownPathError for a key that is no part of the formula, ValueError for a replacement that depends on the
    input where there is another one.
    """
    root = layer.__layer__()
    given: Any = replacements
    pairs: list[tuple[Any, Any]] = list(given.items() if is_a(given, Mapping) else given)
    exchange = _Exchange([(key.__layer__(), lift(new)) for key, new in pairs])
    # Within outer parts first, where only closed formulas keep their meaning; then over the formula's own input.
    outer = [node.outer for node in post_order(root) if node.__control__ == "call"]
    made = exchange.here(root, exchange.elsewhere(outer))
    exchange.require_all(root)
    return layer.with_layer(made, [new for _, new in pairs if isinstance(new, Layer)])


class _Exchange:
    """Some formulas for others."""

    def __init__(self, pairs: list[tuple[Any, Any]]) -> None:
        self._new = dict(pairs)
        self._open = {key for key in self._new if _is_open(key)}
        self._missing = dict.fromkeys(self._new)

    def elsewhere(self, outer: list[Any]) -> dict[int, Any]:
        """What becomes of each node within outer parts, by id."""
        made: dict[int, Any] = {}
        for node in nodes_below(outer):
            new = None if node in self._open else self._new.get(node)
            if new is None:
                new = rebuild(node, tuple([made[id(child)] for child in children_of(node)]))
            else:
                self._missing.pop(node, None)
                if _is_open(new):
                    raise ValueError(
                        f"{brief_formula(new)} depends on the input, and would take the place of {brief_formula(node)} "
                        "in the outer part of a composition, which has another input: exchange it there, then compose"
                    )
            made[id(node)] = new
        return made

    def here(self, root: Any, outer: Mapping[int, Any]) -> Any:
        """What becomes of a formula, with what has become of outer parts."""
        made: dict[int, Any] = {}
        for node in post_order(root, own_children):
            new = self._new.get(node)
            if new is None:
                below = [made[id(child)] for child in own_children(node)]
                if node.__control__ == "call":
                    below.append(outer[id(node.outer)])
                new = rebuild(node, tuple(below))
            else:
                self._missing.pop(node, None)
            made[id(node)] = new
        return made[id(root)]

    def require_all(self, root: Any) -> None:
        """An error for a key that was not met."""
        for key in self._missing:
            if not find(root, key):
                raise unknown(root, key)
            # One that has gone as a part of another is no mistake.
            if not any(find(other, key) for other in self._new if other is not key):
                raise UnknownPathError(
                    f"{brief_formula(key)} depends on the input, and stands in the outer part of a composition alone, "
                    "which has another input: exchange it there, then compose"
                )


def _is_open(layer: Any) -> bool:
    """Whether a formula depends on its input."""
    return any(node.__control__ == "source" for node in post_order(layer, own_children))
