"""What many values have in common is computed at once: sums of many terms, and what each value goes through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, Adam, compile
from layertree.program.passes.rerolling_terms import LEAST_TERMS, MOST_ELEMENTS, MOST_TOGETHER
from layertree.typing import ArraySpec

STEPS = 12


def recurrence(step: Callable[[Any, Any, Any], Any], shape: tuple[int, ...], steps: int = STEPS) -> Any:
    """A recurrence that is written out, its input and its two weights."""
    x = sy.placeholder(ArraySpec(shape))
    w, b = sy.weight(np.linspace(0.5, 1.5, int(np.prod(shape))).reshape(shape)), sy.weight(np.full(shape, 0.1))
    h: Any = x
    for _ in range(steps):
        h = step(h, w, b)
    return sy.sum(h), x, w, b


def agree(formula: Any, data: Any, tolerance: float = 1e-12) -> str:
    """Compare a program's value and gradients with the interpreter's, twice; the source."""
    program = compile(formula)
    for given in (data, data * 0.5):
        found, wanted = program.predict(given), formula.predict(given)
        np.testing.assert_allclose(found[0], wanted[0], rtol=tolerance)
        for one, other in zip(found[1], wanted[1], strict=True):
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=1e-300)
    return program.source


STEPWISE: dict[str, Callable[[Any, Any, Any], Any]] = {
    "tanh": lambda h, w, b: sy.tanh(h * w + b),
    "a skip": lambda h, w, b: h + 0.1 * sy.sigmoid(h * w - b),
    "a product with itself": lambda h, w, b: h * h * w + b,
    "a quotient": lambda h, w, b: h / (w + sy.square(h)) + b,
    "a choice": lambda h, w, b: sy.where(h > 0.2, h * w, h - b),
    "two gates": lambda h, w, b: sy.tanh(h * w) * sy.sigmoid(h + b),
}


@pytest.mark.parametrize("shape", [(8, 8), (5,), (2, 3, 4)])
@pytest.mark.parametrize("name", STEPWISE)
def test_a_recurrence_has_the_gradients_of_the_interpreter(name: str, shape: Any) -> None:
    objective, x, w, b = recurrence(STEPWISE[name], shape)
    data = np.linspace(-1.0, 1.0, int(np.prod(shape))).reshape(shape)
    source = agree(sy.value_and_grad(objective, [w, b]), data)
    assert "np.add.reduce(all_" in source
    agree(sy.value_and_grad(objective, [x, w, b]), data)


def test_a_sum_of_many_is_one_operation_and_so_is_what_each_goes_through() -> None:
    objective, _, w, b = recurrence(STEPWISE["tanh"], (8, 8))
    source = agree(sy.value_and_grad(objective, [w, b]), np.linspace(-1.0, 1.0, 64).reshape(8, 8))
    assert source.count("np.add.reduce(all_") == 2
    assert source.count("np.square(") == source.count("np.subtract(") == 2  # of the last step, and of all others
    assert source.count("np.add(") == STEPS
    assert source.count("np.tanh(") == STEPS
    assert source.count("np.copyto(") == 1  # the input, beside the values
    # forward; back through each step but the last two; the weight with the slopes of all, and the terms of all
    assert source.count("np.multiply(") <= STEPS + STEPS + 2


@pytest.mark.parametrize(("function", "bounded"), [("sigmoid", True), ("tanh", True), ("exp", False)])
def test_a_factor_is_multiplied_first_where_that_cannot_overflow(function: str, bounded: bool) -> None:
    objective, _, w, b = recurrence(lambda h, w, b: getattr(sy, function)(h * w - b), (6,))
    w.layer.set(np.full(6, 0.3))
    source = agree(sy.value_and_grad(objective, [w, b]), np.linspace(0.0, 1.0, 6))
    back = [line for line in source.splitlines() if "np.multiply(" in line and "# gradient of Times" in line]
    assert (len(back) < STEPS) is bounded


def test_values_of_another_shape_are_no_partners() -> None:
    """Rows of one value and matrices of the next do not lie side by side as they are broadcast."""
    x: Any = sy.placeholder(ArraySpec((3, 4)))
    rows = [sy.tanh(x[0] * float(number)) for number in range(STEPS)]
    wholes = [sy.exp(x * float(number)) for number in range(STEPS)]
    total, squares, again = rows[0], wholes[0], wholes[0] * rows[0]
    for row, whole in zip(rows[1:], wholes[1:], strict=True):
        total, squares, again = total + row, squares + whole, again + whole * row
    formula: Any = total * squares * again
    program = compile(formula)
    data = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
    np.testing.assert_allclose(program.predict(data), formula.predict(data), rtol=1e-13)
    assert program.source.count("np.add.reduce(all_") == 3


@pytest.mark.parametrize("rule", [SGD(0.1), Adam(0.01)], ids=["SGD", "Adam"])
def test_training_steps(rule: Any) -> None:
    steps: list[Any] = []
    for _ in range(2):
        objective, _, w, b = recurrence(STEPWISE["two gates"], (3, 4))
        steps.append((objective, w, b))
    program = compile(steps[0][0], train=True, optimizer=rule)
    data = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
    for _ in range(3):
        tape = steps[1][0].forward(data)
        assert program(data) == pytest.approx(tape.value, rel=1e-10)
        tape.backward(optimizer=rule)
        for one, other in zip(steps[0][1:], steps[1][1:], strict=True):
            np.testing.assert_allclose(one.value, other.value, rtol=1e-9)
    assert "np.add.reduce(all_" in program.source


def test_a_few_or_large_ones_are_computed_one_by_one() -> None:
    for shape, steps in (
        ((4,), LEAST_TERMS - 1),
        ((MOST_ELEMENTS + 1,), STEPS),
        ((MOST_ELEMENTS,), MOST_TOGETHER // MOST_ELEMENTS + 2),
    ):
        objective, _, w, b = recurrence(STEPWISE["tanh"], shape, steps)
        program = compile(sy.value_and_grad(objective, [w, b]))
        program.predict(np.zeros(shape))
        assert "all_" not in program.source


def test_values_that_are_given_are_not_moved_to_be_added() -> None:
    parts: Any = sy.placeholder((ArraySpec((4,)),) * STEPS)
    w = [sy.weight(np.full(4, float(number))) for number in range(STEPS)]
    total = parts[0] * w[0]
    for part, one in zip(parts[1:], w[1:], strict=True):
        total = total + part * one
    program = compile(total)
    data = tuple(np.arange(4.0) + number for number in range(STEPS))
    np.testing.assert_array_equal(program.predict(data), total.predict(data))
    assert "copyto" not in program.source
    assert "reduce" not in program.source


def test_terms_of_several_kinds() -> None:
    x: Any = sy.placeholder(ArraySpec((4,)))
    functions: list[Any] = [sy.exp, sy.tanh, sy.sin, sy.cos, sy.sqrt, sy.log1p, sy.abs, sy.square, sy.sigmoid]
    total = functions[0](x)
    for function in functions[1:]:
        total = total + function(x)
    formula: Any = total * 2.0
    program = compile(formula)
    data = np.linspace(0.1, 2.0, 4)
    np.testing.assert_array_equal(program.predict(data), formula.predict(data))
    assert "np.add.reduce(all_exp, axis=0" in program.source


def test_one_value_many_times_and_terms_that_are_read_elsewhere() -> None:
    x: Any = sy.placeholder(ArraySpec((4,)))
    h = sy.exp(x)
    total = h
    for _ in range(STEPS):
        total = total + h
    shared = [sy.tanh(x * float(number)) for number in range(STEPS)]
    again = shared[0]
    for one in shared[1:]:
        again = again + one
    formula: Any = total * again * shared[3] * shared[7]
    program = compile(formula)
    data = np.linspace(0.1, 2.0, 4)
    np.testing.assert_allclose(program.predict(data), formula.predict(data), rtol=1e-14)


def test_a_term_that_is_read_last_is_not_written_over() -> None:
    x: Any = sy.placeholder(ArraySpec((4, 4)))
    terms = [sy.tanh(x * float(number)) for number in range(STEPS)]
    total = terms[0]
    for one in terms[1:]:
        total = total + one
    formula: Any = sy.exp(total) @ sy.sin(terms[3])
    program = compile(formula)
    data = np.linspace(-1.0, 1.0, 16).reshape(4, 4)
    for given in (data, 0.5 * data):
        np.testing.assert_allclose(program.predict(given), formula.predict(given), rtol=1e-12)
    assert "np.add.reduce(all_" in program.source


def test_sums_that_want_the_same_values_in_another_order() -> None:
    x: Any = sy.placeholder(ArraySpec((4,)))
    values = [sy.tanh(sy.exp(x) * float(number)) for number in range(STEPS)]
    forth, back = values[0], values[-1]
    for one, other in zip(values[1:], values[-2::-1], strict=True):
        forth, back = forth + one, back + other
    formula: Any = forth * (back + 1.0)
    program = compile(formula)
    data = np.linspace(0.1, 2.0, 4)
    np.testing.assert_allclose(program.predict(data), formula.predict(data), rtol=1e-14)


def test_a_sum_that_later_terms_of_another_are_computed_from() -> None:
    x: Any = sy.placeholder(ArraySpec((4,)))
    values = [sy.tanh(x * float(number)) for number in range(STEPS)]
    first = values[0]
    for one in values[1:]:
        first = first + one
    values = values[3:] + [sy.tanh(first * float(number)) for number in range(LEAST_TERMS)]
    second = values[0]
    for one in values[1:]:
        second = second + one
    formula: Any = sy.exp(first) * second
    program = compile(formula)
    data = np.linspace(0.1, 2.0, 4)
    np.testing.assert_allclose(program.predict(data), formula.predict(data), rtol=1e-14)


def test_terms_of_many_operations_each() -> None:
    x: Any = sy.placeholder(ArraySpec((4,)))
    terms: list[Any] = [sy.sin(x * float(number)) for number in range(LEAST_TERMS)]
    for _ in range(2000):
        terms = [term * 0.999 + 0.001 for term in terms]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    program = compile(total)
    data = np.linspace(0.1, 2.0, 4)
    np.testing.assert_allclose(program.predict(data), total.predict(data), rtol=1e-14)


def test_what_is_handed_out_on_the_way_is_there() -> None:
    x = sy.placeholder(ArraySpec((3, 2)))
    w = sy.weight(np.full((3, 2), 0.7))
    h: Any = x
    seen: list[Any] = []
    for _ in range(STEPS):
        h = sy.tanh(h * w)
        seen.append(h)
    objective = sy.sum(h)
    slope: Any = sy.grad(objective, w)
    formula = seen[2] * slope + seen[5]
    program = compile(formula)
    data = np.linspace(-1.0, 1.0, 6).reshape(3, 2)
    np.testing.assert_allclose(program.predict(data), formula.predict(data), rtol=1e-12)


def test_flaws_are_told_of_where_they_come_from() -> None:
    objective, _, w, b = recurrence(STEPWISE["tanh"], (4,))
    program = compile(sy.value_and_grad(objective, [w, b]), check_finite=True)
    program.predict(np.zeros(4))
    assert "np.add.reduce(all_" in program.source
    with pytest.raises(FloatingPointError, match="the input x holds a NaN"):
        program.predict(np.full(4, np.nan))
    w.layer.set(np.full(4, np.inf))
    with pytest.raises(FloatingPointError, match="forward, the layer made a NaN in float64"):
        program.predict(np.zeros(4))


def test_the_memory_of_values_side_by_side_is_told() -> None:
    objective, _, w, b = recurrence(STEPWISE["tanh"], (64,), 40)
    program = compile(sy.value_and_grad(objective, [w, b]))
    program.predict(np.zeros(64))
    memory = program.memory
    assert 2 * 40 * 64 * 8 <= memory.peak <= memory.arena <= memory.without_reuse
    assert "stack" in str(program)
