"""Samples of branches, and of what passes values on."""

from typing import Any

import numpy as np

from layertree import Sin, Times, Tuple
from layertree.layers.control import Hook, If, StopGradient
from tests.layers.sample import sample, spread

X, Y = spread(2, 3), spread(2, 3, seed=1)


def _if_of_tuples(condition: Any, x: Any, y: Any) -> Any:
    return If(condition, Tuple((Times(x, y), x)), Tuple((y, x)))


SAMPLES = [
    sample(If, "true", True, X, Y, differentiable=(1,), batch=(1, 2), reference=lambda c, x, y: x),
    sample(If, "false", False, X, Y, differentiable=(2,), batch=(1, 2), reference=lambda c, x, y: y),
    sample(If, "number", True, 1.5, 2.5, differentiable=(1,), reference=lambda c, x, y: x),
    sample(If, "numpy-boolean", np.True_, X, Y, differentiable=(1,), batch=(1, 2), reference=lambda c, x, y: x),
    sample(
        If,
        "of-formulas",
        True,
        X,
        Y,
        build=lambda c, x, y: If(c, Times(Sin(x), y), x),
        differentiable=(1, 2),
        batch=(1, 2),
        reference=lambda c, x, y: np.sin(x) * y,
    ),
    sample(
        If,
        "of-tuples",
        True,
        X,
        Y,
        build=_if_of_tuples,
        differentiable=(1, 2),
        batch=(1, 2),
        reference=lambda c, x, y: (x * y, x),
    ),
    sample(
        If,
        "nested",
        True,
        False,
        X,
        Y,
        build=lambda c, d, x, y: If(c, If(d, x, Times(x, y)), y),
        differentiable=(2, 3),
        batch=(2, 3),
        reference=lambda c, d, x, y: x * y,
    ),
    sample(StopGradient, "array", X, batch=(0,), reference=lambda x: x),
    sample(StopGradient, "number", 1.5, reference=lambda x: x),
    sample(
        StopGradient,
        "tuple",
        X,
        1.5,
        build=lambda x, y: StopGradient(Tuple((x, y))),
        batch=(0,),
        reference=lambda x, y: (x, y),
    ),
    sample(Hook, "array", X, function=id, batch=(0,), reference=lambda x: x),
    sample(Hook, "number", 1.5, function=id, reference=lambda x: x),
    sample(
        Hook,
        "tuple",
        X,
        1.5,
        build=lambda x, y: Hook(Tuple((x, y)), function=id),
        differentiable=(0, 1),
        batch=(0,),
        reference=lambda x, y: (x, y),
    ),
]
