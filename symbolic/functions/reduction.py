"""Reductions over axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from layertree import Layer, ShapeError
from layertree.core.attribute import Rule
from symbolic.building.checks import block_text, floats, narrowed, widened
from symbolic.building.operations import apply, as_symbolic
from symbolic.signatures import typed

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
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
def sum(x: object, /, *, axis: Axis = None, keepdims: bool = False) -> AnyFormula:
    """The sum over one axis, several, or all (None); 0 for no elements."""
    return apply("sum", x, axis=axis, keepdims=keepdims)


@typed(average)
def mean(x: object, /, *, axis: Axis = None, keepdims: bool = False) -> AnyFormula:
    """The mean over one axis, several, or all (None); NaN for no elements."""
    return apply("mean", x, axis=axis, keepdims=keepdims)


@typed(total)
def prod(x: object, /, *, axis: Axis = None, keepdims: bool = False) -> AnyFormula:
    """The product over one axis, several, or all (None); 1 for no elements. Derivatives are exact at zeros."""
    return apply("prod", x, axis=axis, keepdims=keepdims)


@typed(average)
def logsumexp(x: object, /, *, axis: Axis = None, keepdims: bool = False) -> AnyFormula:
    """log(sum(exp(x))) over axes, stable at any magnitude. An axis without elements is an error."""
    return apply("logsumexp", x, axis=axis, keepdims=keepdims)


@typed(extreme)
def max(x: object, /, *, axis: Axis = None, keepdims: bool = False) -> AnyFormula:
    """The largest element over axes; ties share the delta evenly. An axis without elements is an error."""
    return apply("max", x, axis=axis, keepdims=keepdims)


@typed(extreme)
def min(x: object, /, *, axis: Axis = None, keepdims: bool = False) -> AnyFormula:
    """The smallest element over axes; ties share the delta evenly. An axis without elements is an error."""
    return apply("min", x, axis=axis, keepdims=keepdims)


@typed(position)
def argmax(x: object, /, *, axis: int | None = None, keepdims: bool = False) -> AnyFormula:
    """The position of the largest element along an axis, the first one on a tie.

    Without an axis it is the position in the flattened array (C order), as in the Array API standard.
    """
    symbol = as_symbolic(x)
    if axis is not None or isinstance(symbol.spec, tuple) or not symbol.ndim:
        return apply("argmax", symbol, axis=-1 if axis is None else axis, keepdims=keepdims)
    whole = symbol if symbol.ndim == 1 else apply("merge_dims", symbol, start=-symbol.ndim, stop=0)
    found = apply("argmax", whole, axis=-1)
    return apply("reshape", found, shape=(1,) * symbol.ndim) if keepdims else found


@typed(spread)
def var(x: object, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> AnyFormula:
    """The variance over axes: the sum of squared distances from the mean, divided by the count minus ``correction``.

    With a correction of 1 it is the unbiased estimate from a sample. For no elements it is NaN.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> var(placeholder(ArraySpec((3,))), correction=1).predict(np.array([1.0, 2.0, 3.0])).item()
    1.0
    """
    symbol, centred, count = _deviations(x, axis, correction, "var")
    squares = apply("sum", apply("multiply", centred, centred), axis=axis, keepdims=keepdims)
    return narrowed(apply("divide", squares, count), symbol)


@typed(spread)
def std(x: object, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> AnyFormula:
    """The standard deviation over axes: the square root of ``var``. Its derivative is 0 if all elements are equal.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> std(placeholder(ArraySpec((2,)))).predict(np.array([1.0, 3.0])).item()
    1.0
    """
    symbol, centred, count = _deviations(x, axis, correction, "std")
    length = apply("vector_norm", centred, axis=axis, keepdims=keepdims)
    return narrowed(apply("divide", length, apply("sqrt", count)), symbol)


def _deviations(x: object, axis: Axis, correction: float, name: str) -> tuple[AnyFormula, AnyFormula, AnyFormula]:
    """The formula, its deviations from the mean, of float16 in float32, and the divisor of the sum of squares."""
    correction = _CORRECTION.conform(correction, float, f"{name}: correction")
    symbol = floats(x, name)
    count = apply("axis_size", symbol, axis=axis)
    if correction:
        count = apply("maximum", apply("subtract", count, correction), 0.0)
    wide = widened(symbol)
    return symbol, apply("subtract", wide, apply("mean", wide, axis=axis, keepdims=True)), count


@typed(norm)
def vector_norm(x: object, /, *, axis: Axis = None, keepdims: bool = False, ord: float = 2) -> AnyFormula:
    """The norm over axes: the root of the sum of squares; with ``ord`` 1 the sum of magnitudes, with inf their maximum.

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
    """The sum of each element and all elements before it along an axis, which may be left out for a vector.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> cumulative_sum(placeholder(ArraySpec((3,)))).predict(np.array([1.0, 2.0, 4.0])).tolist()
    [1.0, 3.0, 7.0]
    """
    return apply("cumulative_sum", x, axis=_only_axis(x, axis, "cumulative_sum"))


def cumulative_prod(x: Layer[In, Shaped[S, N]], /, *, axis: int | None = None) -> Result[In, S, N]:
    """The product of each element and all elements before it along an axis, which may be left out for a vector.

    Derivatives are exact at zeros.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> cumulative_prod(placeholder(ArraySpec((3,)))).predict(np.array([1.0, 2.0, 4.0])).tolist()
    [1.0, 2.0, 8.0]
    """
    return apply("cumulative_prod", x, axis=_only_axis(x, axis, "cumulative_prod"))


def _only_axis(x: object, axis: int | None, name: str) -> int:
    """The axis, which may be left out for a vector. Raises ShapeError if it is left out for another array."""
    if axis is not None:
        return axis
    symbol = as_symbolic(x)
    if isinstance(symbol.spec, tuple) or symbol.ndim != 1:
        raise ShapeError(f"{block_text(symbol, name)}: of an array that is no vector say along which axis: axis=-1")
    return -1
