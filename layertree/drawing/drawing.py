"""Drawing: a picture with its heading, in every format; ``draw`` makes one of a formula or of a run."""

from __future__ import annotations

from typing import Any

import attrs

from layertree.core.brief import counted
from layertree.core.dynamic import is_a
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_layer
from layertree.core.tape import AnyTape, Tape
from layertree.drawing.folding import UNFOLDED, folded, part
from layertree.drawing.formulas import formula_graphs
from layertree.drawing.framing import Show, as_svg
from layertree.drawing.grouping import beside
from layertree.drawing.model import Graph
from layertree.drawing.page import figure
from layertree.drawing.picture import pictured
from layertree.drawing.runs import run_graph, run_of
from layertree.drawing.save import Pictured
from layertree.drawing.svg import Markup
from layertree.text.unicode import unicode_text

_MOST_FOLDS = 30
"""How many scopes have a picture of their own."""


@attrs.frozen(repr=False)
class Drawing(Pictured):
    """A picture of a graph, below a line of mathematics. Notebooks show it; ``save`` writes it.

    ``folds`` are further pictures by name, which the HTML shows folded.
    """

    graph: Graph
    heading: str = ""
    folds: tuple[tuple[str, Graph], ...] = ()

    @property
    def _title(self) -> str:
        return self.graph.title

    @property
    def svg(self) -> str:
        """The picture as SVG, with colours for light and dark pages."""
        return as_svg(pictured(self.graph))

    def __repr__(self) -> str:
        return f"<Drawing of {counted(len(self.graph.nodes), 'node')}: {self.graph.title}>"

    def inside(self, show: Show) -> Markup:
        """The heading, the picture and the folded ones as HTML."""
        folds = [(name, show(pictured(graph))) for name, graph in self.folds]
        return figure(self.heading, show(pictured(self.graph)), folds)


def draw(shown: AnyLayer | AnyTape, *, delta: Any = None) -> Drawing:
    """The picture of a formula, or of a run of one: a tape, with values above and deltas below on each edge.

    ``delta`` is the delta of the tape's output; for None it is 1 where the output is one number, and other runs are
    drawn without deltas. Nothing changes: next values of weights are what a ``backward`` with this delta would give.

    >>> from layertree import Identity, Plus, Times, Weight
    >>> picture = draw(Times(Plus(1.0, Identity()), Weight(2.0)))
    >>> picture
    <Drawing of 5 nodes: (1.0 + x) * weight(2.0)>
    >>> picture.svg.startswith("<svg"), picture.html.startswith("<!DOCTYPE html>")
    (True, True)

    >>> from layertree import Input
    >>> with Times(Identity(), Weight(2.0)).forward(Input(3.0)) as tape:
    ...     draw(tape)
    <Drawing of 3 nodes: a run of Times>

    Raises TypeError for anything else, ClosedTapeError for a closed tape, ShapeError for a delta of another shape.
    """
    given: Any = shown
    if is_layer(given):
        graph, parts = formula_graphs(given, given.__source__())
        # Mathematics in which most is left out says less than the beginning of the formula.
        heading = graph.title if graph.notes else unicode_text(given.__layer__())
        return _drawing(graph, heading, parts)
    if is_a(given, Tape):
        return _drawing(run_graph(run_of(given, delta, is_whole=False)), "", [])
    raise TypeError(f"a formula or a tape is drawn, not {given!r}")


def _drawing(graph: Graph, heading: str, parts: list[tuple[str, Graph]]) -> Drawing:
    """A drawing whose scopes are folded where there are many nodes."""
    ends = [(edge.user, edge.operand) for edge in graph.edges]
    scopes = beside(len(graph.nodes), ends, [group for group in graph.groups if group.kind == "scope"])
    if len(graph.nodes) <= UNFOLDED or not scopes:
        return Drawing(graph, heading, tuple(parts))
    folds = [
        (f"{group.name}: {counted(len(group.members), 'node')}", part(graph, group)) for group in scopes[:_MOST_FOLDS]
    ]
    whole = folded(graph, scopes)
    if len(scopes) > _MOST_FOLDS:
        note = f"the pictures of {_MOST_FOLDS} of {len(scopes)} scopes follow"
        whole = attrs.evolve(whole, notes=(*whole.notes, note))
    return Drawing(whole, heading, (*folds, *parts))
