"""Functions that change the shape or the dtype of arrays, and look-ups by index."""

# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# Overlaps are meant: overloads for axes that a checker knows precede those for unknown axes.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np

from layertree import AxisRangeError, Layer, ShapeError, Tape
from layertree.core.attribute import Rule
from layertree.core.brief import brief_formula, counted
from layertree.core.dynamic import is_a
from layertree.core.spec import Dim, shape_text, spec_text
from symbolic.building.operations import apply, as_symbolic, as_symbolics
from symbolic.building.reshaping import reshaped_behind
from symbolic.signatures import typed
from symbolic.signatures.functions import product

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import Spec
    from symbolic.signatures.arrays import (
        A,
        AnyRank,
        Array,
        Array1,
        Array2,
        Array3,
        B,
        C,
        D,
        E,
        F,
        Given,
        Guard,
        HighRank,
        In,
        LooseRank,
        LooseResult,
        One,
        Rank1,
        Rank2,
        Rank3,
        Rank4,
        Result,
        Result0,
        Result1,
        Result2,
        Result3,
        Result4,
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


def reshape(x: AnyRank[In, T], /, shape: tuple[int | str | None, ...]) -> LooseResult[In, T]:
    """The elements in the same (C) order in another shape; a size of -1 is computed from the others.

    A shape may begin with the dimensions that ``x`` begins with, known or not: ``(*x.shape[:2], 2, 4)``. These axes
    stay, and the others are reshaped.
    """
    if not is_a(shape, (tuple, list)) or not any(size is None or is_a(size, str) for size in shape):
        return apply("reshape", x, shape=shape)
    return reshaped_behind(as_symbolic(x), tuple(shape))


@overload
def flatten(x: LooseRank[In, T], /) -> LooseResult[In, T]: ...
@overload
def flatten(x: Rank2[In, A, B, T], /) -> Result2[In, A, B, T]: ...
@overload
def flatten(x: Rank3[In, A, B, C, T], /) -> Result2[In, A, int, T]: ...
@overload
def flatten(x: Rank4[In, A, B, C, E, T], /) -> Result2[In, A, int, T]: ...
def flatten(x: object, /) -> AnyFormula:
    """All axes but the first merged into one: (batch, ...) to (batch, features)."""
    symbol = as_symbolic(x)
    if is_a(symbol.spec, tuple) or symbol.ndim < 2:
        raise ShapeError(
            f"flatten({brief_formula(symbol)}: {spec_text(symbol.spec)}): a batch axis and more to make one are wanted"
        )
    return apply("merge_dims", symbol, start=1 - symbol.ndim, stop=0)


@overload
def permute_dims(x: LooseRank[In, T], /, axes: tuple[int, ...]) -> LooseResult[In, T]: ...
@overload
def permute_dims(x: Rank2[In, A, B, T], /, axes: tuple[Literal[0], Literal[1]]) -> Result2[In, A, B, T]: ...
@overload
def permute_dims(x: Rank2[In, A, B, T], /, axes: tuple[Literal[1], Literal[0]]) -> Result2[In, B, A, T]: ...
@overload
def permute_dims(
    x: Rank3[In, A, B, C, T], /, axes: tuple[Literal[0], Literal[1], Literal[2]]
) -> Result3[In, A, B, C, T]: ...
@overload
def permute_dims(
    x: Rank3[In, A, B, C, T], /, axes: tuple[Literal[0], Literal[2], Literal[1]]
) -> Result3[In, A, C, B, T]: ...
@overload
def permute_dims(
    x: Rank3[In, A, B, C, T], /, axes: tuple[Literal[1], Literal[0], Literal[2]]
) -> Result3[In, B, A, C, T]: ...
@overload
def permute_dims(
    x: Rank3[In, A, B, C, T], /, axes: tuple[Literal[1], Literal[2], Literal[0]]
) -> Result3[In, B, C, A, T]: ...
@overload
def permute_dims(
    x: Rank3[In, A, B, C, T], /, axes: tuple[Literal[2], Literal[0], Literal[1]]
) -> Result3[In, C, A, B, T]: ...
@overload
def permute_dims(
    x: Rank3[In, A, B, C, T], /, axes: tuple[Literal[2], Literal[1], Literal[0]]
) -> Result3[In, C, B, A, T]: ...
@overload
def permute_dims(x: Rank1[In, A, T], /, axes: tuple[int, ...]) -> Result1[In, int, T]: ...
@overload
def permute_dims(x: Rank2[In, A, B, T], /, axes: tuple[int, ...]) -> Result2[In, int, int, T]: ...
@overload
def permute_dims(x: Rank3[In, A, B, C, T], /, axes: tuple[int, ...]) -> Result3[In, int, int, int, T]: ...
@overload
def permute_dims(x: Rank4[In, A, B, C, E, T], /, axes: tuple[int, ...]) -> Result4[In, int, int, int, int, T]: ...
def permute_dims(x: object, /, axes: tuple[int, ...]) -> AnyFormula:
    """The axes in another order: axis i of the result is axis ``axes[i]`` of the operand."""
    return apply("permute_dims", x, axes=axes)


@overload
def matrix_transpose(x: LooseRank[In, T], /) -> LooseResult[In, T]: ...
@overload
def matrix_transpose(x: Rank2[In, A, B, T], /) -> Result2[In, B, A, T]: ...
@overload
def matrix_transpose(x: Rank3[In, A, B, C, T], /) -> Result3[In, A, C, B, T]: ...
@overload
def matrix_transpose(x: Rank4[In, A, B, C, E, T], /) -> Result4[In, A, B, E, C, T]: ...
def matrix_transpose(x: object, /) -> AnyFormula:
    """The last two axes exchanged."""
    return apply("matrix_transpose", x)


def broadcast_to(x: AnyRank[In, T], /, shape: tuple[int, ...]) -> LooseResult[In, T]:
    """The operand broadcast to a shape."""
    return apply("broadcast_to", x, shape=shape)


@overload
def expand_dims(x: Layer[In, Tape[T, T]], /, *, axis: Literal[0, -1] = ...) -> Result1[In, One, T]: ...
@overload
def expand_dims(x: LooseRank[In, T], /, *, axis: int = ...) -> LooseResult[In, T]: ...
@overload
def expand_dims(x: Rank1[In, A, T], /, *, axis: Literal[0, -2] = ...) -> Result2[In, One, A, T]: ...
@overload
def expand_dims(x: Rank1[In, A, T], /, *, axis: Literal[1, -1]) -> Result2[In, A, One, T]: ...
@overload
def expand_dims(x: Rank1[In, A, T], /, *, axis: int) -> Result2[In, int, int, T]: ...
@overload
def expand_dims(x: Rank2[In, A, B, T], /, *, axis: Literal[0, -3] = ...) -> Result3[In, One, A, B, T]: ...
@overload
def expand_dims(x: Rank2[In, A, B, T], /, *, axis: Literal[1, -2]) -> Result3[In, A, One, B, T]: ...
@overload
def expand_dims(x: Rank2[In, A, B, T], /, *, axis: Literal[2, -1]) -> Result3[In, A, B, One, T]: ...
@overload
def expand_dims(x: Rank2[In, A, B, T], /, *, axis: int) -> Result3[In, int, int, int, T]: ...
@overload
def expand_dims(x: Rank3[In, A, B, C, T], /, *, axis: Literal[0, -4] = ...) -> Result4[In, One, A, B, C, T]: ...
@overload
def expand_dims(x: Rank3[In, A, B, C, T], /, *, axis: Literal[1, -3]) -> Result4[In, A, One, B, C, T]: ...
@overload
def expand_dims(x: Rank3[In, A, B, C, T], /, *, axis: Literal[2, -2]) -> Result4[In, A, B, One, C, T]: ...
@overload
def expand_dims(x: Rank3[In, A, B, C, T], /, *, axis: Literal[3, -1]) -> Result4[In, A, B, C, One, T]: ...
@overload
def expand_dims(x: Rank3[In, A, B, C, T], /, *, axis: int) -> Result4[In, int, int, int, int, T]: ...
@overload
def expand_dims(x: HighRank[In, T], /, *, axis: int = ...) -> LooseResult[In, T]: ...
def expand_dims(x: object, /, *, axis: int = 0) -> AnyFormula:
    """A new axis of size 1, whose position in the result is ``axis``."""
    return apply("expand_dims", x, axis=axis)


def squeeze(x: AnyRank[In, T], /, axis: int | tuple[int, ...]) -> LooseResult[In, T]:
    """The operand without some axes of size 1. Raises ShapeError for an axis of another size."""
    symbol = as_symbolic(x)
    given = _AXES.conform(axis if isinstance(axis, (tuple, list)) else (axis,), tuple[int, ...], "squeeze: axis")
    misfit = _no_squeeze(symbol.spec, given)
    if misfit is not None:
        raise type(misfit)(f"squeeze({brief_formula(symbol)}: {spec_text(symbol.spec)}): {misfit}")
    axes = {one % symbol.ndim for one in given}
    index = tuple(0 if i in axes else slice(None) for i in range(symbol.ndim))
    return symbol[index]


def _no_squeeze(spec: Spec, axes: tuple[int, ...]) -> ShapeError | None:
    """The reason, as an error, why these axes cannot be removed, if there is one."""
    if isinstance(spec, tuple):
        return ShapeError("one array is wanted, no tuple: take a part of it, x[0]")
    for axis in axes:
        if not -spec.ndim <= axis < spec.ndim:
            return AxisRangeError(f"axis {axis} is out of range: the operand has {counted(spec.ndim, 'axis', 'axes')}")
        if spec.shape[axis] != 1:
            return ShapeError(f"axis {axis} has size {shape_text((spec.shape[axis],))[1:-2]}, not 1")
    return None


def concat(operands: Sequence[AnyRank[In, T]], /, *, axis: int = 0) -> LooseResult[In, T]:
    """The operands joined along an axis; the sizes of their other axes are equal."""
    return apply("concat", tuple(operands), axis=axis)


def stack(operands: Sequence[AnyRank[In, T]], /, *, axis: int = 0) -> LooseResult[In, T]:
    """Operands of one shape joined along a new axis."""
    symbols = as_symbolics(tuple(operands))
    misfit = _no_stack([symbol.spec for symbol in symbols], axis)
    if misfit is not None:
        shown = ", ".join([f"{brief_formula(symbol)}: {spec_text(symbol.spec)}" for symbol in symbols])
        raise type(misfit)(f"stack([{shown}], axis={axis!r}): {misfit}")
    return concat([apply("expand_dims", symbol, axis=axis) for symbol in symbols], axis=axis)


def _no_stack(specs: Sequence[Spec], axis: object) -> ShapeError | None:
    """The reason, as an error, why operands cannot be joined along a new axis, if there is one."""
    if not specs:
        return ShapeError("nothing to join: give one operand or more")
    shapes: list[tuple[Dim, ...]] = []
    for i, spec in enumerate(specs):
        if isinstance(spec, tuple):
            return ShapeError(f"operand {i} is a tuple: take a part of it, x[0]")
        shapes.append(spec.shape)
    first = shapes[0]
    if isinstance(axis, int) and not -len(first) - 1 <= axis <= len(first):
        last = len(first)
        return AxisRangeError(
            f"axis {axis} is out of range: the result has {counted(last + 1, 'axis', 'axes')}, {-last - 1} to {last}"
        )
    for i, shape in enumerate(shapes):
        known = all(
            not isinstance(a, int) or not isinstance(b, int) or a == b for a, b in zip(first, shape, strict=False)
        )
        if len(shape) != len(first) or not known:
            return ShapeError(
                f"operand {i} is {shape_text(shape)}, but operand 0 is {shape_text(first)}: they have one shape"
            )
    return None


@overload
def take(
    x: Array[Given[X], Guard, T], indices: Indices[Given[X], W], /, *, axis: int = ...
) -> LooseResult[Given[X], T]: ...
@overload
def take(
    x: Array[Given[X], Any, T], indices: Array[Given[X], Guard, W], /, *, axis: int = ...
) -> LooseResult[Given[X], T]: ...
@overload
def take(
    x: Array1[Given[X], A, T], indices: OneIndex[Given[X], W], /, *, axis: Literal[0, -1] = ...
) -> Result0[Given[X], T]: ...
@overload
def take(
    x: Array1[Given[X], A, T], indices: Array1[Given[X], E, W], /, *, axis: Literal[0, -1] = ...
) -> Result1[Given[X], E, T]: ...
@overload
def take(
    x: Array1[Given[X], A, T], indices: Array2[Given[X], E, F, W], /, *, axis: Literal[0, -1] = ...
) -> Result2[Given[X], E, F, T]: ...
@overload
def take(
    x: Array2[Given[X], A, B, T], indices: OneIndex[Given[X], W], /, *, axis: Literal[0, -2] = ...
) -> Result1[Given[X], B, T]: ...
@overload
def take(
    x: Array2[Given[X], A, B, T], indices: Array1[Given[X], E, W], /, *, axis: Literal[0, -2] = ...
) -> Result2[Given[X], E, B, T]: ...
@overload
def take(
    x: Array2[Given[X], A, B, T], indices: Array2[Given[X], E, F, W], /, *, axis: Literal[0, -2] = ...
) -> Result3[Given[X], E, F, B, T]: ...
@overload
def take(
    x: Array2[Given[X], A, B, T], indices: OneIndex[Given[X], W], /, *, axis: Literal[1, -1]
) -> Result1[Given[X], A, T]: ...
@overload
def take(
    x: Array2[Given[X], A, B, T], indices: Array1[Given[X], E, W], /, *, axis: Literal[1, -1]
) -> Result2[Given[X], A, E, T]: ...
@overload
def take(
    x: Array2[Given[X], A, B, T], indices: Array2[Given[X], E, F, W], /, *, axis: Literal[1, -1]
) -> Result3[Given[X], A, E, F, T]: ...
@overload
def take(
    x: Array3[Given[X], A, B, C, T], indices: OneIndex[Given[X], W], /, *, axis: Literal[0, -3] = ...
) -> Result2[Given[X], B, C, T]: ...
@overload
def take(
    x: Array3[Given[X], A, B, C, T], indices: Array1[Given[X], E, W], /, *, axis: Literal[0, -3] = ...
) -> Result3[Given[X], E, B, C, T]: ...
@overload
def take(
    x: Array3[Given[X], A, B, C, T], indices: OneIndex[Given[X], W], /, *, axis: Literal[1, -2]
) -> Result2[Given[X], A, C, T]: ...
@overload
def take(
    x: Array3[Given[X], A, B, C, T], indices: Array1[Given[X], E, W], /, *, axis: Literal[1, -2]
) -> Result3[Given[X], A, E, C, T]: ...
@overload
def take(
    x: Array3[Given[X], A, B, C, T], indices: OneIndex[Given[X], W], /, *, axis: Literal[2, -1]
) -> Result2[Given[X], A, B, T]: ...
@overload
def take(
    x: Array3[Given[X], A, B, C, T], indices: Array1[Given[X], E, W], /, *, axis: Literal[2, -1]
) -> Result3[Given[X], A, B, E, T]: ...
@overload
def take(
    x: Array[Given[X], Any, T], indices: Indices[Given[X], W], /, *, axis: int = ...
) -> LooseResult[Given[X], T]: ...
def take(x: object, indices: object, /, *, axis: int = 0) -> AnyFormula:
    """The slices of ``x`` at integer indices along an axis, such as the rows of an embedding."""
    return apply("take", x, indices, axis=axis)


@typed(product)
def matmul(a: object, b: object, /) -> AnyFormula:
    """The matrix product, as ``a @ b``."""
    return apply("matmul", a, b)


@overload
def astype(x: Layer[In, Shaped[S, Any]], dtype: type[T] | np.dtype[T], /) -> Result[In, S, T]: ...
@overload
def astype(
    x: Layer[In, Tape[complex, Any]] | Layer[In, Tape[np.generic, Any]], dtype: type[T] | np.dtype[T], /
) -> Result0[In, T]: ...
@overload
def astype(x: Layer[In, Tape[D, D]], dtype: str, /) -> Result0[In, Any]: ...
def astype(x: object, dtype: object, /) -> AnyFormula:
    """The operand in another dtype; the delta is cast back."""
    return apply("astype", x, dtype=dtype)


def zeros_like(x: Layer[In, Tape[D, D]], /) -> Result0[In, D]:
    """Zeros in the dtype and shape of the operand."""
    return apply("zeros_like", x)


def ones_like(x: Layer[In, Tape[D, D]], /) -> Result0[In, D]:
    """Ones in the dtype and shape of the operand."""
    return apply("ones_like", x)
