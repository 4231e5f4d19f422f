"""Integers to negative powers: a Python integer gives a float, an array of integers is an error.

The dtype of a power depends on the dtypes of its operands, not on their values. A negative constant exponent is the one
case where a value decides, since an integer to a negative power is no integer. A float as the exponent gives a Python
integer the spec that the value has.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree import DTypeError, Literal
from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.spec import spec_text

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Spec

__all__ = ["exponent_of"]


def exponent_of(base: Spec, exponent: AnyLayer, text: str) -> AnyLayer:
    """The exponent as a float if the base is a Python integer and the exponent a negative constant; else as it is.

    Raises DTypeError, with the text of the base, for an array of integers and a negative constant.
    """
    if isinstance(base, tuple) or base.dtype.kind == "f" or not is_a(exponent, Literal):
        return exponent
    literal: Any = exponent
    data: Any = literal.data
    if is_a(data, tuple) or np.asarray(data).dtype.kind not in "iuO" or not np.any(np.less(data, 0)):
        return exponent
    if base.weak and is_a(data, int):
        return Literal(_as_float(data))
    shown = brief_formula(exponent)
    raise DTypeError(
        f"pow({text}: {spec_text(base)}, {shown}): an integer to a negative power is no integer: cast "
        f"the base to float, astype({text}, np.float64) ** {shown}"
    )


def _as_float(number: int) -> float:
    """The float nearest to a negative integer, infinite beyond the largest float."""
    try:
        return float(number)
    except OverflowError:
        return -math.inf
