"""What moves elements without changing them, and what reads them at positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from layertree import Tape
from symbolic._build import apply, as_symbolic
from symbolic._symbolic import Symbolic

__all__ = [
    "astype",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flatten",
    "matmul",
    "matrix_transpose",
    "ones_like",
    "permute_dims",
    "reshape",
    "squeeze",
    "stack",
    "take",
    "zeros_like",
]

In = TypeVar("In")
D = TypeVar("D")


def reshape(x: Symbolic[In, Any], /, shape: tuple[int, ...]) -> Symbolic[In, Tape[Any, Any]]:
    """The elements in the same (C) order in another shape; one size may be -1, which is what is left."""
    return apply("reshape", x, shape=shape)  # type: ignore[no-any-return]  # apply builds any formula


def flatten(x: Symbolic[In, Any], /) -> Symbolic[In, Tape[Any, Any]]:
    """All axes but the first made one: (batch, ...) to (batch, features)."""
    return apply("merge_dims", x, start=1 - as_symbolic(x).ndim, stop=0)  # type: ignore[no-any-return]  # apply builds any formula


def permute_dims(x: Symbolic[In, Any], /, axes: tuple[int, ...]) -> Symbolic[In, Tape[Any, Any]]:
    """The axes in another order: axis i of the result is axis ``axes[i]`` of the operand."""
    return apply("permute_dims", x, axes=axes)  # type: ignore[no-any-return]  # apply builds any formula


def matrix_transpose(x: Symbolic[In, Any], /) -> Symbolic[In, Tape[Any, Any]]:
    """The last two axes exchanged."""
    return apply("matrix_transpose", x)  # type: ignore[no-any-return]  # apply builds any formula


def broadcast_to(x: Symbolic[In, Any], /, shape: tuple[int, ...]) -> Symbolic[In, Tape[Any, Any]]:
    """The operand broadcast to a shape."""
    return apply("broadcast_to", x, shape=shape)  # type: ignore[no-any-return]  # apply builds any formula


def expand_dims(x: Symbolic[In, Any], /, *, axis: int = 0) -> Symbolic[In, Tape[Any, Any]]:
    """A new axis of size 1 at a place of the result."""
    return apply("expand_dims", x, axis=axis)  # type: ignore[no-any-return]  # apply builds any formula


def squeeze(x: Symbolic[In, Any], /, axis: int | tuple[int, ...]) -> Symbolic[In, Tape[Any, Any]]:
    """The operand without some axes of size 1; another size is a ShapeError."""
    from layertree import ShapeError
    from layertree._spec import spec_text

    symbol = as_symbolic(x)
    axes = {one % symbol.ndim for one in ((axis,) if isinstance(axis, int) else axis)}
    for one in axes:
        if symbol.shape[one] != 1:
            raise ShapeError(
                f"squeeze({symbol!s}: {spec_text(symbol.spec)}): axis {one} has size {symbol.shape[one]}, not 1"
            )
    index = tuple(0 if i in axes else slice(None) for i in range(symbol.ndim))
    return symbol[index]  # type: ignore[no-any-return]  # indexing builds any formula


def concat(operands: Sequence[Symbolic[In, Any]], /, *, axis: int = 0) -> Symbolic[In, Tape[Any, Any]]:
    """The operands one behind the other along an axis; their other axes agree."""
    return apply("concat", tuple(operands), axis=axis)  # type: ignore[no-any-return]  # apply builds any formula


def stack(operands: Sequence[Symbolic[In, Any]], /, *, axis: int = 0) -> Symbolic[In, Tape[Any, Any]]:
    """Operands of one shape side by side along a new axis."""
    return concat([expand_dims(operand, axis=axis) for operand in operands], axis=axis)


def take(x: Symbolic[In, Any], indices: Any, /, *, axis: int = 0) -> Symbolic[In, Tape[Any, Any]]:
    """The slices of ``x`` at integer indices along an axis, as an embedding looks up its rows."""
    return apply("take", x, indices, axis=axis)  # type: ignore[no-any-return]  # apply builds any formula


def matmul(a: Symbolic[In, Any], b: Symbolic[In, Any], /) -> Symbolic[In, Tape[Any, Any]]:
    """The matrix product, as ``a @ b``."""
    return apply("matmul", a, b)  # type: ignore[no-any-return]  # apply builds any formula


def astype(x: Symbolic[In, Any], dtype: Any, /) -> Symbolic[In, Tape[Any, Any]]:
    """The operand in another dtype; the delta is cast back."""
    return apply("astype", x, dtype=np.dtype(dtype))  # type: ignore[no-any-return]  # apply builds any formula


def zeros_like(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """0 in the kind and shape of the operand."""
    return apply("zeros_like", x)  # type: ignore[no-any-return]  # apply builds any formula


def ones_like(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """1 in the kind and shape of the operand."""
    return apply("ones_like", x)  # type: ignore[no-any-return]  # apply builds any formula
