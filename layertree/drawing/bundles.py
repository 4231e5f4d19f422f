"""What notebooks show: HTML with pictures as images, and text, by MIME type."""

from __future__ import annotations

from typing import Any

from layertree.core.dynamic import is_a
from layertree.core.narrowing import is_cell, is_layer
from layertree.core.tape import Tape
from layertree.drawing.charts import bars, curves
from layertree.drawing.drawing import draw
from layertree.drawing.framing import as_image
from layertree.drawing.labels import title_of, value_chip
from layertree.drawing.model import Edge, Graph, Node
from layertree.drawing.page import display, figure, preformatted
from layertree.drawing.picture import pictured
from layertree.drawing.runs import DOWN
from layertree.drawing.svg import Markup
from layertree.tape.gradients import Gradients
from layertree.text.rows import Rows

_MOST = 60
"""How many gradients a picture shows."""


def bundle(shown: Any) -> dict[str, str]:
    """The MIME bundle of a formula, a run, gradients, or a report: HTML with a picture, and the text of ``repr``."""
    plain = repr(shown).encode("utf-8", "backslashreplace").decode()  # no surrogate of a name in a class of a user
    return {"text/html": display(*_parts(shown, plain)), "text/plain": plain}


def _parts(shown: Any, plain: str) -> list[Markup]:
    if is_a(shown, Rows):
        return [_chart(shown), preformatted(shown.table(_WIDTH))]
    if is_a(shown, Gradients):
        return [figure("", as_image(pictured(gradients_graph(shown))))]
    if is_layer(shown):  # a Literal is a tape, too
        return [draw(shown).inside(as_image)]
    if is_a(shown, Tape):
        try:
            return [draw(shown).inside(as_image)]
        except Exception:  # of a closed tape, or of a rule or an optimizer of a user: a display raises nothing
            return [preformatted(plain)]
    said = str(shown)
    schedule = preformatted(said) if said != plain else Markup("")
    formula = getattr(shown, "formula", getattr(shown, "objective", None))  # of a fitted curve, of a training step
    picture = draw(formula).inside(as_image) if is_layer(formula) else Markup("")
    return [picture, preformatted(plain), schedule]


def _chart(shown: Rows[Any]) -> Markup:
    name = type(shown).__name__
    series, rows = shown.curves(), shown.bars()
    if series:
        return as_image(curves(name, series))
    return as_image(bars(name, rows)) if rows else Markup("")


_WIDTH = 110
"""The width of tables in notebooks, in columns."""


def gradients_graph(found: Gradients) -> Graph:
    """A box for each input and weight with its delta."""
    keys = list(found)
    nodes: list[Node] = []
    for key in keys[:_MOST]:
        delta = value_chip(found[key], "delta", DOWN)
        if is_cell(key):
            nodes.append(Node("weight", title_of(key), (value_chip(key.value, "value"), delta), "weight"))
        else:
            nodes.append(Node("input", type(key).__name__, (value_chip(key.value, "value"), delta), "input"))
    notes = (f"{_MOST} of {len(keys):,} are shown",) if len(keys) > _MOST else ()
    edges: tuple[Edge, ...] = ()
    return Graph(tuple(nodes), edges, "Gradients", "The value of each input and weight, and its delta.", notes=notes)
