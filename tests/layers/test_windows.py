"""Convolution and pooling over a grid of odd geometries, against direct loops."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import Conv2D, Fold, Identity, Input, Item, MaxPool2D, ShapeError, Windows
from layertree.core.spec import spec_of
from layertree.namespaces.spec import infer_spec
from tests.layers import loops
from tests.layers.checks import close, same_kind
from tests.strategies import numbers, seeds

GEOMETRIES = list(product([(1, 1), (2, 3), (3, 1)], [(1, 1), (2, 3)], [(0, 0), (1, 2)], [(1, 1), (2, 1)], [1, 2]))
"""Kernel, stride, padding, dilation and groups."""


def check_convolution(x: Any, kernel: Any, attributes: dict[str, Any]) -> None:
    layer = Conv2D(Item(Identity(), 0), Item(Identity(), 1), **attributes)
    source = Input((x, kernel))
    tape = layer.forward(source)
    assert infer_spec(layer, spec_of((x, kernel))) == spec_of(tape.value)
    close(tape.value, loops.conv2d(x, kernel, **attributes), rtol=1e-12, atol=1e-12)
    delta = numbers(tape.value.shape, 5)
    found = tape.gradients(delta)[source]
    for i, expected in enumerate(loops.conv2d_deltas(delta, x, kernel, **attributes)):
        same_kind(found[i], (x, kernel)[i])
        close(found[i], expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("kernel", "stride", "padding", "dilation", "groups"), GEOMETRIES)
def test_conv2d(kernel: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> None:
    x = numbers((2, 6, 5, 2 * groups), 1)
    weights = numbers((*kernel, 2, 3 * groups), 2)
    attributes = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    check_convolution(x, weights, attributes)


pairs = st.tuples(st.integers(1, 3), st.integers(1, 3))
sizes = st.tuples(st.integers(1, 6), st.integers(1, 6))
borders = st.tuples(st.integers(0, 2), st.integers(0, 2))
geometries = st.fixed_dictionaries(
    {"stride": pairs, "padding": borders, "dilation": pairs, "groups": st.integers(1, 3)}
)


@settings(max_examples=60)
@given(batch=st.integers(0, 2), size=sizes, channels=st.integers(1, 2), kernel=pairs, attributes=geometries, seed=seeds)
def test_conv2d_of_any_geometry(
    batch: int, size: Any, channels: int, kernel: Any, attributes: dict[str, Any], seed: int
) -> None:
    padding, dilation, groups = attributes["padding"], attributes["dilation"], attributes["groups"]
    x = numbers((batch, *size, channels * groups), seed)
    weights = numbers((*kernel, channels, 2 * groups), seed + 1)
    reach = [gap * (length - 1) + 1 for gap, length in zip(dilation, kernel, strict=True)]
    if any(extent + 2 * border < long for extent, border, long in zip(size, padding, reach, strict=True)):
        with pytest.raises(ShapeError, match="does not fit"):
            Conv2D(Identity(), weights, **attributes).forward(x)
    else:
        check_convolution(x, weights, attributes)


@settings(max_examples=80)
@given(
    batch=st.integers(0, 2),
    size=sizes,
    window=pairs,
    stride=pairs,
    padded=st.booleans(),
    ties=st.booleans(),
    seed=seeds,
)
def test_max_pool2d(batch: int, size: Any, window: Any, stride: Any, padded: bool, ties: bool, seed: int) -> None:
    x = numbers((batch, *map(max, size, window), 2), seed)
    if ties:
        x = np.round(x)
    # Padding of half a window at most: a window that sees nothing but padding has no largest element.
    padding = tuple(length // 2 for length in window) if padded else (0, 0)
    layer = MaxPool2D(Identity(), window, stride, padding)
    source = Input(x)
    tape = layer.forward(source)
    assert infer_spec(layer, spec_of(x)) == spec_of(tape.value)
    close(tape.value, loops.max_pool2d(x, window, stride, padding), rtol=0.0)
    delta = numbers(tape.value.shape, 5)
    found = tape.gradients(delta)[source]
    same_kind(found, x)
    close(found, loops.max_pool2d_delta(delta, x, window, stride, padding), rtol=1e-12, atol=1e-12)
    close(np.sum(found), np.sum(delta), rtol=1e-10, atol=1e-10)


axes = st.lists(
    st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 2), st.integers(0, 4)), min_size=1, max_size=3
)
"""For each axis: window, stride, dilation, and how much longer the axis is than one window."""


@settings(max_examples=60)
@given(lead=st.lists(st.integers(0, 2), max_size=2), geometry=axes, channels=st.integers(0, 2), seed=seeds)
def test_windows_and_fold_are_adjoint(lead: Any, geometry: Any, channels: int, seed: int) -> None:
    """<windows(x), y> is <x, fold(y)>, over any number of axes; and each is what the loops say."""
    window, stride, dilation, extra = zip(*geometry, strict=True)
    sizes = tuple(gap * (length - 1) + 1 + more for length, gap, more in zip(window, dilation, extra, strict=True))
    x = numbers((*lead, *sizes, channels), seed)
    seen = Windows(Identity(), window, stride, dilation).forward(x).value
    close(seen, loops.windows(x, window, stride, dilation), rtol=0.0)
    y = numbers(seen.shape, seed + 1)
    folded = Fold(Item(Identity(), 0), Item(Identity(), 1), stride, dilation).forward((y, x)).value
    close(folded, loops.fold(y, x, stride, dilation), rtol=1e-13, atol=1e-13)
    close(np.sum(seen * y), np.sum(x * folded), rtol=1e-10, atol=1e-10)
