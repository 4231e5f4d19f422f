"""Constants of one number: as a scalar operand instead of a filled array, and as an array without axes for ufuncs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from layertree.core.spec import WEAK, ArraySpec
from layertree.program.ir.operations import Array, DType, Number, Op


def as_scalar(filled: Op, user: Op) -> Op:
    """The constant scalar that can replace a filled operand of a user, with the same result by broadcasting.

    The scalar is a Python number where all other array operands have its dtype, else a NumPy scalar, since a Python
    number would not promote. A long double is never a Python number.
    """
    dtype = filled.dtype
    others = [one for one in user.inputs if one.is_array and not one.is_filled]
    value = dtype.type(filled.attributes["fill"])
    plain = value.item()
    if type(plain) in WEAK and others and all(one.dtype == dtype for one in others):
        return Op("constant", (), {"data": plain}, WEAK[type(plain)])
    return Op("constant", (), {"data": value}, ArraySpec((), dtype))


def before_broadcast(read: Op, user: Op) -> Op:
    """The value that a broadcast view repeats, which a ufunc broadcasts by itself; of a filled constant its number.

    The view of a Python number stays where the number would not promote as the view does: beside another dtype.
    """
    while read.name == "broadcast_to" or (read.name == "reshape" and not read.inputs[0].shape):
        repeated = read.inputs[0]
        if repeated.is_weak and any(one.dtype != read.dtype for one in user.inputs if one.dtype.kind == "f"):
            return read
        read = repeated
    return as_scalar(read, user) if read.is_array and read.is_filled else read


def as_array(number: Op, user: Op) -> Array | None:
    """The array without axes that NumPy would make of a scalar operand of an elementwise user at each call.

    That conversion takes as long as the rest of a call on a small array, so it is made once. None for a number that the
    dtype cannot hold.
    """
    data = number.attributes["data"]
    dtype = number.dtype
    if number.is_weak:
        strong = [one.dtype for one in user.inputs if not one.is_weak]
        dtype = user.dtype if user.name == "where" else np.result_type(*strong, data)
    return _array_of(data, number_key(data), dtype)


def number_key(data: object) -> object:
    """What identifies a number among those of its type: 0.0 and -0.0 differ, and NaN is equal to itself.

    Of an integer that is the integer: Python refuses to write out a long one.
    """
    return data if isinstance(data, int) else repr(data)


@lru_cache(maxsize=1024, typed=True)
def _array_of(data: Number, key: object, dtype: DType) -> Array | None:
    """A number as an array; ``key``, a part of the cache's key, distinguishes 0.0 and -0.0."""
    try:
        with np.errstate(over="ignore"):
            made: Array = np.asarray(data, dtype)
    except OverflowError:
        return None
    made.flags.writeable = False
    return made
