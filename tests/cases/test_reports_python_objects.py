"""Faults that users of Python libraries met in tapes, layers and operators: P35 to P49, P53, P57."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NewType

import attrs
import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Adam,
    Average,
    Exp,
    Hook,
    Identity,
    Input,
    Layer,
    Plus,
    RunningAverage,
    State,
    Tape,
    Times,
    Weight,
    layer,
    named_cells,
    nodes,
    operand,
    parameters,
)
from layertree.typing import ArraySpec, Float32

from .support import counted, live_tapes, no_collector


def test_p35_tapes_keep_read_only_views() -> None:
    # Neither a copy nor a lock: nobody writes through a tape, and who writes into the array itself has been told.
    data = np.array([1.0, 2.0])
    x = Input(data)
    assert "do not write into the array before going backward" in " ".join((Input.__doc__ or "").split())
    with Times(Identity(), Identity()).forward(x) as tape:
        for value in (x.value, tape.value):
            with pytest.raises(ValueError, match="read-only"):
                value[0] = 5.0
        data[0] = 10.0
        assert x.value.tolist() == [10.0, 2.0]
        assert tape.value.tolist() == [1.0, 4.0]
        assert tape.gradients(np.ones(2))[x].tolist() == [20.0, 4.0]


@layer
class InPlace(Layer[Any, Tape[Any, Any]]):
    """The operand; its gradient is written badly, for it changes the delta it was given."""

    operand: Layer[Any, Any] = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.multiply(a, 1.0)

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        def pullback() -> Any:
            delta[...] *= 5.0
            return delta

        return (pullback,)


@pytest.mark.parametrize("outer", [lambda sum_: sum_, Exp], ids=["the seed", "a delta on its way"])
def test_p37_a_rule_cannot_change_the_delta_of_another(outer: Any) -> None:
    # Plus hands one array to both of its operands.
    w = Weight(np.zeros(2), optimizer=SGD(1.0))
    delta = np.ones(2)
    for net in (Plus(InPlace(w), w), Plus(w, InPlace(w))):
        with pytest.raises(ValueError, match="read-only"):
            outer(net).train(delta=delta)
    np.testing.assert_array_equal(w.value, 0.0)
    outer(Plus(w, w)).train(delta=delta)
    np.testing.assert_array_equal(w.value, -2.0)
    np.testing.assert_array_equal(delta, 1.0)


def test_p39_thirty_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    formula: Any = Identity()
    for _ in range(30):
        formula = Times(formula, formula)
    x = Input(1.0)
    with counted(monkeypatch, Times) as calls, formula.forward(x) as tape:
        assert tape.gradients()[x] == 2.0**30
        assert (calls.compute, calls.gradient) == (30, 30)


def test_p41_optimizers_and_averages_keep_no_tapes() -> None:
    w = Weight(np.ones(3), optimizer=Adam(0.01))
    average = State(np.zeros(3), Average(0.9))
    net = RunningAverage(Times(w, Identity()), average)
    with no_collector():
        counts = set()
        for step in range(100):
            net.train(2.0, delta=np.ones(3))
            if step % 20 == 0:
                counts.add(live_tapes())
    assert len(counts) == 1
    assert w.state[-1] == 100
    assert (average.value > 0.1).all()


def test_p43_a_weight_used_twice_stays_one() -> None:
    tokens = sy.placeholder(ArraySpec(("Batch",), np.int64))
    embedding = sy.weight(np.array([[1.0, 0.0], [0.0, 2.0]]), name="embedding", optimizer=SGD(1.0))
    net = sy.take(embedding, tokens) @ embedding.T
    data = np.array([0, 1])
    np.testing.assert_array_equal(net.predict(data), [[1.0, 0.0], [0.0, 4.0]])
    net.train(data, delta=np.eye(2))
    # 2 w for each element on the diagonal, in one step for both uses.
    expected = np.array([[-1.0, 0.0], [0.0, -2.0]])
    np.testing.assert_array_equal(embedding.value, expected)
    for twin in (pickle.loads(pickle.dumps(net)), copy.deepcopy(net)):
        assert list(named_cells(twin)) == ["embedding"]
        twin.train(data, delta=np.eye(2))
        np.testing.assert_array_equal(parameters(twin)[0].value, -expected)
        np.testing.assert_array_equal(embedding.value, expected)


def test_p45_a_layer_says_how_to_change_it() -> None:
    formula = Plus(Identity(), 1.0)
    with pytest.raises(AttributeError, match=r"Plus\.operand2 cannot be set: .*attrs\.evolve\(layer, operand2="):
        formula.operand2 = 2.0
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        del formula.operand2
    assert attrs.evolve(formula, operand2=2.0) == Plus(Identity(), 2.0)
    with pytest.raises(AttributeError, match=r"Weight\.cell cannot be set"):
        Weight(1.0).cell = None


LEFT = {"array": np.array([1.0, 2.0]), "float64": np.float64(2.0), "float32": np.float32(2.0), "list": [1.0, 2.0]}
OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<": lambda a, b: a < b,
    "==": lambda a, b: a == b,
}


@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_p47_numpy_on_the_left(left: str, operation: str) -> None:
    value, operate = LEFT[left], OPERATIONS[operation]
    if left == "list":
        value = list(value)  # a list builds what its array does
    x = sy.placeholder(ArraySpec((2,)))
    data = np.array([3.0, 0.5])
    for built, expected in (
        (operate(value, x), operate(np.asarray(value), data)),
        (operate(x, value), operate(data, np.asarray(value))),
    ):
        assert type(built) is sy.Symbolic
        np.testing.assert_array_equal(built.predict(data), expected)


def test_p47_matrix_products_with_an_array_on_the_left() -> None:
    x = sy.placeholder(ArraySpec((2,)))
    product = np.array([[1.0, 2.0], [3.0, 4.0]]) @ x
    assert type(product) is sy.Symbolic
    assert product.predict(np.array([1.0, 10.0])).tolist() == [21.0, 43.0]
    assert np.exp(x).layer == sy.exp(x).layer


def test_p49_layers_pickle_and_tapes_say_why_not() -> None:
    w = Weight(np.array([1.0, 2.0]), name="w")
    formula = sy.wrap(Times(Plus(Identity(), 1.0), w), ArraySpec((2,)))
    loaded = pickle.loads(pickle.dumps(formula))
    assert str(loaded) == str(formula)
    assert len(list(nodes(loaded))) == 5
    data = np.array([1.0, 1.0])
    np.testing.assert_array_equal(loaded.predict(data), formula.predict(data))
    with formula.forward(data) as tape, pytest.raises(TypeError, match="a tape does not pickle"):
        pickle.dumps(tape)
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(Hook(w, lambda value: None))


def test_p53_checkers_are_told_that_fields_are_frozen() -> None:
    promise = layer.__dataclass_transform__
    assert {**promise, **promise["kwargs"]}["frozen_default"] is True  # Python 3.11 does not know that option
    assert operand in promise["field_specifiers"]


def test_p57_array_types_of_its_own() -> None:
    batch, features = NewType("Batch", int), NewType("Features", int)
    x = sy.placeholder(Float32[batch, features])
    assert x.spec == ArraySpec(("Batch", "Features"), np.float32)
    assert Float32[batch, features] == np.ndarray[tuple[batch, features], np.dtype[np.float32]]
