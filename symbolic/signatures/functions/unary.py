"""The types of functions of one operand, by what they do to whole numbers."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from __future__ import annotations

from typing import Any, overload

import numpy as np

from layertree import Layer, Tape
from symbolic.core.symbolic import Symbolic
from symbolic.signatures.arrays import In, N, R, S, Shaped, WholeTape


@overload
def smooth(x: Layer[In, Shaped[S, R]], /) -> Symbolic[In, Shaped[S, R]]: ...
@overload
def smooth(x: Layer[In, Tape[R, R]], /) -> Symbolic[In, Tape[R, R]]: ...
@overload
def smooth(x: Layer[In, Tape[float, float]], /) -> Symbolic[In, Tape[float, float]]: ...
@overload
def smooth(x: Layer[In, WholeTape], /) -> Symbolic[In, Tape[float, float]]: ...
@overload
def smooth(x: Layer[In, Shaped[S, np.int64]], /) -> Symbolic[In, Shaped[S, np.float64]]: ...
@overload
def smooth(x: Layer[In, Tape[np.int64, np.int64]], /) -> Symbolic[In, Tape[np.float64, np.float64]]: ...
def smooth(x: Any, /) -> Any:
    """What gives floats: of Python integers and booleans float, of int64 float64. Others are to be cast first."""


@overload
def floating(x: Layer[In, Shaped[S, R]], /) -> Symbolic[In, Shaped[S, R]]: ...
@overload
def floating(x: Layer[In, Tape[R, R]], /) -> Symbolic[In, Tape[R, R]]: ...
@overload
def floating(x: Layer[In, Tape[float, float]], /) -> Symbolic[In, Tape[float, float]]: ...
def floating(x: Any, /) -> Any:
    """What takes floats alone, and keeps their type."""


@overload
def quantity(x: Layer[In, Shaped[S, N]], /) -> Symbolic[In, Shaped[S, N]]: ...
@overload
def quantity(x: Layer[In, Tape[N, N]], /) -> Symbolic[In, Tape[N, N]]: ...
@overload
def quantity(x: Layer[In, Tape[float, float]], /) -> Symbolic[In, Tape[float, float]]: ...
@overload
def quantity(x: Layer[In, Tape[int, int]], /) -> Symbolic[In, Tape[int, int]]: ...
def quantity(x: Any, /) -> Any:
    """What keeps the type of numbers, and is not defined for booleans."""


@overload
def amount(x: Layer[In, Shaped[S, N]], /) -> Symbolic[In, Shaped[S, N]]: ...
@overload
def amount(x: Layer[In, Tape[N, N]], /) -> Symbolic[In, Tape[N, N]]: ...
@overload
def amount(x: Layer[In, Tape[float, float]], /) -> Symbolic[In, Tape[float, float]]: ...
@overload
def amount(x: Layer[In, WholeTape], /) -> Symbolic[In, Tape[int, int]]: ...
def amount(x: Any, /) -> Any:
    """What keeps the type of numbers; Python booleans count as integers. Arrays of booleans are to be cast first."""
