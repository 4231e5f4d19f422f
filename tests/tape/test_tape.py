"""Tapes: values, deltas, what is used up and closed, and what errors leave behind."""

import gc
import pickle
import re
import weakref
from functools import reduce

import numpy as np
import pytest

from layertree import (
    SGD,
    Average,
    ClosedTapeError,
    Compose,
    DTypeError,
    Exp,
    Gradients,
    Greater,
    Hook,
    Identity,
    If,
    Input,
    Item,
    Layer,
    Literal,
    MissingGradientError,
    Parts,
    Plus,
    RunningAverage,
    ShapeError,
    Sin,
    Sqrt,
    State,
    StopGradient,
    Sum,
    Times,
    Weight,
    backward_all,
    commit,
    layer,
    operand,
)

FORMULA = Times(Plus(Literal(1.0), Identity()), Weight(2.0, optimizer=SGD(0.1)))


def test_the_tape_tree_mirrors_the_layer_tree():
    x = Input(3.0)
    tape = FORMULA.forward(x)
    total, weight = tape.upstream
    one, same = total.upstream
    assert (tape.value, total.value, weight.value, one.value) == (8.0, 4.0, 2.0, 1.0)
    assert one == Literal(1.0)
    assert same is x
    assert (tape.is_trainable, one.is_trainable, weight.is_trainable) == (True, False, True)


def test_plain_data_becomes_a_constant():
    tape = Times(Identity(), Identity()).forward(3.0)
    assert tape.value == 9.0
    assert not tape.is_trainable
    assert len(tape.gradients()) == 0


def test_a_literal_can_be_the_input_tape():
    assert FORMULA.forward(Literal(3.0)).value == 8.0


def test_gradients_change_nothing_and_are_keyed_by_inputs_and_weights():
    w = Weight(2.0)
    x = Input(3.0)
    found = Times(Plus(1.0, Identity()), w).forward(x).gradients()
    assert found[x] == 2.0
    assert found[w] == 4.0
    assert set(found) == {x, w}
    assert w.value == 2.0


def test_backward_commits():
    w = Weight(2.0, optimizer=SGD(0.5))
    Times(Identity(), w).forward(3.0).backward(2.0)
    assert w.value == 2.0 - 0.5 * 3.0 * 2.0


def test_a_gradient_that_nothing_reached_is_an_error_that_says_so():
    x, w = Input(3.0), Weight(1.0)
    found = Sin(Identity()).forward(x).gradients()
    with pytest.raises(MissingGradientError, match=r"did not reach weight\(1\.0\): it reached <Input of float 3.0>$"):
        found[w]
    assert w not in found
    assert x in found
    assert found.get(w, 7.0) == 7.0


def test_a_key_that_is_none_says_which_keys_there_are():
    weights = [Weight(float(i), name=f"slope_{i}") for i in range(9)]
    found = Times(Identity(), reduce(Plus, weights)).forward(1.0).gradients()
    advice = "The key of a gradient is a weight, or the Input(data) that forward was given"
    with pytest.raises(MissingGradientError) as caught:
        found["slope3"]
    text = str(caught.value)
    assert text.startswith("the backward pass did not reach 'slope3': it reached weight(")
    assert text.count("name=") == 8
    assert text.endswith(f", .... {advice}; near it is the weight 'slope_3'")
    for key in (3.0, "kernel", Identity(), Weight, [1.0], np.zeros(2)):
        assert key not in found
        with pytest.raises(MissingGradientError, match=rf"it reached weight\(.*\. {re.escape(advice)}$"):
            found[key]
    with pytest.raises(MissingGradientError, match="it reached no input and no weight"):
        Gradients()[weights[0]]


def test_a_stopped_gradient_is_none_at_all():
    x = Input(3.0)
    found = StopGradient(Identity()).forward(x).gradients()
    with pytest.raises(KeyError):
        found[x]


def test_retain_repeats_and_does_not_double():
    x = Input(3.0)
    tape = Times(Identity(), Identity()).forward(x)
    assert tape.gradients(retain=True)[x] == 6.0
    assert tape.gradients()[x] == 6.0


def test_a_used_up_tape_says_so_and_keeps_its_value():
    tape = Times(Identity(), Identity()).forward(Input(3.0))
    tape.gradients()
    assert tape.value == 9.0
    with pytest.raises(ClosedTapeError, match="used up by a backward pass"):
        tape.gradients()
    with pytest.raises(ClosedTapeError, match="retain=True"):
        tape.upstream  # reading is the test


@pytest.mark.parametrize("made", [Times(Identity(), Identity()), Exp(Identity()), If(True, Identity(), 0.0)])
def test_the_deltas_of_a_tape_without_values_say_so(made):
    used, closed = made.forward(Input(3.0)), made.forward(Input(3.0))
    used.backward(1.0)
    closed.close()
    for tape, words in ((used, "used up by a backward pass"), (closed, "closed")):
        with pytest.raises(ClosedTapeError, match=words):
            tape.deltas(1.0)


def test_the_contributions_of_a_tape_without_values_say_so():
    tape = RunningAverage(Identity(), State(0.0, Average(0.5))).forward(3.0)
    assert tape.contributions() == (None, 3.0)
    tape.backward(1.0)
    with pytest.raises(ClosedTapeError, match="used up by a backward pass"):
        tape.contributions()


def test_upstream_tapes_serve_other_roots():
    x = Input(2.0)
    h = Times(Identity(), Identity()).forward(x)
    first = Plus(Identity(), 1.0).forward(h)
    second = Times(3.0, Identity()).forward(h)
    assert first.gradients()[x] == 4.0
    assert second.gradients()[x] == 12.0


def test_a_root_that_is_used_up_serves_no_other():
    x = Input(2.0)
    h = Times(Identity(), Identity()).forward(x)
    above = Plus(Identity(), 1.0).forward(h)
    h.gradients()
    with pytest.raises(ClosedTapeError, match="used up"):
        above.gradients()


def test_closing_gives_the_value_up():
    with FORMULA.forward(3.0) as tape:
        assert tape.value == 8.0
    with pytest.raises(ClosedTapeError, match="closed"):
        tape.value  # reading is the test
    with pytest.raises(ClosedTapeError, match="closed"):
        tape.backward()
    tape.close()
    assert "closed" in repr(tape)


def test_a_closed_tape_cannot_be_an_input():
    tape = FORMULA.forward(3.0)
    tape.close()
    with pytest.raises(ClosedTapeError):
        Sin(Identity()).forward(tape)


def test_closing_an_output_leaves_the_input_open():
    x = Input(3.0)
    with Identity().forward(x) as tape:
        assert tape is x
    assert x.value == 3.0


def test_a_closed_middle_stops_the_way_back_before_anything_changes():
    w = Weight(2.0, optimizer=SGD(0.1))
    x = Input(1.0)
    middle = Times(Identity(), w).forward(x)
    top = Times(Identity(), w).forward(middle)
    middle.close()
    with pytest.raises(ClosedTapeError):
        top.backward()
    assert w.value == 2.0


def test_several_roots_in_one_sweep_make_one_step():
    w = Weight(1.0, optimizer=SGD(0.1))
    a, b = Times(Identity(), w).forward(2.0), Times(Identity(), w).forward(3.0)
    backward_all({a: 1.0, b: 10.0})
    assert w.value == pytest.approx(1.0 - 0.1 * 32.0)


def test_a_root_inside_another_gets_both_deltas():
    x = Input(2.0)
    h = Times(Identity(), 1.0).forward(x)
    z = Times(Identity(), Identity()).forward(h)
    from layertree.tape.backward import gradients

    assert gradients({h: 5.0, z: 1.0})[x] == 9.0


@pytest.mark.parametrize("data", [1, True, np.arange(3), (1, 2), np.ones(2, bool)])
def test_an_input_without_floats_says_cast_to_float(data):
    with pytest.raises(DTypeError, match="cast to float"):
        Input(data)


def test_tuples_have_parts_as_deltas():
    pair = Input((2.0, 3.0, 4))
    x, y = Item(Identity(), 0), Item(Identity(), 1)
    found = Times(x, Times(x, y)).forward(pair).gradients()[pair]
    assert isinstance(found, Parts)
    assert dict(found) == {0: 12.0, 1: 4.0}


def test_a_missing_part_is_none_at_all():
    pair = Input((2.0, 3.0))
    assert dict(Item(Identity(), 1).forward(pair).gradients()[pair]) == {1: 1.0}


def test_a_tuple_of_tapes_is_an_input():
    x = Input(2.0)
    tape = Times(Item(Identity(), 0), Item(Identity(), 1)).forward((x, 5.0))
    assert tape.value == 10.0
    assert tape.gradients()[x] == 5.0


def test_if_runs_one_branch_and_sends_deltas_there_alone():
    safe = If(Greater(Identity(), 0.0), Sqrt(Identity()), Times(Identity(), 2.0))
    x = Input(-4.0)
    tape = safe.forward(x)
    assert tape.value == -8.0
    assert tape.gradients()[x] == 2.0
    x = Input(4.0)
    assert safe.forward(x).gradients()[x] == 0.25


def test_an_array_is_no_condition():
    with pytest.raises(DTypeError, match=r"where\(condition"):
        If(Greater(Identity(), 0.0), Identity(), 0.0).forward(np.ones(2))


def test_compose_keeps_the_inner_tape_alive():
    x = Input(0.5)
    tape = Compose(Exp(Identity()), Sin(Identity())).forward(x)
    gc.collect()
    assert tape.gradients()[x] == pytest.approx(np.exp(np.sin(0.5)) * np.cos(0.5))


def test_only_the_output_has_to_be_kept():
    x = Input(2.0)
    middle = Times(Identity(), Identity()).forward(x)
    gone = weakref.ref(middle)
    top = Exp(Identity()).forward(middle)
    del middle
    assert gone().value == 4.0
    assert top.gradients()[x] == pytest.approx(4.0 * np.exp(4.0))
    assert gone() is None


def test_values_are_read_only_and_inputs_are_views():
    data = np.ones(3)
    w = Weight(data)
    for value in (Identity().forward(data).value, w.forward(None).value, Literal(data).value, w.value):
        with pytest.raises(ValueError, match="read-only"):
            value[0] = 5.0
    data[0] = 5.0
    assert w.value[0] == 1.0


def test_a_tape_does_not_pickle():
    with pytest.raises(TypeError, match="does not pickle"):
        pickle.dumps(FORMULA.forward(1.0))


@pytest.mark.parametrize("deltas", [None, [Input(1.0)], {Weight(1.0): 1.0}, {FORMULA: 1.0}])
def test_only_tapes_have_a_way_back(deltas):
    with pytest.raises(DTypeError, match="tape"):
        backward_all(deltas)


def test_an_operation_error_names_operands_shapes_and_what_would_fit():
    formula = Sum(Plus(Identity(), np.ones(3)))
    with pytest.raises(ShapeError) as caught:
        formula.forward(np.ones((2, 4)))
    message = str(caught.value)
    for words in ("add", "x: float64 (2, 4)", "float64 (3,)", "axis -1 is 4", "or one of them 1"):
        assert words in message


def test_commit_takes_any_mapping():
    w = Weight(1.0, optimizer=SGD(1.0))
    commit({w: 0.25})
    assert w.value == 0.75


def test_a_branch_leaves_what_the_formula_around_it_still_needs():
    shared = Sin(Identity())
    formula = Plus(If(Greater(Identity(), 0.0), Times(shared, 2.0), shared), shared)
    assert formula.predict(1.0) == pytest.approx(3.0 * np.sin(1.0))
    assert formula.predict(-1.0) == pytest.approx(2.0 * np.sin(-1.0))


def test_what_two_compositions_over_one_input_share_runs_once():
    seen = []
    shared = Exp(Hook(Sin(Identity()), seen.append))
    inner = Times(Identity(), 2.0)
    formula = Plus(Compose(Plus(shared, 1.0), inner), Compose(Times(shared, 3.0), inner))
    expected = 4.0 * np.exp(np.sin(2.0)) + 1.0
    assert formula.predict(1.0) == pytest.approx(expected)
    assert len(seen) == 1
    assert formula.forward(1.0).value == pytest.approx(expected)
    assert len(seen) == 2


@layer
class Unreadable(Layer):
    """A layer that raises, in a function of NumPy's that the shape rules do not know."""

    operand: Layer = operand()

    def compute(self, xp, a):
        return xp.cumsum(a, axis=7)


def test_an_error_that_no_shape_rule_explains_stands_as_it_is():
    with pytest.raises(np.exceptions.AxisError) as caught:
        Unreadable(Identity()).forward(np.ones(3))
    assert caught.value.__notes__ == ["in unreadable(x: float64 (3,))"]


def test_a_constant_formula_is_used_up_too():
    tape = Plus(Literal(1.0), Literal(2.0)).forward(None)
    tape.backward()
    with pytest.raises(ClosedTapeError, match="used up"):
        tape.backward()


def test_the_tape_of_a_branch_gives_its_deltas():
    formula = If(Greater(Identity(), 0.0), Times(Identity(), 2.0), 0.0)
    assert formula.forward(Input(3.0)).deltas(0.5) == (None, 0.5)
