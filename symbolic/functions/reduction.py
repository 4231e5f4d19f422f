"""Reductions over axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from layertree import Layer, ShapeError
from layertree._attribute import Rule
from symbolic.building.checks import block_text, floats
from symbolic.building.operations import apply, as_symbolic
from symbolic.signatures import typed

if TYPE_CHECKING:
    from symbolic.signatures.arrays import In, N, Result, S, Shaped
    from symbolic.signatures.reductions import Axis, average, extreme, norm, position, spread, total
else:  # the signatures load under a checker alone
    average = extreme = norm = position = spread = total = None

__all__ = [
    "argmax",
    "cumulative_prod",
    "cumulative_sum",
    "logsumexp",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
    "vector_norm",
]

_CORRECTION = Rule(None, None, None)


@typed(total)
def sum(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The sum over one axis, several, or all (None); 0 over nothing."""
    return apply("sum", x, axis=axis, keepdims=keepdims)


@typed(average)
def mean(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The mean over one axis, several, or all (None); NaN over nothing."""
    return apply("mean", x, axis=axis, keepdims=keepdims)


@typed(total)
def prod(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The product over one axis, several, or all (None); 1 over nothing. Derivatives are exact at zeros."""
    return apply("prod", x, axis=axis, keepdims=keepdims)


@typed(average)
def logsumexp(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """log(sum(exp(x))) over axes, stable at any magnitude. Of nothing an error."""
    return apply("logsumexp", x, axis=axis, keepdims=keepdims)


@typed(extreme)
def max(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The largest element over axes; ties share the delta evenly. Of nothing an error."""
    return apply("max", x, axis=axis, keepdims=keepdims)


@typed(extreme)
def min(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The smallest element over axes; ties share the delta evenly. Of nothing an error."""
    return apply("min", x, axis=axis, keepdims=keepdims)


@typed(position)
def argmax(x: Any, /, *, axis: int = -1, keepdims: bool = False) -> Any:
    """The position of the largest element along an axis, the first one on a tie."""
    return apply("argmax", x, axis=axis, keepdims=keepdims)


@typed(spread)
def var(x: Any, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """The variance over axes: the sum of squared distances from the mean, divided by the count minus ``correction``.

    With 1 it is the estimate from a sample. Over nothing it is NaN.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> var(placeholder(ArraySpec((3,))), correction=1).predict(np.array([1.0, 2.0, 3.0])).item()
    1.0
    """
    centred, count = _deviations(x, axis, correction, "var")
    return apply("sum", centred * centred, axis=axis, keepdims=keepdims) / count


@typed(spread)
def std(x: Any, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """The standard deviation over axes: the root of ``var``. Its derivative where all are equal is 0.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> std(placeholder(ArraySpec((2,)))).predict(np.array([1.0, 3.0])).item()
    1.0
    """
    centred, count = _deviations(x, axis, correction, "std")
    return apply("vector_norm", centred, axis=axis, keepdims=keepdims) / apply("sqrt", count)


def _deviations(x: Any, axis: Axis, correction: float, name: str) -> tuple[Any, Any]:
    """The distances from the mean, and what the sum of their squares is divided by."""
    correction = _CORRECTION.conform(correction, float, f"{name}: correction")
    x = floats(x, name)
    count = apply("axis_size", x, axis=axis)
    if correction:
        count = apply("maximum", count - correction, 0.0)
    return x - apply("mean", x, axis=axis, keepdims=True), count


@typed(norm)
def vector_norm(x: Any, /, *, axis: Axis = None, keepdims: bool = False, ord: float = 2) -> Any:
    """The norm over axes: the root of the sum of squares; with ``ord`` 1 the sum of magnitudes, with inf the largest.

    At 0 the derivative is 0. Another ``ord`` is a ValueError.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> vector_norm(placeholder(ArraySpec((2,)))).predict(np.array([3.0, 4.0])).item()
    5.0
    """
    x = floats(x, "vector_norm")
    if ord == 2:
        return apply("vector_norm", x, axis=axis, keepdims=keepdims)
    if ord == 1:
        return apply("sum", apply("abs", x), axis=axis, keepdims=keepdims)
    if ord == math.inf:
        return apply("max", apply("abs", x), axis=axis, keepdims=keepdims)
    raise ValueError(f"vector_norm: ord = {ord!r} is not allowed: give 1, 2 or math.inf")


def cumulative_sum(x: Layer[In, Shaped[S, N]], /, *, axis: int | None = None) -> Result[In, S, N]:
    """The sum of each element with all before it along an axis, which may be left out for a vector.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> cumulative_sum(placeholder(ArraySpec((3,)))).predict(np.array([1.0, 2.0, 4.0])).tolist()
    [1.0, 3.0, 7.0]
    """
    return apply("cumulative_sum", x, axis=_only_axis(x, axis, "cumulative_sum"))


def cumulative_prod(x: Layer[In, Shaped[S, N]], /, *, axis: int | None = None) -> Result[In, S, N]:
    """The product of each element with all before it along an axis, which may be left out for a vector.

    Derivatives are exact at zeros.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> cumulative_prod(placeholder(ArraySpec((3,)))).predict(np.array([1.0, 2.0, 4.0])).tolist()
    [1.0, 2.0, 8.0]
    """
    return apply("cumulative_prod", x, axis=_only_axis(x, axis, "cumulative_prod"))


def _only_axis(x: Any, axis: int | None, name: str) -> int:
    """The axis that is meant; without one there has to be only one."""
    if axis is not None:
        return axis
    symbol = as_symbolic(x)
    if isinstance(symbol.spec, tuple) or symbol.ndim != 1:
        raise ShapeError(f"{block_text(symbol, name)}: of an array that is no vector say along which axis: axis=-1")
    return -1
