"""What is refused as an objective, and what is no formula at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import SGD, DTypeError, ShapeError, compile
from layertree.typing import ArraySpec
from symbolic import argmax, cross_entropy, placeholder, sum, take, weight


@pytest.mark.parametrize(
    ("make", "data", "error"),
    [
        (lambda x, w: x * w, np.ones(3), ShapeError),
        (lambda x, w: (x * w)[:, None] * np.ones((1, 2)), np.ones(3), ShapeError),
        (lambda x, w: x > w, np.ones(1), DTypeError),
    ],
)
def test_an_objective_is_one_number(make: Any, data: Any, error: type[Exception]) -> None:
    """A formula complains when it is compiled, a layer, which does not know its input, with its first batch."""
    w = weight(2.0)
    objective = make(placeholder(ArraySpec((None,))), w)
    with pytest.raises(
        ShapeError, match=r"compile: the objective .* gives .*, but one number is wanted: mean\(\.\.\.\)"
    ):
        compile(objective, train=True)
    step = compile(objective.layer, train=True)
    with pytest.raises(error) as raised:
        step(data)
    with pytest.raises(error) as interpreted:
        objective.train(data)
    assert str(raised.value).splitlines()[0] == str(interpreted.value).splitlines()[0]
    assert w.value == 2.0


def test_an_array_of_one_number_is_an_objective() -> None:
    w, other = weight(2.0), weight(2.0)
    x = placeholder(ArraySpec((1,)))
    compile(x * w, train=True, optimizer=SGD(0.5))(np.array([3.0]))
    (x * other).train(np.array([3.0]))
    with_rule = weight(2.0)
    (x * with_rule).forward(np.array([3.0])).backward(optimizer=SGD(0.5))
    assert w.value == with_rule.value != other.value


def test_an_objective_is_no_pair_and_a_float() -> None:
    x, labels = placeholder((ArraySpec(("Batch", 2)), ArraySpec(("Batch",), np.int64)))
    pair = cross_entropy(x @ weight(np.eye(2)), labels, reduction="parts")
    with pytest.raises(ShapeError, match=r"gives \(float64 \(\), float64 \(\)\), but one number is wanted"):
        compile(pair, train=True)
    with pytest.raises(DTypeError, match=r"gives int64 .*, which has no gradient: cast to float"):
        compile(argmax(sum(x @ weight(np.eye(2)), axis=0)), train=True)
    assert compile(pair).predict((np.ones((3, 2)), np.zeros(3, np.int64)))[1] == 3.0  # a value may be anything


@pytest.mark.parametrize("given", [3, lambda x: x, None])
def test_what_is_no_formula(given: Any) -> None:
    with pytest.raises(TypeError, match="compile takes a formula or a layer"):
        compile(given)


def test_an_optimizer_needs_a_step() -> None:
    with pytest.raises(TypeError, match="train=True"):
        compile(placeholder(float) * 2.0, optimizer=SGD(0.1))  # type: ignore[call-overload]


def test_what_is_not_finite_stays_in_its_row() -> None:
    table = weight(np.zeros(4))
    x = placeholder(ArraySpec((3,), np.int64))
    factors = np.array([np.inf, 1.0, -1.0])
    step = compile(sum(take(table, x) * factors), train=True, optimizer=SGD(1.0))
    step(np.array([1, 2, 3]))
    assert table.value.tolist() == [0.0, -np.inf, -1.0, 1.0]
