"""Matrices of many short rows: which of them lie column after column, and that results are what they are anyway."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, compile
from layertree.program.codegen.layout import SHORT, column_major
from layertree.program.codegen.program import Program
from layertree.typing import ArraySpec

ROWS, WIDTH = 40, 3

FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    "softmax": lambda x, w: sy.softmax(x @ w),
    "log_softmax": lambda x, w: sy.log_softmax(x @ w + x[0, :WIDTH]),
    "sums along rows": lambda x, w: sy.exp(x @ w) / sy.sum(sy.exp(x @ w), axis=1, keepdims=True),
    "sums over rows": lambda x, w: (x @ w) - sy.mean(x @ w, axis=0),
    "a product of products": lambda x, w: sy.matrix_transpose(sy.tanh(x @ w + 1.0)) @ sy.sigmoid((x @ w) * x[:, :1]),
    "a transpose": lambda x, w: sy.matrix_transpose(sy.softmax(x @ w)) * sy.matrix_transpose(x[:, :3]),
    "a reshape": lambda x, w: sy.reshape(sy.softmax(x @ w) + 1.0, (WIDTH, ROWS)) * 2.0,
    "a slice": lambda x, w: sy.softmax(x @ w)[3:17, 1:] * 2.0,
    "rows that are given": lambda x, w: sy.softmax((x @ w) * x[:, :WIDTH]),
    "parts side by side": lambda x, w: sy.concat((sy.softmax(x @ w), sy.tanh(x @ w - x[:, :1])), axis=1) @ x[:6, :2],
    "a choice": lambda x, w: sy.where((x @ w) > x[:, 1:2], sy.softmax(x @ w), (x @ w) * 0.1),
    "a comparison of sums": lambda x, w: sy.max(x @ w, axis=1) * sy.min(sy.tanh(x @ w) * x[:, :1], axis=1),
    "more axes": lambda x, w: sy.softmax(x @ w) * sy.reshape(x, (5, ROWS, 1)),
    "columns of one": lambda x, w: sy.softmax(x @ w[:, :1] + w[0, 0]) * sy.sum(x @ w, axis=1, keepdims=True),
}  # fmt: skip


def both(formula: Any, dtype: Any) -> Any:
    """The value and gradients of a formula of a matrix and of another one, as a formula and as a program."""
    x, w = sy.placeholder((ArraySpec((ROWS, 5), dtype), ArraySpec((5, WIDTH), dtype)))
    made = formula(x, w)
    graded: Any = sy.value_and_grad(sy.sum(sy.exp(made * 0.5)), [x, w])
    return graded, compile(graded)


def data_of(dtype: Any) -> Any:
    generator = np.random.default_rng(5)
    return generator.standard_normal((ROWS, 5)).astype(dtype), generator.standard_normal((5, WIDTH)).astype(dtype)


def chosen(program: Any) -> list[str]:
    """The names of what lies column after column in the program that ran last."""
    made: Any = program._used_compilations().last.program
    assert isinstance(made, Program)
    found = {op for op, place in made.memory.slices.items() if place.by_columns}
    assert found == column_major(made.liveness)
    return [op.name for op in made.liveness.order if op in found]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", FORMULAS)
def test_results_are_those_of_the_interpreter(name: str, dtype: Any) -> None:
    formula, program = both(FORMULAS[name], dtype)
    tolerance = 1e-4 if dtype is np.float32 else 1e-11
    found, wanted = program.predict(data_of(dtype)), formula.predict(data_of(dtype))
    np.testing.assert_allclose(found[0], wanted[0], rtol=tolerance)
    for one, other in zip(found[1], wanted[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "sums along rows", "sums over rows", "a choice"])
def test_what_is_broadcast_or_reduced_along_rows_lies_by_columns(name: str) -> None:
    _, program = both(FORMULAS[name], np.float64)
    program.predict(data_of(np.float64))
    assert "matmul" in chosen(program)


def test_what_is_given_or_read_as_something_else_lies_as_it_is() -> None:
    for name in ("a reshape", "a transpose", "a slice", "rows that are given"):
        x, w = sy.placeholder((ArraySpec((ROWS, 5)), ArraySpec((5, WIDTH))))
        program = compile(sy.exp(FORMULAS[name](x, w)))
        program.predict(data_of(np.float64))
        assert chosen(program) == []


def test_wide_or_few_rows_lie_as_they_are() -> None:
    for rows, width in ((SHORT, SHORT), (SHORT - 1, SHORT), (SHORT, SHORT + 1), (ROWS, 1)):
        x = sy.placeholder(ArraySpec((rows, width)))
        w = sy.weight(np.eye(width))
        program = compile(sy.sum(sy.softmax(x @ w) * 2.0, axis=0))
        program.predict(np.ones((rows, width)))
        assert bool(chosen(program)) == ((rows, width) == (SHORT, SHORT))


def test_labels_point_into_columns() -> None:
    x, labels = sy.placeholder((ArraySpec((ROWS, 5)), ArraySpec((ROWS,), np.int64)))
    w = sy.weight(np.linspace(-1.0, 1.0, 15).reshape(5, 3))
    objective: Any = sy.cross_entropy(x @ w, labels)
    step = compile(objective, train=True, optimizer=SGD(1.0))
    data = data_of(np.float64)[0], np.arange(ROWS) % 3
    tape, before = objective.forward(data), w.value
    assert step(data) == pytest.approx(tape.value, rel=1e-12)
    np.testing.assert_allclose(before - w.value, tape.gradients()[w], rtol=1e-9, atol=1e-14)
    assert step.source.count("by_columns=True") == 3
    assert "add_at" in chosen(step)
    assert "subtract" in chosen(step)


def test_labels_point_into_rows_where_these_are_given() -> None:
    x, labels = sy.placeholder((ArraySpec((ROWS, 3)), ArraySpec((ROWS,), np.int64)))
    formula: Any = sy.value_and_grad(sy.cross_entropy(x * 2.0, labels), x)
    program = compile(formula)
    data = data_of(np.float64)[0][:, :3], np.arange(ROWS) % 3
    np.testing.assert_allclose(program.predict(data)[1], formula.predict(data)[1], rtol=1e-12)
    assert "by_columns" not in program.source


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_labels_of_many_short_sequences(smoothing: float) -> None:
    """What they pick is itself a matrix of many short rows, and is filled as it lies."""
    x, labels = sy.placeholder((ArraySpec((ROWS, 8, 5)), ArraySpec((ROWS, 8), np.int64)))
    generator = np.random.default_rng(5)
    w = sy.weight(generator.standard_normal((5, SHORT + 1)))
    data = generator.standard_normal((ROWS, 8, 5)), generator.integers(0, SHORT + 1, (ROWS, 8))
    losses: Any = sy.cross_entropy(x @ w, labels, label_smoothing=smoothing, reduction="none")
    objective: Any = sy.mean(losses) + sy.sum(sy.square(sy.sum(losses, axis=-1)))
    step = compile(objective, train=True, optimizer=SGD(1e-3))
    for _ in range(2):
        with objective.forward(data) as tape:
            value, before, delta = tape.value, w.layer.value, tape.gradients()[w]
        np.testing.assert_allclose(step(data), value, rtol=1e-12)
        np.testing.assert_allclose(w.layer.value, before - 1e-3 * delta, rtol=1e-9, atol=1e-9)
