"""A rule whose delta has another shape than its operand is an error in derivatives and programs, as it is on a tape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import GradientError, Layer, compile, layer, operand
from layertree.typing import ArraySpec

SPEC = ArraySpec((2, 3))


@layer
class Unsummed(Layer):
    """A product whose gradient does not sum over the axes that broadcasting added."""

    first: Layer = operand()
    second: Layer = operand()

    def compute(self, xp: Any, a: Any, b: Any) -> Any:
        return xp.multiply(a, b)

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any, b: Any) -> Any:
        return (lambda: xp.multiply(delta, b), lambda: xp.multiply(delta, a))


WEIGHT = sy.weight(np.ones(3), name="row")
OBJECTIVE = sy.sum(sy.wrap(Unsummed(sy.placeholder(SPEC).layer, WEIGHT.layer), SPEC))


@pytest.mark.parametrize(
    "run",
    [
        lambda data: sy.grad(OBJECTIVE, wrt=WEIGHT),
        lambda data: compile(OBJECTIVE, train=True)(data),
        lambda data: OBJECTIVE.train(data),
    ],
    ids=["grad", "compiled", "tape"],
)
def test_a_delta_of_another_shape_names_the_operation(run: Callable[[Any], Any]) -> None:
    with pytest.raises(GradientError, match=r"the gradient of unsummed\(x: .*real numbers of shape \(3,\)"):
        run(np.ones((2, 3)))
    assert WEIGHT.value.tolist() == [1.0, 1.0, 1.0]
