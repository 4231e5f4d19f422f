"""Borders, and windows added back, into an array that is there."""

from __future__ import annotations

from itertools import product
from typing import Any


def pad(x: Any, out: Any, widths: tuple[tuple[int, int], ...], value: float) -> None:
    """``x`` with its last axes padded: (before, after) for each."""
    out.fill(value)
    lead = x.ndim - len(widths)
    inner = [slice(before, before + size) for size, (before, _) in zip(x.shape[lead:], widths, strict=True)]
    out[(..., *inner)] = x


def put(parts: tuple[Any, ...], out: Any, indices: tuple[Any, ...], whole: bool = False) -> None:
    """Zeros with parts at static indices, which do not overlap; no zeros where they are the ``whole`` array."""
    if not whole:
        out.fill(0)
    for part, index in zip(parts, indices, strict=True):
        out[index] = part


def fold(x: Any, out: Any, stride: tuple[int, ...], dilation: tuple[int, ...]) -> None:
    """Windows added back where they were taken from."""
    axes = len(stride)
    lead = out.ndim - axes - 1
    positions, window = x.shape[lead : lead + axes], x.shape[lead + axes : -1]
    out.fill(0)
    for offset in product(*map(range, window)):
        target = tuple(
            slice(i * gap, i * gap + hop * (count - 1) + 1, hop) if count else slice(0)
            for i, gap, hop, count in zip(offset, dilation, stride, positions, strict=True)
        )
        out[(..., *target, slice(None))] += x[(..., *offset, slice(None))]
