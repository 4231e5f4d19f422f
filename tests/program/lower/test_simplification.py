"""Rewriting for speed: pooling comes before what rises with its operand, where that changes not one bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import Identity, MaxPool2D, Minus, Negative, Plus, ReLU, Sin, Sum, Times, Tuple, Weight
from layertree.program.lower.simplification import simplified
from layertree.rewrite.simplify import simplify
from layertree.typing import ArraySpec

X: Any = Identity()
IMAGES = ArraySpec((2, 4, 6, 3))
BIAS = np.array([0.5, -1.0, 0.1])
DATA = np.random.default_rng(0).standard_normal(IMAGES.shape)


def pooled(layer: Any, **options: Any) -> Any:
    return MaxPool2D(layer, (2, 2), (2, 2), **options)


ROW, NUMBER = Weight(BIAS), Weight(2.0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (pooled(ReLU(X)), ReLU(pooled(X))),
        (pooled(Plus(X, ROW)), Plus(pooled(X), ROW)),
        (pooled(Plus(X, BIAS)), Plus(pooled(X), BIAS)),
        (pooled(Plus(X, NUMBER)), Plus(pooled(X), NUMBER)),
        (pooled(ReLU(Plus(Sin(X), ROW))), ReLU(Plus(pooled(Sin(X)), ROW))),
        (pooled(ReLU(Plus(ReLU(X), ROW)), padding=(1, 1)), ReLU(Plus(ReLU(pooled(X, padding=(1, 1))), ROW))),
        (pooled(ReLU(pooled(ReLU(X)))), ReLU(ReLU(pooled(pooled(X))))),
        (Sum(pooled(ReLU(X))), Sum(ReLU(pooled(X)))),
    ],
    ids=lambda one: format(one, "formula"),
)
def test_pooling_comes_first(before: Any, after: Any) -> None:
    found = simplified(before, IMAGES)
    assert found == after != before
    np.testing.assert_array_equal(found.predict(DATA), before.predict(DATA))


@pytest.mark.parametrize(
    "layer",
    [
        pooled(X),
        pooled(Sin(X)),
        pooled(Negative(X)),
        pooled(Times(X, ROW)),
        pooled(Plus(X, Weight(np.ones((6, 3))))),  # another number at each place
        pooled(Plus(X, Sin(X))),
        pooled(Sin(ReLU(X))),
    ],
    ids=lambda one: format(one, "formula"),
)
def test_what_does_not_rise_alike_everywhere_stays(layer: Any) -> None:
    assert simplified(layer, IMAGES) == simplify(layer, IMAGES)


def test_what_is_read_elsewhere_is_not_computed_twice() -> None:
    shared = ReLU(X)
    formula = Tuple((pooled(shared), shared))
    assert simplified(formula, IMAGES) == formula
    twice = Tuple((pooled(shared), pooled(Plus(shared, ROW))))
    assert simplified(twice, IMAGES).operands[0] == pooled(shared)


def test_without_pooling_it_is_the_simplest_form() -> None:
    assert simplified(Minus(Times(1.0, ReLU(X)), 0.0), IMAGES) == simplify(ReLU(X), IMAGES)
