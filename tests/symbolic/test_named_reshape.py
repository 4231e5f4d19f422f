"""``reshape`` with dimensions that are not known, and ``stack``, whose errors are its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import ShapeError, compile
from layertree.typing import ArraySpec
from symbolic import grad, placeholder, reshape, stack

DATA = np.arange(48.0).reshape(2, 3, 8)
SHAPES: list[tuple[Any, ...]] = [(2, 4), (2, -1), (4, 2, 1), (1, 2, 2, 2), (-1,), (8,), (2, 2, -1)]


@pytest.mark.parametrize("names", [("B", "T"), (None, None), ("B", 3), (2, "T")])
@pytest.mark.parametrize("sizes", SHAPES)
def test_leading_dimensions_stay(sizes: tuple[Any, ...], names: tuple[Any, ...]) -> None:
    x = placeholder(ArraySpec((*names, 8)))
    found = reshape(x, (*x.shape[:2], *sizes))
    wanted = DATA.reshape(2, 3, *sizes)
    assert found.shape == (*names, *wanted.shape[2:])
    for value in (found.predict(DATA), compile(found).predict(DATA)):
        np.testing.assert_array_equal(value, wanted)
    np.testing.assert_array_equal(grad(sy.sum(found**2)).predict(DATA), 2.0 * DATA)


def test_all_dimensions_may_stay() -> None:
    x: Any = placeholder(ArraySpec(("B", 4)))
    data = np.arange(8.0).reshape(2, 4)
    np.testing.assert_array_equal(reshape(x, (*x.shape, 1)).predict(data), data[..., None])
    np.testing.assert_array_equal(reshape(x, x.shape).predict(data), data)
    y: Any = placeholder(ArraySpec(("B", 1)))
    assert reshape(y, y.shape[:1]).shape == ("B",)
    z: Any = placeholder(ArraySpec(("B", 3, 4)))
    assert reshape(z, (*z.shape[:1], -1)).shape == ("B", 12)


@pytest.mark.parametrize("shape", [(2, "B", 4), ("C", 8), ("B", "T", 3), ("B", "T", -1, 3), ("B", "T", -1, -1), ("B",)])
def test_other_shapes_are_errors(shape: tuple[Any, ...]) -> None:
    x: Any = placeholder(ArraySpec(("B", "T", 8)))
    with pytest.raises(ShapeError, match=r"^reshape\(x: float64 \(B, T, 8\), "):
        reshape(x, shape)


def test_errors_of_stack_are_its_own() -> None:
    x, y = placeholder((ArraySpec((2,)), ArraySpec((3,))))
    with pytest.raises(
        ShapeError, match=r"^stack\(\[x\[0\]: float64 \(2,\), x\[1\].*operand 1 is \(3,\), but operand 0"
    ):
        stack([x, y])
    with pytest.raises(ShapeError, match=r"^stack\(.*axis 2 is out of range: the result has 2 axes, -2 to 1"):
        stack([x], axis=2)
    with pytest.raises(ShapeError, match=r"^stack\(\[\], axis=0\): nothing to join"):
        stack([])
    with pytest.raises(ShapeError, match=r"operand 0 is a tuple"):
        stack([sy.literal((1.0, 2.0))])
