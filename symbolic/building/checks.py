"""Checks of operands that blocks and losses make before they build anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from layertree import DTypeError, ShapeError
from layertree.core.brief import brief_formula
from layertree.core.spec import spec_text
from symbolic.building.operations import apply, as_symbolic, as_symbolics

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula


def block_text(x: AnyFormula, block: str) -> str:
    """A block and its operand, for messages."""
    return f"{block}({brief_formula(x)}: {spec_text(x.spec)})"


def floats(x: object, block: str) -> AnyFormula:
    """The operand as a formula of floats. Raises DTypeError for a tuple and for other dtypes."""
    symbol = as_symbolic(x)
    if isinstance(symbol.spec, tuple):
        raise DTypeError(
            f"{block_text(symbol, block)}: one array of floats is wanted, no tuple: take a part of it, x[0]"
        )
    if symbol.dtype.kind != "f":
        raise DTypeError(f"{block_text(symbol, block)}: floats are wanted, so cast it: astype(x, np.float32)")
    return symbol


def in_shape_of(x: object, like: AnyFormula, reason: str) -> AnyFormula:
    """The operand, whose shape has to be that of a pattern: a check at run time unless the specs tell."""
    symbol = as_symbolics((like, x))[1]
    if not isinstance(symbol.spec, tuple) and not isinstance(like.spec, tuple):
        shape = symbol.spec.shape
        if None not in shape and shape == like.spec.shape:  # a name is one size wherever it stands
            return symbol
    return apply("alike", symbol, like, reason=reason)


def widened(x: AnyFormula) -> AnyFormula:
    """A formula of float16 in float32, in which moments and losses are computed; another one unchanged."""
    return apply("astype", x, dtype=np.dtype(np.float32)) if x.dtype == np.float16 else x


def narrowed(x: AnyFormula, like: AnyFormula) -> AnyFormula:
    """``x``, computed from the widened ``like``, in float16 where ``like`` is float16."""
    return apply("astype", x, dtype=like.dtype) if like.dtype == np.float16 else x


def last_size(x: AnyFormula, block: str) -> int:
    """The size of the last axis, which the shape of a weight depends on. Raises ShapeError for an unknown size."""
    if not x.ndim:
        raise ShapeError(f"{block_text(x, block)}: an array with a last axis of features is wanted, no single number")
    size = x.shape[-1]
    if not isinstance(size, int):
        raise ShapeError(
            f"{block_text(x, block)}: the size of the last axis is not known, and the weights need it: "
            "give it in the placeholder's spec"
        )
    return size


def scaled_and_shifted(
    centred: AnyFormula, variance: AnyFormula, epsilon: float, gain: object, offset: object
) -> AnyFormula:
    """``centred / sqrt(variance + epsilon) * gain + offset``, the last step of a normalisation."""
    normalised = apply("divide", centred, apply("sqrt", apply("add", variance, epsilon)))
    return apply("add", apply("multiply", normalised, gain), offset)
