"""The memory plan: what is alive at one time never lies in one place, and nothing is larger than it has to be."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import SGD, Adam, compile, parameters
from layertree._memory import ALIGNMENT
from layertree.program import split
from layertree.program.memory import Life, MemoryPlan
from layertree.typing import ArraySpec
from symbolic import exp, if_, mean, placeholder, sum, tanh, weight
from tests.program.networks import IMAGE, batch, convolutional, mlp
from tests.program.test_random import array_formulas, arrays


def plan_of(program: Any) -> MemoryPlan:
    return program._programs.last.program.memory


def require_sound(plan: MemoryPlan) -> None:
    """No two stretches that are taken at one time overlap, and each lies within the arena."""
    for life in plan.lives:
        assert life.offset % ALIGNMENT == life.nbytes % ALIGNMENT == 0 < life.nbytes
        assert 0 <= life.offset <= life.offset + life.nbytes <= plan.nbytes
        assert life.start <= life.stop
    for one, other in combinations(plan.lives, 2):
        if one.start <= other.stop and other.start <= one.stop:
            assert one.offset + one.nbytes <= other.offset or other.offset + other.nbytes <= one.offset
    peak = int(np.sum([life.nbytes for life in plan.at_the_peak()]))
    assert peak <= plan.nbytes
    moments = [life.start for life in plan.lives]
    assert peak == max((taken_at(plan, moment) for moment in moments), default=0)


def taken_at(plan: MemoryPlan, moment: int) -> int:
    return int(np.sum([life.nbytes for life in plan.lives if life.start <= moment <= life.stop]))


@pytest.mark.parametrize("rule", [SGD(0.1), Adam(0.01)], ids=["SGD", "Adam"])
@pytest.mark.parametrize("make", [mlp, convolutional])
def test_networks(make: Any, rule: Any) -> None:
    step = compile(make(), train=True, optimizer=rule)
    step.reserve(batch(4, *((6,) if make is mlp else IMAGE)))
    plan = plan_of(step)
    assert len(plan.lives) > 10
    require_sound(plan)
    assert plan.nbytes < plan.without_reuse


@settings(max_examples=60, deadline=None)
@given(array_formulas(), st.integers(0, 2**16))
def test_random_steps(formula: Any, seed: int) -> None:
    data = arrays((3, 4), seed)
    if not any(w in formula.forward(data).gradients() for w in parameters(formula)):
        return
    step = compile(formula, train=True, optimizer=Adam(0.01))
    step.reserve(data)
    require_sound(plan_of(step))


def test_chains_and_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layertree.program.fuse.BLOCK", 8)
    monkeypatch.setattr(split, "WORTH", 1 << 40)
    x = placeholder(ArraySpec((50,)))
    chain = tanh(exp(x * weight(0.5)) * 2.0 + 1.0)
    step = compile(sum(chain * chain) + mean(chain), train=True)
    step.reserve(ArraySpec((50,)))
    require_sound(plan_of(step))
    branch: Any = compile(if_(sum(x) < 0.0, tanh(exp(x)) * x, exp(tanh(x)) + x))
    branch.reserve(ArraySpec((50,)))
    require_sound(plan_of(branch))
    for data in (np.ones(50), -np.ones(50)):
        np.testing.assert_allclose(branch.predict(data), branch.formula.predict(data), rtol=1e-12)
    assert "cond" in str(branch)


def test_a_chain_of_equal_sizes_takes_one_buffer() -> None:
    x = placeholder(ArraySpec((100,)))
    program: Any = compile(sum(tanh(exp(tanh(exp(x))))))
    program.reserve(ArraySpec((100,)))
    plan = plan_of(program)
    assert [life.nbytes for life in plan.lives] == [832]  # 800 bytes, to the next line of the cache
    assert plan.nbytes == 832
    assert plan.without_reuse == 4 * 832


def test_the_peak_of_lives() -> None:
    lives = [Life(None, 0, 64, 0, 2), Life(None, 64, 128, 1, 1), Life(None, 64, 64, 2, 3)]
    plan = MemoryPlan({}, {}, {}, 192, 256, tuple(lives))
    assert plan.at_the_peak() == lives[:2]
    assert MemoryPlan({}, {}, {}, 0, 0).at_the_peak() == []
