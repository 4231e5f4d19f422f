"""Errors of programs: data that do not fit raise what the interpreter raises, and nothing has changed then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layertree import (
    DTypeError,
    Exp,
    Identity,
    If,
    Layer,
    MatMul,
    Plus,
    ShapeError,
    Sin,
    Sum,
    Times,
    Weight,
    compile,
    layer,
    operand,
    parameters,
)
from layertree.typing import ArraySpec
from symbolic import cross_entropy, exp, hook, mean, nn, placeholder, sum, take, weight, where
from tests.program.networks import IMAGE, batch, convolutional, mlp


def error_of(run: Any) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011  # which one it is, is compared
        run()
    return caught.value


def values(formula: Any) -> list[Any]:
    return [cell.cell.content for cell in parameters(formula)]


def wrong_batches() -> dict[str, Any]:
    rows, labels = batch(4, 6)
    return {
        "a shape": (rows[:, :5], labels),
        "a rank": (rows[0], labels),
        "labels of another length": (rows, labels[:3]),
        "a dtype": (rows.astype(np.complex128), labels),
        "labels of floats": (rows, labels.astype(np.float32)),
        "nothing": None,
        "one part": (rows,),
        "three parts": (rows, labels, labels),
        "no tuple": rows,
        "a number": 3.0,
        "words": "rows",
        "a label that is too large": (rows, labels + 3),
        "a label that is negative": (rows, labels - 3),
    }


@pytest.mark.parametrize("name", wrong_batches())
@pytest.mark.parametrize("warm", [False, True])
def test_a_wrong_batch(name: str, warm: bool) -> None:
    objective = mlp()
    step = compile(objective, train=True)
    if warm:
        step(batch(4, 6))
    before = values(objective)
    data = wrong_batches()[name]
    wanted = error_of(lambda: objective.forward(data))
    found = error_of(lambda: step(data))
    assert type(found) is type(wanted)
    assert str(found) == str(wanted)
    assert all(one is other for one, other in zip(values(objective), before, strict=True))
    step(batch(4, 6))
    assert not any(one is other for one, other in zip(values(objective), before, strict=True))


@pytest.mark.parametrize("name", wrong_batches())
def test_a_wrong_batch_for_a_value(name: str) -> None:
    objective = mlp()
    program = compile(objective)
    program.predict(batch(4, 6))
    data = wrong_batches()[name]
    wanted = error_of(lambda: objective.predict(data))
    found = error_of(lambda: program.predict(data))
    assert (type(found), str(found)) == (type(wanted), str(wanted))
    assert program.predict(batch(4, 6)) == pytest.approx(float(objective.predict(batch(4, 6))))


def test_a_label_names_the_operation_its_place_and_the_line() -> None:
    rows, labels = batch(64, *IMAGE)
    labels[50] = 7
    step = compile(convolutional(), train=True, threads=2)
    found = error_of(lambda: step((rows, labels)))
    assert "7" in str(found)
    assert "50" in str(found)
    assert "cross_entropy(" in str(found)
    assert "networks.py" in str(found)


BARE: dict[str, tuple[Any, Any]] = {
    "matmul": (MatMul(Identity(), Weight(np.ones((3, 2)))), np.ones((4, 5))),
    "plus": (Sum(Plus(Identity(), Weight(np.ones(3)))), np.ones(4)),
    "words": (Sin(Identity()), "one"),
    "a list": (Sum(Times(Weight(1.0), Identity())), [1.0, "a"]),
}


@pytest.mark.parametrize("name", BARE)
def test_a_bare_layer(name: str) -> None:
    formula, data = BARE[name]
    wanted = error_of(lambda: formula.forward(data))
    found = error_of(lambda: compile(formula).predict(data))
    assert (type(found), str(found)) == (type(wanted), str(wanted))


def test_an_index_out_of_range() -> None:
    table, indices = weight(np.ones((3, 2))), placeholder(ArraySpec(("Batch",), np.int64))
    objective = mean(take(table, indices, axis=0))
    step = compile(objective, train=True)
    step(np.array([0, 2]))
    wanted = error_of(lambda: objective.forward(np.array([0, 5])))
    found = error_of(lambda: step(np.array([0, 5])))
    assert (type(found), str(found)) == (type(wanted), str(wanted))
    assert "5" in str(found)


def test_a_layer_with_a_tape_of_its_own_says_so() -> None:
    @layer
    class Black(Layer[Any, Any]):
        inner: Any = operand()

        def tape(self, xp: Any, inner: Any) -> Any:
            return inner

        def spec(self, inner: Any) -> Any:
            return inner

    with pytest.raises(DTypeError, match="Black makes a tape of its own, so it runs, but does not compile"):
        compile(Exp(Black(Identity()))).predict(1.0)
    with pytest.raises(DTypeError, match="Black makes a tape of its own"):
        compile(Times(Black(Identity()), Weight(1.0)), train=True)(1.0)


def test_a_condition_that_is_no_boolean() -> None:
    branch: Any = If(Identity(), 1.0, 2.0)
    for data in (3.0, np.array([True, False])):
        assert "boolean" in str(error_of(lambda data=data: compile(branch).predict(data)))


@pytest.mark.parametrize("train", [False, True])
def test_an_error_on_the_way_leaves_all_as_it_was(train: bool) -> None:
    """The next run is right."""
    state = {"fails": False}

    def look(value: Any) -> None:
        if state["fails"]:
            raise ZeroDivisionError("stop")

    rows, labels = placeholder((ArraySpec(("Batch", 6), np.float32), ArraySpec(("Batch",), np.int64)))
    objective: Any = cross_entropy(hook(exp(nn.dense(rows, 3)), look), labels)
    program: Any = compile(objective, train=True) if train else compile(objective)
    run = program if train else program.predict
    data = batch(4, 6)
    run(data)
    wanted = objective.predict(data)
    state["fails"] = True
    before = values(objective)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError, match="stop") as caught:
            run(data)
        assert any("in Hook, " in note for note in caught.value.__notes__)
    assert all(one is other for one, other in zip(values(objective), before, strict=True))
    state["fails"] = False
    assert run(data) == pytest.approx(float(wanted))


@pytest.mark.parametrize("number", [10**400, -(10**400), 10**5000], ids=["large", "negative", "long"])
@pytest.mark.parametrize(("spec", "data"), [(float, 1.0), (ArraySpec((3,), np.float32), np.ones(3, np.float32))])
def test_an_integer_that_no_float_holds(number: int, spec: Any, data: Any) -> None:
    x = placeholder(spec)
    for formula in (x + number, number * x, where(x > 0.0, x, number)):
        wanted = error_of(lambda formula=formula: formula.predict(data))
        assert isinstance(wanted, DTypeError)
        assert str(error_of(lambda formula=formula: compile(formula).predict(data))) == str(wanted)


@pytest.mark.parametrize("number", [2**63 - 1, 2**64, -(2**70), 10**400])
def test_a_long_integer_among_python_numbers(number: int) -> None:
    n, x = placeholder(int), placeholder(float)
    for formula, data in ((n + number, 3), (n > number, 3), (x > number, 3.0)):
        assert compile(formula).predict(data) == formula.predict(data)


class Rule:
    """A user's rule with results of all kinds."""

    def __init__(self, result: Any, start: Any = ()) -> None:
        self._result, self._start = result, start

    def start(self, xp: Any, value: Any) -> Any:
        return self._start

    def combine(self, xp: Any, contributions: list[Any]) -> Any:
        return xp.add(*contributions)

    def update(self, xp: Any, value: Any, contribution: Any, state: Any, /) -> Any:
        return self._result(xp, value, state)

    def __repr__(self) -> str:
        return "Rule"


WRONG: dict[str, Callable[[Any, Any, Any], Any]] = {
    "shape": lambda xp, value, state: (xp.expand_dims(value, axis=-1), state),
    "dtype": lambda xp, value, state: ("text", state),
    "tuple": lambda xp, value, state: ((value, value), state),
    "nothing": lambda xp, value, state: None,
    "no value": lambda xp, value, state: (None, state),
    "no state": lambda xp, value, state: value,
    "three": lambda xp, value, state: (value, state, state),
    "a list": lambda xp, value, state: [value, state],
    "constant": lambda xp, value, state: (np.ones((7, 7)), state),
}


@pytest.mark.parametrize("value", [3.0, np.ones(2), np.ones((2, 2), np.float32)], ids=["float", "vector", "matrix"])
@pytest.mark.parametrize("name", WRONG)
def test_a_rule_with_a_wrong_result_raises_as_on_a_tape(name: str, value: Any) -> None:
    x, rule = placeholder(float), Rule(WRONG[name])
    leaves = [weight(value, optimizer=rule) for _ in range(2)]
    objective = sum(x * leaves[0] * leaves[1])
    wanted = error_of(lambda: objective.train(1.0))
    assert isinstance(wanted, (ShapeError, DTypeError))
    step = compile(objective, train=True)
    for _ in range(2):
        found = error_of(lambda: step(1.0))
        assert type(found) is type(wanted)
        if name != "a list":
            assert str(found) == str(wanted)
        assert found.__notes__[0] == "in the update of the cell without a name by Rule"
    assert all(np.array_equal(leaf.value, value) and leaf.layer.state is None for leaf in leaves)


def test_a_rule_may_give_another_dtype_of_real_numbers() -> None:
    for given in (lambda xp, value, state: (xp.astype(value, dtype=np.float64), state), lambda *_: (np.ones(2), ())):
        leaf = weight(np.ones(2, np.float32), optimizer=Rule(given))
        compile(sum(leaf * placeholder(float)), train=True)(1.0)
        assert leaf.value.dtype == np.float32


def test_a_state_of_changing_kind_does_not_compile() -> None:
    x = placeholder(float)
    for start, result in (
        ((1.0,), lambda xp, value, state: (value, (xp.expand_dims(state[0], axis=-1),))),
        ((np.ones(2, np.float32),), lambda xp, value, state: (value, (xp.astype(state[0], dtype=np.float64),))),
        ((), lambda xp, value, state: (value, (1.0,))),
    ):
        leaf = weight(3.0, optimizer=Rule(result, start))
        with pytest.raises((ShapeError, DTypeError), match=r"state of Rule .*does not compile"):
            compile(leaf * x, train=True)(1.0)
        assert leaf.layer.state is None
