"""Borders, parts, and windows added back, into an array that is there."""

from __future__ import annotations

from typing import Any

from layertree.namespaces.numpy import fold_into as fold
from layertree.namespaces.numpy import fold_room

__all__ = ["fold", "fold_room", "pad", "put"]


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
