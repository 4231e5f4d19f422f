"""An axis that an operand does not have is an error, whether the formula has a spec or is a bare layer."""

from typing import Any

import numpy as np
import pytest

from layertree import (
    ArgMax,
    Concat,
    ExpandDims,
    Identity,
    LogSoftmax,
    Max,
    Mean,
    PermuteDims,
    ShapeError,
    Softmax,
    Sum,
    Take,
    compile,
)

X = Identity[Any, Any]()
ROWS = np.arange(6.0).reshape(2, 3)

REDUCTIONS = (Sum, Mean, Max, ArgMax, LogSoftmax, Softmax)


@pytest.mark.parametrize("axis", [2, 3, 4, -3])
@pytest.mark.parametrize("cls", REDUCTIONS)
def test_axis_beyond_the_last_is_refused(cls: Any, axis: int) -> None:
    with pytest.raises(ShapeError, match=f"axis {axis} is out of range: the operand has 2 axes, -2 to 1"):
        cls(X, axis=axis).forward(ROWS)


@pytest.mark.parametrize("cls", REDUCTIONS)
def test_axis_beyond_the_last_of_an_empty_array_is_refused(cls: Any) -> None:
    for formula in (cls(X, axis=1), compile(cls(X, axis=1))):
        with pytest.raises(ShapeError, match="axis 1 is out of range: the operand has 1 axis, -1 to 0"):
            formula.predict(np.zeros(0))


@pytest.mark.parametrize(
    "formula",
    [
        Sum(X, axis=(0, 2)),
        Concat((X, X), axis=2),
        Take(X, np.array([0]), axis=3),
        ExpandDims(X, axis=3),
        ExpandDims(X, axis=-4),
        PermuteDims(X, (0, 3)),
    ],
    ids=repr,
)
def test_no_axis_wraps_around(formula: Any) -> None:
    with pytest.raises(ShapeError, match=r"is out of range|are no permutation"):
        formula.forward(ROWS)


@pytest.mark.parametrize("cls", REDUCTIONS)
def test_either_count_names_the_same_axis(cls: Any) -> None:
    first, last = cls(X, axis=0).predict(ROWS), cls(X, axis=1).predict(ROWS)
    np.testing.assert_array_equal(cls(X, axis=-2).predict(ROWS), first)
    np.testing.assert_array_equal(cls(X, axis=-1).predict(ROWS), last)
    assert first.tolist() != last.tolist()
