"""The types of solvers: the result has the structure of the start, in double precision."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# Overlaps are meant: of the calls that two overloads take, the first one has the more precise result.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

from layertree import Layer, Tape
from symbolic.signatures.arrays import S
from symbolic.solvers._results import CurveFit, Flat, LeastSquares, Minimum, Root, WeightsLeastSquares, WeightsMinimum

F = TypeVar("F", bound=Layer[Any, Any])

Objective: TypeAlias = Layer[Any, Any] | Callable[..., object]
"""A formula, or a Python function of formulas."""
Of2: TypeAlias = tuple[float, float]
"""Two variables, each one number; likewise three."""
Of3: TypeAlias = tuple[float, float, float]
Doubles: TypeAlias = np.ndarray[S, np.dtype[np.float64]]
AnyArray: TypeAlias = np.ndarray[S, Any]
Number: TypeAlias = Layer[Any, Tape[float, Any]]
"""A weight of a Python number."""
Weights: TypeAlias = Layer[Any, Any] | Sequence[Layer[Any, Any]] | None
Parts: TypeAlias = tuple[Any, ...]


@overload
def minimize(f: Objective, x0: float, args: object = ..., method: object = ..., **options: Any) -> Minimum[float]: ...
@overload
def minimize(
    f: Objective, x0: AnyArray[S], args: object = ..., method: object = ..., **options: Any
) -> Minimum[Doubles[S]]: ...
@overload
def minimize(
    f: Objective, x0: list[float], args: object = ..., method: object = ..., **options: Any
) -> Minimum[Flat]: ...
@overload
def minimize(f: Objective, x0: Of2, args: object = ..., method: object = ..., **options: Any) -> Minimum[Of2]: ...
@overload
def minimize(f: Objective, x0: Of3, args: object = ..., method: object = ..., **options: Any) -> Minimum[Of3]: ...
@overload
def minimize(f: Objective, x0: Parts, args: object = ..., method: object = ..., **options: Any) -> Minimum[Parts]: ...
@overload
def minimize(
    f: F, x0: None = ..., args: object = ..., method: object = ..., *, wrt: Number, update: bool = ..., **options: Any
) -> WeightsMinimum[float, F]: ...
@overload
def minimize(
    f: F,
    x0: None = ...,
    args: object = ...,
    method: object = ...,
    *,
    wrt: Layer[Any, Any],
    update: bool = ...,
    **options: Any,
) -> WeightsMinimum[Any, F]: ...
@overload
def minimize(
    f: F,
    x0: None = ...,
    args: object = ...,
    method: object = ...,
    *,
    wrt: Sequence[Layer[Any, Any]] | None = ...,
    update: bool = ...,
    **options: Any,
) -> WeightsMinimum[Parts, F]: ...
def minimize(f: Any, x0: Any = None, args: object = (), method: object = None, **options: Any) -> Any:
    """The type of ``minimize``."""


@overload
def root(f: Objective, x0: float, args: object = ..., method: str = ..., **options: Any) -> Root[float]: ...
@overload
def root(f: Objective, x0: AnyArray[S], args: object = ..., method: str = ..., **options: Any) -> Root[Doubles[S]]: ...
@overload
def root(f: Objective, x0: list[float], args: object = ..., method: str = ..., **options: Any) -> Root[Flat]: ...
@overload
def root(f: Objective, x0: Of2, args: object = ..., method: str = ..., **options: Any) -> Root[Of2]: ...
@overload
def root(f: Objective, x0: Of3, args: object = ..., method: str = ..., **options: Any) -> Root[Of3]: ...
@overload
def root(f: Objective, x0: Parts, args: object = ..., method: str = ..., **options: Any) -> Root[Parts]: ...
def root(f: Any, x0: Any, args: object = (), method: str = "hybr", **options: Any) -> Any:
    """The type of ``root``."""


@overload
def least_squares(f: Objective, x0: float, args: object = ..., **options: Any) -> LeastSquares[float]: ...
@overload
def least_squares(f: Objective, x0: AnyArray[S], args: object = ..., **options: Any) -> LeastSquares[Doubles[S]]: ...
@overload
def least_squares(f: Objective, x0: list[float], args: object = ..., **options: Any) -> LeastSquares[Flat]: ...
@overload
def least_squares(f: Objective, x0: Of2, args: object = ..., **options: Any) -> LeastSquares[Of2]: ...
@overload
def least_squares(f: Objective, x0: Of3, args: object = ..., **options: Any) -> LeastSquares[Of3]: ...
@overload
def least_squares(f: Objective, x0: Parts, args: object = ..., **options: Any) -> LeastSquares[Parts]: ...
@overload
def least_squares(
    f: F, x0: None = ..., args: object = ..., *, wrt: Number, update: bool = ..., **options: Any
) -> WeightsLeastSquares[float, F]: ...
@overload
def least_squares(
    f: F, x0: None = ..., args: object = ..., *, wrt: Layer[Any, Any], update: bool = ..., **options: Any
) -> WeightsLeastSquares[Any, F]: ...
@overload
def least_squares(
    f: F,
    x0: None = ...,
    args: object = ...,
    *,
    wrt: Sequence[Layer[Any, Any]] | None = ...,
    update: bool = ...,
    **options: Any,
) -> WeightsLeastSquares[Parts, F]: ...
def least_squares(f: Any, x0: Any = None, args: object = (), **options: Any) -> Any:
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
    **options: Any,
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
    **options: Any,
) -> CurveFit[tuple[float | Flat, ...]]: ...
@overload
def curve_fit(
    model: Layer[Any, Any],
    x: object,
    y: object,
    start: None = ...,
    *,
    wrt: Weights = ...,
    update: bool = ...,
    sigma: object = ...,
    absolute_sigma: bool = ...,
    bounds: object = ...,
    **options: Any,
) -> CurveFit[Any]: ...
def curve_fit(model: Any, x: Any, y: Any, start: Any = None, **options: Any) -> Any:
    """The type of ``curve_fit``."""
