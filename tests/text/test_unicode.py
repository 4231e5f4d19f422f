"""Formulas in the characters of mathematics."""
# ruff: noqa: RUF001  # what looks alike is meant

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import Average, Identity, Literal, State, Weight, scope
from layertree.typing import ArraySpec
from symbolic import placeholder, weight

X = placeholder(float)
A = placeholder(ArraySpec((2, 3), np.float32))
P, Q = placeholder((float, float))

WRITTEN = [
    ((1.0 + X) * weight(2.0), "(1 + x)·𝟐"),
    (X - weight(-2.5), "x - (-𝟐.𝟓)"),
    (X ** weight(2.0), "x^𝟐"),
    (X - (1 - X) - 2, "x - (1 - x) - 2"),
    (X / (X / 2) / 3, "(x / (x / 2)) / 3"),
    (X * (X / 2), "x·(x / 2)"),
    (X / 2 * X, "(x / 2)·x"),
    (X * 2 / X, "x·2 / x"),
    (X / 2 + X / 3 - X / 4, "x / 2 + x / 3 - x / 4"),
    (X**2 + X**-10, "x² + x⁻¹⁰"),
    (X**2.0, "x²"),
    ((X**2) ** 3, "(x²)³"),
    ((-X) ** 2, "(-x)²"),
    (-(X**2), "-x²"),
    (X**0.5, "x^0.5"),
    (2 ** (X + 1), "2^(x + 1)"),
    (2**-X, "2^(-x)"),
    (-sy.negative(X), "-(-x)"),
    (-(X * 2), "-(x·2)"),
    (-X * 2, "-x·2"),
    (X * -2.5, "x·(-2.5)"),
    (X - -1.0, "x - (-1)"),
    (X > -1, "x > -1"),
    (1e-9 * X, "10⁻⁹·x"),
    ((2.5e30 * X) ** 2, "(2.5·10³⁰·x)²"),
    (sy.literal(2.5e30) ** X, "(2.5·10³⁰)^x"),
    (X * np.pi - np.inf, "x·π - ∞"),
    (X * float("nan"), "x·NaN"),
    (X * 10**400, "x·10⁴⁰⁰"),
    (X * np.float32(0.1), "x·0.1"),
    (sy.sqrt(X) + sy.sqrt(X + 1), "√x + √(x + 1)"),
    (sy.sqrt(X) ** 2, "(√x)²"),
    (sy.abs(X - 1), "|x - 1|"),
    (sy.floor(X / 2), "⌊x / 2⌋"),
    (X // 2 % 3, "⌊x / 2⌋ mod 3"),
    (sy.sigmoid(X), "σ(x)"),
    ((X > 0) & ~(X < 1) | (X != 2), "x > 0 ∧ ¬(x < 1) ∨ x ≠ 2"),
    ((X >= 0) ^ (X <= 1), "x ≥ 0 ⊕ x ≤ 1"),
    ((X > 0) == (X < 1), "(x > 0) = (x < 1)"),
    (sy.if_(X > 0, X, -X), "x if x > 0 else -x"),
    (sy.where(X > 0, X, 0.0) + 1, "(x if x > 0 else 0) + 1"),
    (sy.if_(X > 0, sy.if_(X > 1, 1.0, X), 0.0), "(1 if x > 1 else x) if x > 0 else 0"),
    (P * Q**2, "x₀·x₁²"),
    (sy.sum(A), "Σ(x)"),
    (sy.sum(A, axis=(0, -1), keepdims=True), "Σ₀,₋₁(x, keepdims = True)"),
    (sy.mean(A, axis=0), "mean₀(x)"),
    (A @ sy.matrix_transpose(A), "x @ xᵀ"),
    ((A * 2) @ sy.matrix_transpose(A + 1), "(x·2) @ (x + 1)ᵀ"),
    (A * (A @ np.eye(3, dtype=np.float32)), "x·x @ ⟨float32 3×3⟩"),
    (A[0, 1:], "x[0, 1:]"),
    (A + np.array([1.0, 2.5, -3.0], np.float32), "x + [1, 2.5, -3]"),
    (sy.astype(A, "float64"), "astype(x, dtype = float64)"),
    (sy.sin(X)(2 * X), "sin(2·x)"),
    (sy.concat([A, A], axis=1), "concat₁([x, x])"),
    (sy.exp(X) * sy.exp(X), "exp(x)·exp(x)"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_written(formula: Any, text: str) -> None:
    assert format(formula, "unicode") == text
    assert format(formula.layer, "unicode") == text


def test_shared_parts_have_lines_of_their_own() -> None:
    once = sy.exp(X)
    twice = once + once**2
    assert format(twice / twice, "unicode") == "a = exp(x)\nb = a + a²\nb / b"


def named(*names: str | None) -> str:
    """Weights of these names, one after the other; they are arrays, since numbers without a name show their values."""
    return format(
        sy.Symbolic(sum((Weight(np.ones(2), name=n) for n in names), start=sy.literal(0)).layer, None, None), "unicode"
    )


def test_names_of_weights() -> None:
    assert named("slope") == "0 + slope"
    assert named("theta", "Omega", "lambda", "Alpha") == "0 + θ + Ω + λ + Alpha"
    assert named("w1", "theta_10", "layer2_kernel", "w_") == "0 + w₁ + θ₁₀ + layer2_kernel + w_"
    assert named(None) == "0 + w"
    assert named(None, None) == "0 + w₁ + w₂"
    assert named("w1", None, None) == "0 + w₁ + w₂ + w₃"
    assert named("w", None) == "0 + w + w₁"
    assert named("w1", "w_1") == "0 + w₁ + w₁′"
    assert named("x", "x0") == "0 + x′ + x₀"
    assert named("a + b", "a\nb", "50%") == "0 + ‹a + b› + ‹a\\nb› + ‹50%›"


def test_scopes_stand_before_names_and_states_are_called_s() -> None:
    with scope("encoder"):
        w, s = Weight(1.0, name="beta_1"), State(0.0, Average(0.9))
    assert format(X * w + s, "unicode") == "x·encoder.β₁ + s"


def test_names_of_shared_parts_are_free() -> None:
    a = Weight(1.0, name="a")
    once = sy.exp(X) + a
    assert format(once * once, "unicode") == "b = exp(x) + a\nb·b"


def test_constants() -> None:
    for data, text in [
        (True, "True"),
        ((1.0, (2, False)), "(1, (2, False))"),
        (np.array([[1, 2], [3, 4]]), "[[1, 2], [3, 4]]"),
        (np.zeros((0, 3)), "⟨float64 0×3⟩"),
        (np.arange(9.0), "⟨float64 9⟩"),
        (-0.0, "-0"),
    ]:
        assert format(Literal(data), "unicode") == text
    assert format(Identity(), "unicode") == "x"
