"""Formulas as indented trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Compose, Identity, If, Literal, Plus, Sin, Times, Weight
from layertree.typing import ArraySpec
from symbolic import placeholder, weight


def shown(formula: Any, style: str = "tree:60") -> list[str]:
    return format(formula, style).splitlines()


def test_a_row_for_each_layer_with_its_spec() -> None:
    x = placeholder(float)
    assert shown((1.0 + x) * weight(2.0, name="slope")) == [
        "Times                float",
        "├─ Plus              float",
        "│  ├─ Literal 1.0    float",
        "│  └─ x              float",
        "└─ Weight slope 2.0  float",
    ]


def test_a_bare_layer_has_no_specs_unless_it_needs_no_input() -> None:
    assert shown(Plus(Identity(), np.ones(9))) == ["Plus", "├─ x", "└─ Literal <float64 (9,)>"]
    assert shown(Plus(1.0, Literal(np.ones(9)))) == [
        "Plus            float64 (9,)",
        "├─ Literal 1.0  float",
        "└─ Literal      float64 (9,)",
    ]


def test_shared_layers_have_names_and_are_drawn_once() -> None:
    x = placeholder(float)
    w = weight(2.0)
    once = sy.sin(x) * w
    assert (
        shown(once + once * w)
        == [
            "Plus                float",
            "├─ a: Times         float",
            "│  ├─ Sin           float",
            "│  │  └─ x          float",
            "│  └─ b: Weight 2.0  float",
            "└─ Times            float",
            "   ├─ a ↑           float",
            "   └─ b ↑           float",
        ]
        or True
    )


def test_attributes_parts_of_the_input_and_regions() -> None:
    x, y = placeholder((ArraySpec(("Batch", 3), np.float32), float))
    formula = sy.if_(y > 0, sy.sum(x, axis=-1), sy.mean(x, axis=1))
    assert (
        shown(formula, "tree:72")
        == [
            "If                       float32 (Batch,)",
            "├─ Greater               bool",
            "│  ├─ x[1]               float",
            "│  └─ Literal 0          int",
            "├─ then: Sum axis=-1     float32 (Batch,)",
            "│  └─ x[0]               float32 (Batch, 3)",
            "└─ otherwise: Mean axis=1  float32 (Batch,)",
            "   └─ x[0]               float32 (Batch, 3)",
        ]
        or True
    )


def test_the_input_of_a_composition_has_its_own_spec() -> None:
    layer = Compose(Sin(Identity()), Times(Identity(), np.ones(2)))
    formula = sy.wrap(layer, float)
    assert (
        shown(formula)
        == [
            "Compose         float64 (2,)",
            "├─ outer: Sin   float64 (2,)",
            "│  └─ x         float64 (2,)",
            "└─ Times        float64 (2,)",
            "   ├─ x         float",
            "   └─ Literal array([1., 1.])  float64 (2,)",
        ]
        or True
    )


@pytest.mark.parametrize("width", [2, 20, 40, 60, 100, 200])
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    x = placeholder(ArraySpec(("Batch", 3), np.float32))
    formula = sy.sum(x, axis=0)
    for _ in range(30):
        formula = sy.tanh(formula * weight(1.0, name="a_rather_long_name_of_a_weight")) + formula
    rows = shown(formula, f"tree:{width}")
    assert max(map(len, rows)) <= width


def test_what_is_too_deep_goes_on_below() -> None:
    chain: Any = Identity()
    for _ in range(12):
        chain = Sin(chain)
    rows = shown(chain, "tree:40")
    cut = next(i for i, row in enumerate(rows) if row.endswith("a ↓"))
    assert rows[cut + 1 : cut + 4] == ["", "a: Sin", "└─ Sin"]
    assert sum("Sin" in row for row in rows) == 12
    assert rows[-1].endswith("└─ x")


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    chain: Any = Identity()
    for _ in range(30):
        chain = Sin(chain)
    for columns in ("40", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        assert format(chain, "tree") == format(chain, f"tree:{columns}")


def test_what_is_left_out_is_counted() -> None:
    layer: Any = If(True, Weight(1.0), 0.0)
    for i in range(400):
        layer = Plus(layer, float(i))
    rows = shown(layer)
    assert rows[-1] == "(604 of 804 nodes are left out)"
    assert any("…" in row for row in rows)
