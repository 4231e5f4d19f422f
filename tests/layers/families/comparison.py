"""Samples of comparisons, logic and choice."""

from collections.abc import Iterator

import numpy as np

from layertree.layers.comparison import (
    BitwiseAnd,
    BitwiseInvert,
    BitwiseOr,
    BitwiseXor,
    Equal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    NotEqual,
    Where,
)
from tests.layers.sample import Sample, sample, spread

COMPARISONS = [
    (Less, np.less),
    (LessEqual, np.less_equal),
    (Greater, np.greater),
    (GreaterEqual, np.greater_equal),
    (Equal, np.equal),
    (NotEqual, np.not_equal),
]
LOGIC = [(BitwiseAnd, np.bitwise_and), (BitwiseOr, np.bitwise_or), (BitwiseXor, np.bitwise_xor)]


def _comparisons() -> Iterator[Sample]:
    a, b = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), np.array([2.0, 2.0, 2.0])
    for cls, reference in COMPARISONS:
        yield sample(cls, "row", a, b, reference=reference, batch=(0,))
        yield sample(cls, "number", a, 2.0, reference=reference, batch=(0,))
        yield sample(cls, "numbers", 1.5, 2.5, reference=reference)
        yield sample(cls, "equal-numbers", 2.5, 2.5, reference=reference)


def _logic() -> Iterator[Sample]:
    a, b = np.array([[True, True], [False, False]]), np.array([True, False])
    for cls, reference in LOGIC:
        yield sample(cls, "booleans", a, b, reference=reference, batch=(0,))
        yield sample(cls, "integers", np.array([[12], [7]]), np.array([10, 3]), reference=reference, batch=(0,))
        yield sample(cls, "numbers", 12, 10, reference=reference)
        yield sample(cls, "truths", True, False, reference=reference)


MASK = np.array([[True, False, True], [False, False, True]])

SAMPLES = [
    *_comparisons(),
    *_logic(),
    sample(BitwiseInvert, "booleans", MASK, reference=np.invert, batch=(0,)),
    sample(BitwiseInvert, "integers", np.array([0, 5, -3]), reference=np.invert, batch=(0,)),
    sample(BitwiseInvert, "truth", True, reference=np.invert),
    sample(Where, "alike", MASK, spread(2, 3), spread(2, 3, seed=1), reference=np.where, batch=(0, 1, 2)),
    sample(Where, "broadcast", MASK, spread(3), spread(2, 1), reference=np.where, batch=(0, 2)),
    sample(Where, "row-of-conditions", MASK[0], spread(2, 1), spread(2, 3), reference=np.where, batch=(1, 2)),
    sample(Where, "numbers", MASK, 1.5, 2.5, reference=np.where, batch=(0,)),
    sample(Where, "rank-0", MASK, spread(), spread(2, 3), reference=np.where, batch=(0, 2)),
    sample(Where, "one-truth", True, spread(3), spread(2, 3), reference=np.where, batch=(2,)),
    sample(Where, "one-falsehood", False, spread(3), spread(2, 3), reference=np.where, batch=(2,)),
    sample(Where, "true", True, 1.5, 2.5, reference=np.where),
    sample(Where, "false", False, 1.5, 2.5, reference=np.where),
    sample(Where, "integer", MASK, spread(2, 3), 0, reference=np.where, batch=(0, 1)),
]
