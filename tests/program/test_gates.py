"""What gates cost in a program: the way back computes no exponential of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import compile
from layertree.typing import ArraySpec
from symbolic import gelu_tanh, placeholder, silu, simplification, sum, value_and_grad, weight

DATA = np.linspace(-3, 3, 60, dtype=np.float32)

every_gate = pytest.mark.parametrize(
    ("gate", "name", "forward", "back"),
    [(gelu_tanh, "GELUTanh", 9, 11), (silu, "SiLU", 6, 5)],
    ids=["gelu_tanh", "silu"],
)


def lines(source: str, label: str) -> list[str]:
    return [line for line in source.splitlines() if line.partition("# ")[2].partition(",")[0] == label]


@every_gate
def test_a_step_has_the_gate_once(gate: Any, name: str, forward: int, back: int) -> None:
    x, w = placeholder(ArraySpec((60,), np.float32)), weight(np.ones(60, np.float32))
    step = compile(sum(gate(w * x) * x), train=True)
    step(DATA)
    assert step.source.count("np.exp(") == 1
    assert len(lines(step.source, name)) == forward
    assert len(lines(step.source, f"gradient of {name}")) == back


@every_gate
def test_a_simplified_derivative_has_it_once_too(gate: Any, name: str, forward: int, back: int) -> None:
    x = placeholder(ArraySpec((60,), np.float32))
    both: Any = simplification.simplify(value_and_grad(sum(gate(x) * x)))
    program = compile(both)
    value, slope = program.predict(DATA)
    wanted, wanted_slope = both.predict(DATA)
    np.testing.assert_allclose(value, wanted, rtol=1e-6)
    np.testing.assert_allclose(slope, wanted_slope, rtol=1e-5, atol=1e-6)
    assert program.source.count("np.exp(") == 1
    assert program.source.count("np.divide(one") == 1
