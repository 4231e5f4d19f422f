"""Cells: one step a commit, all or nothing, and which optimizer is in force."""

import copy
import pickle

import numpy as np
import pytest

from layertree import (
    SGD,
    Adam,
    Average,
    Bernoulli,
    Count,
    Dropout,
    DTypeError,
    Identity,
    Input,
    Mean,
    Momentum,
    Plus,
    RunningAverage,
    ShapeError,
    State,
    Times,
    Weight,
    commit,
    inference,
    optimizer,
    parameters,
)
from symbolic import weight


class Refusing(SGD):
    """An optimizer that fails."""

    def update(self, xp, value, delta, state):
        raise RuntimeError("no")


def test_a_failing_second_weight_leaves_everything_as_it_was():
    first, second = Weight(1.0, optimizer=Adam()), Weight(2.0, optimizer=Refusing())
    counter, average = State(3, Count()), State(0.0, Average(0.5))
    mask = Bernoulli(Identity(), counter, probability=0.5)
    formula = Plus(
        Times(first, Dropout(Identity(), mask, rate=0.5)), Times(second, RunningAverage(Identity(), average))
    )
    first.train()
    before = [w.cell.content for w in (first, second, counter, average)]
    with pytest.raises(RuntimeError):
        formula.train(1.5)
    assert all(
        cell.content is content
        for cell, content in zip(map(_cell, (first, second, counter, average)), before, strict=True)
    )
    first_step = first.state[2]
    assert first_step == 1


def _cell(layer):
    return layer.cell


def test_a_weight_used_many_times_takes_one_step():
    w = Weight(np.array([1.0, 2.0]), optimizer=Momentum(0.1, 0.9))
    formula = Plus(w, Plus(w, w))
    formula.train(delta=np.ones(2))
    np.testing.assert_allclose(w.value, [1.0 - 0.3, 2.0 - 0.3])
    np.testing.assert_array_equal(w.state[0], [3.0, 3.0])


def test_a_weight_without_a_delta_takes_no_step_and_keeps_its_state():
    used, unused = Weight(1.0, optimizer=Adam()), Weight(1.0, optimizer=Adam())
    formula = Plus(used, Times(0.0, Plus(unused, 0.0)))
    Plus(used, 1.0).train()
    assert unused.state is None
    assert used.state[2] == 1
    formula.train()
    assert unused.state[2] == 1  # a delta of exactly 0 is a delta
    assert used.state[2] == 2


def test_predict_tells_nobody_anything():
    w = Weight(1.0, optimizer=Momentum())
    counter, average = State(0, Count()), State(0.0, Average())
    mask = Bernoulli(Identity(), counter, probability=0.5)
    formula = Times(w, RunningAverage(Dropout(Identity(), mask, rate=0.5), average))
    formula.predict(3.0)
    formula.forward(3.0)
    assert (w.value, w.state, counter.value, average.value) == (1.0, None, 0, 0.0)


def test_effects_without_any_weight_are_told():
    average = State(np.zeros(2), Average(0.9))
    formula = RunningAverage(Mean(Identity(), axis=0), average)
    formula.forward(np.array([[1.0, 2.0], [3.0, 6.0]])).backward(np.ones(2))
    np.testing.assert_allclose(average.value, [0.2, 0.4])
    np.testing.assert_array_equal(inference(formula).predict(np.zeros((1, 2))), average.value)


def test_several_words_for_one_average_are_averaged():
    average = State(0.0, Average(0.0))
    formula = Plus(RunningAverage(Identity(), average), RunningAverage(Times(3.0, Identity()), average))
    formula.train(1.0)
    assert average.value == 2.0


def test_a_counter_ticks_once_a_commit():
    counter = State(0, Count())
    masks = [Bernoulli(Identity(), counter, probability=0.5, seed=i) for i in (1, 2)]
    formula = Plus(*[Dropout(Identity(), mask, rate=0.5) for mask in masks])
    formula.train(1.0)
    assert counter.value == 1


def test_dropout_draws_anew_and_repeats_by_counter():
    x = np.ones(1000)
    counter = State(0, Count())
    formula = Dropout(Identity(), Bernoulli(Identity(), counter, probability=0.75, seed=3), rate=0.25)
    first = formula.forward(x).value
    np.testing.assert_array_equal(first, formula.forward(x).value)
    formula.train(x, np.ones(1000))
    second = formula.forward(x).value
    assert not np.array_equal(first, second)
    assert set(np.unique(first)) == {0.0, 1.0 / 0.75}
    assert abs(first.mean() - 1.0) < 0.1
    np.testing.assert_array_equal(formula.predict(x), x)


def test_the_optimizer_in_force():
    assert Weight(1.0).optimizer is None
    plain, own = Weight(1.0), Weight(1.0, optimizer=SGD(0.5))
    with optimizer(SGD(0.25)):
        scoped = Weight(1.0)
        also_own = Weight(1.0, optimizer=SGD(0.5))
    after = Weight(1.0)
    for given, expected in ((None, [0.99, 0.5, 0.75, 0.5, 0.99]), (SGD(0.125), [0.875, 0.5, 0.875, 0.5, 0.875])):
        weights = [plain, own, scoped, also_own, after]
        for w in weights:
            w.set(1.0)
        commit(dict.fromkeys(weights, 1.0), given)
        assert [w.value for w in weights] == expected


@pytest.mark.parametrize("rule", [SGD, 0.1, "adam", None])
def test_what_is_no_optimizer_is_refused(rule):
    with pytest.raises(TypeError, match=r"SGD\(0\.1\)"), optimizer(rule):
        pass


@pytest.mark.parametrize("value", [1, True, np.arange(3), np.ones(2, bool)])
def test_a_weight_of_integers_says_cast_to_float(value):
    with pytest.raises(DTypeError, match="cast to float"):
        Weight(value)


@pytest.mark.parametrize("value", [None, "w", object(), {}, np.array(["a"])])
def test_a_weight_of_anything_else_is_refused(value):
    with pytest.raises(TypeError):
        Weight(value)


def test_a_weight_keeps_its_kind():
    for value in (1.0, np.float32(1.0), np.ones((2, 1), np.float32), np.float64(1.0)):
        w = Weight(value, optimizer=Adam())
        delta = value * 2.0
        for _ in range(3):
            commit({w: delta})
        assert type(w.value) is type(value)
        assert np.asarray(w.value).dtype == np.asarray(value).dtype
        assert np.shape(w.value) == np.shape(value)


def test_values_are_rebound_never_changed():
    w = Weight(np.ones(3))
    before = w.value
    w.train(delta=np.ones(3))
    assert w.value is not before
    np.testing.assert_array_equal(before, np.ones(3))


def test_a_delta_of_another_shape_is_refused_and_changes_nothing():
    w, v = Weight(np.ones(3)), Weight(1.0)
    with pytest.raises(ShapeError, match=r"shape \(3,\)"):
        commit({v: 1.0, w: np.ones(2)})
    assert v.value == 1.0


def test_weights_are_equal_when_they_share_a_cell():
    w = Weight(1.0)
    assert w == copy.copy(w)
    assert w != Weight(1.0)
    assert hash(w) == hash(copy.copy(w))
    assert {w: 1}[copy.copy(w)] == 1


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda f: pickle.loads(pickle.dumps(f))])
def test_a_twin_has_cells_of_its_own_and_shares_them_within(twin):
    w = Weight(2.0, name="w", optimizer=Adam(0.1))
    formula = Plus(Times(Identity(), w), w)
    formula.train(1.0)
    made = twin(formula)
    (inner,) = parameters(made)
    assert inner != w
    assert (inner.value, inner.state, inner.name, inner.optimizer) == (w.value, w.state, "w", Adam(0.1))
    made.train(1.0)
    assert inner.value != w.value
    formula.train(1.0)
    assert inner.value == w.value


def test_set_rebinds_by_hand():
    w = Weight(np.ones(2, np.float32))
    w.set(np.zeros(2))
    assert w.value.dtype == np.float32
    assert w.value.tolist() == [0.0, 0.0]
    with pytest.raises(ShapeError):
        w.set(np.zeros(3))


def test_commit_takes_formulas_as_keys():
    w = weight(2.0, optimizer=SGD(0.5))
    commit({w: 1.0})
    assert w.value == 1.5


def test_commit_refuses_a_key_that_is_no_weight():
    w = Weight(1.0)
    with pytest.raises(TypeError, match="'slope' is no weight"):
        commit({w: 1.0, "slope": 1.0})
    assert w.value == 1.0


@pytest.mark.parametrize("given", [None, [Weight(1.0)], 1.0])
def test_commit_refuses_what_is_no_mapping(given):
    with pytest.raises(TypeError, match="commit takes a mapping from weights to deltas"):
        commit(given)


@pytest.mark.parametrize("value", [2.0, np.ones(2, np.float32)])
@pytest.mark.parametrize("told", [None, "delta", 1j, [None, None], object(), 10**400])
def test_a_delta_that_is_no_number_is_refused_and_changes_nothing(value, told):
    w, v = Weight(1.0), Weight(value, name="slope")
    with pytest.raises((DTypeError, ShapeError), match=r"the cell slope holds a .* and was given an? .* for SGD: give"):
        commit({w: 1.0, v: told})
    assert w.value == 1.0
    assert np.array_equal(v.value, value)


@pytest.mark.parametrize("rule", ["adam", SGD, 1, lambda *given: given])
def test_what_is_no_optimizer_uses_no_tape_up(rule):
    w = Weight(1.0)
    tape = w.forward(None)
    with pytest.raises(TypeError, match="such as SGD"):
        tape.backward(optimizer=rule)
    with pytest.raises(TypeError, match="such as SGD"):
        commit({w: 1.0}, rule)
    tape.backward(optimizer=SGD(0.5))
    assert w.value == 0.5


@pytest.mark.parametrize("value", [None, [1.0, 2.0], (1.0,), np.ones(1)])
def test_what_does_not_fit_a_number_is_not_set(value):
    w = Weight(2.0, name="slope")
    with pytest.raises((DTypeError, ShapeError), match=r"the cell slope holds a float and was given .* for set"):
        w.set(value)
    assert w.value == 2.0


class Answering(SGD):
    """An optimizer that answers what it is told to."""

    def __init__(self, answer):
        super().__init__(0.1)
        object.__setattr__(self, "answer", answer)

    def update(self, xp, value, delta, state):
        return self.answer()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda: None, "Answering.update gave None, but the pair"),
        (lambda: (None, ()), "the cell slope holds a float and got a NoneType for its next value from Answering"),
        (lambda: (np.ones(3), ()), r"got a float64 array of shape .3,. for its next value from Answering"),
    ],
)
def test_an_update_that_is_none_is_refused_and_changes_nothing(answer, words):
    w, v = Weight(1.0), Weight(2.0, name="slope", optimizer=Answering(answer))
    with pytest.raises((DTypeError, ShapeError), match=words):
        commit({w: 1.0, v: 1.0})
    assert (w.value, v.value, v.state) == (1.0, 2.0, None)


def test_an_error_in_an_update_says_whose():
    v = Weight(2.0, name="slope", optimizer=Answering(lambda: 1 // 0))
    with pytest.raises(ZeroDivisionError) as caught:
        v.train()
    assert caught.value.__notes__ == [f"in the update of the cell slope by {v.optimizer!r}"]


def test_a_class_is_no_key():
    found = Weight(1.0).forward(None).gradients()
    assert Weight not in found
    with pytest.raises(KeyError, match="did not reach"):
        found[Weight]


def test_setting_a_value_says_how():
    w = Weight(1.0)
    with pytest.raises(AttributeError, match=r"Weight\.value cannot be set: its method set\(value\) rebinds the value"):
        w.value = 2.0
    w.set(2.0)
    assert w.value == 2.0


@pytest.mark.parametrize("rule", [None, 0.9, Average])
def test_a_state_needs_a_rule(rule):
    with pytest.raises(TypeError, match=r"Average\(0\.9\) for a state"):
        State(0.0, rule)


def test_commit_leaves_inputs_alone():
    x, w = Input(3.0), Weight(2.0, optimizer=SGD(0.1))
    found = Times(Identity(), w).forward(x).gradients()
    assert found[x] == 2.0
    commit(dict(found))
    assert w.value == pytest.approx(1.7)


class Scheduled(SGD):
    """An optimizer that is false: it has a length, which is 0."""

    def __len__(self):
        return 0


def test_an_optimizer_that_is_false_is_one():
    for w in (Weight(1.0, optimizer=Scheduled(0.5)), Weight(1.0)):
        w.forward(None).backward(optimizer=Scheduled(0.5))
        assert w.value == 0.5


def test_a_weight_is_not_told_what_an_average_is():
    w = Weight(1.0)
    with pytest.raises(TypeError, match="give a State"):
        RunningAverage(Identity(), w).forward(2.0).backward(1.0)
    assert w.value == 1.0


def test_deltas_of_tuples_are_mapped_part_by_part():
    from layertree import Input, Item

    pair = Input((2.0, 3.0))
    found = Times(Item(Identity(), 0), Item(Identity(), 1)).forward(pair).gradients()
    assert dict(found.map(lambda delta: 10.0 * delta)[pair]) == {0: 30.0, 1: 20.0}


@pytest.mark.parametrize("act", [lambda w: w.set(9.0), lambda w: commit({w: 1.0}), lambda w: w.train()])
def test_a_rule_that_changes_a_cell_is_an_error_and_no_endless_loop(act):
    class Meddling(SGD):
        def update(self, xp, value, delta, state):
            act(w)
            return super().update(xp, value, delta, state)

    w = Weight(1.0, optimizer=Meddling())
    with pytest.raises(RuntimeError, match="within an update rule"):
        commit({w: 1.0})
    assert w.value == 1.0
    w.set(2.0)
    assert w.value == 2.0


def test_a_weight_of_a_shape_names_what_makes_arrays_of_a_shape() -> None:
    with pytest.raises(DTypeError, match=r"got \(3, 4\); zeros\(3, 4\) and normal\(3, 4\) of symbolic.initializers"):
        Weight((3, 4))
    for given in ((), (1.0, 2.0), None):
        with pytest.raises(DTypeError, match=r"a Weight holds a number or an array: got [^;]*$"):
            Weight(given)
