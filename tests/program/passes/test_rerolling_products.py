"""Sums of products of matrices, as a recurrence's way back adds them to the deltas of its weights: one product."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, Adam, compile
from layertree.typing import ArraySpec

STEPS, BATCH, WIDTH, HIDDEN = 12, 3, 4, 5


def weights() -> Any:
    generator = np.random.default_rng(1)
    shapes = (WIDTH, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN,)
    return [sy.weight(generator.standard_normal(shape) * 0.5) for shape in shapes]


def recurrence(x: Any, u: Any, w: Any, b: Any, *, axis: int = 0, seen: Any = None) -> Any:
    """A recurrence over the steps of ``x``, and the sum of what is squared of its last state and of some others."""
    steps = [x[t] if axis == 0 else x[:, t] for t in range(STEPS)]
    h: Any = sy.tanh(steps[0] @ u + b)
    total = sy.sum(h * h)
    for one in steps[1:]:
        h = sy.tanh(one @ u + h @ w + b)
        h = h if seen is None else sy.hook(h, seen)
    return total + sy.sum(h * h)


def spec(axis: int = 0) -> Any:
    return ArraySpec((STEPS, BATCH, WIDTH) if axis == 0 else (BATCH, STEPS, WIDTH))


def data(axis: int = 0) -> Any:
    return np.random.default_rng(2).standard_normal(spec(axis).shape)


def agree(formula: Any, given: Any) -> str:
    program = compile(formula)
    for one in (given, given * 0.5):
        found, wanted = program.predict(one), formula.predict(one)
        np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12)
        for first, second in zip(found[1], wanted[1], strict=True):
            np.testing.assert_allclose(first, second, rtol=1e-10, atol=1e-12)
    return program.source


def back(source: str) -> list[str]:
    """The lines of products on the way back."""
    return [line for line in source.splitlines() if ("np.matmul(" in line or "np.dot(" in line) and "gradient" in line]


@pytest.mark.parametrize("axis", [0, 1])
def test_deltas_of_weights_are_one_product_each(axis: int) -> None:
    x = sy.placeholder(spec(axis))
    u, w, b = weights()
    objective = recurrence(x, u, w, b, axis=axis)
    source = agree(sy.value_and_grad(objective, [u, w, b]), data(axis))
    assert source.count("kernels.sum_of_rows(") == 1
    # The state goes back by a product a step; steps beside one another, as those of axis 1 are not, need no copies.
    assert len(back(source)) == (STEPS - 1) + 1 + (1 if axis == 0 else STEPS)
    assert source.count("np.copyto(") == (1 if axis == 0 else 0)  # of the steps, which come in reverse


PARTS: dict[str, Any] = {
    "in reverse": lambda x, t: x[STEPS - 1 - t],
    "from the end": lambda x, t: x[t - STEPS],
    "every other": lambda x, t: x[2 * t % STEPS],
    "the same": lambda x, t: x[3],
    "of the last axis": lambda x, t: x[:, t % WIDTH, :WIDTH],
    "a part of each": lambda x, t: x[t, :, 1:],
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_any_parts_of_the_input(part: Any) -> None:
    x: Any = sy.placeholder(ArraySpec((STEPS, STEPS, WIDTH)))
    w = sy.weight(np.linspace(-1.0, 1.0, WIDTH * HIDDEN).reshape(WIDTH, HIDDEN))
    wide = sy.weight(np.linspace(-1.0, 1.0, 3 * HIDDEN).reshape(3, HIDDEN))
    rows = [part(x, t) for t in range(STEPS)]
    used = w if rows[0].shape[-1] == WIDTH else wide
    total: Any = sy.sum(sy.sin(rows[0] @ used))
    for number, one in enumerate(rows[1:]):
        total = total + sy.sum(sy.sin((1.0 + 0.1 * number) * (one @ used)))
    agree(sy.value_and_grad(total, [used]), np.random.default_rng(4).standard_normal((STEPS, STEPS, WIDTH)))


def test_deltas_of_the_input_and_of_a_part_of_the_weights() -> None:
    x = sy.placeholder(spec())
    u, w, b = weights()
    objective = recurrence(x, u, w, b)
    agree(sy.value_and_grad(objective, [x, w]), data())
    agree(sy.value_and_grad(objective, [b, x, u]), data())


@pytest.mark.parametrize("rule", [SGD(0.1), Adam(0.01)], ids=["SGD", "Adam"])
def test_training_steps(rule: Any) -> None:
    """Each update waits for all products that lie beside those of its own."""
    made: list[Any] = []
    for _ in range(2):
        own = weights()
        made.append((recurrence(sy.placeholder(spec()), *own), own))
    step = compile(made[0][0], train=True, optimizer=rule)
    for _ in range(3):
        tape = made[1][0].forward(data())
        assert step(data()) == pytest.approx(tape.value, rel=1e-10)
        tape.backward(optimizer=rule)
        for one, other in zip(made[0][1], made[1][1], strict=True):
            np.testing.assert_allclose(one.value, other.value, rtol=1e-8, atol=1e-10)
    assert "all_" in step.source


def test_hooks_see_what_they_saw_in_their_order() -> None:
    x = sy.placeholder(spec())
    u, w, b = weights()
    seen: list[Any] = []
    objective = recurrence(x, u, w, b, seen=seen.append)
    formula: Any = sy.value_and_grad(objective, [u, w, b])
    agree(formula, data())
    program, interpreted = seen[: STEPS - 1], seen[STEPS - 1 : 2 * STEPS - 2]
    for one, other in zip(program, interpreted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_a_hook_that_would_have_to_wait_sees_its_value_at_once() -> None:
    x: Any = sy.placeholder(ArraySpec((4,)))
    seen: list[str] = []
    values = [sy.tanh(x * float(number)) for number in range(12)]
    first = values[0]
    for one in values[1:]:
        first = first + one
    first = sy.hook(first, lambda _: seen.append("first"))
    later = [sy.hook(sy.sin(x * float(number)), lambda _: seen.append("later")) for number in range(8)]
    values = values[4:] + later
    second = values[0]
    for one in values[1:]:
        second = second + one
    formula: Any = first * second
    program = compile(formula)
    given = np.linspace(0.1, 2.0, 4)
    found = program.predict(given)
    order = list(seen)
    np.testing.assert_allclose(found, formula.predict(given), rtol=1e-13)
    assert order == seen[len(order) :]


def test_products_that_are_large_together_stay_apart() -> None:
    x = sy.placeholder(ArraySpec((8, 1 << 10, 1 << 10), np.float32))
    u = sy.weight(np.zeros((1 << 10, 1), np.float32))
    total: Any = sy.sum(sy.exp(x[0] @ u))
    for step in range(1, 8):
        total = total * sy.sum(sy.exp(x[step] @ u))
    program = compile(sy.grad(total, u))
    program.predict(np.zeros((8, 1 << 10, 1 << 10), np.float32))
    assert len(back(program.source)) == 8


def test_sums_that_lie_beside_one_another_themselves() -> None:
    """The values of some bags are added up, and each sum is multiplied by one matrix: the last one ends its run."""
    x = sy.placeholder(ArraySpec((8, 8, BATCH, WIDTH)))
    u, w, _ = weights()
    bags = [reduce(operator.add, [sy.tanh(x[i, j] @ u) for j in range(8)]) for i in range(8)]
    formula = reduce(operator.add, [sy.sum(sy.square(bag @ w)) for bag in bags])
    given = np.random.default_rng(2).standard_normal((8, 8, BATCH, WIDTH))
    source = agree(sy.value_and_grad(formula, [u, w]), given)
    assert sum("of MatMul weight_1" in line for line in back(source)) == 8 + 1  # for each sum, and for the weight
