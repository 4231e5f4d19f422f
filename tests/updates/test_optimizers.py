"""Update rules against their formulas, step by step."""

import numpy as np
import pytest

from layertree import (
    SGD,
    Adagrad,
    Adam,
    AdamW,
    Average,
    CosineDecay,
    Count,
    Cycle,
    ExponentialDecay,
    Identity,
    InverseDecay,
    Literal,
    Momentum,
    RMSprop,
    Scheduled,
    State,
    Sum,
    Times,
    Weight,
    commit,
    compile,
)
from layertree.core.nested import flat
from layertree.core.spec import spec_of
from layertree.namespaces import NUMPY, SCALAR
from layertree.namespaces.tree import Derivation


def steps(rule, deltas, start=1.0):
    w = Weight(start, optimizer=rule)
    found = []
    for delta in deltas:
        commit({w: delta})
        found.append(w.value)
    return found


def test_sgd():
    assert steps(SGD(0.5), [1.0, -2.0]) == [0.5, 1.5]


def test_momentum_keeps_a_velocity():
    assert steps(Momentum(0.1, 0.5), [1.0, 1.0, 0.0]) == pytest.approx([0.9, 0.75, 0.675])


def test_nesterov_looks_one_step_ahead():
    # velocities 1, 1.5, 0.75; the steps are half of these and the delta
    assert steps(Momentum(0.1, 0.5, nesterov=True), [1.0, 1.0, 0.0]) == pytest.approx([0.85, 0.675, 0.6375])


def test_adagrad_step_by_step():
    # the root of 9 + 16, then of 25 + 144
    assert steps(Adagrad(0.5, initial=9.0, epsilon=0.0), [4.0, 12.0]) == pytest.approx([0.6, 0.6 - 6 / 13], rel=1e-15)
    assert steps(Adagrad(0.5, epsilon=1.0), [4.0]) == pytest.approx([0.6], rel=1e-15)
    assert steps(Adagrad(0.25), [1e-3]) == pytest.approx([0.75], rel=1e-6)
    assert steps(Adagrad(0.25), [0.0]) == [1.0]


def test_rmsprop_step_by_step():
    # means 0.75 * 4 + 0.25 * 4 = 4, then 0.75 * 4 + 0.25 * 16 = 7
    rule = RMSprop(0.5, decay=0.75, initial=4.0, epsilon=0.0)
    assert steps(rule, [2.0, -4.0]) == pytest.approx([0.5, 0.5 + 2 / 7**0.5], rel=1e-15)
    assert steps(RMSprop(0.5, decay=0.75, initial=4.0, epsilon=2.0), [2.0]) == pytest.approx([0.75], rel=1e-15)
    assert steps(RMSprop(0.25, 0.75), [0.0, 1e-3]) == pytest.approx([1.0, 0.5], rel=1e-4)


def test_adamw_decays_apart_from_the_moments():
    deltas = [0.3, -0.1, 0.2]
    plain = steps(Adam(0.01), deltas, start=2.0)
    decayed, value, before = steps(AdamW(0.01, decay=0.5), deltas, start=2.0), 2.0, 2.0
    for after, found in zip(plain, decayed, strict=True):
        value = value * (1 - 0.01 * 0.5) + (after - before)
        before = after
        assert found == pytest.approx(value, rel=1e-14)
    assert steps(AdamW(0.01, decay=0.0), deltas, start=2.0) == plain
    assert AdamW().decay == 0.01


def test_the_first_step_of_adam_has_the_size_of_the_rate():
    for delta in (1e-3, 1.0, 1e6):
        (value,) = steps(Adam(0.25), [delta])
        assert value == pytest.approx(0.75, rel=1e-4)


def test_adam_step_by_step():
    deltas, rate, b1, b2, epsilon = [0.3, -0.1, 0.2, 0.0], 0.01, 0.8, 0.9, 1e-3
    value, first, second, expected = 1.0, 0.0, 0.0, []
    for step, delta in enumerate(deltas, 1):
        first = b1 * first + (1 - b1) * delta
        second = b2 * second + (1 - b2) * delta**2
        value -= rate * (first / (1 - b1**step)) / (np.sqrt(second / (1 - b2**step)) + epsilon)
        expected.append(value)
    assert steps(Adam(rate, b1, b2, epsilon), deltas) == pytest.approx(expected, rel=1e-12)


def test_adam_after_a_zero_delta_still_moves():
    first, second = steps(Adam(0.001), [1.0, 0.0], start=0.0)
    assert first == pytest.approx(-0.00099999999, rel=1e-8)
    assert second - first == pytest.approx(-0.0006700582446, rel=1e-8)


OPTIMIZERS = [
    *(SGD(0.1), Momentum(0.1), Momentum(0.1, nesterov=True), Adagrad(0.1), Adagrad(0.1, 0.5)),
    *(RMSprop(0.1), RMSprop(0.1, initial=0.5), Adam(0.1), AdamW(0.1, decay=0.5)),
    *(Scheduled(SGD(0.1), CosineDecay(4, warmup=2)), Scheduled(Adam(0.1), InverseDecay(0.5))),
    *(Scheduled(SGD(0.1), Cycle((1.0, 0.5))), Scheduled(SGD(0.1), ExponentialDecay(0.25))),
]


@pytest.mark.parametrize("rule", OPTIMIZERS, ids=repr)
def test_floats_and_arrays_take_the_same_steps(rule):
    deltas = [0.5, -1.5, 0.25]
    floats = steps(rule, deltas)
    arrays = steps(rule, [np.full(3, delta) for delta in deltas], start=np.ones(3))
    np.testing.assert_allclose([value[1] for value in arrays], floats, rtol=1e-14)


@pytest.mark.parametrize("rule", OPTIMIZERS, ids=repr)
def test_float32_stays_float32(rule):
    w = Weight(np.ones((2, 2), np.float32), optimizer=rule)
    for _ in range(2):
        commit({w: np.full((2, 2), 0.5, np.float32)})
    assert w.value.dtype == np.float32
    assert all(np.asarray(kept).dtype == np.float32 for kept in w.state if isinstance(kept, np.ndarray))
    assert (w.value < 1.0).all()


@pytest.mark.parametrize("rule", OPTIMIZERS, ids=repr)
def test_float16_weights_take_the_steps_of_float64_ones(rule):
    """The epsilons are 0 in float16, and so is the square of a small delta: such states are float32."""
    found = {}
    for dtype in (np.float16, np.float64):
        by_tape, by_step = (Weight(np.array([1.0, 2.0, 3.0], dtype), optimizer=rule) for _ in range(2))
        slopes = np.array([0.0, 1.0, 1e-4], dtype)
        step = compile(Sum(Times(by_step, Literal(slopes))), train=True)
        for _ in range(4):
            commit({by_tape: slopes})
            step(None)
        np.testing.assert_allclose(by_step.value, by_tape.value, rtol=2e-3)
        assert by_tape.value.dtype == by_step.value.dtype == dtype
        kept = [part.dtype for w in (by_tape, by_step) for part in flat(w.state) if np.ndim(part)]
        is_wide = dtype == np.float16 and not isinstance(rule, Momentum)
        assert set(kept) <= {np.dtype(np.float32 if is_wide else dtype)}
        found[dtype] = by_tape.value
    np.testing.assert_allclose(found[np.float16], found[np.float64], rtol=4e-3)


def test_one_rule_serves_many_weights():
    rule = Momentum(0.1)
    a, b = Weight(1.0, optimizer=rule), Weight(1.0, optimizer=rule)
    commit({a: 1.0})
    commit({a: 1.0, b: 1.0})
    assert (a.state[0], b.state[0]) == (1.9, 1.0)


def test_another_rule_starts_afresh():
    w = Weight(1.0)
    commit({w: 1.0}, Momentum(0.1))
    commit({w: 1.0}, Adam(0.1))
    assert w.state[2] == 1


def test_average_and_count():
    assert Average(0.75).update(SCALAR, 4.0, 8.0, ()) == (5.0, ())
    assert Average().combine(SCALAR, [1.0, 3.0]) == 2.0
    assert Count().combine(SCALAR, [1, 1]) == 1
    average = State(np.zeros(2), Average(0.5))
    value, _ = average.rule.update(NUMPY, average.value, np.array([2.0, 4.0]), ())
    assert value.tolist() == [1.0, 2.0]


def test_configurations_are_frozen_and_equal_by_value():
    assert Adam(0.1) == Adam(rate=0.1)
    assert hash(Adam(0.1)) == hash(Adam(0.1))
    with pytest.raises(AttributeError):
        Adam(0.1).rate = 0.2
    with pytest.raises(TypeError, match=r"Momentum.nesterov = 1 is not allowed: give bool"):
        Momentum(nesterov=1)
    with pytest.raises(ValueError, match=r"AdamW.decay = -1.0 is not allowed"):
        AdamW(decay=-1.0)


RULES = [*OPTIMIZERS, Average(0.8), Count()]


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_every_rule_is_a_formula_that_evaluates_to_what_the_rule_computes(rule):
    """The tree of three steps, with value and contributions as parts of one input."""
    value, told = np.array([1.0, -2.0], np.float32), np.array([[0.5, 2.0], [0.25, -1.0], [1.0, 3.0]], np.float32)
    data = (value, *told)
    xp = Derivation()
    root = xp.known(Identity(), spec_of(data))
    start, *contributions = [xp.item(root, position=i) for i in range(len(data))]
    found, state = start, rule.start(xp, start)
    expected, numbers = value, rule.start(NUMPY, value)
    for i in range(3):
        pair = [contributions[i], contributions[i - 1]]
        found, state = rule.update(xp, found, rule.combine(xp, pair), state)
        expected, numbers = rule.update(NUMPY, expected, rule.combine(NUMPY, [told[i], told[i - 1]]), numbers)
    assert expected.dtype == np.float32
    assert found.spec == spec_of(expected)
    assert not np.array_equal(expected, value)
    np.testing.assert_array_equal(found.layer.predict(data), expected)
