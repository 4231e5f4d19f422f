"""What moves elements without changing them, and what reads them at positions."""

# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# Meant: axes that a checker knows come before those that it does not.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np

from layertree import Layer, ShapeError, Tape
from layertree._attribute import Rule
from layertree._brief import brief_formula
from layertree._kinds import is_a
from layertree._spec import shape_text, spec_text
from symbolic.building.operations import apply, as_symbolic
from symbolic.core.symbolic import Symbolic
from symbolic.signatures import typed
from symbolic.signatures.functions import product

if TYPE_CHECKING:
    from symbolic.signatures.arrays import (
        A,
        Array,
        B,
        C,
        D,
        E,
        F,
        Given,
        Guard,
        High,
        In,
        Loose,
        One,
        S,
        Shaped,
        T,
        W,
        X,
    )

    OneIndex: TypeAlias = Layer[In, Tape[W, W]] | Layer[In, Tape[int, int]] | W | int
    Indices: TypeAlias = Array[In, Any, W] | OneIndex[In, W] | Sequence[int] | Sequence[Sequence[int]]

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


_AXES = Rule(None, None, None)


def reshape(x: Layer[In, Shaped[Any, T]], /, shape: tuple[int, ...]) -> Symbolic[In, Shaped[Loose, T]]:
    """The elements in the same (C) order in another shape; one size may be -1, which is what is left."""
    return apply("reshape", x, shape=shape)


@overload
def flatten(x: Layer[In, Shaped[Guard, T]], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def flatten(x: Layer[In, Shaped[tuple[A, B], T]], /) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def flatten(x: Layer[In, Shaped[tuple[A, B, C], T]], /) -> Symbolic[In, Shaped[tuple[A, int], T]]: ...
@overload
def flatten(x: Layer[In, Shaped[tuple[A, B, C, E], T]], /) -> Symbolic[In, Shaped[tuple[A, int], T]]: ...
def flatten(x: Any, /) -> Any:
    """All axes but the first made one: (batch, ...) to (batch, features)."""
    symbol = as_symbolic(x)
    if is_a(symbol.spec, tuple) or symbol.ndim < 2:
        raise ShapeError(
            f"flatten({brief_formula(symbol)}: {spec_text(symbol.spec)}): a batch axis and more to make one are wanted"
        )
    return apply("merge_dims", symbol, start=1 - symbol.ndim, stop=0)


@overload
def permute_dims(x: Layer[In, Shaped[Guard, T]], /, axes: tuple[int, ...]) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B], T]], /, axes: tuple[Literal[0], Literal[1]]
) -> Symbolic[In, Shaped[tuple[A, B], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B], T]], /, axes: tuple[Literal[1], Literal[0]]
) -> Symbolic[In, Shaped[tuple[B, A], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, axes: tuple[Literal[0], Literal[1], Literal[2]]
) -> Symbolic[In, Shaped[tuple[A, B, C], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, axes: tuple[Literal[0], Literal[2], Literal[1]]
) -> Symbolic[In, Shaped[tuple[A, C, B], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, axes: tuple[Literal[1], Literal[0], Literal[2]]
) -> Symbolic[In, Shaped[tuple[B, A, C], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, axes: tuple[Literal[1], Literal[2], Literal[0]]
) -> Symbolic[In, Shaped[tuple[B, C, A], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, axes: tuple[Literal[2], Literal[0], Literal[1]]
) -> Symbolic[In, Shaped[tuple[C, A, B], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, axes: tuple[Literal[2], Literal[1], Literal[0]]
) -> Symbolic[In, Shaped[tuple[C, B, A], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A], T]], /, axes: tuple[int, ...]
) -> Symbolic[In, Shaped[tuple[int], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B], T]], /, axes: tuple[int, ...]
) -> Symbolic[In, Shaped[tuple[int, int], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, axes: tuple[int, ...]
) -> Symbolic[In, Shaped[tuple[int, int, int], T]]: ...
@overload
def permute_dims(
    x: Layer[In, Shaped[tuple[A, B, C, E], T]], /, axes: tuple[int, ...]
) -> Symbolic[In, Shaped[tuple[int, int, int, int], T]]: ...
def permute_dims(x: Any, /, axes: tuple[int, ...]) -> Any:
    """The axes in another order: axis i of the result is axis ``axes[i]`` of the operand."""
    return apply("permute_dims", x, axes=axes)


@overload
def matrix_transpose(x: Layer[In, Shaped[Guard, T]], /) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def matrix_transpose(x: Layer[In, Shaped[tuple[A, B], T]], /) -> Symbolic[In, Shaped[tuple[B, A], T]]: ...
@overload
def matrix_transpose(x: Layer[In, Shaped[tuple[A, B, C], T]], /) -> Symbolic[In, Shaped[tuple[A, C, B], T]]: ...
@overload
def matrix_transpose(x: Layer[In, Shaped[tuple[A, B, C, E], T]], /) -> Symbolic[In, Shaped[tuple[A, B, E, C], T]]: ...
def matrix_transpose(x: Any, /) -> Any:
    """The last two axes exchanged."""
    return apply("matrix_transpose", x)


def broadcast_to(x: Layer[In, Shaped[Any, T]], /, shape: tuple[int, ...]) -> Symbolic[In, Shaped[Loose, T]]:
    """The operand broadcast to a shape."""
    return apply("broadcast_to", x, shape=shape)


@overload
def expand_dims(x: Layer[In, Tape[T, T]], /, *, axis: Literal[0, -1] = ...) -> Symbolic[In, Shaped[tuple[One], T]]: ...
@overload
def expand_dims(x: Layer[In, Shaped[Guard, T]], /, *, axis: int = ...) -> Symbolic[In, Shaped[Loose, T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A], T]], /, *, axis: Literal[0, -2] = ...
) -> Symbolic[In, Shaped[tuple[One, A], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A], T]], /, *, axis: Literal[1, -1]
) -> Symbolic[In, Shaped[tuple[A, One], T]]: ...
@overload
def expand_dims(x: Layer[In, Shaped[tuple[A], T]], /, *, axis: int) -> Symbolic[In, Shaped[tuple[int, int], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B], T]], /, *, axis: Literal[0, -3] = ...
) -> Symbolic[In, Shaped[tuple[One, A, B], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B], T]], /, *, axis: Literal[1, -2]
) -> Symbolic[In, Shaped[tuple[A, One, B], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B], T]], /, *, axis: Literal[2, -1]
) -> Symbolic[In, Shaped[tuple[A, B, One], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B], T]], /, *, axis: int
) -> Symbolic[In, Shaped[tuple[int, int, int], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, *, axis: Literal[0, -4] = ...
) -> Symbolic[In, Shaped[tuple[One, A, B, C], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, *, axis: Literal[1, -3]
) -> Symbolic[In, Shaped[tuple[A, One, B, C], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, *, axis: Literal[2, -2]
) -> Symbolic[In, Shaped[tuple[A, B, One, C], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, *, axis: Literal[3, -1]
) -> Symbolic[In, Shaped[tuple[A, B, C, One], T]]: ...
@overload
def expand_dims(
    x: Layer[In, Shaped[tuple[A, B, C], T]], /, *, axis: int
) -> Symbolic[In, Shaped[tuple[int, int, int, int], T]]: ...
@overload
def expand_dims(x: Layer[In, Shaped[High, T]], /, *, axis: int = ...) -> Symbolic[In, Shaped[Loose, T]]: ...
def expand_dims(x: Any, /, *, axis: int = 0) -> Any:
    """A new axis of size 1 at a place of the result."""
    return apply("expand_dims", x, axis=axis)


def squeeze(x: Layer[In, Shaped[Any, T]], /, axis: int | tuple[int, ...]) -> Symbolic[In, Shaped[Loose, T]]:
    """The operand without some axes of size 1; another size is a ShapeError."""
    symbol = as_symbolic(x)
    given = _AXES.conform(axis if isinstance(axis, (tuple, list)) else (axis,), tuple[int, ...], "squeeze: axis")
    misfit = _no_squeeze(symbol.spec, given)
    if misfit is not None:
        raise ShapeError(f"squeeze({brief_formula(symbol)}: {spec_text(symbol.spec)}): {misfit}")
    axes = {one % symbol.ndim for one in given}
    index = tuple(0 if i in axes else slice(None) for i in range(symbol.ndim))
    return symbol[index]


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


def concat(operands: Sequence[Layer[In, Shaped[Any, T]]], /, *, axis: int = 0) -> Symbolic[In, Shaped[Loose, T]]:
    """The operands one behind the other along an axis; their other axes agree."""
    return apply("concat", tuple(operands), axis=axis)


def stack(operands: Sequence[Layer[In, Shaped[Any, T]]], /, *, axis: int = 0) -> Symbolic[In, Shaped[Loose, T]]:
    """Operands of one shape side by side along a new axis."""
    return concat([expand_dims(operand, axis=axis) for operand in operands], axis=axis)


@overload
def take(
    x: Array[Given[X], Guard, T], indices: Indices[Given[X], W], /, *, axis: int = ...
) -> Symbolic[Given[X], Shaped[Loose, T]]: ...
@overload
def take(
    x: Array[Given[X], Any, T], indices: Array[Given[X], Guard, W], /, *, axis: int = ...
) -> Symbolic[Given[X], Shaped[Loose, T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A], T], indices: OneIndex[Given[X], W], /, *, axis: Literal[0, -1] = ...
) -> Symbolic[Given[X], Tape[T, T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A], T], indices: Array[Given[X], tuple[E], W], /, *, axis: Literal[0, -1] = ...
) -> Symbolic[Given[X], Shaped[tuple[E], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A], T], indices: Array[Given[X], tuple[E, F], W], /, *, axis: Literal[0, -1] = ...
) -> Symbolic[Given[X], Shaped[tuple[E, F], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B], T], indices: OneIndex[Given[X], W], /, *, axis: Literal[0, -2] = ...
) -> Symbolic[Given[X], Shaped[tuple[B], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B], T], indices: Array[Given[X], tuple[E], W], /, *, axis: Literal[0, -2] = ...
) -> Symbolic[Given[X], Shaped[tuple[E, B], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B], T], indices: Array[Given[X], tuple[E, F], W], /, *, axis: Literal[0, -2] = ...
) -> Symbolic[Given[X], Shaped[tuple[E, F, B], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B], T], indices: OneIndex[Given[X], W], /, *, axis: Literal[1, -1]
) -> Symbolic[Given[X], Shaped[tuple[A], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B], T], indices: Array[Given[X], tuple[E], W], /, *, axis: Literal[1, -1]
) -> Symbolic[Given[X], Shaped[tuple[A, E], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B], T], indices: Array[Given[X], tuple[E, F], W], /, *, axis: Literal[1, -1]
) -> Symbolic[Given[X], Shaped[tuple[A, E, F], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B, C], T], indices: OneIndex[Given[X], W], /, *, axis: Literal[0, -3] = ...
) -> Symbolic[Given[X], Shaped[tuple[B, C], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B, C], T], indices: Array[Given[X], tuple[E], W], /, *, axis: Literal[0, -3] = ...
) -> Symbolic[Given[X], Shaped[tuple[E, B, C], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B, C], T], indices: OneIndex[Given[X], W], /, *, axis: Literal[1, -2]
) -> Symbolic[Given[X], Shaped[tuple[A, C], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B, C], T], indices: Array[Given[X], tuple[E], W], /, *, axis: Literal[1, -2]
) -> Symbolic[Given[X], Shaped[tuple[A, E, C], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B, C], T], indices: OneIndex[Given[X], W], /, *, axis: Literal[2, -1]
) -> Symbolic[Given[X], Shaped[tuple[A, B], T]]: ...
@overload
def take(
    x: Array[Given[X], tuple[A, B, C], T], indices: Array[Given[X], tuple[E], W], /, *, axis: Literal[2, -1]
) -> Symbolic[Given[X], Shaped[tuple[A, B, E], T]]: ...
@overload
def take(
    x: Array[Given[X], Any, T], indices: Indices[Given[X], W], /, *, axis: int = ...
) -> Symbolic[Given[X], Shaped[Loose, T]]: ...
def take(x: Any, indices: Any, /, *, axis: int = 0) -> Any:
    """The slices of ``x`` at integer indices along an axis, as an embedding looks up its rows."""
    return apply("take", x, indices, axis=axis)


@typed(product)
def matmul(a: Any, b: Any, /) -> Any:
    """The matrix product, as ``a @ b``."""
    return apply("matmul", a, b)


@overload
def astype(x: Layer[In, Shaped[S, Any]], dtype: type[T] | np.dtype[T], /) -> Symbolic[In, Shaped[S, T]]: ...
@overload
def astype(
    x: Layer[In, Tape[complex, Any]] | Layer[In, Tape[np.generic, Any]], dtype: type[T] | np.dtype[T], /
) -> Symbolic[In, Tape[T, T]]: ...
@overload
def astype(x: Layer[In, Tape[D, D]], dtype: str, /) -> Symbolic[In, Tape[Any, Any]]: ...
def astype(x: Any, dtype: Any, /) -> Any:
    """The operand in another dtype; the delta is cast back."""
    return apply("astype", x, dtype=dtype)


def zeros_like(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """0 in the kind and shape of the operand."""
    return apply("zeros_like", x)


def ones_like(x: Layer[In, Tape[D, D]], /) -> Symbolic[In, Tape[D, D]]:
    """1 in the kind and shape of the operand."""
    return apply("ones_like", x)
