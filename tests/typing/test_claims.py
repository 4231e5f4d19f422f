"""Claims that are not true are found."""

from __future__ import annotations

from typing import Any, NewType

import numpy as np
import pytest
from numpy.typing import NDArray

from layertree import Plus, Times, Weight
from layertree.typing import Float32, Float64
from symbolic import Formula, placeholder, weight
from symbolic.initializers import zeros
from tests.typing.claims import Claims

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
batch, feat = Batch(2), Feat(3)
x = placeholder(Float32[Batch, Feat])
pair = placeholder((float, int))

TRUE: list[tuple[Any, Any]] = [
    (1.0, float),
    (zeros(batch, feat), Float32[Batch, Feat]),
    (zeros(batch, feat), NDArray[np.float32]),
    (x, Formula[Float32[Batch, Feat], Float32[Batch, Feat]]),
    (x + weight(zeros(feat)), Formula[Float32[Batch, Feat], Float32[Batch, int]]),
    (pair[0], Formula[tuple[float, int], float]),
    (Weight(1.0), Weight[float]),
]
FALSE: list[tuple[Any, Any]] = [
    (1.0, int),
    (1.0, np.float64),
    (np.float64(1.0), float),
    (zeros(batch, feat), Float64[Batch, Feat]),
    (zeros(batch, feat), Float32[Batch]),
    (zeros(batch, feat), Float32[Batch, Batch]),
    (zeros(batch, feat), NDArray[np.float64]),
    (x, Formula[Float32[Batch, Feat], Float32[Feat, Batch]]),
    (x, Formula[Float32[Batch], Float32[Batch, Feat]]),
    (x, Formula[Float32[Batch, Feat], float]),
    (weight(1.0), Formula[float, float]),
    (pair[0], Formula[tuple[float, int], int]),
    (pair[0], Formula[tuple[float, int, int], float]),
    (pair[0], Formula[float, float]),
    (Plus(1.0, 2.0), Times[Any, float]),
]


@pytest.mark.parametrize(("value", "hint"), TRUE)
def test_true(value: Any, hint: Any) -> None:
    claims = Claims()
    assert claims.check(value, hint) is value
    assert (claims.count, claims.broken) == (1, [])


@pytest.mark.parametrize(("value", "hint"), FALSE)
def test_false(value: Any, hint: Any) -> None:
    claims = Claims()
    claims.check(value, hint)
    assert len(claims.broken) == 1


def test_a_name_stands_for_one_size() -> None:
    claims = Claims()
    claims.check(zeros(3), Float32[Feat])
    claims.check(zeros(4), Float32[Feat])
    assert len(claims.broken) == 1
