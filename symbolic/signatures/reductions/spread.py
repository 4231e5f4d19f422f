"""The type of variances."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# Meant: of the calls that two overloads take, the first one says most.

from __future__ import annotations

from typing import Any, Literal, overload

from layertree import Layer, Tape
from symbolic.core.symbolic import Symbolic
from symbolic.signatures.arrays import A, B, C, Guard, High, In, Loose, One, R, Shaped
from symbolic.signatures.reductions.axes import Axis


@overload
def spread(
    x: Layer[In, Shaped[Any, R]], /, *, axis: None = ..., keepdims: Literal[False] = ..., correction: float = ...
) -> Symbolic[In, Tape[R, R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[Guard, R]], /, *, axis: Axis = ..., keepdims: bool = ..., correction: float = ...
) -> Symbolic[In, Shaped[Loose, R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A], R]], /, *, axis: int, keepdims: Literal[False] = ..., correction: float = ...
) -> Symbolic[In, Tape[R, R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A], R]], /, *, axis: int, keepdims: Literal[True], correction: float = ...
) -> Symbolic[In, Shaped[tuple[One], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B], R]],
    /,
    *,
    axis: Literal[1, -1],
    keepdims: Literal[False] = ...,
    correction: float = ...,
) -> Symbolic[In, Shaped[tuple[A], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B], R]], /, *, axis: Literal[1, -1], keepdims: Literal[True], correction: float = ...
) -> Symbolic[In, Shaped[tuple[A, One], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B], R]],
    /,
    *,
    axis: Literal[0, -2],
    keepdims: Literal[False] = ...,
    correction: float = ...,
) -> Symbolic[In, Shaped[tuple[B], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B], R]], /, *, axis: Literal[0, -2], keepdims: Literal[True], correction: float = ...
) -> Symbolic[In, Shaped[tuple[One, B], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B], R]], /, *, axis: int, keepdims: Literal[False] = ..., correction: float = ...
) -> Symbolic[In, Shaped[tuple[int], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B], R]], /, *, axis: int, keepdims: Literal[True], correction: float = ...
) -> Symbolic[In, Shaped[tuple[int, int], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B, C], R]],
    /,
    *,
    axis: Literal[2, -1],
    keepdims: Literal[False] = ...,
    correction: float = ...,
) -> Symbolic[In, Shaped[tuple[A, B], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B, C], R]],
    /,
    *,
    axis: Literal[2, -1],
    keepdims: Literal[True],
    correction: float = ...,
) -> Symbolic[In, Shaped[tuple[A, B, One], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B, C], R]],
    /,
    *,
    axis: Literal[1, -2],
    keepdims: Literal[False] = ...,
    correction: float = ...,
) -> Symbolic[In, Shaped[tuple[A, C], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B, C], R]],
    /,
    *,
    axis: Literal[1, -2],
    keepdims: Literal[True],
    correction: float = ...,
) -> Symbolic[In, Shaped[tuple[A, One, C], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B, C], R]],
    /,
    *,
    axis: Literal[0, -3],
    keepdims: Literal[False] = ...,
    correction: float = ...,
) -> Symbolic[In, Shaped[tuple[B, C], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B, C], R]],
    /,
    *,
    axis: Literal[0, -3],
    keepdims: Literal[True],
    correction: float = ...,
) -> Symbolic[In, Shaped[tuple[One, B, C], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B, C], R]], /, *, axis: int, keepdims: Literal[False] = ..., correction: float = ...
) -> Symbolic[In, Shaped[tuple[int, int], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[tuple[A, B, C], R]], /, *, axis: int, keepdims: Literal[True], correction: float = ...
) -> Symbolic[In, Shaped[tuple[int, int, int], R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[High, R]], /, *, axis: int, keepdims: bool = ..., correction: float = ...
) -> Symbolic[In, Shaped[Loose, R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[Any, R]], /, *, axis: tuple[int, ...], keepdims: bool = ..., correction: float = ...
) -> Symbolic[In, Shaped[Loose, R]]: ...
@overload
def spread(
    x: Layer[In, Shaped[Any, R]], /, *, axis: None = ..., keepdims: Literal[True], correction: float = ...
) -> Symbolic[In, Shaped[Loose, R]]: ...
def spread(x: Any, /, *, axis: Axis = None, keepdims: bool = False, correction: float = 0.0) -> Any:
    """What gives floats of floats, over a count that may be corrected."""
