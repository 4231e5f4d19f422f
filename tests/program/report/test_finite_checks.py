"""``check_finite``: the first layer that makes a NaN or an infinity, forward or backward, by formula and line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import SGD, Exp, Identity, Momentum, Plus, Sum, Times, Weight, compile, parameters
from layertree.program.codegen import batch_program as parts
from layertree.typing import ArraySpec
from symbolic import (
    cross_entropy,
    exp,
    if_,
    log,
    max_pool2d,
    mean,
    nn,
    placeholder,
    relu,
    softmax,
    sqrt,
    sum,
    tanh,
    weight,
    where,
)
from tests.layers.sample import Sample
from tests.layers.samples import SAMPLES
from tests.program.networks import IMAGE, batch, convolutional, mlp
from tests.program.test_table import total

DIFFERENTIABLE = [one for one in SAMPLES if one.differentiable]
VECTOR = ArraySpec((3,))


def raised(formula: Any, data: Any, **options: Any) -> str:
    """What the check has to say; nothing has changed, and without the check the step is taken."""
    before = [w.cell.content for w in parameters(formula)]
    with pytest.raises(FloatingPointError) as caught:
        compile(formula, train=True, check_finite=True, **options)(data)
    assert all(w.cell.content is one for w, one in zip(parameters(formula), before, strict=True))
    compile(formula, train=True, **options)(data)
    assert not any(w.cell.content is one for w, one in zip(parameters(formula), before, strict=True))
    return str(caught.value)


def test_forward_the_layer_its_formula_and_the_line() -> None:
    x = placeholder(VECTOR)
    risky = log(x * weight(2.0))
    message = raised(sum(tanh(risky)), np.array([1.0, 0.0, 2.0]))
    assert message.startswith("forward, the layer made an infinity in float64 (3,): Log, log(x * weight(2.0))")
    assert message.endswith("risky = log(x * weight(2.0))")
    assert "test_finite_checks.py:" in message


def test_a_nan() -> None:
    x = placeholder(VECTOR)
    message = raised(sum(exp(log(x * weight(2.0)))), np.array([1.0, -1.0, 2.0]))
    assert "the layer made a NaN in float64 (3,): Log, " in message


def test_the_first_of_several() -> None:
    x = placeholder(VECTOR)
    message = raised(sum(log(exp(x * weight(1.0)) * 0.5 - 1e300)), np.array([1.0, 1000.0, 2.0]))
    assert "Exp, " in message


def test_backward() -> None:
    x = placeholder(VECTOR)
    root = sqrt(x * weight(1.0))
    message = raised(sum(root), np.array([1.0, 0.0, 2.0]))
    assert message.startswith("backward, the gradient made an infinity")
    assert "Sqrt, sqrt(x * weight(1.0))" in message
    assert message.endswith("root = sqrt(x * weight(1.0))")


def test_an_update() -> None:
    x = placeholder(float)
    message = raised(x * weight(1.0), 1e300, optimizer=Momentum(1e300))
    assert message.startswith("the update by Momentum(rate=1e+300")
    assert "an infinity" in message


def test_numbers_inside_of_one_expression() -> None:
    x = placeholder(float)
    message = raised(tanh(exp(x * weight(1.0)) * 2.0 + 1.0), 1000.0)
    assert "the layer made an infinity in float: Exp, exp(x * weight(1.0))" in message


def test_what_came_in_was_made_by_no_layer() -> None:
    a, b = placeholder((VECTOR, VECTOR))
    nan = np.array([1.0, np.nan, 2.0])
    assert raised(sum(a * weight(1.0) + b), (np.ones(3), nan)) == "the input x[1] holds a NaN: no layer made it"
    broken = weight(np.array([np.inf, 1.0, 1.0]), name="scale")
    assert raised(sum(a * broken + b), (np.ones(3), np.ones(3))) == "the cell scale holds an infinity: no layer made it"


def test_what_came_in_and_was_masked_is_welcome() -> None:
    x = placeholder(VECTOR)
    w = weight(2.0)
    objective = sum(where(x == x, x, 0.0) * w)
    assert compile(objective, train=True, optimizer=SGD(1.0), check_finite=True)(np.array([1.0, np.nan, 2.0])) == 6.0
    assert w.value == -1.0


def test_infinities_that_are_meant_are_welcome() -> None:
    """A mask of minus infinity before a softmax, a border of pooling, what a norm does inside of its gradient."""
    x = placeholder(ArraySpec((2, 3)))
    masked = where(x > 0.0, x * weight(1.0), -np.inf)
    step = compile(mean(softmax(masked) ** 2), train=True, check_finite=True)
    assert np.isfinite(step(np.array([[1.0, -1.0, 2.0], [0.5, 0.25, -1.0]])))
    images = placeholder(ArraySpec((1, 4, 4, 1)))
    pooled = max_pool2d(images * weight(1.0), 3, stride=2, padding=1)
    assert compile(mean(pooled), train=True, check_finite=True)(np.ones((1, 4, 4, 1))) == 1.0
    power = sum((placeholder(VECTOR) * weight(1.0)) ** weight(2.0))
    assert compile(power, train=True, check_finite=True)(np.array([0.0, 1.0, 2.0])) == 5.0


@pytest.mark.parametrize("make", [mlp, convolutional])
def test_networks_pass(make: Any) -> None:
    shape = (6,) if make is mlp else IMAGE
    objective, twin = make(), make()
    step = compile(objective, train=True, optimizer=SGD(0.1), check_finite=True)
    plain = compile(twin, train=True, optimizer=SGD(0.1))
    for number in range(3):
        assert step(batch(4, *shape, number=number)) == plain(batch(4, *shape, number=number))


@pytest.mark.parametrize("threads", [1, 2])
def test_parts_of_a_batch(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.setattr("layertree.program.passes.batch_splitting.WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(parts, "CACHED_BYTES", 1)
    rows, labels = placeholder((ArraySpec(("Batch", 6), np.float32), ArraySpec(("Batch",), np.int64)))
    objective = cross_entropy(log(relu(nn.dense(rows, 3)) - 1e-3), labels)
    step = compile(objective, train=True, check_finite=True, threads=threads)
    with pytest.raises(FloatingPointError, match="the layer made a NaN in float32"):
        step(batch(12, 6))
    assert "def part(" in step.source


def test_a_chain_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layertree.program.passes.elementwise_fusion.BLOCK", 8)
    x = placeholder(ArraySpec((50,)))
    data = np.linspace(1.0, 2.0, 50)
    data[33] = 0.0
    formula = sum(tanh(log(x * weight(1.0)) * 2.0 + 1.0))
    step = compile(formula, train=True, check_finite=True)
    with pytest.raises(FloatingPointError, match=r"the layer made an infinity.*Log, log\(x \* weight"):
        step(data)
    assert " in blocks:" in step.source
    assert np.isfinite(step(np.linspace(1.0, 2.0, 50)))


@pytest.mark.parametrize("number", [1.0, -1.0])
def test_branches(number: float) -> None:
    x = placeholder(float)
    w = weight(1.0)
    formula = if_(x < 0.0, log(x * w), exp(x * w * 1000.0))
    found = "Log, " if number < 0 else "Exp, "
    assert found in raised(formula, number)
    v = weight(3.0)
    assert compile(if_(x < 0.0, log(x * v), x * v), train=True, check_finite=True)(1.0) == 3.0


def test_predict_and_deltas() -> None:
    x = placeholder(VECTOR)
    program = compile(sqrt(x * weight(1.0)), check_finite=True)
    assert program.predict(np.array([4.0, 0.0, 1.0])).tolist() == [2.0, 0.0, 1.0]
    with pytest.raises(FloatingPointError, match="a NaN"):
        program.predict(np.array([4.0, -1.0, 1.0]))
    with pytest.raises(FloatingPointError, match="backward, the gradient"):
        program.forward(np.array([4.0, 0.0, 1.0])).gradients(np.ones(3))


def test_a_layer_that_was_built_by_hand_has_no_line() -> None:
    layer: Any = Sum(Plus(Exp(Times(Identity(), Weight(1000.0))), 1.0))
    assert "written at" not in raised(layer, np.ones(3))


@pytest.mark.parametrize("sample", DIFFERENTIABLE, ids=[one.id for one in DIFFERENTIABLE])
def test_no_layer_is_blamed_for_what_stays_inside_of_it(sample: Sample) -> None:
    """Where value, deltas and update are finite nothing is raised, whatever the layer's formulas do on the way."""
    formula, weights = sample.over_weights(sample.operands)
    objective = total(formula)
    if objective is None:
        return
    with objective.forward(None) as tape:
        found = [tape.value, *tape.gradients().values()]
    if all(np.isfinite(one).all() for one in found):
        compile(objective, train=True, check_finite=True)(None)
    assert len(weights) > 0


def test_the_infinities_of_a_constant_mask_are_welcome() -> None:
    a = placeholder(ArraySpec((3, 3)))
    mask = np.tril(np.ones((3, 3), bool))
    formula = mean(softmax(where(mask, exp(a * weight(1.0)), -np.inf)) ** 2)
    step = compile(formula, train=True, check_finite=True)
    assert step(np.ones((3, 3))) == pytest.approx((1.0 + 2 / 4 + 3 / 9) / 9)
    with pytest.raises(FloatingPointError, match=r"the layer made an infinity.*Exp, exp"):
        step(np.full((3, 3), 1e3))
