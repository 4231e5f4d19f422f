"""Marian's ExpressionGraph, what its documentation promises: D-S1 to D-S4, D-S6 to D-S9, D-S11, D-S12."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    Identity,
    Input,
    Literal,
    MissingGradientError,
    Plus,
    ReLU,
    Sin,
    Times,
    Weight,
    nodes,
    parameters,
)
from layertree.typing import ArraySpec
from symbolic import initializers

Z = 6.909297426825682  # x * y + sin(x) at (2, 3)
SLOPE = 2.5838531634528574  # y + cos(x)


def test_d_s1_value() -> None:
    x, y = sy.placeholder((float, float))
    assert (x * y + sy.sin(x)).predict((2.0, 3.0)) == Z


def test_d_s2_a_parameter_has_a_gradient_and_a_constant_none() -> None:
    x, y = sy.weight(2.0), sy.literal(3.0)
    with (x * y + sy.sin(x)).forward(None) as tape:
        gradients = tape.gradients()
    assert gradients[x] == SLOPE
    assert list(gradients) == [x.layer]
    with pytest.raises(MissingGradientError, match=r"did not reach 3\.0"):
        gradients[y]


def test_d_s3_constants_alone_have_no_gradients() -> None:
    x, y = sy.literal(2.0), sy.literal(3.0)
    with (x * y + sy.sin(x)).forward(None) as tape:
        assert tape.value == Z
        assert not tape.is_trainable
        assert dict(tape.gradients()) == {}


def test_d_s4_operators_build_the_named_nodes() -> None:
    x, y = Weight(2.0), Literal(3.0)
    by_name = Plus(Times(x, y), Sin(x))
    a, b = sy.weight(2.0), sy.literal(3.0)
    by_operator = (a * b + sy.sin(a)).layer
    assert Counter(type(node) for node in nodes(by_operator)) == Counter((Weight, Literal, Times, Sin, Plus))
    assert Counter(type(node) for node in nodes(by_name)) == Counter((Weight, Literal, Times, Sin, Plus))
    assert repr(by_operator) == repr(by_name)
    # Weights are equal when they share a cell, so over one weight the trees are equal.
    symbol = sy.wrap(x, float)
    assert (symbol * 3.0 + sy.sin(symbol)).layer == by_name


def test_d_s6_kinds_of_nodes() -> None:
    constant = np.array([3.0])
    formula = Times(Weight(np.array([2.0])), Literal(constant))
    match formula:
        case Times(Weight(), Literal()):
            pass
        case _:
            pytest.fail(f"no match: {formula}")
    assert [w.value.tolist() for w in parameters(formula)] == [[2.0]]
    literal = formula.operand2
    with pytest.raises(AttributeError, match=r"Literal\.data cannot be set"):
        literal.data = np.array([4.0])
    seen: list[Any] = []
    x = sy.wrap(formula, float)
    hooked = sy.hook(x, seen.append)
    hooked.train(0.0, delta=np.ones(1))
    for array in (literal.forward(None).value, seen[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 4.0
    np.testing.assert_array_equal(formula.predict(0.0), (2.0 - 0.01 * 3.0) * 3.0)


def test_d_s7_value_after_forward_gradient_after_backward() -> None:
    x = sy.placeholder(float)
    formula = x * x + sy.sin(x)
    with pytest.raises(AttributeError, match=r"x \* x \+ sin\(x\) has a value only when it runs"):
        formula.value
    source = Input(2.0)
    with formula.forward(source) as tape:
        assert tape.value == 4.0 + math.sin(2.0)
        # Three uses of one input: what arrives over them is added.
        assert tape.gradients()[source] == pytest.approx(4.0 + math.cos(2.0), rel=1e-15)


def test_d_s8_train_is_forward_and_backward() -> None:
    first, second = (sy.weight(2.0, optimizer=SGD(0.1)) for _ in range(2))
    value = (first * 3.0 + sy.sin(first)).train()
    with (second * 3.0 + sy.sin(second)).forward(None) as tape:
        assert tape.value == value == Z
        tape.backward()
    assert first.value == second.value == 2.0 - 0.1 * SLOPE


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_d_s9_the_output_has_the_dtype_of_its_inputs(dtype: Any) -> None:
    x = sy.placeholder(ArraySpec((2, 4), dtype))
    net = sy.relu(sy.dense(x, 3)) * 2.0 + 1.0
    assert {w.value.dtype for w in parameters(net)} == {np.dtype(dtype)}
    data = np.linspace(-1, 1, 8, dtype=dtype).reshape(2, 4)
    assert net.dtype == net.predict(data).dtype == dtype
    net.train(data, delta=np.ones((2, 3), dtype))
    assert {w.value.dtype for w in parameters(net)} == {np.dtype(dtype)}


def test_d_s9_initialisers_make_float32_unless_told() -> None:
    assert initializers.normal(2, 3).dtype == np.float32
    assert initializers.normal(2, 3, dtype=np.float64).dtype == np.float64


def test_d_s11_python_decides_while_formulas_run() -> None:
    # A loop over tapes whose length and branches depend on the data, each run afresh.
    w = Weight(0.5, optimizer=SGD(0.1))
    halve = Times(Identity(), w)

    def run(start: float) -> tuple[Any, int]:
        tape: Any = Input(start)
        steps = 0
        while tape.value > 1.0:
            tape = halve.forward(tape)
            steps += 1
        return (Plus(Identity(), 10.0) if steps % 2 else ReLU(Identity())).forward(tape), steps

    for start, steps, value in ((8.0, 3, 11.0), (3.0, 2, 0.75)):
        tape, taken = run(start)
        assert (tape.value, taken) == (value, steps)
        # start * w ** steps
        assert tape.gradients()[w] == pytest.approx(start * steps * 0.5 ** (steps - 1))


def test_d_s11_batches_of_different_sizes() -> None:
    x = sy.placeholder(ArraySpec(("Batch", 2)))
    w = sy.weight(np.zeros((2, 1)), optimizer=SGD(1.0))
    net = sy.sum(x @ w)
    for size in (1, 5, 3):
        net.train(np.ones((size, 2)))
    np.testing.assert_array_equal(w.value, [[-9.0], [-9.0]])


def test_d_s12_one_step_of_descent() -> None:
    x = sy.weight(2.0, optimizer=SGD(0.005))
    loss = abs(6.0 - (x * 3.0 + sy.sin(x)))
    assert loss.train() == pytest.approx(Z - 6.0, rel=1e-15)
    assert x.value == 1.9870807341827357
