"""Which nodes are meant: by path, by pattern, by type, by predicate, or as a part of the formula.

A path names a node, and a node that several others use is one node, whichever of its paths names it: what the text of
the formula shows as ``a = ...``. The input and plain constants have no such identity: the text writes them out at each
place, and a path means the one place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeAlias

from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.errors import UnknownPathError
from layertree.core.layer import Layer
from layertree.core.naming import cell_names
from layertree.core.paths import Path, Pattern, end_of, follow, paths_of, steps_of
from layertree.core.structure import children_of, post_order
from layertree.core.weight import Weight
from layertree.rewrite.traversal import nodes_below
from layertree.text.code import is_code_atom

Where: TypeAlias = str | Path | type[Layer[Any, Any]] | Layer[Any, Any] | Callable[[Any], object] | Collection[Any]
"""A path or pattern, a type of layers, a sub-formula, a predicate on nodes, or several of these."""

_NEAR = 3
_SHOWN = 8


class Selection:
    """The nodes that are meant, by id; of the input and of constants the edges (id of the parent, position) to them."""

    __slots__ = ("edges", "nodes")

    def __init__(self) -> None:
        self.nodes: set[int] = set()
        self.edges: set[tuple[int, int]] = set()

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges)


def find(layer: Any, where: Where) -> tuple[Any, ...]:
    """The distinct nodes that are meant, operands before what uses them; regions included.

    ``where`` is a path or a pattern, a type, a predicate, a sub-formula (what is equal to it), or several of these.
    A pattern matches the way to a node, or the name of a weight or state.

    >>> from layertree import Exp, Identity, Plus, Times, Weight
    >>> formula = Times(Plus(1.0, Identity()), Exp(Weight(2.0, name="slope")))
    >>> find(formula, "operand1/*"), find(formula, "slope"), find(formula, Exp)
    ((Literal(1.0), Identity()), (Weight(2.0, name='slope'),), (Exp(Weight(2.0, name='slope')),))
    >>> find(formula, lambda node: isinstance(node, Weight) and node.value > 3.0)
    ()

    Raises UnknownPathError, with the nearest ones, for a path without wildcards that leads nowhere.
    """
    root = layer.__layer__()
    wild = isinstance(where, (str, Path)) and Pattern(str(where)).is_wild
    chosen = select(root, where, required=isinstance(where, (str, Path)) and not wild)
    order = post_order(root)
    ids = set(chosen.nodes)
    if chosen.edges:
        ids.update(
            id(child) for node in order for i, child in enumerate(children_of(node)) if (id(node), i) in chosen.edges
        )
    return tuple([node for node in order if id(node) in ids])


def count(layer: Any, where: Where | None = None) -> int:
    """How many distinct nodes a formula has, or how many of them are meant.

    >>> from layertree import Identity, Times
    >>> count(Times(Times(Identity(), 2.0), 2.0)), count(Times(Times(Identity(), 2.0), 2.0), Times)
    (5, 2)
    """
    return len(post_order(layer.__layer__())) if where is None else len(find(layer, where))


def named_nodes(layer: Any) -> Iterator[tuple[Path, Any]]:
    """All distinct nodes with their paths, operands before what uses them.

    The path is that of the first visit; a weight or state has its name. Compares as text, and is made when it is shown.

    >>> from layertree import Identity, Plus, Times, Weight
    >>> for path, node in named_nodes(Times(Plus(1.0, Identity()), Weight(2.0, name="slope"))):
    ...     print(f"{path!s:<18}{type(node).__name__}")
    operand1/operand1 Literal
    operand1/operand2 Identity
    operand1          Plus
    slope             Weight
                      Times
    """
    root = layer.__layer__()
    ways = paths_of(root)
    for node in post_order(root):
        yield ways[id(node)], node


def path_of(layer: Any, node: Any) -> Path:
    """The path of a node in a formula, as ``named_nodes`` gives it: of this very node, else of the first equal one.

    >>> from layertree import Exp, Identity, Times
    >>> path_of(Times(2.0, Exp(Identity())), Exp(Identity()))
    operand2

    Raises UnknownPathError for what is no part of the formula.
    """
    root, wanted = layer.__layer__(), node.__layer__()
    ways = paths_of(root)
    if id(wanted) in ways:
        return ways[id(wanted)]
    for found in find(root, wanted):
        return ways[id(found)]
    raise UnknownPathError(f"{brief_formula(wanted)} is no part of {brief_formula(root)}")


def select(root: Any, where: Any, *, required: bool) -> Selection:
    """The nodes that are meant; where some are ``required``, none is an UnknownPathError."""
    chosen = Selection()
    if is_a(where, (str, Path)):
        _by_path(root, Pattern(str(where)), chosen)
    elif is_a(where, Layer):
        wanted: Any = where.__layer__()
        chosen.nodes.update(id(node) for node in post_order(root) if node == wanted)
    elif is_a(where, type):
        chosen.nodes.update(id(node) for node in post_order(root) if is_a(node, where))
    elif callable(where):
        chosen.nodes.update(id(node) for node in post_order(root) if where(node))
    elif is_a(where, Collection):
        for one in where:
            found = select(root, one, required=required)
            chosen.nodes |= found.nodes
            chosen.edges |= found.edges
    else:
        raise TypeError(
            f"where = {where!r} is not allowed: give a path such as 'operand1/*', a type of layers, a predicate on "
            "nodes, a part of the formula, or several of these in a list"
        )
    if required and not chosen and isinstance(where, (str, Path, Layer)):
        raise unknown(root, where)
    return chosen


def _by_path(root: Any, pattern: Pattern, chosen: Selection) -> None:
    order = post_order(root)
    if pattern.is_wild:
        _by_pattern(root, order, pattern, chosen)
    else:
        edges, rest = follow(root, tuple(pattern.segments))
        if not rest:
            _add(chosen, end_of(root, edges), *(edges[-1] if edges else (None, 0)))
    if any(node.__control__ == "cell" for node in order):
        cells = {node.cell for node, name in cell_names(root) if pattern.matches(name)}
        chosen.nodes.update(id(node) for node in order if node.__control__ == "cell" and node.cell in cells)


def _add(chosen: Selection, node: Any, parent: Any, position: int) -> None:
    """Choose the node at the end of an edge; of the input and of constants the edge alone."""
    if parent is not None and is_code_atom(node):
        chosen.edges.add((id(parent), position))
    else:
        chosen.nodes.add(id(node))


def _by_pattern(root: Any, order: list[Any], pattern: Pattern, chosen: Selection) -> None:
    reached = {id(root): pattern.start}
    if pattern.accepts(pattern.start):
        _add(chosen, root, None, 0)
    for node in reversed(order):  # a node comes after all that use it, so all ways to it are known
        positions = reached.get(id(node), 0)
        if not positions:
            continue
        for i, (child, steps) in enumerate(zip(children_of(node), steps_of(node), strict=True)):
            moved = pattern.after(positions, steps)
            if not moved:
                continue
            reached[id(child)] = reached.get(id(child), 0) | moved
            if pattern.accepts(moved):
                _add(chosen, child, node, i)


def weights_in(root: Any, where: Any = None) -> tuple[Weight[Any], ...]:
    """The distinct weights that are meant: those at or below a path, in a sub-formula, of a type, or by a predicate.

    Raises UnknownPathError for a path or a sub-formula without any.
    """
    order = post_order(root)
    chosen: list[Any] = []
    if where is None:
        chosen = order
    elif is_a(where, (str, Path, Layer)):
        chosen = nodes_below(find(root, where))
        if not any(isinstance(node, Weight) for node in chosen):
            raise unknown(root, where, "weight")
    elif is_a(where, type):
        chosen = [node for node in order if is_a(node, where)]
    elif callable(where):
        chosen = [node for node in order if isinstance(node, Weight) and where(node)]
    elif is_a(where, Collection):
        found = {weight for one in where for weight in weights_in(root, one)}
        chosen = [node for node in order if isinstance(node, Weight) and node in found]
    else:
        select(root, where, required=True)  # raises
    return tuple({node: None for node in chosen if isinstance(node, Weight)})


def unknown(root: Any, where: Any, kind: str = "node") -> UnknownPathError:
    """The error for what is not there, with what is near it."""
    if isinstance(where, Layer):
        lacks = f"has no {kind}" if select(root, where, required=False) else f"is no part of {brief_formula(root)}"
        return UnknownPathError(f"{brief_formula(where)} {lacks}")
    from difflib import get_close_matches

    names = [name for _, name in cell_names(root)]
    scope = f"{str(where).partition('/')[0]}/"
    near = get_close_matches(str(where), names, _NEAR) or [name for name in names if name.startswith(scope)][:_NEAR]
    pattern = Pattern(str(where))
    hints = [f"near it {_are(near)}"] if near else []
    if not near and not pattern.is_wild:
        edges, rest = follow(root, tuple(pattern.segments))
        hints += [_options(root, edges)] if rest else []
        names = [] if edges else names
    if not near and names:
        more = ", ..." if len(names) > _SHOWN else ""
        hints.append(f"the weights and states are {', '.join(map(repr, names[:_SHOWN]))}{more}")
    return UnknownPathError(f"no {kind} at {str(where)!r}{': ' if hints else ''}{'; '.join(hints)}")


def _are(names: Sequence[str]) -> str:
    return f"{'is' if len(names) == 1 else 'are'} {', '.join(map(repr, names))}"


def _options(root: Any, edges: list[tuple[Any, int]]) -> str:
    """What goes on from where a way ends."""
    node = end_of(root, edges)
    way = Path(None, *[step for parent, i in edges for step in steps_of(parent)[i]])
    place = f"{way.brief()} is" if edges else "the formula is"
    options = ["/".join(steps) for steps in steps_of(node)]
    shown = ", ".join(options[:_SHOWN]) + (", ..." if len(options) > _SHOWN else "")
    return f"{place} {type(node).__name__}, with {shown or 'nothing below'}"
