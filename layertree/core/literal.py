"""Literal: a constant, both a layer and its own tape."""

# Attributes answer for the properties that Tape declares:
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, SupportsIndex, TypeVar

import attrs
import numpy as np

from layertree.core.data import PYTHON_NUMBERS, Data, as_data, owned
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.core.layer import Layer
from layertree.core.layout import Layout, constructed_from, refuse, refuse_deletion
from layertree.core.nested import flat, nested_text
from layertree.core.tape import Tape

D_co = TypeVar("D_co", covariant=True)


@constructed_from(data=attrs.field())
class Literal(Layer[object, Tape[D_co, object]], Tape[D_co, object], Generic[D_co]):
    """A constant: it ignores its input, and deltas.

    A Python number stays weak: it never promotes a float32 array. It owns its arrays: of an array it takes a
    copy, unless the array is read-only and owns its memory. With ``copy=False`` it takes a read-only view, and the
    caller promises not to write into the array. Two Literals are equal when type, dtype, shape and bits are.

    >>> Literal(2.0).forward(None) == Literal(2.0)
    True
    """

    data: D_co
    __layout__: ClassVar[Layout] = Layout()
    is_trainable: bool = False
    is_active: bool = False
    __control__: ClassVar[str | None] = "constant"
    __match_args__ = ("data",)

    if TYPE_CHECKING:

        @property
        def value(self) -> D_co:
            """The data."""
            ...
    else:
        value = property(attrgetter("data"), doc="The data.")  # attrgetter is C: a run reads the value of each operand

    def __init__(self, data: D_co, *, copy: bool = True) -> None:
        if type(data) in PYTHON_NUMBERS:  # most constants: they need no conversion
            object.__setattr__(self, "data", data)
            return
        if isinstance(data, Layer):
            raise DTypeError(f"a Literal holds data, and {data!r} is a layer: use it as an operand as it stands")
        if isinstance(data, Tape):
            raise DTypeError(f"a Literal holds data, and {data!r} is the result of a run: give its value")
        checked = as_data(data)
        object.__setattr__(self, "data", owned(checked) if copy else checked)

    def __setattr__(self, name: str, value: object) -> None:
        refuse(self, name)

    def __delattr__(self, name: str) -> None:
        refuse_deletion(self, name)

    def __label__(self) -> tuple[object, ...]:
        return _bits(self.data)

    def __label_hash__(self) -> Hashable:
        return _sketch(self.data)

    def __same_label__(self, other: Any) -> bool:
        return _bits(self.data) == _bits(other.data)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return Layer.__reduce_ex__(self, protocol)

    def __repr__(self) -> str:
        return Layer.__repr__(self)


def _bits(data: Data) -> tuple[object, ...]:
    """The identity of a constant: type, dtype, shape and bits. So NaN equals NaN, and 0.0 differs from -0.0."""
    if is_a(data, (np.ndarray, np.generic)):
        return (type(data).__name__, data.dtype.str, data.shape, _bytes(data))
    if is_a(data, tuple):
        return (_nesting(data), *map(_bits, flat(data)))
    if isinstance(data, float):
        return ("float", data.hex() if data == data else "nan")
    return (type(data).__name__, data)


def _bytes(data: Data) -> bytes:
    """The bytes of an array, without those that an extended float of 80 bits leaves unused, whose values are random."""
    if data.dtype.kind == "f" and data.dtype.itemsize > 8 and np.finfo(data.dtype).nmant == _EXTENDED:
        used: bytes = np.ascontiguousarray(data).reshape(-1, 1).view(np.uint8)[:, :10].tobytes()
        return used
    whole: bytes = data.tobytes()
    return whole


_EXTENDED = 63
"""The bits of the fraction of an extended float of 80 bits."""


def _nesting(data: Data) -> str:
    """The structure of nested tuples as text, since Python compares nested tuples by recursion."""
    return nested_text(data, lambda _: "_")


def _sketch(data: Data) -> Hashable:
    """The part of the identity that the hash covers: bits only at rank 0, so that hashing reads no array."""
    if is_a(data, np.ndarray):
        return ("ndarray", data.dtype.str, data.shape)
    if is_a(data, tuple):
        return (_nesting(data), *map(_sketch, flat(data)))
    bits = _bits(data)
    try:
        hash(bits)
    except TypeError:
        return (type(data).__name__,)
    return bits
