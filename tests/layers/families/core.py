"""Samples of the layers that belong to no family: the input, constants, cells, composition."""

import numpy as np

from layertree import Average, Compose, Exp, Identity, Item, Literal, Plus, State, Times, Tuple, Weight
from tests.layers.sample import sample, spread

X, Y = spread(2, 3), spread(2, 3, seed=1)

SAMPLES = [
    sample(Identity, "array", X, build=lambda x: x, differentiable=(0,), batch=(0,), reference=lambda x: x),
    sample(Identity, "number", 1.5, build=lambda x: x, differentiable=(0,), reference=lambda x: x),
    sample(Literal, "array", 1.5, build=lambda x: Literal(X), reference=lambda x: X),
    sample(Literal, "float32", 1.5, build=lambda x: Literal(np.float32(0.1)), reference=lambda x: np.float32(0.1)),
    sample(Literal, "integers", 1.5, build=lambda x: Literal([1, 2]), reference=lambda x: np.array([1, 2])),
    sample(Literal, "not-finite", 1.5, build=lambda x: Literal(float("-inf")), reference=lambda x: -np.inf),
    sample(
        Literal,
        "not-finite-array",
        1.5,
        build=lambda x: Literal(np.array([np.nan, np.inf, -np.inf, -0.0])),
        reference=lambda x: np.array([np.nan, np.inf, -np.inf, -0.0]),
    ),
    sample(Literal, "nothing", 1.5, build=lambda x: Literal(np.ones((0, 2))), reference=lambda x: np.ones((0, 2))),
    sample(Literal, "tuple", 1.5, build=lambda x: Literal((X, 2.5)), reference=lambda x: (X, 2.5)),
    sample(Weight, "array", 1.5, build=lambda x: Weight(X), reference=lambda x: X),
    sample(Weight, "number", 1.5, build=lambda x: Weight(2.5, name="slope"), reference=lambda x: 2.5),
    sample(State, "array", 1.5, build=lambda x: State(X, Average(0.9)), reference=lambda x: X),
    sample(
        Compose,
        "array",
        X,
        build=lambda x: Compose(Times(Exp(Identity()), Identity()), x),
        differentiable=(0,),
        batch=(0,),
        reference=lambda x: np.exp(x) * x,
    ),
    sample(
        Compose,
        "tuple",
        X,
        Y,
        build=lambda x, y: Compose(Times(Item(Identity(), 1), Item(Identity(), 0)), Tuple((Exp(x), y))),
        differentiable=(0, 1),
        batch=(0, 1),
        reference=lambda x, y: np.exp(x) * y,
    ),
    sample(
        Compose,
        "twice",
        X,
        build=lambda x: Compose(Plus(Identity(), 1.0), Compose(Exp(Identity()), x)),
        differentiable=(0,),
        batch=(0,),
        reference=lambda x: np.exp(x) + 1.0,
    ),
]
