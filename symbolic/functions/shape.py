"""What moves elements without changing them, and what reads them at positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from layertree import ShapeError, Tape
from layertree._attribute import Rule
from layertree._formula_text import brief_formula
from layertree._spec import shape_text, spec_text
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

_AXES = Rule(None, None, None)


def reshape(x: Symbolic[In, Any], /, shape: tuple[int, ...]) -> Symbolic[In, Tape[Any, Any]]:
    """The elements in the same (C) order in another shape; one size may be -1, which is what is left."""
    return apply("reshape", x, shape=shape)  # type: ignore[no-any-return]  # apply builds any formula


def flatten(x: Symbolic[In, Any], /) -> Symbolic[In, Tape[Any, Any]]:
    """All axes but the first made one: (batch, ...) to (batch, features)."""
    symbol = as_symbolic(x)
    if isinstance(symbol.spec, tuple) or symbol.ndim < 2:
        raise ShapeError(
            f"flatten({brief_formula(symbol)}: {spec_text(symbol.spec)}): a batch axis and more to make one are wanted"
        )
    return apply("merge_dims", symbol, start=1 - symbol.ndim, stop=0)  # type: ignore[no-any-return]  # apply builds any formula


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
    symbol = as_symbolic(x)
    given = _AXES.conform(axis if isinstance(axis, (tuple, list)) else (axis,), tuple[int, ...], "squeeze: axis")
    misfit = _no_squeeze(symbol.spec, given)
    if misfit is not None:
        raise ShapeError(f"squeeze({brief_formula(symbol)}: {spec_text(symbol.spec)}): {misfit}")
    axes = {one % symbol.ndim for one in given}
    index = tuple(0 if i in axes else slice(None) for i in range(symbol.ndim))
    return symbol[index]  # type: ignore[no-any-return]  # indexing builds any formula


def _no_squeeze(spec: Any, axes: tuple[int, ...]) -> str | None:
    """Why these axes cannot be squeezed away, if they cannot."""
    if isinstance(spec, tuple):
        return "one array is wanted, no tuple: take a part of it, x[0]"
    for axis in axes:
        if not -spec.ndim <= axis < spec.ndim:
            return f"axis {axis} is out of range: the operand has {spec.ndim} axes"
        if spec.shape[axis] != 1:
            return f"axis {axis} has size {shape_text((spec.shape[axis],))[1:-2]}, not 1"
    return None


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
    return apply("astype", x, dtype=dtype)  # type: ignore[no-any-return]  # apply builds any formula


def zeros_like(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """0 in the kind and shape of the operand."""
    return apply("zeros_like", x)  # type: ignore[no-any-return]  # apply builds any formula


def ones_like(x: Symbolic[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """1 in the kind and shape of the operand."""
    return apply("ones_like", x)  # type: ignore[no-any-return]  # apply builds any formula
