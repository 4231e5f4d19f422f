"""A layer with ``compute`` has a gradient, or says that it is constant; else asking for a gradient is an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import GradientError, Greater, Identity, Input, Layer, Plus, Times, Weight, layer, operand
from layertree.program import compile
from symbolic.building.operations import apply_layer


@layer
class Tripled(Layer[Any, Any]):
    """A layer whose gradient was forgotten."""

    operand: Layer[Any, Any] = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.multiply(a, 3.0)


@layer
class Misspelt(Tripled):
    """A layer whose gradient has a wrong name."""

    def gradiant(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        return (lambda: xp.multiply(delta, 3.0),)


@layer(differentiable=False)
class Steps(Tripled):
    """A layer that is constant by right."""


@layer
class MoreSteps(Steps):
    """A subclass of one."""


@layer
class Mended(Steps):
    """A subclass with a gradient of its own."""

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        return (lambda: xp.multiply(delta, 3.0),)


@layer
class IsLarge(Layer[Any, Any]):
    """A comparison needs no gradient: its output is boolean."""

    operand: Layer[Any, Any] = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.greater(a, 1.0)


def by_tape(formula: Layer[Any, Any]) -> Any:
    x = Input(2.0)
    return formula.forward(x).gradients()[x]


WAYS: dict[str, Callable[[type[Any]], object]] = {
    "tape": lambda cls: by_tape(cls(Identity())),
    "training": lambda cls: Times(cls(Weight(2.0)), Identity()).train(1.0),
    "grad": lambda cls: sy.grad(lambda x: apply_layer(cls, x))(2.0),
    "jvp": lambda cls: sy.jvp(lambda x: apply_layer(cls, x))(2.0, 1.0),
    "step": lambda cls: compile(Times(cls(Weight(2.0)), Identity()), train=True)(1.0),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("cls", [Tripled, Misspelt])
def test_a_missing_gradient_is_an_error_that_names_the_layer(way: str, cls: type[Any]) -> None:
    with pytest.raises(GradientError, match=f"{cls.__name__} has compute but no gradient.*stop_gradient") as caught:
        WAYS[way](cls)
    assert ("'gradiant' misspelt" in str(caught.value)) is (cls is Misspelt)


def test_without_a_gradient_a_layer_runs() -> None:
    assert Tripled(Weight(2.0)).forward(None).value == 6.0
    assert Tripled(Identity()).predict(np.array([2.0])).tolist() == [6.0]
    assert compile(Tripled(Weight(2.0))).predict(None) == 6.0
    assert by_tape(Plus(Identity(), Tripled(2.0))) == 1.0


@pytest.mark.parametrize("cls", [Steps, MoreSteps])
def test_what_is_constant_says_so(cls: type[Any]) -> None:
    assert by_tape(Plus(Identity(), cls(Identity()))) == 1.0
    assert not cls(Weight(2.0)).forward(None).is_trainable


def test_a_subclass_may_have_a_gradient_of_its_own() -> None:
    assert by_tape(Mended(Identity())) == 3.0


def test_a_comparison_needs_none() -> None:
    assert not IsLarge(Weight(2.0)).forward(None).is_trainable
    assert not Greater(Weight(2.0), 1.0).forward(None).is_trainable


def test_a_constant_with_a_gradient_is_an_error_of_the_class() -> None:
    with pytest.raises(TypeError, match="Odd has a gradient, so it is no constant"):

        @layer(differentiable=False)
        class Odd(Tripled):
            def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
                return (lambda: delta,)
