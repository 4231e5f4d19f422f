"""Layers that break their contract: each fault is one error that names the layer, and changes nothing."""

import numpy as np
import pytest

from layertree import (
    DTypeError,
    GradientError,
    Identity,
    Input,
    Layer,
    Parts,
    Plus,
    Times,
    Weight,
    layer,
    operand,
)
from layertree.core.fields import identity


@layer
class Faulty(Layer):
    """A layer whose gradient raises."""

    operand: Layer = operand()

    def compute(self, xp, a):
        return xp.multiply(a, 1.0)

    def gradient(self, xp, delta, output, a):
        return (lambda: 1 // 0,)


def test_an_error_in_a_gradient_names_the_operation_and_changes_nothing():
    w, v = Weight(2.0), Weight(3.0)
    tape = Plus(v, Faulty(Times(Identity(), w))).forward(1.0)
    with pytest.raises(ZeroDivisionError) as caught:
        tape.backward()
    assert any("faulty" in note.lower() and "2.0" in note for note in caught.value.__notes__)
    assert (w.value, v.value) == (2.0, 3.0)
    with pytest.raises(ZeroDivisionError):
        tape.backward()


@layer
class Given(Layer):
    """A layer whose gradient is what a function gives for its delta."""

    operand: Layer = operand()
    rule: object = identity()

    def compute(self, xp, a):
        return xp.multiply(a, 1.0)

    def gradient(self, xp, delta, output, a):
        return self.rule(delta)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (lambda delta: (), "0 closures for 1 operand"),
        (lambda delta: (None, None), "2 closures for 1 operand"),
        (lambda delta: None, "None for 1 operand"),
        (lambda delta: (delta,), "float32 array of shape .3,. where a closure is wanted"),
        (lambda delta: (lambda: np.ones(7),), "float64 array of shape .7,. for a float32 array of shape .3,."),
        (lambda delta: (lambda: 1.0,), "a float for a float32 array of shape .3,."),
        (lambda delta: (lambda: 1j * delta,), "complex64 array of shape .3,. for a float32"),
        (lambda delta: (lambda: "delta",), "a str for a float32 array"),
        (lambda delta: (lambda: Parts({0: delta}),), "a Parts for a float32 array"),
    ],
)
def test_a_gradient_that_breaks_its_contract_is_an_error_that_names_it(rule, words):
    x, w = Input(np.ones(3, np.float32)), Weight(2.0)
    tape = Times(w, Given(Times(Identity(), 1.0), rule)).forward(x)
    with pytest.raises(GradientError, match=f"^the gradient of given.x . 1.0: float32 .3,..: .*{words}"):
        tape.backward(np.ones(3, np.float32))
    assert w.value == 2.0


@layer
class Computed(Layer):
    """A layer whose value is what a function gives."""

    operand: Layer = operand()
    rule: object = identity()

    def compute(self, xp, a):
        return self.rule(a)


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "returned None"), ("text", "'text' cannot be"), (1j, "1j cannot be"), ({}, "{} cannot be")],
)
def test_what_a_layer_computes_is_data(value, words):
    formula = Computed(Plus(Identity(), 1.0), lambda a: value)
    for run in (formula.forward, formula.predict):
        with pytest.raises(DTypeError, match=f"^computed.x . 1.0: float.: .*{words}"):
            run(1.0)
    assert Computed(Identity(), lambda a: [a, a]).predict(2.0).tolist() == [2.0, 2.0]


@layer
class First(Layer):
    """The first of a pair, with a delta of the wrong kind."""

    operand: Layer = operand()
    rule: object = identity()

    def compute(self, xp, a):
        return xp.item(a, position=0)

    def gradient(self, xp, delta, output, a):
        return (lambda: self.rule(delta),)


@pytest.mark.parametrize("rule", [lambda delta: (delta, delta), lambda delta: delta, lambda delta: Parts({2: delta})])
def test_the_delta_of_a_tuple_is_parts_within_it(rule):
    with pytest.raises(GradientError, match="Parts of positions 0 to 1"):
        First(Identity(), rule).forward((Input(1.0), Input(2.0))).gradients()


@pytest.mark.parametrize("value", [np.ones(3, np.float32), np.float32(1.0), 1.0])
def test_a_delta_of_another_precision_is_cast(value):
    x = Input(value)
    wider = Given(Identity(), lambda delta: (lambda: np.asarray(delta, np.longdouble) * 3,))
    delta = Times(wider, 2.0).forward(x).gradients(value)[x]
    assert type(delta) is type(value)
    assert np.array_equal(delta, 6.0 * value)
    assert np.asarray(delta).dtype == np.asarray(value).dtype
