"""A delta that is zero by the rule of a layer is a delta; a weight in a branch that is not taken has none.

Weight decay and momentum show the difference: they change a weight whose delta is zero, and no weight without a delta.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Adam, AdamW, Item, Momentum, Tuple, compile
from layertree.program.lower.updates import state_of
from layertree.typing import ArraySpec
from symbolic import floor, if_, placeholder, round, sign, sum, trunc, weight, where, zeros_like

y = placeholder(float)
RULES = (AdamW(0.1, decay=0.5), Momentum(0.1), Adam(0.1), SGD(0.1))
MODES: list[Callable[[Any], Any]] = [
    lambda one: one.train,
    lambda one: compile(one, train=True),
    lambda one: compile(one).train,
]

ZERO: dict[str, Callable[[Any], Any]] = {
    "trunc": lambda w: trunc(w) * y,
    "floor": lambda w: floor(w) * y,
    "round": lambda w: round(w) * y,
    "floor division": lambda w: (w // 2.0) * y,
    "divisor of a floor division": lambda w: (y // w) * y,
    "sign": lambda w: sign(w) * y,
    "power of zero": lambda w: w**0 * y,
    "minus itself": lambda w: (w - w) * y,
    "times zero": lambda w: w * 0.0 + y,
    "pattern": lambda w: zeros_like(w) + y + w * 0.0,
    "unused side of where": lambda w: where(True, y, w),
    "other weights": lambda w: trunc(w) * y * weight(2.0) + if_(y > 100.0, weight(4.0), y),
}


def outcome(formula: Any, leaf: Any, mode: Callable[[Any], Any], data: Any, steps: int = 3) -> Any:
    step = mode(formula)
    for _ in range(steps):
        step(data)
    state = leaf.layer.state
    return np.asarray(leaf.value).tolist(), [np.asarray(part).tolist() for part in state or ()]


@pytest.mark.parametrize("rule", RULES, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("name", ZERO)
def test_a_delta_that_is_zero_by_rule_is_a_delta(name: str, rule: Any) -> None:
    found: list[Any] = []
    for mode in MODES:
        leaf = weight(5.5, optimizer=rule)
        found.append(outcome(ZERO[name](leaf), leaf, mode, 2.0))
    assert found[1] == found[0]
    assert found[2] == found[0]
    if isinstance(rule, AdamW):
        assert found[0][0] == pytest.approx(4.7155625)


def test_arrays_of_one_group_and_one_of_them_gets_zero() -> None:
    x = placeholder(ArraySpec((2,)))
    found: list[Any] = []
    for mode in MODES:
        one, other = [weight(np.array([1.5, -2.5]), optimizer=AdamW(0.1, decay=0.5)) for _ in range(2)]
        formula = sum(trunc(one) * x + other * x)
        found.append([outcome(formula, one, mode, np.ones(2)), outcome(formula, other, mode, np.ones(2))])
    assert found[1] == found[0]
    assert found[2] == found[0]


BRANCHES: dict[str, Callable[[Any], Any]] = {
    "in the branch": lambda w: if_(y > 1.0, w * y, y * weight(1.0)),
    "outside, read in the branch": lambda w: (lambda h: if_(y > 1.0, h * h, y * weight(1.0)))(w * y),
    "zero by rule in the branch": lambda w: if_(y > 1.0, trunc(w) * y, y * weight(1.0)),
    "in nested branches": lambda w: if_(y > 0.0, if_(y > 1.0, w * y, y), y * weight(1.0)),
    "in both": lambda w: if_(y > 1.0, w * y, w * w),
    "in both, zero in one": lambda w: if_(y > 1.0, w * y, trunc(w)),
    "in the branch and outside": lambda w: if_(y > 1.0, w * y, y) + w,
    "in one of two branches": lambda w: if_(y > 1.0, w * y, y) + if_(y < -1.0, w * y, y),
    "in a part that is not used": lambda w: Item(Tuple((if_(y > 1.0, w, y * weight(1.0)).layer, w.layer)), 0),
    "a part of a branch": lambda w: Item(if_(y > 1.0, Tuple((w.layer, y.layer)), Tuple((y.layer, w.layer))).layer, 0),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("name", BRANCHES)
def test_a_weight_that_no_delta_reaches_takes_no_step(name: str, rule: Any) -> None:
    for data in ((2.0, 0.5, 0.5), (-2.0, 2.0, 0.5), (0.5, 0.5, 0.5)):
        found: list[Any] = []
        for mode in MODES:
            leaf = weight(5.5, optimizer=rule)
            step = mode(BRANCHES[name](leaf))
            for one in data:
                step(one)
            found.append((leaf.value, state_of(rule, leaf.layer.cell.content)))  # that before a first step is its start
        values = [value for value, _ in found]
        assert values[1:] == pytest.approx(values[:1] * 2, rel=1e-12)
        assert [state for _, state in found[1:]] == [pytest.approx(found[0][1], rel=1e-12)] * 2


def test_a_compiled_formula_of_several_outputs() -> None:
    """The weights of an output that has no delta take no step."""
    found: list[Any] = []
    for is_compiled in (False, True):
        leaves = [weight(5.5, optimizer=Momentum(0.1)) for _ in range(2)]
        pair: Any = Tuple((leaves[0] * y, leaves[1] * y))
        both = compile(pair) if is_compiled else pair
        for part in (0, 1, 1):
            Item(both, part).train(2.0)
        found.append([(leaf.value, leaf.layer.state) for leaf in leaves])
    assert found[1] == found[0]
