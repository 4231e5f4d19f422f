"""Log-probabilities that labels pick: without the others, and with the results of the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import SGD, compile
from layertree.typing import ArraySpec
from symbolic import cross_entropy, exp, log_softmax, ones_like, placeholder, sum, value_and_grad, weight
from symbolic.building.operations import apply

INF = np.inf
ROWS: dict[str, list[list[float]]] = {
    "plain": [[0.5, -1.0, 2.0], [100.0, -100.0, 0.0], [0.0, 0.0, 0.0], [-3.0, 1e-3, 7.0]],
    "classes that are left out": [[0.5, -INF, 2.0], [-INF, -INF, 0.0], [0.0, -INF, 0.0], [-3.0, 1e-3, -INF]],
    "labels that are left out": [[-INF, 1.0, 2.0], [-INF, -INF, -INF], [0.0, 0.0, -INF], [-3.0, 1e-3, 7.0]],
    "nan and infinity": [[np.nan, 1.0, 2.0], [INF, 1.0, -INF], [INF, INF, np.nan], [-INF, np.nan, 7.0]],
    "too large for exp": [[1e4, -1e4, 0.0], [-1e30, 1e30, 0.0], [-1e30, -1e30, -1e30], [3e38, -3e38, 0.0]],
}
LABELS = np.array([0, 1, 2, 2])


def agree(formula: Any, rows: Any, dtype: Any) -> Any:
    """Compare value and gradient by the rows of a program with those of the interpreter; the source."""
    spec = ArraySpec((4, 3), dtype), ArraySpec((4,), np.int64)
    x, labels = placeholder(spec)
    made: Any = value_and_grad(formula(x, labels), x)
    program = compile(made)
    data = np.array(rows, dtype), LABELS
    tolerance = 1e-5 if dtype is np.float32 else 1e-12
    found, wanted = program.predict(data), made.predict(data)
    np.testing.assert_allclose(found[0], wanted[0], rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(found[1], wanted[1], rtol=tolerance, atol=tolerance)
    return program.source


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_cross_entropy_and_its_gradient(rows: Any, dtype: Any) -> None:
    source = agree(cross_entropy, rows, dtype)
    assert source.count("np.exp(") == 1
    assert "kernels.pick(" not in source
    assert "kernels.keep(" not in source
    assert "kernels.add_at(" in source


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_what_else_is_read_of_the_log_probabilities_is_there(rows: Any) -> None:
    def smoothed(x: Any, labels: Any) -> Any:
        return cross_entropy(x, labels, label_smoothing=0.1)

    def weighted(x: Any, labels: Any) -> Any:
        return sum(apply("cross_entropy", log_softmax(x), labels) * x[..., 0])

    def probable(x: Any, labels: Any) -> Any:
        return cross_entropy(x, labels) + sum(exp(log_softmax(x)) * x)

    for formula in (smoothed, weighted, probable):
        agree(formula, rows, np.float64)


def test_a_value_alone_picks_before_it_subtracts() -> None:
    x, labels = placeholder((ArraySpec((4, 3)), ArraySpec((4,), np.int64)))
    formula = cross_entropy(x, labels)
    program = compile(formula)
    data = np.array(ROWS["plain"]), LABELS
    assert program.predict(data) == pytest.approx(formula.predict(data), rel=1e-14)
    lines = program.source.splitlines()
    place = next(i for i, line in enumerate(lines) if "kernels.pick_at(" in line)
    assert sum_of("np.subtract(", lines[:place]) == sum_of("np.subtract(", lines[place:]) == 1


def sum_of(text: str, lines: list[str]) -> int:
    return len([line for line in lines if text in line])


def test_log_probabilities_that_are_handed_out() -> None:
    x, labels = placeholder((ArraySpec((4, 3)), ArraySpec((4,), np.int64)))
    logs = log_softmax(x)
    formula: Any = apply("cross_entropy", logs, labels)
    both = compile(formula), compile(logs)
    data = np.array(ROWS["plain"]), LABELS
    np.testing.assert_allclose(both[0].predict(data), -both[1].predict(data)[np.arange(4), LABELS], rtol=1e-14)


def test_what_gives_a_shape_alone_is_not_read() -> None:
    x, labels = placeholder((ArraySpec((4, 3)), ArraySpec((4,), np.int64)))
    logs: Any = log_softmax(x)
    data = np.array(ROWS["plain"]), LABELS
    for pattern, other in (
        (apply("pick", logs, labels), x),
        (apply("not_equal", logs, -INF), cross_entropy(x, labels)),
    ):
        formula: Any = sum(ones_like(pattern)) + sum(other)
        assert compile(formula).predict(data) == pytest.approx(formula.predict(data), rel=1e-14)


def test_rows_of_more_than_one_axis() -> None:
    x, labels = placeholder((ArraySpec((2, 5, 3)), ArraySpec((2, 5), np.int64)))
    w = weight(np.linspace(-1.0, 1.0, 9).reshape(3, 3))
    objective: Any = cross_entropy(x @ w, labels)
    generator = np.random.default_rng(3)
    data = generator.standard_normal((2, 5, 3)), generator.integers(0, 3, (2, 5))
    tape, before = objective.forward(data), w.value
    step = compile(objective, train=True, optimizer=SGD(1.0))
    assert step(data) == pytest.approx(tape.value, rel=1e-12)
    np.testing.assert_allclose(before - w.value, tape.gradients()[w], rtol=1e-9, atol=1e-14)
    assert "kernels.add_at(" in step.source
