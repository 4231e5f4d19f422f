r"""Formulas in LaTeX. What names may hold, LaTeX does not see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symbolic as sy
from layertree import Literal, Power, Times, Weight
from layertree.typing import ArraySpec
from symbolic import placeholder, weight
from tests.test_random_formulas import formulas
from tests.text.latex import require_latex

X = placeholder(float)
A = placeholder(ArraySpec((2, 3), np.float32))
P, Q = placeholder((float, float))

WRITTEN = [
    ((1.0 + X) * weight(2.0), r"\left(1 + x\right) \cdot \mathbf{2}"),
    (X + weight(-2.5) ** 2, r"x + \left(\mathbf{-2.5}\right)^{2}"),
    (X * weight(1.5e-9), r"x \cdot \left(\mathbf{1.5 \cdot 10^{-9}}\right)"),
    (A * weight(np.ones((2, 3), np.float32)), r"x \cdot w"),
    (sy.exp(-(X**2)) / (1 + X), r"\frac{\exp\left(-x^{2}\right)}{1 + x}"),
    ((X / 2) ** (X / 3), r"\left(\frac{x}{2}\right)^{\frac{x}{3}}"),
    (X * (X / 2), r"x \cdot \frac{x}{2}"),
    (sy.sqrt(X + 1), r"\sqrt{x + 1}"),
    ((X**2) ** 3, r"\left(x^{2}\right)^{3}"),
    (-(X + 1), r"-\left(x + 1\right)"),
    (sy.abs(X) * -2.5e-9, r"\left|x\right| \cdot \left(-2.5 \cdot 10^{-9}\right)"),
    (X // 2, r"\left\lfloor \frac{x}{2}\right\rfloor"),
    (X % 2, r"x \bmod 2"),
    (P * Q, r"x_{0} \cdot x_{1}"),
    ((X >= 0) & (X != 1), r"x \geq 0 \wedge x \neq 1"),
    (sy.if_(X > 0, X, -X), r"\begin{cases} x & \mathrm{if}\ x > 0 \\ -x & \mathrm{otherwise} \end{cases}"),
    (sy.sum(A, axis=0), r"\sum_{0}\left(x\right)"),
    (A @ sy.matrix_transpose(A), r"x \, x^{\top}"),
    ((A * 2) @ sy.matrix_transpose(A), r"\left(x \cdot 2\right) \, x^{\top}"),
    (sy.matrix_transpose(A) ** 2, r"\left(x^{\top}\right)^{2}"),
    (A[0, 1:, ...], r"x\left[0, 1{:}, \ldots\right]"),
    (A + np.array([1.0, 2, 3], np.float32), r"x + \begin{bmatrix} 1 & 2 & 3 \end{bmatrix}"),
    (A * np.ones((2, 2, 3), np.float32), r"x \cdot {\mathrm{float32}^{2 \times 2 \times 3}}"),
    (sy.log_softmax(A, axis=0), r"\mathrm{log\_softmax}_{0}\left(x\right)"),
    (sy.astype(A, "float64"), r"\mathrm{astype}\left(x, \mathrm{dtype} = \mathrm{float64}\right)"),
    (X * np.inf - np.pi, r"x \cdot \infty - \pi"),
    (X * weight(1.0, name="theta_1") ** 2, r"x \cdot \theta_{1}^{2}"),
    (X * weight(1.0, name="slope"), r"x \cdot \mathrm{slope}"),
    (X * weight(1.0, name="enc/k_2"), r"x \cdot \mathrm{enc}.k_{2}"),
    (X * weight(1.0, name="x") ** 2, r"x \cdot {x'}^{2}"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_written(formula: Any, text: str) -> None:
    assert format(formula, "latex") == text
    require_latex(text)


def test_shared_parts_are_lines() -> None:
    once = sy.exp(X)
    text = format(once + once, "latex")
    assert text == "\\begin{aligned}\na &= \\exp\\left(x\\right) \\\\\n&a + a\n\\end{aligned}"


def test_notebooks_show_formulas_as_mathematics_and_layers_as_code() -> None:
    formula: Any = X / 2.0
    assert formula._repr_latex_() == r"$\displaystyle \frac{x}{2}$"
    assert not hasattr(formula.layer, "_repr_latex_")


HOSTILE = ["a_b", "50%", "$x$", r"\alpha", "w^2", "{", "}}{", "a&b", "#1", "a b", "it's", "a-b", "\n", r"\end{aligned}"]


@pytest.mark.parametrize("name", [*HOSTILE, "^^M", "a\\", "~", "\N{GREEK SMALL LETTER PI}", "\u202e", "a/b/c_1"])
def test_names_are_escaped(name: str) -> None:
    require_latex(format(X * weight(1.0, name=name) ** 2, "latex"))
    assert r"\backslash{}alpha" in format(Weight(1.0, name=r"\alpha"), "latex")


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=10), formulas())
def test_any_formula_with_any_name_is_latex(name: str, formula: Any) -> None:
    require_latex(
        format(Times(Power(formula, Weight(2.0, name=name)), Power(Weight(2.0, name=name), formula)), "latex")
    )


def test_constants() -> None:
    for data, text in [
        (np.array([[1, 2], [3, 4]]), r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}"),
        ((1.0, True), r"(1, \mathrm{True})"),
        (float("nan"), r"\mathrm{NaN}"),
    ]:
        assert format(Literal(data), "latex") == text
