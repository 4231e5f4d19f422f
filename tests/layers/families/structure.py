"""Samples of tuples."""

import numpy as np

from layertree.layers.elementwise import Exp
from layertree.layers.structure import Item, Tuple
from tests.layers.sample import sample, spread

X, Y = spread(2, 3), spread(3, seed=1)

SAMPLES = [
    sample(Item, "first", X, Y, build=lambda x, y: x, differentiable=(0,), batch=(0,), reference=lambda x, y: x),
    sample(Item, "second", X, 1.5, build=lambda x, y: y, differentiable=(1,), batch=(0,), reference=lambda x, y: y),
    sample(
        Item,
        "of-a-tuple",
        X,
        Y,
        build=lambda x, y: Item(Tuple((Exp(x), y, x)), 0),
        differentiable=(0,),
        batch=(0,),
        reference=lambda x, y: np.exp(x),
    ),
    sample(
        Tuple,
        "pair",
        X,
        Y,
        build=lambda x, y: Tuple((y, x)),
        differentiable=(0, 1),
        batch=(0,),
        reference=lambda x, y: (y, x),
    ),
    sample(
        Tuple,
        "nested",
        X,
        1.5,
        build=lambda x, y: Tuple((Tuple((x, y)), x)),
        differentiable=(0, 1),
        batch=(0,),
        reference=lambda x, y: ((x, y), x),
    ),
    sample(Tuple, "one", X, build=lambda x: Tuple((x,)), differentiable=(0,), batch=(0,), reference=lambda x: (x,)),
    sample(
        Tuple,
        "with-an-integer",
        X,
        3,
        build=lambda x, n: Tuple((n, x)),
        differentiable=(0,),
        batch=(0,),
        reference=lambda x, n: (n, x),
    ),
]
