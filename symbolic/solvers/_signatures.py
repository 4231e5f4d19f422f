"""The types of solvers: the result has the structure of the start, in double precision."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# Overlaps are meant: of the calls that two overloads take, the first one has the more precise result.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

from layertree import Layer, Tape
from symbolic.core.types import AnyLayer
from symbolic.signatures.arrays import S
from symbolic.solvers._results import CurveFit, Flat, LeastSquares, Minimum, Root, WeightsLeastSquares, WeightsMinimum

F = TypeVar("F", bound="AnyLayer")

Objective: TypeAlias = "AnyLayer | Callable[..., object]"
"""A formula, or a Python function of formulas."""
Of2: TypeAlias = tuple[float, float]
"""Two variables, each one number; likewise three."""
Of3: TypeAlias = tuple[float, float, float]
Doubles: TypeAlias = np.ndarray[S, np.dtype[np.float64]]
AnyArray: TypeAlias = np.ndarray[S, Any]
Number: TypeAlias = Layer[Any, Tape[float, Any]]
"""A weight of a Python number."""
Weights: TypeAlias = "AnyLayer | Sequence[AnyLayer] | None"
Parts: TypeAlias = tuple[Any, ...]


@overload
def minimize(
    f: Objective, x0: float, args: object = ..., method: object = ..., **options: object
) -> Minimum[float]: ...
@overload
def minimize(
    f: Objective, x0: AnyArray[S], args: object = ..., method: object = ..., **options: object
) -> Minimum[Doubles[S]]: ...
@overload
def minimize(
    f: Objective, x0: list[float], args: object = ..., method: object = ..., **options: object
) -> Minimum[Flat]: ...
@overload
def minimize(f: Objective, x0: Of2, args: object = ..., method: object = ..., **options: object) -> Minimum[Of2]: ...
@overload
def minimize(f: Objective, x0: Of3, args: object = ..., method: object = ..., **options: object) -> Minimum[Of3]: ...
@overload
def minimize(
    f: Objective, x0: Parts, args: object = ..., method: object = ..., **options: object
) -> Minimum[Parts]: ...
@overload
def minimize(
    f: F,
    x0: None = ...,
    args: object = ...,
    method: object = ...,
    *,
    wrt: Number,
    update: bool = ...,
    **options: object,
) -> WeightsMinimum[float, F]: ...
@overload
def minimize(
    f: F,
    x0: None = ...,
    args: object = ...,
    method: object = ...,
    *,
    wrt: AnyLayer,
    update: bool = ...,
    **options: object,
) -> WeightsMinimum[Any, F]: ...
@overload
def minimize(
    f: F,
    x0: None = ...,
    args: object = ...,
    method: object = ...,
    *,
    wrt: Sequence[AnyLayer] | None = ...,
    update: bool = ...,
    **options: object,
) -> WeightsMinimum[Parts, F]: ...
def minimize(f: object, x0: object = None, args: object = (), method: object = None, **options: object) -> object:
    """The type of ``minimize``."""


@overload
def root(f: Objective, x0: float, args: object = ..., method: str = ..., **options: object) -> Root[float]: ...
@overload
def root(
    f: Objective, x0: AnyArray[S], args: object = ..., method: str = ..., **options: object
) -> Root[Doubles[S]]: ...
@overload
def root(f: Objective, x0: list[float], args: object = ..., method: str = ..., **options: object) -> Root[Flat]: ...
@overload
def root(f: Objective, x0: Of2, args: object = ..., method: str = ..., **options: object) -> Root[Of2]: ...
@overload
def root(f: Objective, x0: Of3, args: object = ..., method: str = ..., **options: object) -> Root[Of3]: ...
@overload
def root(f: Objective, x0: Parts, args: object = ..., method: str = ..., **options: object) -> Root[Parts]: ...
def root(f: object, x0: object, args: object = (), method: str = "hybr", **options: object) -> object:
    """The type of ``root``."""


@overload
def least_squares(f: Objective, x0: float, args: object = ..., **options: object) -> LeastSquares[float]: ...
@overload
def least_squares(f: Objective, x0: AnyArray[S], args: object = ..., **options: object) -> LeastSquares[Doubles[S]]: ...
@overload
def least_squares(f: Objective, x0: list[float], args: object = ..., **options: object) -> LeastSquares[Flat]: ...
@overload
def least_squares(f: Objective, x0: Of2, args: object = ..., **options: object) -> LeastSquares[Of2]: ...
@overload
def least_squares(f: Objective, x0: Of3, args: object = ..., **options: object) -> LeastSquares[Of3]: ...
@overload
def least_squares(f: Objective, x0: Parts, args: object = ..., **options: object) -> LeastSquares[Parts]: ...
@overload
def least_squares(
    f: F, x0: None = ..., args: object = ..., *, wrt: Number, update: bool = ..., **options: object
) -> WeightsLeastSquares[float, F]: ...
@overload
def least_squares(
    f: F, x0: None = ..., args: object = ..., *, wrt: AnyLayer, update: bool = ..., **options: object
) -> WeightsLeastSquares[Any, F]: ...
@overload
def least_squares(
    f: F,
    x0: None = ...,
    args: object = ...,
    *,
    wrt: Sequence[AnyLayer] | None = ...,
    update: bool = ...,
    **options: object,
) -> WeightsLeastSquares[Parts, F]: ...
def least_squares(f: object, x0: object = None, args: object = (), **options: object) -> object:
    """The type of ``least_squares``."""


@overload
def curve_fit(
    model: Objective,
    x: object,
    y: object,
    start: float | Sequence[float] | AnyArray[S],
    *,
    sigma: object = ...,
    absolute_sigma: bool = ...,
    bounds: object = ...,
    **options: object,
) -> CurveFit[Flat]: ...
@overload
def curve_fit(
    model: Objective,
    x: object,
    y: object,
    start: Parts,
    *,
    sigma: object = ...,
    absolute_sigma: bool = ...,
    bounds: object = ...,
    **options: object,
) -> CurveFit[tuple[float | Flat, ...]]: ...
@overload
def curve_fit(
    model: AnyLayer,
    x: object,
    y: object,
    start: None = ...,
    *,
    wrt: Weights = ...,
    update: bool = ...,
    sigma: object = ...,
    absolute_sigma: bool = ...,
    bounds: object = ...,
    **options: object,
) -> CurveFit[Any]: ...
def curve_fit(model: object, x: object, y: object, start: object = None, **options: object) -> object:
    """The type of ``curve_fit``."""
