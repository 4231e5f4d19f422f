"""Many Ifs inside of one another: beyond some depth they are statements one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import compile
from layertree.program.codegen import emit
from layertree.typing import ArraySpec
from symbolic import exp, if_, placeholder, sum, weight


def nested(x: Any, w: Any, count: int, is_else: bool) -> Any:
    formula = x * w
    for i in range(count):
        if is_else:
            formula = if_(x < float(count - i), x + w, formula * 0.5 + 1.0)
        else:
            formula = if_(x > float(i), formula * 0.5, x + w) + w
    return formula


@pytest.mark.parametrize("count", [99, 150])
@pytest.mark.parametrize("is_else", [False, True])
def test_deep_branches_compile(count: int, is_else: bool) -> None:
    x, w = placeholder(float), weight(2.0)
    formula = nested(x, w, count, is_else)
    program = compile(formula)
    for data in (-1.0, 3.5, count / 2.0, count + 1.0):
        assert program.predict(data) == formula.predict(data)
        found: list[Any] = []
        for step in (formula.train, compile(formula, train=True), compile(formula, train=True, check_finite=True)):
            w.layer.set(2.0)
            found.append((step(data), w.value))
        assert found[1:] == [pytest.approx(found[0], rel=1e-12)] * 2


@pytest.mark.parametrize("is_else", [False, True])
def test_no_pass_recurses_into_branches(is_else: bool) -> None:
    """1500 Ifs inside of one another: the interpreter's limit of recursion is 1000 calls."""
    x, w = placeholder(float), weight(2.0)
    formula = nested(x, w, 1500, is_else)
    data = -1.0 if is_else else 3.5
    wanted = formula.predict(data)
    assert compile(formula, check_finite=True).predict(data) == wanted
    slope = float(formula.train(data)), w.value
    w.layer.set(2.0)
    step = compile(formula, train=True)
    assert (float(step(data)), w.value) == pytest.approx(slope, rel=1e-12)
    assert step.explain()


@pytest.mark.parametrize("deepest", [1, 2, 3])
def test_branches_of_arrays(deepest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A branch with lines before and after another one, in both sides."""
    x, y = placeholder((ArraySpec((50,)), float))
    w = weight(np.ones(50))

    def formula_of(depth: int, inner: Any) -> Any:
        for i in range(depth):
            before = exp(inner * 0.1)
            other = if_(y > float(-i), before * w, before - x) + inner
            inner = if_(y < float(i), exp(other * 0.01) * before, other + w * float(i))
        return sum(inner)

    formula = formula_of(3, x * w)
    monkeypatch.setattr(emit, "_DEEPEST", deepest)
    for check_finite in (False, True):
        program = compile(formula, check_finite=check_finite)
        step = compile(formula, train=True, check_finite=check_finite)
        for number in (-5.0, -1.5, 0.5, 1.5, 5.0):
            data = np.linspace(-1.0, 1.0, 50), number
            assert program.predict(data) == pytest.approx(formula.predict(data), rel=1e-12)
            w.layer.set(np.ones(50))
            wanted, slopes = formula.train(data), w.value
            w.layer.set(np.ones(50))
            assert step(data) == pytest.approx(wanted, rel=1e-12)
            np.testing.assert_allclose(w.value, slopes, rtol=1e-12)
        assert program.profile(data, 1)
