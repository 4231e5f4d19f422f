"""Embeddings, layer normalisation and attention, as formulas over smaller layers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from layertree import DTypeError, Layer, ShapeError, scope
from layertree.core.attribute import Rule
from layertree.core.public import listed
from layertree.core.spec import spec_text
from symbolic import initializers
from symbolic.building.checks import (
    block_text,
    floats,
    last_size,
    narrowed,
    scaled_and_shifted,
    widened,
)
from symbolic.building.operations import apply, as_symbolic
from symbolic.building.placeholders import in_role, weight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from symbolic.core.formula import AnyFormula
    from symbolic.signatures.arrays import (
        A,
        AnyRank,
        Array,
        B,
        C,
        E,
        F,
        Given,
        H,
        In,
        LooseRank,
        LooseResult,
        R,
        Rank1,
        Rank2,
        Rank3,
        Rank4,
        Result,
        Result2,
        Result3,
        Result4,
        S,
        Shaped,
        W,
        X,
    )

__all__ = ["embedding", "layer_norm", "scaled_dot_product_attention"]


def __dir__() -> list[str]:
    return listed(globals())


@overload
def embedding(
    indices: LooseRank[In, W], vocabulary: int, features: int, /, *, name: str = ...
) -> LooseResult[In, np.float32]: ...
@overload
def embedding(
    indices: Rank1[In, A, W], vocabulary: int, features: E, /, *, name: str = ...
) -> Result2[In, A, E, np.float32]: ...
@overload
def embedding(
    indices: Rank2[In, A, B, W], vocabulary: int, features: E, /, *, name: str = ...
) -> Result3[In, A, B, E, np.float32]: ...
def embedding(indices: object, vocabulary: int, features: int, /, *, name: str = "embedding") -> AnyFormula:
    """A row of a table for each index: integers (...) to float32 (..., features).

    The table is a weight (vocabulary, features), drawn from a normal distribution of standard deviation 0.02. A run
    raises IndexRangeError for an index outside of the table.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> embedding(placeholder(ArraySpec(("Batch", 5), np.int64)), 65, 16).spec
    float32 (Batch, 5, 16)
    """
    size = Rule(1, None, None)
    vocabulary = size.conform(vocabulary, int, "embedding: vocabulary")
    features = size.conform(features, int, "embedding: features")
    with scope(name):
        table = in_role(weight(initializers.normal(vocabulary, features, std=0.02)), "table")
    return apply("take", table, indices, axis=0)


def layer_norm(x: Layer[In, Shaped[S, R]], /, *, epsilon: float = 1e-5, name: str = "layer_norm") -> Result[In, S, R]:
    """Each row (the last axis) shifted to mean 0 and scaled to variance 1, then scaled and shifted by weights.

    ``(x - mean) / sqrt(variance + epsilon) * gain + offset``, with the biased variance (Ba, Kiros and Hinton,
    2016).

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> y = layer_norm(placeholder(ArraySpec((None, 2), np.float64)))
    >>> y.predict(np.array([[1.0, 3.0]])).round(4).tolist()
    [[-1.0, 1.0]]
    """
    epsilon = Rule(0.0, None, None).conform(epsilon, float, "layer_norm: epsilon")
    symbol = floats(x, "layer_norm")
    features = last_size(symbol, "layer_norm")
    with scope(name):
        gain = in_role(weight(np.ones(features, symbol.dtype)), "gain")
        offset = in_role(weight(np.zeros(features, symbol.dtype)), "offset")
    wide = widened(symbol)
    centred = apply("subtract", wide, apply("mean", wide, axis=-1, keepdims=True))
    variance = apply("mean", apply("multiply", centred, centred), axis=-1, keepdims=True)
    return narrowed(scaled_and_shifted(centred, variance, epsilon, gain, offset), symbol)


@overload
def scaled_dot_product_attention(
    query: LooseRank[Given[X], R],
    key: AnyRank[Given[X], R],
    value: AnyRank[Given[X], R],
    /,
    *,
    mask: Array[Given[X], Any, np.bool_] | None = ...,
    causal: bool = ...,
) -> LooseResult[Given[X], R]: ...
@overload
def scaled_dot_product_attention(
    query: AnyRank[Given[X], R],
    key: LooseRank[Given[X], R],
    value: AnyRank[Given[X], R],
    /,
    *,
    mask: Array[Given[X], Any, np.bool_] | None = ...,
    causal: bool = ...,
) -> LooseResult[Given[X], R]: ...
@overload
def scaled_dot_product_attention(
    query: AnyRank[Given[X], R],
    key: AnyRank[Given[X], R],
    value: LooseRank[Given[X], R],
    /,
    *,
    mask: Array[Given[X], Any, np.bool_] | None = ...,
    causal: bool = ...,
) -> LooseResult[Given[X], R]: ...
@overload
def scaled_dot_product_attention(
    query: Rank2[Given[X], B, E, R],
    key: Rank2[Given[X], C, E, R],
    value: Rank2[Given[X], C, F, R],
    /,
    *,
    mask: Array[Given[X], Any, np.bool_] | None = ...,
    causal: bool = ...,
) -> Result2[Given[X], B, F, R]: ...
@overload
def scaled_dot_product_attention(
    query: Rank3[Given[X], A, B, E, R],
    key: Rank3[Given[X], A, C, E, R],
    value: Rank3[Given[X], A, C, F, R],
    /,
    *,
    mask: Array[Given[X], Any, np.bool_] | None = ...,
    causal: bool = ...,
) -> Result3[Given[X], A, B, F, R]: ...
@overload
def scaled_dot_product_attention(
    query: Rank4[Given[X], A, H, B, E, R],
    key: Rank4[Given[X], A, H, C, E, R],
    value: Rank4[Given[X], A, H, C, F, R],
    /,
    *,
    mask: Array[Given[X], Any, np.bool_] | None = ...,
    causal: bool = ...,
) -> Result4[Given[X], A, H, B, F, R]: ...
def scaled_dot_product_attention(
    query: object, key: object, value: object, /, *, mask: object = None, causal: bool = False
) -> AnyFormula:
    """``softmax(query @ key.mT / sqrt(features) + mask) @ value`` (Vaswani et al., 2017).

    Queries are (..., time, features), keys (..., steps, features), values (..., steps, width); the result is
    (..., time, width). ``mask`` is boolean and broadcasts to (..., time, steps): a query attends to the steps with
    True, and a query without such a step gives zeros. A step to which no query attends, such as padding, does not
    matter, whatever its key and value are, NaN included. With ``causal`` each step attends to itself and the steps
    before it; the numbers of steps have to be known.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> x = placeholder(ArraySpec(("Batch", 5, 8), np.float32))
    >>> scaled_dot_product_attention(x, x, x, causal=True).spec
    float32 (Batch, 5, 8)
    """
    block = "scaled_dot_product_attention"
    queries, keys, values = (floats(operand, block) for operand in (query, key, value))
    allowed = None if mask is None else as_symbolic(mask)
    if allowed is not None:
        if allowed.dtype.kind != "b":
            raise DTypeError(f"{block}: the mask is {spec_text(allowed.spec)}: booleans are wanted")
        keys, values = _attended(keys, allowed), _attended(values, allowed)
    scores = apply("matmul", queries, apply("matrix_transpose", keys))
    scores = apply("multiply", scores, _scale(queries))
    if causal:
        scores = apply("where", _causal_mask(scores, block), scores, -float("inf"))
    if allowed is not None:
        scores = apply("where", allowed, scores, -float("inf"))
    return apply("matmul", apply("softmax", scores, axis=-1), values)


def _attended(steps: AnyFormula, allowed: AnyFormula) -> AnyFormula:
    """Keys or values with zeros at the steps to which no query attends: 0 times NaN would be NaN."""
    used = apply("greater", apply("sum", allowed, axis=-2), 0) if allowed.ndim > 1 else allowed
    return apply("where", apply("expand_dims", used, axis=-1) if used.ndim else used, steps, 0)


def _scale(query: AnyFormula) -> AnyFormula | float:
    """One over the square root of the number of features; a formula if that number is unknown before a run.

    Without features it is 1: all scores are sums over nothing, and each query attends evenly.
    """
    features = query.shape[-1]
    if isinstance(features, int):
        return 1.0 / math.sqrt(features or 1)
    count = apply("sum", apply("ones_like", query), axis=-1, keepdims=True)
    return apply("divide", 1.0, apply("sqrt", apply("maximum", count, 1.0)))


def _causal_mask(scores: AnyFormula, block: str) -> NDArray[np.bool_]:
    """True where a query may attend to a key. Raises ShapeError for an unknown number of steps."""
    time, steps = scores.shape[-2:]
    if not isinstance(time, int) or not isinstance(steps, int):
        raise ShapeError(
            f"{block_text(scores, block)}: causal=True needs the numbers of steps to be known: "
            "give them in the placeholder's spec, or give a mask"
        )
    return np.tri(time, steps, dtype=np.bool_)
