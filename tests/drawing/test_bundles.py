"""What notebooks show: HTML with pictures as images, which viewers keep that clean HTML, and the text of ``repr``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import layertree
from layertree import (
    Identity,
    Input,
    MatMul,
    Maximum,
    Plus,
    Sum,
    Tape,
    Times,
    Weight,
    compile,
    draw,
    scope,
    summary,
)
from layertree.drawing import charts
from layertree.training.history import Epoch, History
from layertree.typing import ArraySpec
from symbolic import curve_fit, placeholder, weight
from tests.drawing.viewers import KEPT, SVG, seen, texts_of

FORMULA = Times(Plus(1.0, Identity()), Weight(2.0, name="slope"))


def program() -> Any:
    compiled: Any = compile(Sum(MatMul(Identity(), Weight(np.ones((2, 2))))))
    compiled.predict(np.ones((3, 2)))
    return compiled


def step() -> Any:
    return compile(Sum(Times(Identity(), Weight(2.0))), train=True)


def scoped() -> Any:
    formula: Any = Identity()
    for i in range(20):
        with scope(f"block{i}"):
            formula = Plus(Times(formula, Weight(2.0, name="slope")), Weight(1.0, name="offset"))
    return formula


SHOWN: dict[str, Any] = {
    "layer": lambda: FORMULA,
    "weight": lambda: Weight(2.0),
    "formula": lambda: (1.0 + placeholder(float)) * weight(2.0),
    "tape": lambda: FORMULA.forward(3.0),
    "input": lambda: Input(3.0),
    "gradients": lambda: FORMULA.forward(Input(3.0)).gradients(),
    "program": program,
    "step": step,
    "history": lambda: History((Epoch(1, 0.5), Epoch(2, 0.25))),
    "one epoch": lambda: History((Epoch(1, float("nan")),)),
    "summary": lambda: summary(FORMULA),
    "profile": lambda: step().profile(np.ones(3), runs=1),
    "drawing": lambda: draw(FORMULA),
    "folded scopes": lambda: draw(scoped()),
    "steps": lambda: layertree.steps(FORMULA, 3.0),
    "curve": lambda: curve_fit(lambda x, a: a * x, np.arange(3.0), np.array([0.0, 1.1, 2.0]), [1.0]),
}


@pytest.mark.parametrize("name", SHOWN)
def test_each_has_a_picture_and_its_text(name: str) -> None:
    shown = SHOWN[name]()
    found = shown._repr_mimebundle_()
    assert set(found) == {"text/html", "text/plain"}
    assert found["text/plain"] == repr(shown)
    assert seen(found["text/html"]).images
    assert "<script" not in found["text/html"]
    assert "http" not in found["text/html"]


VIEWERS: dict[str, dict[str, frozenset[str]]] = {
    "elements of SVG and style sheets are removed": {"kept": KEPT},
    "style sheets are removed": {"kept": KEPT | {"svg", "title", "desc", "g", "rect", "path", "text"}},
    "classes are removed": {"without": frozenset(("class",))},
    "all of style is removed": {"kept": KEPT, "without": frozenset(("class", "style"))},
    "little stays": {"kept": frozenset(("div", "img")), "without": frozenset(("class", "style", "title"))},
}


@pytest.mark.parametrize("kind", VIEWERS)
@pytest.mark.parametrize("name", SHOWN)
def test_a_viewer_that_cleans_html_shows_the_same_pictures_and_no_further_text(name: str, kind: str) -> None:
    html = SHOWN[name]()._repr_mimebundle_()["text/html"]
    whole, cleaned = seen(html), seen(html, **VIEWERS[kind])
    assert whole.pictures
    assert cleaned.pictures == whole.pictures
    assert [image["alt"] for image in cleaned.images] == [image["alt"] for image in whole.images]
    assert cleaned.text == whole.text
    assert all(any(texts_of(picture)) for picture in whole.pictures)
    assert set(whole.tags) == {"style"} | (set(whole.tags) & KEPT), "whose text a viewer could leave"


def test_folded_pictures_are_images_too() -> None:
    html = SHOWN["folded scopes"]()._repr_mimebundle_()["text/html"]
    assert html.count("<details") == len(seen(html).images) - 1 == 20


def test_hints_are_where_the_texts_are() -> None:
    html = FORMULA._repr_mimebundle_()["text/html"]
    places = {}
    for title, place in re.findall(r'<span title="([^"]*)" style="position:absolute;([^"]*)">', html):
        places[title] = [float(part) for part in re.findall(r"[\d.]+", place)]
    assert set(places) == {
        "Times: multiply (arithmetic)",
        "Plus: add (arithmetic)",
        "the input",
        "constant 1.0",
        "Weight slope",
    }
    (picture,) = seen(html).pictures
    root = ElementTree.fromstring(picture)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    middles = {element.text: float(element.attrib["x"]) for element in root.iter(f"{SVG}text")}
    for hint, word in (("Times: multiply (arithmetic)", "Times"), ("Weight slope", "slope")):
        left, top, wide, high = places[hint]
        assert (left + wide / 2) * width / 100 == pytest.approx(middles[word] + 12, abs=0.1)  # 12 is the margin
        assert 0 <= top < top + high <= 100
        assert high * height / 100 == pytest.approx(28 if word == "Times" else 61, abs=0.1)
    assert picture.count("<title>") == 1


def test_the_picture_of_a_notebook_is_not_larger_than_a_third_above_that_of_a_file() -> None:
    picture = draw(FORMULA)
    assert len(seen(picture._repr_mimebundle_()["text/html"]).images[0]["src"]) < 4 / 3 * len(picture.svg)


def test_a_page_of_its_own_has_the_picture_inside(tmp_path: Path) -> None:
    html = draw(FORMULA).html
    assert html.count("<svg") == 1
    assert "<img" not in html
    assert draw(FORMULA).svg in html


@pytest.mark.parametrize("shown", [History(()), summary(Identity())])
def test_an_empty_report_is_shown_as_text(shown: Any) -> None:
    assert repr(shown) in shown._repr_mimebundle_()["text/html"]


def test_a_closed_tape_is_shown_as_text() -> None:
    tape: Tape = FORMULA.forward(3.0)
    tape.gradients()
    html = tape._repr_mimebundle_()["text/html"]
    assert "<img" not in html
    assert "OperationTape" in html


def test_mathematics_come_first_and_the_tree_below() -> None:
    html = FORMULA._repr_mimebundle_()["text/html"]
    assert 0 < html.index("slope") < html.index("<img")


def test_files_have_the_format_of_their_name(tmp_path: Path) -> None:
    picture = draw(FORMULA)
    for end, start in ((".svg", "<svg"), (".html", "<!DOCTYPE html>"), (".SVG", "<svg")):
        picture.save(tmp_path / f"picture{end}")
        assert (tmp_path / f"picture{end}").read_text(encoding="utf-8").startswith(start)
    with pytest.raises(ValueError, match=r"'.pdf'.*\.svg, \.png or \.html"):
        picture.save(tmp_path / "picture.pdf")
    assert not (tmp_path / "picture.pdf").exists()


def test_png_is_drawn_or_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ModuleNotFoundError, match=r"layertree\[drawing\]"):
        draw(FORMULA).save(tmp_path / "picture.png")
    assert not (tmp_path / "picture.png").exists()


def test_png_of_the_renderer(tmp_path: Path) -> None:
    draw(FORMULA).save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_other_things_are_not_drawn() -> None:
    given: Any = "x"
    with pytest.raises(TypeError, match="a formula or a tape is drawn, not 'x'"):
        draw(given)


def test_charts_are_capped() -> None:
    many = charts.bars("many", [(f"row {i}", float(i), str(i)) for i in range(1000)]).content
    assert many.count("<rect") == 30
    assert "the 30 longest of 1,000" in many
    assert "row 999" in many
    long = charts.curves("long", {"loss": [float(i) for i in range(100_000)]}).content
    assert len(long) < 20_000


@pytest.mark.parametrize(
    "values",
    [
        [1e308, -1e308, 0.0],
        [1e17, 1e17],
        [1.7e308, 1.7e308],
        [-1.7e308],
        [1e17, 1e17 + 16],
        [5e-324, 0.0],
        [float("inf")],
    ],
)
def test_curves_of_any_numbers_are_inside_of_the_axes(values: list[float]) -> None:
    places = re.findall(r"M64 ([^V\"]+)L([^\"]+)\"", charts.curves("curve", {"loss": values}).content)
    down = [float(one.split()[-1]) for one in places[0][1].split("L")] if len(values) > 1 else []
    assert "nan" not in "".join(map(str, places))
    assert all(16 <= one <= 166 for one in down)


def test_the_relu_of_a_formula_has_its_shapes_on_edges() -> None:
    formula = placeholder(ArraySpec((5, 4)))
    layer = Maximum(formula.layer, 0.0)
    assert "float64 (5, 4)" in formula.with_layer(Sum(layer)).draw().svg


def test_drawings_load_when_they_are_used() -> None:
    code = (
        "import sys, symbolic; x = symbolic.placeholder(float); f = x + 1.0; f.forward(1.0); repr(f); f.predict(1.0); "
        "assert not [name for name in sys.modules if name.startswith('layertree.drawing')]; f.draw(); "
        "assert 'layertree.drawing.layout' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


class _Failing(layertree.Optimizer):
    """An optimizer whose update raises."""

    def update(self, xp: Any, value: Any, delta: Any, state: Any) -> Any:
        raise RuntimeError("no update")


def test_a_display_of_a_run_raises_nothing() -> None:
    tape = layertree.Times(layertree.Identity(), layertree.Weight(2.0, optimizer=_Failing())).forward(3.0)
    assert "OperationTape" in tape._repr_mimebundle_()["text/html"]


def test_tuples_of_parts_of_different_shapes_are_shown() -> None:
    data = (1.0, np.ones(3))
    pair = layertree.Tuple((layertree.Identity(), layertree.Literal(np.ones(3))))
    for shown in (layertree.Input(data), layertree.Literal(data), pair, pair.forward(1.0)):
        assert "<img" in shown._repr_mimebundle_()["text/html"]
    assert len(layertree.steps(pair, 1.0).frames) == 3


def test_the_steps_of_a_long_run_are_made_as_far_as_they_are_shown() -> None:
    formula: Any = layertree.Identity()
    for _ in range(3000):
        formula = layertree.Plus(formula, layertree.Literal(1.0))
    found = layertree.steps(formula, 1.0)
    assert len(found.frames) == 60
    assert "the first 60 of 9,0" in found.note
