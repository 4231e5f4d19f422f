"""check_gradient: it passes what is right, and names the node, the operand and the element of what is wrong."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import pytest

import layertree
from layertree import (
    SGD,
    Cast,
    Compose,
    Concat,
    Conv2D,
    DTypeError,
    Exp,
    Floor,
    GradientError,
    Greater,
    Identity,
    If,
    Input,
    Item,
    Layer,
    Log,
    LogSoftmax,
    MatMul,
    Mean,
    Pick,
    Plus,
    Power,
    ReLU,
    Sin,
    Sum,
    Tape,
    Times,
    Tuple,
    Weight,
    check_gradient,
    layer,
    operand,
    operands,
)
from tests.layers.sample import Sample, spread
from tests.layers.test_table import some_samples

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
X = Identity[Any, Any]()


@layer
class WrongSin(Layer[In, Tape[D, D]], Generic[In, D]):
    """A sine whose rule has the wrong sign where the angle is above 1."""

    angle: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.sin(a)

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        return (lambda: xp.multiply(xp.where(xp.greater(a, 1.0), xp.negative(delta), delta), xp.cos(a)),)


@layer
class Custom(Layer[In, Tape[Any, Any]], Generic[In]):
    """A sum of products whose rule is a class attribute, so that tests can make it wrong."""

    parts: tuple[Layer[In, Tape[Any, Any]], ...] = operands()
    rule: ClassVar[Any] = None

    def compute(self, xp: Any, a: Any, b: Any) -> Any:
        return xp.multiply(a, b)

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any, b: Any) -> Any:
        return type(self).rule(xp, delta, a, b)


def right(xp: Any, delta: Any, a: Any, b: Any) -> Any:
    return (lambda: xp.sum_to(xp.multiply(delta, b), a), lambda: xp.sum_to(xp.multiply(delta, a), b))


class CubeTape(Tape[Any, Any]):
    """The tape of a black box."""

    def __init__(self, upstream: Tape[Any, Any], factor: float) -> None:
        self._upstream = upstream
        self.factor = factor

    @property
    def value(self) -> Any:
        return self._upstream.value**3

    @property
    def upstream(self) -> tuple[Tape[Any, Any], ...]:
        return (self._upstream,)

    def deltas(self, delta: Any) -> tuple[Any, ...]:
        return (delta * self.factor * self._upstream.value**2,)


@layer
class Cube(Layer[In, Tape[D, D]], Generic[In, D]):
    """A black box: it makes its tape by itself."""

    base: Layer[In, Tape[D, D]] = operand()
    factor: float = layertree.attribute(default=3.0, help="3 is right")

    def tape(self, xp: Any, upstream: Tape[Any, Any]) -> Tape[Any, Any]:
        return CubeTape(upstream, self.factor)


@some_samples(lambda sample: sample.differentiable and not sample.kink)
def test_every_layer_passes(sample: Sample) -> None:
    found = check_gradient(sample.layer, sample.input)
    assert found.nodes >= (sample.cls not in (Identity, If))
    assert found.largest_error < 1e-6


@pytest.mark.parametrize("order", [2, 4, 8])
def test_orders(order: int) -> None:
    formula = Times(Sin(MatMul(X, spread(3, 2))), Exp(Weight(spread(2))))
    found = check_gradient(formula, spread(2, 3), order=order)
    assert found.nodes == 4
    assert 0.0 < found.largest_error < {2: 1e-8, 4: 1e-11, 8: 1e-12}[order]


@pytest.mark.parametrize("order", [0, 1, 3, 6, 16])
def test_another_order_is_an_error(order: int) -> None:
    with pytest.raises(ValueError, match=f"order = {order} is not allowed: give 2, 4 or 8"):
        check_gradient(Sin(X), 1.0, order=order)


@pytest.mark.parametrize("order", [2, 4, 8])
def test_a_higher_order_has_the_smaller_error_at_a_large_step(order: int) -> None:
    found = check_gradient(Exp(X), 1.0, order=order, step=0.125, tolerance=1.0)
    truncation = {2: 0.125**2 / 6, 4: 0.125**4 / 30, 8: 0.125**8 / 630}[order]
    assert truncation / 2 < found.largest_error < truncation * 2


def test_the_node_the_operand_and_the_element() -> None:
    angles = np.array([[0.25, 0.5], [1.5, 0.75]])
    with pytest.raises(GradientError) as caught:
        check_gradient(Plus(Times(WrongSin(X), 2.0), Sin(X)), angles)
    text = str(caught.value)
    assert text.startswith("wrongsin(x): the delta of angle[1, 0] is ")
    given, expected = (
        float(number)
        for number in text.removeprefix("wrongsin(x): the delta of angle[1, 0] is ").split(
            ", but central differences of order 4 give "
        )
    )
    assert given == pytest.approx(-expected)
    assert abs(expected) > 0.01


def test_a_wrong_rule_is_found_wherever_it_stands() -> None:
    """Below, above, inside of a composition, or a branch: and what is right is not blamed."""
    for formula in (
        Exp(WrongSin(X)),
        WrongSin(Exp(X)),
        Compose(WrongSin(X), Exp(X)),
        If(Greater(X, 0.0), WrongSin(Exp(X)), X),
        Item(Tuple((X, WrongSin(Exp(X)))), 1),
    ):
        with pytest.raises(GradientError, match=r"^wrongsin\("):
            check_gradient(formula, 1.5)


def test_a_branch_that_is_not_taken_is_not_checked() -> None:
    assert check_gradient(If(Greater(X, 0.0), Sin(X), WrongSin(X)), 1.5).nodes == 1


def test_weights_are_operands_too() -> None:
    w = Weight(np.float32([0.5, 1.5]), optimizer=SGD(1.0))
    with pytest.raises(GradientError, match=r"the delta of angle\[1\]"):
        check_gradient(WrongSin(w))
    assert check_gradient(Times(w, Sin(w))).nodes == 2
    assert w.value.tolist() == [0.5, 1.5]


def test_each_node_is_checked_once() -> None:
    shared: Any = Sin(X)
    for _ in range(50):
        shared = Times(shared, shared)
    assert check_gradient(shared, 1.5).nodes == 51


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda xp, d, a, b: (lambda: xp.multiply(d, b), right(xp, d, a, b)[1]), "the delta of parts[0] is a"),
        (lambda xp, d, a, b: (right(xp, d, a, b)[0], lambda: d), "the delta of parts[1][0, 0] is "),
        (lambda xp, d, a, b: (right(xp, d, a, b)[0], None), "the delta of parts[1][0, 0] is 0.0, but"),
        (lambda xp, d, a, b: right(xp, d, a, b)[:1], "its rule gives 1 delta for 2 operands"),
        (lambda xp, d, a, b: (right(xp, d, a, b)[0], lambda: xp.multiply(right(xp, d, a, b)[1](), 1.001)), "parts[1]"),
        (lambda xp, d, a, b: (lambda: right(xp, d, a, b)[0]() * np.nan, right(xp, d, a, b)[1]), "parts[0][0] is nan"),
    ],
    ids=["not-summed", "unchanged", "none", "too-few", "a-thousandth", "nan"],
)
def test_wrong_rules(monkeypatch: pytest.MonkeyPatch, rule: Any, message: str) -> None:
    monkeypatch.setattr(Custom, "rule", staticmethod(rule))
    with pytest.raises(GradientError) as caught:
        check_gradient(Custom((Item(X, 0), Item(X, 1))), (spread(3), spread(2, 3)))
    assert str(caught.value).startswith("custom([x[0], x[1]]): ")
    assert message in str(caught.value)


def test_the_right_rule_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Custom, "rule", staticmethod(right))
    assert check_gradient(Custom((Item(X, 0), Item(X, 1))), (spread(3), spread(2, 3))).nodes == 3


def test_the_dtype_of_a_delta(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(xp: Any, delta: Any, a: Any, b: Any) -> Any:
        return (lambda: xp.multiply(delta, b), lambda: xp.cast_like(xp.multiply(delta, a), b))

    monkeypatch.setattr(Custom, "rule", staticmethod(rule))
    single, double = np.float32([1.5, 2.5]), np.array([0.5, 0.25])
    with pytest.raises(GradientError, match=r"parts\[0\] is a float64 array .* but the operand is a float32 array"):
        check_gradient(Custom((Item(X, 0), Item(X, 1))), (single, double))


def test_black_boxes() -> None:
    assert check_gradient(Sin(Cube(X)), spread(3)).nodes == 2
    with pytest.raises(GradientError, match=r"the delta of base\[0\] is"):
        check_gradient(Sin(Cube(X, factor=2.0)), spread(3))


def test_it_runs_in_float64() -> None:
    found = check_gradient(LogSoftmax(MatMul(X, spread(3, 2).astype(np.float32))), spread(2, 3).astype(np.float32))
    assert found.largest_error < 1e-9


def test_a_cast_is_held_to_its_own_precision() -> None:
    assert check_gradient(Times(Cast(X, "float32"), 2.0), spread(3)).nodes == 2


def test_tuples() -> None:
    formula = Item(Tuple((Times(Item(X, 0), Item(X, 1)), Item(X, 0))), 0)
    assert check_gradient(formula, (spread(2), spread(2, seed=1))).nodes == 6


def test_integer_parts_are_left_alone() -> None:
    formula = Mean(Pick(LogSoftmax(Item(X, 0)), Item(X, 1)))
    assert check_gradient(formula, (spread(2, 3), np.array([2, 0]))).nodes == 4


@pytest.mark.parametrize("data", [3, np.array([1, 2]), (1, True)])
def test_an_input_of_integers_says_cast_to_float(data: Any) -> None:
    with pytest.raises(DTypeError, match="cast to float"):
        check_gradient(Times(X, 2.0), data)


def test_a_kink_disagrees_by_right() -> None:
    with pytest.raises(GradientError, match=r"relu\(x\): the delta of operand\[1\] is 0.0"):
        check_gradient(ReLU(X), np.array([1.0, 0.0]))


def test_small_and_large_elements() -> None:
    assert check_gradient(Log(X), np.array([1e-2, 1.0, 1e6])).largest_error < 1e-6
    assert check_gradient(Power(X, 3.0), np.array([0.0, 1e-3, 1e5])).largest_error < 1e-6


def test_what_has_nothing_to_check() -> None:
    assert check_gradient(X, 1.5) == (0.0, 0)
    with pytest.raises(GradientError, match="nothing was checked"):
        check_gradient(layertree.StopGradient(Sin(X)), 1.5)
    assert check_gradient(Floor(X), 1.5).nodes == 1


def test_nothing_is_left_behind() -> None:
    """No cell is told anything, and the input is not written to."""
    mean = layertree.State(np.zeros(2), layertree.Average(0.5))
    data = spread(3, 2)
    before = data.copy()
    check_gradient(layertree.RunningAverage(Mean(X, axis=0), mean), data)
    assert mean.value.tolist() == [0.0, 0.0]
    assert np.array_equal(data, before)


def test_a_network() -> None:
    filtered = tuple(Conv2D(X, kernel, padding=(1, 1)) for kernel in (Weight(spread(2, 2, 1, 2)), spread(2, 2, 1, 1)))
    assert check_gradient(Sum(Concat(filtered, -1)), spread(1, 3, 3, 1)).nodes == 4


def test_input_tapes_stay_usable() -> None:
    x = Input(1.5)
    tape = Sin(X).forward(x)
    check_gradient(Sin(X), 1.5)
    assert tape.gradients()[x] == np.cos(1.5)


def test_nothing_to_check_is_an_error() -> None:
    with pytest.raises(GradientError, match="nothing was checked"):
        check_gradient(Sawtooth(Identity()), 1.5)


def test_a_missing_gradient_is_an_error() -> None:
    with pytest.raises(GradientError, match="Floorless has compute but no gradient: give"):
        check_gradient(Floorless(Identity()), 1.5)


@layer(differentiable=False)
class Sawtooth(Layer):
    """A layer that says that it has no derivative."""

    operand: Layer = operand()

    def compute(self, xp, a):
        return xp.sin(a)


@layer
class Floorless(Layer):
    """A layer that forgot its gradient."""

    operand: Layer = operand()

    def compute(self, xp, a):
        return xp.sin(a)
