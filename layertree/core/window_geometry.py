"""The geometry of windows that slide over images: convolution, pooling, im2col and col2im share its arithmetic."""

from __future__ import annotations

from typing import Generic

import attrs
from typing_extensions import TypeVar

from layertree.core.errors import ShapeError
from layertree.core.spec import Dim
from layertree.core.value import Sizes, Widths

D = TypeVar("D", bound=Dim, default=int)
"""``int`` where the sizes of windows are known; ``Dim`` where a kernel of which only the spec is known has them."""


def window_count(size: int, window: int, stride: int, dilation: int) -> int:
    """How many windows fit along one axis; ShapeError where none does, and for a window without elements."""
    if window < 1:
        raise ShapeError(f"a window of size {window} has no elements: give 1 or more")
    extent = dilation * (window - 1) + 1
    if size < extent:
        raise ShapeError(f"a window that reaches over {extent} does not fit an axis of size {size}")
    return (size - extent) // stride + 1


def pad_widths(padding: Sizes) -> Widths:
    """(before, after) for each spatial axis and for the channels, as ``xp.pad`` takes them.

    >>> pad_widths((1, 2))
    ((1, 1), (2, 2), (0, 0))
    """
    return (*[(border, border) for border in padding], (0, 0))


def _no_padding(geometry: WindowGeometry[D]) -> Sizes:
    return (0,) * len(geometry.window)


def _dense(geometry: WindowGeometry[D]) -> Sizes:
    return (1,) * len(geometry.window)


@attrs.frozen
class WindowGeometry(Generic[D]):
    """Windows over the spatial axes of images (..., *sizes, channels), with one number an axis in each field.

    ``window`` is the number of elements of a window; ``stride`` the distance from the start of one window to the next,
    ``padding`` the number of elements added on both sides, ``dilation`` the distance from one element of a window to
    the next. Padding is 0 and dilation 1 where not given.

    >>> geometry = WindowGeometry((3, 3), stride=(2, 2), padding=(1, 1))
    >>> geometry.extent, geometry.output_sizes((7, 5))
    ((3, 3), (4, 3))
    """

    window: tuple[D, ...]
    stride: Sizes
    padding: Sizes = attrs.field(default=attrs.Factory(_no_padding, takes_self=True))
    dilation: Sizes = attrs.field(default=attrs.Factory(_dense, takes_self=True))

    @property
    def extent(self: WindowGeometry[int]) -> Sizes:
        """The distance from the first to the last element of a window, both included."""
        return tuple([gap * (size - 1) + 1 for size, gap in zip(self.window, self.dilation, strict=True)])

    def output_sizes(self: WindowGeometry[int], sizes: Sizes) -> Sizes:
        """The number of windows along each axis of images of some sizes, before padding; ShapeError where none fits."""
        padded = [size + 2 * border for size, border in zip(sizes, self.padding, strict=True)]
        return tuple(map(window_count, padded, self.window, self.stride, self.dilation))

    def disjoint_steps(self: WindowGeometry[int], counts: Sizes) -> Sizes:
        """The least numbers of windows between two that do not overlap, along each axis; at most ``counts``.

        >>> WindowGeometry((3, 3), stride=(1, 2)).disjoint_steps((9, 9))
        (3, 2)
        """
        steps = zip(self.extent, self.stride, counts, strict=True)
        return tuple([min(-(-extent // hop), count) for extent, hop, count in steps])
