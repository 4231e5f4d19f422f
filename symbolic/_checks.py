"""What blocks and losses ask of their operands before they build anything."""

from __future__ import annotations

from typing import Any

from layertree import DTypeError, ShapeError
from layertree.core.brief import brief_formula
from layertree.core.spec import spec_text
from symbolic._build import as_symbolic
from symbolic._symbolic import Symbolic


def block_text(x: Any, block: str) -> str:
    """A block and its operand, for messages."""
    return f"{block}({brief_formula(x)}: {spec_text(x.spec)})"


def floats(x: Any, block: str) -> Symbolic[Any, Any]:
    """The operand as a formula of one number or array of floats; an error where it is none."""
    symbol = as_symbolic(x)
    if isinstance(symbol.spec, tuple):
        raise DTypeError(
            f"{block_text(symbol, block)}: one array of floats is wanted, no tuple: take a part of it, x[0]"
        )
    if symbol.dtype.kind != "f":
        raise DTypeError(f"{block_text(symbol, block)}: floats are wanted, so cast it: astype(x, np.float32)")
    return symbol


def last_size(x: Any, block: str) -> int:
    """The size of the last axis, which the block's weights need to know."""
    if not x.ndim:
        raise ShapeError(f"{block_text(x, block)}: an array with a last axis of features is wanted, no single number")
    size = x.shape[-1]
    if not isinstance(size, int):
        raise ShapeError(
            f"{block_text(x, block)}: the size of the last axis is not known, and the weights need it: "
            "give it in the placeholder's spec"
        )
    return size
