"""Settings that would make NaN are refused when an optimizer or a schedule is built."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest
from attrs.exceptions import FrozenInstanceError

from layertree import (
    SGD,
    Adagrad,
    Adam,
    AdamW,
    Average,
    CosineDecay,
    Cycle,
    ExponentialDecay,
    InverseDecay,
    Momentum,
    RMSprop,
    Weight,
    commit,
)
from layertree.namespaces import NUMPY, SCALAR

INF = float("inf")

REFUSED: dict[str, Callable[[], Any]] = {
    "Adam.epsilon = 0.0": lambda: Adam(0.1, epsilon=0.0),
    "AdamW.epsilon = 0.0": lambda: AdamW(0.1, epsilon=0.0),
    "RMSprop.epsilon = 0.0": lambda: RMSprop(0.1, epsilon=0.0),
    "RMSprop.epsilon = 0.0 .*decay": lambda: RMSprop(0.1, decay=0.0, initial=1.0, epsilon=0.0),
    "Adagrad.epsilon = 0.0": lambda: Adagrad(0.1, epsilon=0.0),
    "Adam.beta1 = 1.0": lambda: Adam(0.1, beta1=1.0),
    "AdamW.beta2 = 1.0": lambda: AdamW(0.1, beta2=1.0),
    "SGD.rate = inf": lambda: SGD(INF),
    "SGD.rate = nan": lambda: SGD(float("nan")),
    "SGD.rate is too large": lambda: SGD(10**400),
    "Momentum.rate is too large": lambda: Momentum(10**5000),
    "Average.momentum = nan": lambda: Average(float("nan")),
    "InverseDecay.speed = inf": lambda: InverseDecay(INF),
    "ExponentialDecay.speed = inf": lambda: ExponentialDecay(INF),
    r"CosineDecay.warmup = 6 .* 5 steps": lambda: CosineDecay(steps=5, warmup=6),
    r"Cycle.factors = \(\) .* at least one": lambda: Cycle(()),
    r"Cycle.factors = \(1.0, inf\)": lambda: Cycle((1.0, INF)),
}


@pytest.mark.parametrize("words", REFUSED)
def test_refused(words: str) -> None:
    with pytest.raises(ValueError, match=words):
        REFUSED[words]()


def test_a_warmup_of_all_steps_ends_at_the_floor() -> None:
    schedule = CosineDecay(steps=5, warmup=5, floor=0.1)
    for xp in (SCALAR, NUMPY):
        found = [float(schedule.factor(xp, step)) for step in range(8)]
        np.testing.assert_allclose(found, [0.2, 0.4, 0.6, 0.8, 1.0, 0.1, 0.1, 0.1], rtol=1e-15)


@pytest.mark.parametrize(
    "rule",
    [
        SGD(0.1),
        Momentum(0.1, 1.0),
        Adagrad(),
        Adagrad(initial=1.0, epsilon=0.0),
        RMSprop(),
        RMSprop(decay=0.0),
        RMSprop(decay=1.0),
        RMSprop(initial=1.0, epsilon=0.0),
        Adam(),
        Adam(beta1=0.0, beta2=0.0),
        AdamW(),
    ],
    ids=repr,
)
def test_what_is_accepted_makes_no_nan(rule: Any) -> None:
    w = Weight(1.0, optimizer=rule)
    for delta in (0.0, 0.0, 1.0, 0.0):
        commit({w: delta})
        assert np.isfinite(w.value)


FOREIGN: dict[str, Callable[[], Any]] = {
    "Adam has no setting 'lr': the name is rate here": lambda: Adam(lr=0.1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    "SGD has no setting 'learning_rate': the name is rate": lambda: SGD(learning_rate=0.1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    "Adam has no setting 'betas': the name is beta1 and beta2": lambda: Adam(betas=(0.9, 0.9)),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    "RMSprop has no setting 'eps': the name is epsilon": lambda: RMSprop(eps=0.1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    "RMSprop has no setting 'weight_decay': AdamW": lambda: RMSprop(weight_decay=0.1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    "AdamW has no setting 'weight_decay': the name is decay": lambda: AdamW(weight_decay=0.1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    "AdamW has no setting 'alpha': the settings are rate": lambda: AdamW(alpha=0.1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    "RMSprop has no setting 'alpha': the name is decay": lambda: RMSprop(alpha=0.1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    r"SGD has no setting 'momentum': Momentum\(": lambda: SGD(momentum=0.1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    "CosineDecay has no setting 'eta': the settings are steps": lambda: CosineDecay(eta=1),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
}


@pytest.mark.parametrize("words", FOREIGN)
def test_names_of_other_libraries(words: str) -> None:
    with pytest.raises(TypeError, match=words):
        FOREIGN[words]()


@pytest.mark.parametrize("xp", [SCALAR, NUMPY])
def test_an_unknown_function_names_the_nearest(xp: Any) -> None:
    with pytest.raises(AttributeError, match=r"has no 'multiplly': near are .*multiply"):
        xp.multiplly


def test_an_assignment_to_a_setting_names_the_way_out() -> None:
    rule: Any = Momentum(0.1)
    with pytest.raises(FrozenInstanceError) as caught:
        rule.rate = 0.2
    assert str(caught.value) == (
        "Momentum.rate cannot be set: a setting never changes. attrs.evolve(rule, rate=...) makes a changed copy"
    )
    with pytest.raises(FrozenInstanceError, match=r"evolve\(rule, rate=\.\.\., momentum=\.\.\., nesterov=\.\.\.\)"):
        rule.lr = 0.2
    decay: Any = InverseDecay()
    with pytest.raises(FrozenInstanceError, match=r"^InverseDecay\.speed cannot be set: .*\(rule, speed=\.\.\.\)"):
        decay.speed = 1.0
    assert rule == Momentum(0.1)
    assert attrs.evolve(rule, rate=0.2) == Momentum(0.2)
    assert pickle.loads(pickle.dumps(rule)) == rule
