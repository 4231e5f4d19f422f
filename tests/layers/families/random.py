"""Samples of random layers and running statistics."""

import numpy as np

from layertree import Average, Count, Mean, State
from layertree.layers.random import Bernoulli, Dropout, RunningAverage
from tests.layers.sample import sample, spread

MASK = np.array([[True, False, True], [False, True, True]])

SAMPLES = [
    sample(Bernoulli, "array", spread(4, 3), 7, batch=(0,), probability=0.5, seed=3),
    sample(Bernoulli, "number", 1.5, 7, probability=0.5),
    sample(
        Bernoulli,
        "counted",
        spread(4, 3),
        build=lambda x: Bernoulli(x, State(0, Count()), probability=0.25),
        batch=(0,),
    ),
    sample(Bernoulli, "never", spread(4, 3), 7, batch=(0,), probability=0.0, reference=lambda x, n: x != x),
    sample(Bernoulli, "always", spread(4, 3), 7, batch=(0,), probability=1.0, reference=lambda x, n: x == x),
    sample(
        Dropout,
        "half",
        spread(2, 3),
        MASK,
        batch=(0, 1),
        rate=0.5,
        reference=lambda x, mask: np.where(mask, x / 0.5, 0),
    ),
    sample(
        Dropout,
        "quarter",
        spread(2, 3),
        MASK,
        batch=(0, 1),
        rate=0.25,
        reference=lambda x, mask: np.where(mask, x / 0.75, 0),
    ),
    sample(Dropout, "none", spread(2, 3), MASK, batch=(0, 1), rate=0.0, reference=lambda x, mask: np.where(mask, x, 0)),
    sample(
        Dropout, "all", spread(2, 3), MASK & False, batch=(0, 1), rate=1.0, reference=lambda x, mask: np.zeros(x.shape)
    ),
    sample(Dropout, "number", 1.5, True, rate=0.5, reference=lambda x, mask: 3.0),
    sample(
        RunningAverage,
        "of-a-mean",
        spread(2, 3),
        build=lambda x: RunningAverage(Mean(x, axis=0), State(np.zeros(3), Average(0.9))),
        differentiable=(0,),
        batch=(0,),
        reference=lambda x: x.mean(axis=0),
    ),
    sample(
        RunningAverage, "constant", spread(2, 3), spread(2, 3), patterns=(1,), batch=(0, 1), reference=lambda x, a: x
    ),
    sample(RunningAverage, "number", 1.5, 2.5, patterns=(1,), reference=lambda x, average: x),
]
