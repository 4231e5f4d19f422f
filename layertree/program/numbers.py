"""Constants of one number: in the shape of an array as that number, beside arrays as an array without axes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from layertree.core.spec import WEAK, ArraySpec
from layertree.program._ops import Op


def number_of(read: Op, reader: Op) -> Op:
    """The number that fills an operand: a Python one beside arrays of its dtype, else a NumPy one, which keeps it.

    No Python number is a long double.
    """
    dtype = read.spec.dtype
    beside = [one.spec for one in reader.inputs if one.is_array and "fill" not in one.attributes]
    value = dtype.type(read.attributes["fill"])
    plain = value.item()
    if type(plain) in WEAK and beside and all(spec.dtype == dtype for spec in beside):
        return Op("constant", (), {"data": plain}, WEAK[type(plain)])
    return Op("constant", (), {"data": value}, ArraySpec((), dtype))


def beside_arrays(number: Op, reader: Op) -> Any:
    """The array that NumPy makes of a number which an operation reads element by element, each time anew.

    That takes as long as all the rest of a call on a small array. None for a number that the dtype does not hold.
    """
    data = number.attributes["data"]
    dtype = number.spec.dtype
    if number.spec.weak:
        kept = [one.spec.dtype for one in reader.inputs if not one.spec.weak]
        dtype = reader.spec.dtype if reader.name == "where" else np.result_type(*kept, data)
    return _array_of(data, str(data), dtype)


@lru_cache(maxsize=1024, typed=True)
def _array_of(data: Any, text: str, dtype: np.dtype[Any]) -> Any:
    """A number as an array; the text tells 0.0 from -0.0."""
    try:
        with np.errstate(over="ignore"):
            made = np.asarray(data, dtype)
    except OverflowError:
        return None
    made.flags.writeable = False
    return made
