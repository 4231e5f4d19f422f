"""Static indices: the JSON form that attributes hold, the index that NumPy takes, and the text between brackets."""

from __future__ import annotations

from typing import Annotated, Any

from layertree.core.attribute import as_type
from layertree.core.dynamic import is_a


def encode_index(index: Any) -> tuple[Any, ...]:
    """A static index in its JSON form: a slice is (start, stop, step), ``...`` is "...", a new axis None.

    >>> encode_index((slice(1, None), ..., None, -1))
    ((1, None, None), '...', None, -1)
    """
    parts = index if is_a(index, tuple) else (index,)
    return tuple(map(_encode_part, parts))


def _encode_part(part: Any) -> Any:
    if is_a(part, slice):
        return tuple(None if end is None else as_type(end, int) for end in (part.start, part.stop, part.step))
    if part is Ellipsis or (isinstance(part, str) and part == "..."):
        return "..."
    if part is None:
        return None
    if is_a(part, (tuple, list)) and len(part) == 3:
        return tuple(None if end is None else as_type(end, int) for end in part)
    return as_type(part, int)


Index = Annotated[Any, encode_index, "integers, slices as (start, stop, step), None and '...'; a tuple of them"]
"""The type of an attribute that holds a static index: how it is checked, and what is allowed in words."""


def decode_index(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index that NumPy takes, of one in JSON form."""
    return tuple(slice(*part) if is_a(part, tuple) else Ellipsis if is_a(part, str) else part for part in index)
