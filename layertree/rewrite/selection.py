"""Selection of nodes: by path, by pattern, by type, by predicate, or as a sub-formula.

A path selects a node. A shared node, which the text of the formula shows as ``a = ...``, is one node whichever of its
paths selects it. The input and plain constants are different: the text repeats them at each occurrence, and a path
selects the one occurrence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeAlias

from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.errors import UnknownPathError
from layertree.core.layer import AnyLayer, Layer
from layertree.core.naming import cell_names
from layertree.core.narrowing import is_layer
from layertree.core.paths import Path, Pattern, end_of, follow, paths_of, steps_of
from layertree.core.structure import children_of, post_order
from layertree.core.weight import Weight
from layertree.rewrite.traversal import nodes_below
from layertree.text.code import is_code_atom

Selector: TypeAlias = str | Path | type[AnyLayer] | AnyLayer | Callable[[Any], object] | Collection[Any]
"""A path or pattern, a type of layers, a sub-formula, a predicate on nodes, or several of these."""

Edge: TypeAlias = tuple[Any, int]
"""A node, which may be of any class, and the position of one of its children."""

_NEAR = 3
"""How many names an error suggests."""

_SHOWN = 8
"""How many options an error lists."""


class Selection:
    """Selected nodes by id; occurrences of the input and of constants as edges (id of the parent, position)."""

    __slots__ = ("edges", "nodes")

    def __init__(self) -> None:
        self.nodes: set[int] = set()
        self.edges: set[tuple[int, int]] = set()

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges)


def find(layer: AnyLayer, where: Selector) -> tuple[Any, ...]:
    """The distinct selected nodes, operands before their users, regions included.

    ``where`` is a path or a pattern, a type, a predicate, a sub-formula (all nodes equal to it), or several of these.
    A pattern matches the path of a node, or the name of a weight or state.

    >>> from layertree import Exp, Identity, Plus, Times, Weight
    >>> formula = Times(Plus(1.0, Identity()), Exp(Weight(2.0, name="slope")))
    >>> find(formula, "operand1/*"), find(formula, "slope"), find(formula, Exp)
    ((Literal(1.0), Identity()), (Weight(2.0, name='slope'),), (Exp(Weight(2.0, name='slope')),))
    >>> find(formula, lambda node: isinstance(node, Weight) and node.value > 3.0)
    ()

    Raises UnknownPathError, with similar names, for a path without wildcards that the formula does not have.
    """
    root = layer.__layer__()
    is_wild = isinstance(where, (str, Path)) and Pattern(str(where)).is_wild
    selected = select(root, where, required=isinstance(where, (str, Path)) and not is_wild)
    order = post_order(root)
    ids = set(selected.nodes)
    if selected.edges:
        ids.update(
            id(child) for node in order for i, child in enumerate(children_of(node)) if (id(node), i) in selected.edges
        )
    return tuple([node for node in order if id(node) in ids])


def count(layer: AnyLayer, where: Selector | None = None) -> int:
    """The number of distinct nodes of a formula, or of the selected ones.

    >>> from layertree import Identity, Times
    >>> count(Times(Times(Identity(), 2.0), 2.0)), count(Times(Times(Identity(), 2.0), 2.0), Times)
    (5, 2)
    """
    return len(post_order(layer.__layer__())) if where is None else len(find(layer, where))


def named_nodes(layer: AnyLayer) -> Iterator[tuple[Path, Any]]:
    """All distinct nodes with their paths, operands before their users.

    The path is that of the first visit; for a weight or state, the path is its name. A Path compares as text, and the
    text is built when it is needed.

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
    paths = paths_of(root)
    for node in post_order(root):
        yield paths[id(node)], node


def path_of(layer: AnyLayer, node: AnyLayer) -> Path:
    """The path of a node in a formula, as ``named_nodes`` gives it: of this very node, else of the first equal one.

    >>> from layertree import Exp, Identity, Times
    >>> path_of(Times(2.0, Exp(Identity())), Exp(Identity()))
    operand2

    Raises UnknownPathError for a node that the formula does not have.
    """
    root, wanted = layer.__layer__(), node.__layer__()
    paths = paths_of(root)
    if id(wanted) in paths:
        return paths[id(wanted)]
    for found in find(root, wanted):
        return paths[id(found)]
    raise UnknownPathError(f"{brief_formula(wanted)} is no part of {brief_formula(root)}")


def select(root: AnyLayer, where: Any, *, required: bool) -> Selection:
    """The selected nodes. With ``required``, an empty selection by path or sub-formula is an UnknownPathError."""
    chosen = Selection()
    if is_a(where, (str, Path)):
        _by_path(root, Pattern(str(where)), chosen)
    elif is_a(where, Layer):
        wanted: AnyLayer = where.__layer__()
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
    if required and not chosen and is_a(where, (str, Path, Layer)):
        raise unknown(root, where)
    return chosen


def _by_path(root: AnyLayer, pattern: Pattern, chosen: Selection) -> None:
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


def _add(chosen: Selection, node: AnyLayer, parent: AnyLayer | None, position: int) -> None:
    """Select the node at the end of an edge; of the input and of constants the edge alone."""
    if parent is not None and is_code_atom(node):
        chosen.edges.add((id(parent), position))
    else:
        chosen.nodes.add(id(node))


def _by_pattern(root: AnyLayer, order: list[AnyLayer], pattern: Pattern, chosen: Selection) -> None:
    """Select the nodes whose path matches a pattern: the automaton of the pattern runs over all paths at once."""
    reached = {id(root): pattern.start}
    if pattern.accepts(pattern.start):
        _add(chosen, root, None, 0)
    for node in reversed(order):  # the root comes first: all paths to a node are known before the node
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


def weights_in(root: AnyLayer, where: Any = None) -> tuple[Weight[Any], ...]:
    """The distinct selected weights: those at or below a path, in a sub-formula, of a type, or by a predicate.

    Raises UnknownPathError for a path or a sub-formula without weights.
    """
    order = post_order(root)
    chosen: list[AnyLayer] = []
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


def unknown(root: AnyLayer, where: object, kind: str = "node") -> UnknownPathError:
    """The error for a selector without a match, with similar names as suggestions."""
    if is_layer(where):
        lacks = f"has no {kind}" if select(root, where, required=False) else f"is no part of {brief_formula(root)}"
        return UnknownPathError(f"{brief_formula(where)} {lacks}")
    from difflib import get_close_matches  # here, for loading time

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


def _options(root: AnyLayer, edges: list[Edge]) -> str:
    """The steps that lead on from the last valid node of a path."""
    node: AnyLayer = end_of(root, edges)
    path = Path(None, *[step for parent, i in edges for step in steps_of(parent)[i]])
    subject = f"{path.brief()} is" if edges else "the formula is"
    options = ["/".join(steps) for steps in steps_of(node)]
    shown = ", ".join(options[:_SHOWN]) + (", ..." if len(options) > _SHOWN else "")
    return f"{subject} {type(node).__name__}, with {shown or 'nothing below'}"
