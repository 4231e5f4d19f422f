"""What steps do to cells: weights, their states, counters and averages are what the interpreter makes of them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Adagrad,
    Adam,
    AdamW,
    Average,
    CosineDecay,
    Count,
    Cycle,
    ExponentialDecay,
    Identity,
    InverseDecay,
    Item,
    Momentum,
    Plus,
    RMSprop,
    RunningAverage,
    Scheduled,
    State,
    Sum,
    Times,
    Tuple,
    Weight,
    commit,
    compile,
    named_cells,
    optimizer,
    parameters,
)
from layertree.program.compiled import CACHED
from layertree.typing import ArraySpec
from symbolic import batch_norm, dropout, if_, mean, nn, placeholder, running_average, seed, tanh, weight, where
from tests.program.networks import batch, mlp

RULES: list[Any] = [
    SGD(0.1),
    Momentum(0.1),
    Momentum(0.05, 0.8, nesterov=True),
    Adagrad(0.1),
    RMSprop(0.01),
    Adam(0.01),
    AdamW(0.01, decay=0.1),
    Scheduled(SGD(0.1), CosineDecay(4, warmup=2)),
    Scheduled(Adam(0.05), ExponentialDecay(0.3)),
    Scheduled(Momentum(0.1), InverseDecay(0.5)),
    Scheduled(SGD(0.1), Cycle((1.0, 0.5))),
]


def contents(formula: Any) -> list[Any]:
    """The values and the parts of the states of all cells."""
    found: list[Any] = []
    for layer in named_cells(formula).values():
        value, state = layer.cell.content
        found.append(value)
        if state is not None:
            found.append(state[0])
            found.extend(state[1])
    return found


def agree(formula: Any, twin: Any) -> None:
    """All cells of two formulas hold the same, in the same kinds."""
    given, wanted = contents(formula), contents(twin)
    assert len(given) == len(wanted) > 0
    for one, other in zip(given, wanted, strict=True):
        if isinstance(other, type):
            assert one is other
            continue
        # The step that a rule counts is a Python number or NumPy's: who reads it cannot tell.
        assert np.asarray(one).dtype == np.asarray(other).dtype
        single = np.asarray(other).dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=2e-5 if single else 1e-10, atol=1e-6 if single else 1e-12)


def follow(objective: Any, batches: list[Any], rule: Any = None) -> None:
    """A compiled step and the interpreter, side by side over some batches."""
    twin = copy.deepcopy(objective)
    before = contents(objective)
    step = compile(objective, train=True, optimizer=rule)
    for one in batches:
        value = step(one)
        with twin.forward(one) as tape:
            np.testing.assert_allclose(value, tape.value, rtol=1e-5)
            assert type(value) is type(tape.value)
            tape.backward(optimizer=rule)
        agree(objective, twin)
    assert any(np.any(one != other) for one, other in zip(before, contents(objective), strict=False))


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_every_rule_over_five_steps(rule: Any) -> None:
    follow(mlp(), [batch(4, 6, number=number) for number in range(5)], rule)


@pytest.mark.parametrize("rule", [SGD(0.1), Momentum(0.1), Adam(0.01)], ids=repr)
@pytest.mark.parametrize("kind", [float, np.float64, np.float32])
def test_every_rule_on_numbers(rule: Any, kind: Any) -> None:
    x = placeholder(float)
    follow((x * weight(kind(0.5)) + weight(kind(-1.0))) ** 2, [1.0, 2.0, -3.0], rule)


@pytest.mark.parametrize("rows", [(4, 4, 4), (4, 7, 1, 4)])
def test_dropout_draws_what_the_interpreter_draws(rows: tuple[int, ...]) -> None:
    objective = mlp((6, 8, 8, 3), rate=0.4)
    follow(objective, [batch(count, 6, number=number) for number, count in enumerate(rows)], SGD(0.1))
    counters = [cell.value for name, cell in named_cells(objective).items() if "dropout" in name]
    assert counters == [len(rows)] * 2


def test_running_averages_and_batch_norm() -> None:
    with seed(0):
        rows = placeholder(ArraySpec(("Batch", 5), np.float32))
        normed = batch_norm(nn.dense(rows, 4))
        objective = mean(tanh(normed) ** 2) + running_average(mean(rows), 0.25)
    follow(objective, [batch(6, 5, number=number)[0] for number in range(4)], Momentum(0.1))


def test_a_counter_beside_a_weight_of_no_gradient() -> None:
    x = placeholder(ArraySpec((3,)))
    follow(mean(dropout(x, 0.5)) + 0.0 * weight(1.0), [np.arange(3.0)] * 3)


def test_averages_alone() -> None:
    x = placeholder(float)
    follow(running_average(x, 0.0), [1.0, 2.0, 4.0])


def test_an_average_told_twice_in_one_step_is_told_the_mean() -> None:
    average = State(0.0, Average(0.5))
    first, second = Item(Identity(), 0), Item(Identity(), 1)
    objective: Any = Plus(RunningAverage(first, average), RunningAverage(second, average))
    follow(objective, [(1.0, 2.0), (3.0, -4.0)])


def test_tuples_in_and_out() -> None:
    a, rest = placeholder((ArraySpec((3,)), (float, ArraySpec((3,), np.float32))))
    b, c = rest[0], rest[1]
    w = weight(np.array([1.0, -2.0, 0.5]))
    formula: Any = Tuple(((a * w).layer, Tuple(((b * 2.0).layer, (c - 1.0).layer))))
    data = np.arange(3.0), (2.0, np.ones(3, np.float32))
    given, wanted = compile(formula).predict(data), formula.predict(data)
    assert type(given) is type(given[1]) is tuple
    for one, other in zip((given[0], *given[1]), (wanted[0], *wanted[1]), strict=True):
        assert type(one) is type(other)
        np.testing.assert_array_equal(one, other)
    assert given[1][1].dtype == np.float32


def test_a_branch_is_a_real_one() -> None:
    x = placeholder(float)
    seen: list[float] = []
    w, v = weight(2.0), weight(3.0)
    then, otherwise = x * w, x * v
    formula = if_(x < 0.0, then, otherwise)
    step = compile(formula, train=True, optimizer=SGD(0.5))
    seen.append(step(1.0))
    assert "if " in step.source
    assert "else:" in step.source
    assert (w.value, v.value) == (2.0, 2.5)
    seen.append(step(-1.0))
    assert (w.value, v.value) == (2.5, 2.5)
    assert seen == [3.0, -2.0]


def test_which_optimizer_a_weight_takes() -> None:
    """Its own, else the argument, else that of the scope, else SGD(0.01)."""

    def made(argument: Any) -> list[float]:
        x = placeholder(float)
        own = weight(0.0, optimizer=SGD(1.0))
        with optimizer(SGD(2.0)):
            scoped = weight(0.0)
        objective = x * (own + scoped + weight(0.0))
        compile(objective, train=True, optimizer=argument)(1.0)
        return [one.value for one in parameters(objective)]

    assert made(None) == [-1.0, -2.0, -0.01]
    assert made(SGD(4.0)) == [-1.0, -4.0, -4.0]
    with pytest.raises(TypeError, match="update rule"):
        compile(placeholder(float) * weight(1.0), train=True, optimizer=0.1)  # type: ignore[call-overload]


def test_another_rule_starts_its_state_anew() -> None:
    objective = mlp()
    twin = copy.deepcopy(objective)
    data = batch(4, 6)
    for rule in (Adam(0.01), Momentum(0.1), Adam(0.01)):
        step = compile(objective, train=True, optimizer=rule)
        for _ in range(2):
            step(data)
            twin.forward(data).backward(optimizer=rule)
        agree(objective, twin)


def test_steps_of_both_kinds_go_on_from_one_another() -> None:
    objective = mlp()
    twin = copy.deepcopy(objective)
    data = batch(4, 6)
    step = compile(objective, train=True, optimizer=Adam(0.01))
    for turn in range(4):
        if turn % 2:
            objective.forward(data).backward(optimizer=Adam(0.01))
        else:
            step(data)
        twin.forward(data).backward(optimizer=Adam(0.01))
        agree(objective, twin)


def test_a_weight_that_is_set_between_steps() -> None:
    objective = mlp()
    twin = copy.deepcopy(objective)
    data = batch(4, 6)
    step = compile(objective, train=True, optimizer=Adam(0.01))
    for _ in range(2):
        for formula in (objective, twin):
            first = parameters(formula)[0]
            first.set(np.full(first.value.shape, 0.25, np.float32))
        step(data)
        twin.forward(data).backward(optimizer=Adam(0.01))
        agree(objective, twin)


def test_programs_are_kept_by_specification_and_the_oldest_dropped() -> None:
    objective = mlp()
    step = compile(objective, train=True)
    for rows in (3, 5, 3):
        step(batch(rows, 6))
    assert len(step._programs) == 2
    first = step._programs.get(batch(3, 6))[1]
    assert step._programs.get(batch(3, 6))[1] is first
    for rows in range(10, 10 + CACHED):
        step(batch(rows, 6))
    assert len(step._programs) == CACHED
    assert step._programs.get(batch(3, 6))[1] is not first


@pytest.mark.parametrize("data", [3, 3.0, True, np.float32(3), np.float64(3), np.int32(3), np.arange(3), np.ones(3)])
def test_kinds_of_data(data: Any) -> None:
    """Python numbers stay weak; integers, booleans and NumPy's numbers give what the interpreter makes of them."""
    formula: Any = Plus(Times(Identity(), 2), Weight(np.float32(0.5)))
    given, wanted = compile(formula).predict(data), formula.predict(data)
    assert type(given) is type(wanted)
    assert np.asarray(given).dtype == np.asarray(wanted).dtype
    np.testing.assert_array_equal(given, wanted)


def test_numbers_of_several_kinds_one_after_the_other() -> None:
    program = compile(placeholder(float) * 2.0)
    found = [program.predict(data) for data in (1.5, 2, 1.5, np.float64(4.0))]
    assert found == [3.0, 4.0, 3.0, 8.0]
    assert list(map(type, found[:3])) == [float] * 3


def test_a_state_without_a_rule_of_its_own_counts() -> None:
    """A counter read by two dropouts ticks once a step."""
    counter = State(0, Count())
    from layertree import Bernoulli, Dropout

    masks = [Bernoulli(Identity(), counter, 0.5, number) for number in (1, 2)]
    dropped = [Dropout(Times(Identity(), Weight(1.0)), mask, 0.5) for mask in masks]
    objective: Any = Sum(Plus(*dropped))
    follow(objective, [np.ones(8)] * 3)
    assert counter.value == 3


def test_a_mask_from_data() -> None:
    x = placeholder(ArraySpec((4,)))
    follow(mean(where(x > 0.0, x * weight(2.0), x * weight(3.0))), [np.array([1.0, -1.0, 2.0, 0.0])] * 2, Adam(0.1))


@pytest.mark.parametrize("rule", [SGD(0.1), Momentum(0.1), Adam(0.1), AdamW(0.1)], ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("start", [1.0, np.array([1.0, 2.0])], ids=["number", "array"])
def test_a_branch_not_taken_leaves_its_weights_and_their_states(rule: Any, start: Any) -> None:
    x = placeholder(float)
    first, second, both = weight(start), weight(start), weight(start)
    value = if_(x > 0.0, x * first, if_(x < -1.0, x * second * first, x * x * second)) * both
    objective = Sum(value) if isinstance(start, np.ndarray) else value
    twin = copy.deepcopy(objective)
    step = compile(objective, train=True, optimizer=rule)
    for data in (1.0, -0.5, -2.0, 2.0, -0.5):
        tape = twin.forward(data)
        np.testing.assert_allclose(step(data), tape.value, rtol=1e-12)
        tape.backward(optimizer=rule)
        for one, other in zip(parameters(objective), parameters(twin), strict=True):
            np.testing.assert_allclose(one.value, other.value, rtol=1e-12)


def test_a_compiled_formula_tells_its_cells_what_it_saw() -> None:
    """Dropout draws anew in each step and averages move, also where a formula is compiled and then trained."""
    x = placeholder(ArraySpec(("Batch", 4), np.float32))
    with sy.seed(0):
        objective = sy.mean(sy.dropout(sy.batch_norm(sy.dense(x, 3)), 0.5) ** 2)
    twin = copy.deepcopy(objective)
    formula = compile(objective)
    data = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
    losses = [formula.train(data) for _ in range(4)]
    assert len(set(map(float, losses))) == 4
    np.testing.assert_allclose(losses, [twin.train(data) for _ in range(4)], rtol=1e-4)
    for name, cell in named_cells(objective).items():
        np.testing.assert_allclose(cell.value, named_cells(twin)[name].value, rtol=1e-4, atol=1e-6, err_msg=name)
    np.testing.assert_allclose(formula.predict(data), twin.predict(data), rtol=1e-4)


def test_gradients_of_a_compiled_formula_change_no_cell() -> None:
    x = placeholder(ArraySpec(("Batch", 4), np.float32))
    formula = compile(sy.mean(sy.dropout(x * weight(np.ones(4, np.float32)), 0.5)))
    data = np.ones((8, 4), np.float32)
    tape = formula.forward(data)
    found = tape.gradients()
    assert named_cells(formula)["dropout/counter"].value == 0
    commit(found)
    assert named_cells(formula)["dropout/counter"].value == 1


def test_a_counter_in_a_branch_of_a_compiled_formula_changes_when_the_branch_is_taken() -> None:
    x = placeholder(ArraySpec((4,)))
    formula = compile(sy.sum(sy.if_(sy.sum(x) > 0.0, sy.dropout(x * weight(np.ones(4)), 0.5), x)))
    for sign, count in ((1.0, 1), (-1.0, 1), (1.0, 2)):
        formula.train(sign * np.ones(4))
        assert named_cells(formula)["dropout/counter"].value == count
