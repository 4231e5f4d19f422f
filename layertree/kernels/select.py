"""A choice element by element, on the bits: NumPy's masked copies take ten times as long where masks are random."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import add, asarray, copyto, multiply, subtract

BITS: dict[int, np.dtype[Any]] = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}
"""The integers that hold the bits of a float, by its size in bytes."""


def keep(x: Any, mask: Any, out: Any, work: Any) -> None:
    """``x`` where the mask is true, else 0, also where ``x`` is NaN or infinite.

    ``work`` are integers of the size and shape of ``x``. ``out`` may be ``x``.

    >>> out, work = np.empty(2), np.empty(2, np.int64)
    >>> keep(np.array([1.5, np.nan]), np.array([True, False]), out, work)
    >>> out.tolist()
    [1.5, 0.0]
    """
    copyto(work, mask)
    bits = work.dtype
    multiply(x.view(bits), work, out=out.view(bits))


def masked(x: Any, mask: Any, out: Any, value: float, last: bool = False) -> None:
    """``x``, but one number where a mask is true: quick where the mask is the same each time and lies in long runs.

    ``out`` may be ``x``. With ``last`` the mask is one for the last columns, as many as it has.
    """
    if out is not x:
        copyto(out, x)
    first = out.shape[-1] - mask.shape[-1] if last else 0
    copyto(out[..., first:], value, where=mask)


def select(mask: Any, x: Any, y: Any, out: Any, work: Any) -> None:
    """``x`` where the mask is true, else ``y``: y + mask * (x - y) on integers, which is exact.

    ``out`` may be ``x``, not ``y``; numbers and what broadcasts are welcome.
    """
    copyto(work, mask)
    bits, result = work.dtype, out.view(work.dtype)
    first, second = [asarray(value, out.dtype).view(bits) for value in (x, y)]
    subtract(first, second, out=result)
    multiply(result, work, out=result)
    add(result, second, out=result)
