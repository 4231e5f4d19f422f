"""The types of functions of one operand, by their results for integers and booleans."""
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import overload

import numpy as np

from layertree import Layer, Tape
from symbolic.signatures.arrays import *


@overload
def smooth(x: Layer[In, Shaped[S, R]], /) -> Result[In, S, R]: ...
@overload
def smooth(x: Layer[In, Tape[R, R]], /) -> Result0[In, R]: ...
@overload
def smooth(x: Layer[In, Tape[float, float]], /) -> Result0[In, float]: ...
@overload
def smooth(x: Layer[In, WholeTape], /) -> Result0[In, float]: ...
@overload
def smooth(x: Layer[In, Shaped[S, np.int64]], /) -> Result[In, S, np.float64]: ...
@overload
def smooth(x: Layer[In, Tape[np.int64, np.int64]], /) -> Result0[In, np.float64]: ...
def smooth(x: object, /) -> object:
    """A function that gives floats: float for Python integers and booleans, float64 for int64. It takes no others."""


@overload
def floating(x: Layer[In, Shaped[S, R]], /) -> Result[In, S, R]: ...
@overload
def floating(x: Layer[In, Tape[R, R]], /) -> Result0[In, R]: ...
@overload
def floating(x: Layer[In, Tape[float, float]], /) -> Result0[In, float]: ...
def floating(x: object, /) -> object:
    """A function that takes floats alone, and keeps their type."""


@overload
def quantity(x: Layer[In, Shaped[S, N]], /) -> Result[In, S, N]: ...
@overload
def quantity(x: Layer[In, Tape[N, N]], /) -> Result0[In, N]: ...
@overload
def quantity(x: Layer[In, Tape[float, float]], /) -> Result0[In, float]: ...
@overload
def quantity(x: Layer[In, Tape[int, int]], /) -> Result0[In, int]: ...
def quantity(x: object, /) -> object:
    """A function that keeps the type of numbers, and does not take booleans."""


@overload
def amount(x: Layer[In, Shaped[S, N]], /) -> Result[In, S, N]: ...
@overload
def amount(x: Layer[In, Tape[N, N]], /) -> Result0[In, N]: ...
@overload
def amount(x: Layer[In, Tape[float, float]], /) -> Result0[In, float]: ...
@overload
def amount(x: Layer[In, WholeTape], /) -> Result0[In, int]: ...
def amount(x: object, /) -> object:
    """A function that keeps the type of numbers. Python booleans count as integers; it takes no arrays of booleans."""
