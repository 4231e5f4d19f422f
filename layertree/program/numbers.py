"""Constants of one number in the shape of an array, as that number."""

from __future__ import annotations

from layertree._spec import WEAK, ArraySpec
from layertree.program._ops import Op


def number_of(read: Op, reader: Op) -> Op:
    """The number that fills an operand: a Python one beside arrays of its dtype, else a NumPy one, which keeps it."""
    dtype = read.spec.dtype
    beside = [one.spec for one in reader.inputs if one.is_array and "fill" not in one.attributes]
    value = dtype.type(read.attributes["fill"])
    if beside and all(spec.dtype == dtype for spec in beside):
        return Op("constant", (), {"data": value.item()}, WEAK[type(value.item())])
    return Op("constant", (), {"data": value}, ArraySpec((), dtype))
