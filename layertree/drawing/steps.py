"""The steps of a run: a picture and a sentence for each node forward, then backward, then for each update."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import Any

import attrs
import numpy as np

from layertree.core.brief import brief_formula
from layertree.core.data import as_data, described, is_differentiable
from layertree.core.dynamic import is_a
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_layer, is_tuple
from layertree.core.nested import flat
from layertree.core.spec import SpecTree
from layertree.core.tape import Tape
from layertree.core.visible import visible
from layertree.drawing.framing import Picture, Show, as_svg
from layertree.drawing.layout import Scene, placed
from layertree.drawing.measure import ADVANCE, LINE, SMALL
from layertree.drawing.model import Graph
from layertree.drawing.page import strip
from layertree.drawing.picture import caption, drawn, pictured, size_of
from layertree.drawing.runs import Run, Stage, at_stage, owner, run_graph, run_of
from layertree.drawing.save import Pictured
from layertree.drawing.sentences import backward_sentence, forward_sentence, update_sentence
from layertree.drawing.svg import Markup, number, tag
from layertree.tape.tapes import Input

MOST = 60
"""How many steps are drawn."""
_SECONDS = 1.6
"""How long a moving picture shows each step."""
_GAP = 10.0


@attrs.frozen
class Frame:
    """One step: ``forward``, ``backward`` or ``update``, its sentence, and its picture."""

    stage: str
    sentence: str
    graph: Graph


@attrs.frozen(repr=False)
class Steps(Pictured):
    """The steps of one run in order. Notebooks show a strip, ``print`` shows the sentences, ``save`` writes a file."""

    title: str
    frames: tuple[Frame, ...]
    note: str = ""

    @property
    def _title(self) -> str:
        return self.title

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentence of each step."""
        return tuple([frame.sentence for frame in self.frames])

    @property
    def svg(self) -> str:
        """All steps below each other, in as many columns as are about as wide as they are high."""
        return as_svg(_sheet(self))

    @property
    def moving_svg(self) -> str:
        """One picture that shows the steps in turn, without a script; the last one where motion is unwanted."""
        return as_svg(_moving(self))

    def inside(self, show: Show) -> Markup:
        """The strip as HTML."""
        scene = _scene(self)
        frames = [
            (f"{i}. {frame.stage}", frame.sentence, show(pictured(frame.graph, scene)))
            for i, frame in enumerate(self.frames, 1)
        ]
        return strip(self.title, frames, self.note)

    def __repr__(self) -> str:
        lines = [f"{i:3d} {frame.stage:8} {frame.sentence}" for i, frame in enumerate(self.frames, 1)]
        return "\n".join([*lines, self.note] if self.note else lines)


def steps(formula: AnyLayer, input: Any = None, *, delta: Any = None) -> Steps:
    """The steps of a formula on some data: forward, then backward, then update, one node at a time. Nothing changes.

    ``delta`` is the delta of the output; for None it is 1 where the output is one number, and the steps of other
    outputs end with the last one forward. The input is what ``forward`` takes; a note says of an
    integer that it has no delta.

    >>> from layertree import Identity, Times, Weight
    >>> steps(Times(Identity(), Weight(2.0)), 3.0)
      1 forward  the input is 3.0
      2 forward  the weight has the value 2.0
      3 forward  Times receives 3.0 and 2.0 and gives 6.0
      4 backward Times receives 1.0 and sends 2.0 to its first operand and 3.0 to its second operand
      5 backward the weight receives 3.0
      6 backward the input receives 2.0
      7 update   the weight goes from 2.0 to 1.97 by SGD(rate=0.01)

    Raises TypeError for anything but a formula, and the errors of ``forward`` and ``gradients``.
    """
    given: Any = formula
    if not is_layer(given):
        raise TypeError(f"the steps of a formula are drawn, not those of {given!r}")
    with given.forward(Input(input) if is_differentiable(input) else input) as tape:
        run = run_of(tape, delta)
        return _steps_of(run, brief_formula(given.__layer__(), 80), _note_of_kinds(run, input, given.__source__()))


def _note_of_kinds(run: Run, input: object, wanted: SpecTree | None) -> str:
    """A note on an output, or on an input in the place of a float, that has no gradient for its kind; else no text."""
    value = run.root.value
    if not (is_tuple(value) or np.ndim(value) or is_differentiable(value)):
        return f"the output is {described(value)}, which has no gradient: the steps end forward"
    floats = [] if wanted is None else [spec for spec in flat(wanted) if spec.dtype.kind == "f"]
    if floats and not (is_differentiable(input) or is_a(input, Tape)):
        return f"the input is {described(as_data(input))}, which has no gradient: give floats for its deltas"
    return ""


def _steps_of(run: Run, title: str, note: str) -> Steps:
    if len(run.tapes) > MOST:  # all steps are forward
        run.first = MOST
    graph = run_graph(run)
    frames = [Frame(name, said, at_stage(run, graph, stage, said)) for name, said, stage in _stages(run)]
    count = len(run.tapes) + len(run.visited) + len(run.leaves)
    cut = f"the first {MOST} of {count:,} steps are shown" if count > MOST else ""
    return Steps(title, tuple(frames), "; ".join(filter(None, (cut, note))))


def _stages(run: Run) -> list[tuple[str, str, Stage]]:
    """The name, the sentence and the visible texts of each of the first ``MOST`` steps."""
    found: list[tuple[str, str, Stage]] = []
    values: set[int] = set()
    sent: set[tuple[int, int]] = set()
    updates: set[int] = set()
    received: set[int] = set()
    missing = Counter(map(owner, run.visited))

    def note(name: str, sentence: str, active: int) -> None:
        shown = Stage(frozenset(values), frozenset(sent), frozenset(updates), frozenset(received), frozenset((active,)))
        found.append((name, visible(sentence), shown))

    for tape in run.tapes[:MOST]:
        values.add(id(tape))
        note("forward", forward_sentence(tape), id(tape))
    for tape in run.visited[: MOST - len(found)]:
        sent.update((id(tape), position) for position in range(len(tape.upstream)))
        missing[owner(tape)] -= 1
        if not missing[owner(tape)]:
            received.add(owner(tape))
        note("backward", backward_sentence(run, tape), id(tape))
    for tape in run.leaves[: MOST - len(found)]:
        updates.add(id(tape.cell))
        note("update", update_sentence(run, tape), owner(tape))
    return found


@attrs.frozen
class _Measures:
    """What all frames have in common: the layout, the size of a frame, and where its picture begins.

    ``lines`` are the lines of the sentence of each frame.
    """

    scene: Scene
    width: float
    height: float
    left: float
    top: float
    lines: list[list[str]]


def _scene(steps: Steps) -> Scene:
    """The layout of all frames, which differ only in what is hidden."""
    return placed(steps.frames[0].graph) if steps.frames else Scene()


def _measured(steps: Steps) -> _Measures:
    scene = _scene(steps)
    width, height = size_of(steps.frames[0].graph, scene) if steps.frames else (0.0, 0.0)
    wide = max(width, 240.0)
    lines = [_wrapped(frame.sentence, wide) for frame in steps.frames]
    top = LINE * (max(map(len, lines), default=0) + 1) + 10
    return _Measures(scene, wide, height + top, (wide - width) / 2, top, lines)


def _sheet(steps: Steps) -> Picture:
    """All frames in a grid."""
    measures = _measured(steps)
    across, down = measures.width + _GAP, measures.height + _GAP
    columns = max(round((len(steps.frames) * down / across) ** 0.5), 1)
    parts: list[Markup] = []
    for i in range(len(steps.frames)):
        row, column = divmod(i, columns)
        parts.append(_framed_step(steps, i, measures, column * across, row * down))
    rows = -(-len(steps.frames) // columns)
    return _picture(steps, columns * across, rows * down, parts)


def _moving(steps: Steps) -> Picture:
    """All frames at one place, each visible in its part of the time."""
    measures = _measured(steps)
    count = max(len(steps.frames), 1)
    part = 100 / count
    rules = (
        f"@keyframes lt-turn{{0%,{number(part)}%{{visibility:visible}}"
        f"{number(part + 0.01)}%,100%{{visibility:hidden}}}}"
        "@media (prefers-reduced-motion:no-preference){.lt-step{visibility:hidden;"
        f"animation:lt-turn {number(count * _SECONDS)}s step-end infinite}}}}"
    )
    parts = [
        tag(
            "g",
            _framed_step(steps, i, measures, 0.0, 0.0),
            class_="lt-step",
            visibility=None if i == count - 1 else "hidden",
            style=f"animation-delay:{number(i * _SECONDS)}s",
        )
        for i in range(len(steps.frames))
    ]
    return _picture(steps, measures.width, measures.height, parts, rules)


def _picture(steps: Steps, width: float, height: float, parts: list[Markup], rules: str = "") -> Picture:
    return Picture(steps.title, " ".join(steps.sentences), width, height, Markup("".join(parts)), (), rules)


def _framed_step(steps: Steps, i: int, measures: _Measures, x: float, y: float) -> Markup:
    """A frame with its sentence above, at a place."""
    frame = steps.frames[i]
    head = caption(f"{i + 1} of {len(steps.frames)}: {frame.stage}", 12, 18, "faint", anchor="start")
    said = [
        caption(line, 12, 18 + LINE * (n + 1), "ink", anchor="start", longest=10**4)
        for n, line in enumerate(measures.lines[i])
    ]
    at = f"translate({number(measures.left)} {number(measures.top)})"
    picture = tag("g", drawn(frame.graph, measures.scene), transform=at)
    return tag("g", head, *said, picture, transform=f"translate({number(x)} {number(y)})")


def _wrapped(sentence: str, wide: float) -> list[str]:
    """A sentence in lines that fit into a width."""
    return textwrap.wrap(sentence[:600], max(int((wide - 24) / (SMALL * ADVANCE)), 10))
