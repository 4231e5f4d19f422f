"""Schedules: their factors, and that they multiply the step of any rule."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

from layertree import (
    SGD,
    Adam,
    AdamW,
    CosineDecay,
    Cycle,
    ExponentialDecay,
    InverseDecay,
    Momentum,
    Schedule,
    Scheduled,
    Weight,
    commit,
)
from layertree.namespaces import NUMPY, SCALAR

FACTORS: dict[str, tuple[Schedule, float, list[float]]] = {
    # Owl A-T12: the rates are the factors times the rate that they start from.
    "Owl A-T12 Decay": (InverseDecay(0.1), 0.1, [0.1, 0.0909090909, 0.0833333333, 0.0769230769]),
    "Owl A-T12 Exp_decay": (ExponentialDecay(0.1), 1.0, [1.0, 0.9048374180, 0.8187307531, 0.7408182207]),
    "Owl A-T12 Schedule": (Cycle((0.5, 0.25)), 2.0, [1.0, 0.5, 1.0, 0.5]),
    "cycle of three": (Cycle((3.0, 2.0, 7.0)), 1.0, [3.0, 2.0, 7.0, 3.0, 2.0, 7.0]),
    "cosine": (CosineDecay(4), 1.0, [1.0, 0.5 + math.sqrt(0.125), 0.5, 0.5 - math.sqrt(0.125), 0.0, 0.0]),
    "cosine to a floor": (CosineDecay(2, floor=0.2), 1.0, [1.0, 0.6, 0.2, 0.2]),
    "cosine after a warmup": (CosineDecay(4, warmup=2), 1.0, [0.5, 1.0, 1.0, 0.5, 0.0, 0.0]),
    "warmup alone": (CosineDecay(4, warmup=4, floor=0.5), 1.0, [0.25, 0.5, 0.75, 1.0, 0.5, 0.5]),
}


@pytest.mark.parametrize(("schedule", "rate", "wanted"), FACTORS.values(), ids=FACTORS)
def test_factors(schedule: Schedule, rate: float, wanted: list[float]) -> None:
    for xp in (SCALAR, NUMPY):
        found = [rate * schedule.factor(xp, step) for step in range(len(wanted))]
        np.testing.assert_allclose(found, wanted, rtol=0, atol=6e-11)


@pytest.mark.parametrize("start", [1.0, np.ones(3), np.ones((2, 2), np.float32)], ids=["float", "float64", "float32"])
@pytest.mark.parametrize("rule", [SGD(0.5), Momentum(0.1), Adam(0.1), AdamW(0.1)], ids=repr)
def test_the_step_of_any_rule_is_multiplied(rule: Any, start: Any) -> None:
    factors = (1.0, 0.25, 0.5)
    scheduled = Weight(start, optimizer=Scheduled(rule, Cycle(factors)))
    value, state = start, rule.start(NUMPY, start)
    for step, factor in enumerate(factors):
        delta = np.asarray(0.5 - step, np.asarray(start).dtype) * np.ones_like(start)
        delta = delta if np.ndim(start) else float(delta)
        commit({scheduled: delta})
        stepped, state = rule.update(NUMPY, value, delta, state)
        value = value + (stepped - value) * type(np.asarray(start).dtype.type(0))(factor)
        np.testing.assert_allclose(scheduled.value, value, rtol=1e-6 if step else 1e-7)
        assert np.asarray(scheduled.value).dtype == np.asarray(start).dtype
        assert scheduled.state[-1] == step + 1


def test_several_deltas_for_one_commit_are_added() -> None:
    assert Scheduled(SGD(), Cycle((1.0,))).combine(SCALAR, [1.0, 2.0, 4.0]) == 7.0


def test_configurations() -> None:
    rule = Scheduled(Adam(1e-3), CosineDecay(100, warmup=10))
    assert pickle.loads(pickle.dumps(rule)) == rule
    assert hash(rule) == hash(Scheduled(Adam(1e-3), CosineDecay(100, warmup=10)))
    assert rule != Scheduled(Adam(1e-3), CosineDecay(100))
    with pytest.raises(ValueError, match=r"CosineDecay.steps = 0 is not allowed: give int of at least 1"):
        CosineDecay(0)
    with pytest.raises(TypeError, match=r"Cycle.factors = 1.0 is not allowed: give a tuple of float"):
        Cycle(1.0)  # type: ignore[arg-type]  # that is the mistake
    with pytest.raises(TypeError, match="Optimizer"):
        Scheduled(0.1, Cycle((1.0,)))  # type: ignore[arg-type]  # that is the mistake
    with pytest.raises(TypeError, match="Schedule"):
        Scheduled(SGD(), SGD())  # type: ignore[arg-type]  # that is the mistake
