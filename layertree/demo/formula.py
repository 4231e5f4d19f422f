"""The first part: one small formula as layers, as tapes, and while it trains."""

from __future__ import annotations

from typing import Any

from layertree import SGD, Layer, Tape
from layertree.core.structure import children_of
from layertree.demo.drawing import point, tree
from layertree.demo.page import Page
from symbolic import placeholder, weight

_SLOPE = 0.5
_POINTS = (1.0, 2.0, 0.5, 3.0, 1.5, 0.0, 2.5, 1.0, 2.0, 0.5, 3.0, 1.5)


def show(page: Page) -> None:
    """The formula, its layers, its tapes, and its weight on the way to the data."""
    x = placeholder(float)
    formula = (1.0 + x) * weight(2.0)
    page.title("A formula is a tree of layers")
    page.say(f"{formula} is the layer")
    page.say(f"{formula.layer!r}")
    page.draw(["", *tree(formula.layer, children_of, _layer_text, page.unicode)])
    _tapes(page, formula)
    _training(page)


def _layer_text(layer: Layer) -> str:
    return type(layer).__name__ if children_of(layer) else repr(layer)


def _tapes(page: Page, formula: Any) -> None:
    page.title("A run of it is a tree of tapes")
    page.say("forward(3.0) keeps a value for each layer, and the way back to it:")
    with formula.forward(3.0) as tape:
        runs = (tape, formula.layer)
        page.draw(["", *tree(runs, _upstream, lambda run: f"{run[0].value}  {type(run[1]).__name__}", page.unicode)])


def _upstream(run: tuple[Tape, Layer]) -> list[tuple[Tape, Layer]]:
    tape, layer = run
    return list(zip(tape.upstream, children_of(layer), strict=False))


def _training(page: Page) -> None:
    page.title("Going back, the weight updates itself")
    page.say(f"Fitted to y = {_SLOPE} (1 + x), a step for each point (x, y), down the gradient of the squared error:")
    x, y = placeholder((float, float))
    w = weight(2.0, optimizer=SGD(0.03))
    error = ((1.0 + x) * w - y) ** 2
    page.draw(["", " step     x      y   error  weight"])
    room = max(min(page.columns - 37, 40), 0)
    for step, at in enumerate(_POINTS, 1):
        wanted = _SLOPE * (1.0 + at)
        found = error.train((at, wanted))
        scale = f"  {point(w.value, 2.0, room, page.unicode)}" if room > 4 else ""
        page.draw([f"{step:5d} {at:5.2f}  {wanted:5.2f}  {found:6.3f}  {w.value:6.4f}{scale}"])
