"""Accumulation in float32: what sums, products and norms of float16 operands are computed in, and cast back from."""

from __future__ import annotations

import numpy as np

from layertree.core.namespace import Namespace
from layertree.core.value import DType, Value

_HALF: DType = np.dtype(np.float16)
_SINGLE: DType = np.dtype(np.float32)


def is_half(xp: Namespace, x: Value) -> bool:
    """Whether a value is float16."""
    return bool(xp.dtype(x) == _HALF)


def widened(xp: Namespace, x: Value) -> Value:
    """A float16 value in float32; another value unchanged."""
    return xp.astype(x, dtype=_SINGLE) if is_half(xp, x) else x


def narrowed(xp: Namespace, x: Value, like: Value) -> Value:
    """``x``, computed from the widened ``like``, in float16 where ``like`` is float16."""
    return xp.cast_like(x, like) if is_half(xp, like) else x
