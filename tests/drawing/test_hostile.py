"""Names of users are shown as text, whatever is in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import symbolic
from layertree import Identity, Input, Layer, Plus, Sum, Times, Weight, compile, draw, scope, steps, summary
from layertree.drawing.bundles import bundle
from layertree.drawing.save import Pictured
from layertree.text.rows import Rows
from layertree.training.history import Epoch, History
from layertree.typing import ArraySpec
from tests.drawing.viewers import KEPT, SVG, seen, texts_of

NAMES = {
    "markup": "</svg><script>alert(1)</script>",
    "quotes": '"\'` onload="alert(1)" x=\'',
    "entity": "&lt;&#0;&amp;]]>",
    "cdata": "<![CDATA[ <!-- ",
    "direction": "abc\u202egnp.exe\u200f",
    "control": "a\x00b\x08c\x1bd\ufffe\ud800e",
    "long": "n" * 10_000,
    "wide": "\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 100,
    "combining": "e\u0301" * 100,
}


def pictures(name: str) -> Iterator[str]:
    formula = Times(Plus(1.0, Identity()), Weight(2.0, name=name))
    with scope(name):
        scoped = Times(Identity(), Weight(1.0))
    yield draw(formula).svg
    yield draw(scoped).svg
    with formula.forward(3.0) as tape:
        yield draw(tape).svg
    yield steps(formula, 3.0).svg
    yield steps(formula, 3.0).moving_svg


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_svg_is_xml_with_the_elements_of_drawings_alone(name: str) -> None:
    for picture in pictures(name.replace("/", "")):  # no scope has a slash in its name
        check_picture(picture)


def check_picture(picture: str) -> None:
    """That a picture has the elements of drawings alone, and no text that is invisible."""
    root = ElementTree.fromstring(picture.encode("utf-8"))
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "g", "rect", "path", "text", "image"}
    assert not [key for element in root.iter() for key in element.attrib if key.startswith("on")]
    for element in root.iter(f"{SVG}text"):
        assert element.text is not None
        assert element.text.isprintable()


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_html_has_no_script_and_no_handler(name: str) -> None:
    formula = Times(Identity(), Weight(2.0, name=name.replace("/", "")))
    gradients = formula.forward(1.0).gradients()
    for shown in (formula, summary(formula), gradients):
        viewer = seen(bundle(shown)["text/html"])
        assert set(viewer.tags) <= KEPT | {"style"}
        assert {key for key, _ in viewer.attributes} <= {"style", "class", "src", "alt", "width", "height", "title"}
        assert len(viewer.pictures) == 1
        check_picture(viewer.pictures[0])


def displays(name: str) -> Iterator[Any]:
    """Everything with a display, with a name in each."""
    formula = Times(Plus(1.0, Identity()), Weight(2.0, name=name))
    with scope(name):
        scoped = Sum(Times(Identity(), Weight(np.ones(3), name=name)))
    step: Any = compile(scoped, train=True)
    yield from (formula, Weight(2.0, name=name), formula.forward(Input(3.0)))
    yield formula.forward(Input(3.0)).gradients()
    yield from (summary(scoped), draw(formula), steps(scoped, np.ones(3)))
    yield History((Epoch(1, 0.5, {name: 1.0}, 0.5, {name: 1.0}),))
    yield from (compile(scoped), step, step.profile(np.ones(3), runs=1))
    yield symbolic.placeholder(ArraySpec((name or "n",))) * symbolic.weight(np.ones(1), name=name)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_every_text_of_a_display_encodes_and_breaks_no_line(name: str, tmp_path: Path) -> None:
    plain = [repr(shown).count("\n") for shown in displays("plain")]
    for lines, shown in zip(plain, displays(name.replace("/", "")), strict=True):
        for text in shown._repr_mimebundle_().values():
            text.encode("utf-8")
        repr(shown).encode("utf-8")
        if not isinstance(shown, History):  # whose heads have several lines
            assert repr(shown).count("\n") == lines
        if isinstance(shown, Layer):
            for style in ("code", "full", "formula", "unicode", "latex", "tree"):
                format(shown, style).encode("utf-8")
        if isinstance(shown, Pictured):
            for end in (".svg", ".html"):
                shown.save(tmp_path / f"picture{end}")
                assert (tmp_path / f"picture{end}").stat().st_size > 1000


def test_the_display_of_a_class_with_a_surrogate_in_its_text_encodes() -> None:
    class Report(Rows[int]):
        def table(self, width: int) -> str:
            return "\ud800"

    assert bundle(Report((1,)))["text/plain"] == "\\ud800"


def test_the_text_of_markup_is_visible() -> None:
    formula = Weight(2.0, name="<b>&\"'")
    assert "<b>&\"'" in texts_of(draw(formula).svg)
    shown = seen(bundle(formula)["text/html"])
    assert "<b>&\"'" in texts_of(shown.pictures[0])
    assert ("title", "Weight <b>&\"'") in shown.attributes


def test_a_long_name_makes_no_large_picture() -> None:
    short, long = (draw(Weight(2.0, name="n" * length)).svg for length in (100, 10_000))
    assert len(long) < 2 * len(short)


def test_a_mark_of_direction_is_shown_as_its_escape() -> None:
    assert "a\\u202eb" in draw(Weight(2.0, name="a\u202eb")).svg


def test_a_formula_of_symbolic_is_drawn() -> None:
    formula = (1.0 + symbolic.placeholder(float)) * symbolic.weight(2.0)
    shown = bundle(formula)
    assert shown["text/plain"] == repr(formula)
    assert shown["text/html"].index("(1 + x)") < shown["text/html"].index("<img")
