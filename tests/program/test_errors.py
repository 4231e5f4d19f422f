"""Errors of programs: data that do not fit raise what the interpreter raises, and nothing has changed then."""

from __future__ import annotations

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
from symbolic import cross_entropy, exp, hook, mean, nn, placeholder, take, weight, where
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
