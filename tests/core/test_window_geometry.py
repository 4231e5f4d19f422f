"""The geometry of windows, against counting the windows that fit one by one."""

from __future__ import annotations

from itertools import product

import pytest

from layertree import ShapeError
from layertree.core.window_geometry import WindowGeometry, pad_widths, window_count


def starts(size: int, window: int, stride: int, padding: int, dilation: int) -> list[int]:
    """The first elements of all windows along an axis, in padded images."""
    last = (window - 1) * dilation
    return [i for i in range(0, size + 2 * padding, stride) if i + last < size + 2 * padding]


GRID = list(product([4, 7], [1, 2, 3], [1, 2, 3], [0, 1], [1, 2]))


@pytest.mark.parametrize(("size", "window", "stride", "padding", "dilation"), GRID)
def test_output_sizes(size: int, window: int, stride: int, padding: int, dilation: int) -> None:
    geometry = WindowGeometry((window, 1), (stride, 1), (padding, 0), (dilation, 1))
    found = starts(size, window, stride, padding, dilation)
    if not found:
        with pytest.raises(ShapeError):
            geometry.output_sizes((size, 5))
    else:
        assert geometry.output_sizes((size, 5)) == (len(found), 5)


@pytest.mark.parametrize(("window", "stride", "dilation"), list(product([1, 2, 3], [1, 2, 4], [1, 2])))
def test_windows_so_many_steps_apart_do_not_overlap(window: int, stride: int, dilation: int) -> None:
    (step,) = WindowGeometry((window,), (stride,), dilation=(dilation,)).disjoint_steps((99,))
    extent = (window - 1) * dilation + 1
    assert step * stride >= extent
    assert (step - 1) * stride < extent


def test_there_are_no_more_steps_than_windows() -> None:
    assert WindowGeometry((5, 5), (1, 1)).disjoint_steps((3, 0)) == (3, 0)


def test_without_padding_and_dilation() -> None:
    assert WindowGeometry((2, 3), (1, 1)) == WindowGeometry((2, 3), (1, 1), (0, 0), (1, 1))
    assert WindowGeometry((2, 3), (1, 1)).extent == (2, 3)
    assert pad_widths(()) == ((0, 0),)


def test_a_window_that_does_not_fit() -> None:
    with pytest.raises(ShapeError, match="a window that reaches over 5 does not fit an axis of size 4"):
        window_count(4, 3, 1, 2)


def test_a_window_without_elements_is_refused() -> None:
    with pytest.raises(ShapeError, match="a window of size 0 has no elements: give 1 or more"):
        window_count(4, 0, 1, 1)
