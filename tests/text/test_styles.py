"""Every layer prints in every style; what is large is shortened, and says so."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Concat, Hook, Identity, Literal, Plus, Sin, Times, Weight, nodes
from layertree.core.spec import spec_of
from layertree.layers import functions
from layertree.text.latex import Latex
from layertree.text.mathematics import INFIX
from layertree.text.unicode import Unicode
from symbolic import placeholder, wrap
from tests.layers.sample import Sample
from tests.layers.samples import IDS, SAMPLES
from tests.text.latex import require_latex

TWO = "\N{MATHEMATICAL BOLD DIGIT TWO}"
STYLES = ["code", "formula", "unicode", "latex", "tree", "tree:60"]


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_every_layer_prints_in_every_style(sample: Sample) -> None:
    formula = wrap(sample.layer, spec_of(sample.input))
    for style in STYLES:
        text = format(formula, style)
        assert text == text.strip() != ""
        assert format(sample.layer, style)
    require_latex(format(formula, "latex"))
    for width in (20, 60, 100):
        rows = format(formula, f"tree:{width}").splitlines()
        assert max(map(len, rows)) <= width
        assert rows[0].split()[0].rstrip(":\N{HORIZONTAL ELLIPSIS}") in f"{type(sample.layer).__name__} x[0] x[1] a"


@pytest.mark.parametrize("style", ["formula", "unicode", "latex"])
def test_layers_that_differ_print_differently(style: str) -> None:
    texts: dict[tuple[type, str], str] = {}
    for sample in SAMPLES:
        if sample.cls not in (Literal, Weight):  # of which large ones are told by their shape alone
            texts.setdefault((sample.cls, repr(sample.layer)), format(sample.layer, style))
    by_class = {cls: [text for (of, _), text in texts.items() if of is cls] for cls, _ in texts}
    assert len(by_class) > 100
    for cls, found in by_class.items():
        assert len(set(found)) == len(found), cls


def test_tables_of_notation_name_only_functions_that_exist() -> None:
    known = set(functions())
    own = {"call", "floor", "end of floor", "infinity", "pi"}
    for maths in (Unicode, Latex):
        assert set(maths.signs) - own <= known
        assert set(maths.words) <= known
        assert set(maths.around_signs) <= known
        assert set(INFIX) <= set(maths.signs)
    assert set(Unicode.roots) <= known


def test_long_formulas_are_shortened_and_say_so() -> None:
    x = placeholder(float)
    long = x
    for _ in range(150):
        long = sy.sin(long) + 1.0
    assert len(list(nodes(long))) == 451
    remark = "251 of 451 nodes are left out"
    for style in STYLES:
        text = format(long, style)
        assert remark in text.replace("\\ ", " ")
        assert re.search(r"\.\.\.|\\ldots|\N{HORIZONTAL ELLIPSIS}", text)
        require_latex(text) if style == "latex" else None
    assert "left out" not in format(long, "full")
    assert str(long).endswith(f"\n# {remark}")


def test_up_to_200_nodes_nothing_is_left_out() -> None:
    chain: Any = Identity()
    for _ in range(199):
        chain = Sin(chain)
    assert len(list(nodes(chain))) == 200
    for style in STYLES:
        assert "left out" not in format(chain, style).replace("\\ ", " ")
        assert "left out" in format(Sin(chain), style).replace("\\ ", " ")


def test_many_operands_that_are_left_out_are_two_dots() -> None:
    wide = Concat(tuple(Literal(np.full(1, i)) for i in range(1000)))
    assert repr(wide).endswith("..., ...))\n# 801 of 1001 nodes are left out")
    assert len(repr(wide)) < 8000
    assert format(wide, "unicode").splitlines()[0].endswith("[198], \N{HORIZONTAL ELLIPSIS}, \N{HORIZONTAL ELLIPSIS}])")
    assert format(wide, "tree").splitlines()[-2] == "\u2514\u2500 \N{HORIZONTAL ELLIPSIS} 801 more"


def test_a_weight_in_two_formulas_is_one_weight() -> None:
    """Put in place, a composition may use what the formula around it uses, too."""
    w = Weight(2.0)
    x = placeholder(float)
    gain = wrap(Times(w, Identity()), float)
    assert str(gain(gain(x) + w)) == "a = weight(2.0)\na * (a * x + a)"
    assert format(gain(gain(x) + w), "unicode") == "2\N{MIDDLE DOT}(2\N{MIDDLE DOT}x + 2)".replace("2", TWO)


def test_deep_and_shared_formulas_print_in_every_style() -> None:
    chain: Any = Identity()
    for _ in range(20_000):
        chain = Sin(chain)
    diamond: Any = Identity()
    for _ in range(300):
        diamond = Plus(diamond, diamond)
    for style in STYLES:
        assert len(format(chain, style)) < 50_000
        assert len(format(diamond, style)) < 50_000


def test_objects_without_a_name_print_by_their_text() -> None:
    hook = Hook(Identity(), lambda value: None)
    assert "<lambda>" in format(hook, "unicode")
    require_latex(format(hook, "latex"))
