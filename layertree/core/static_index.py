"""Static indices: the JSON form that attributes hold, the index that NumPy takes, and the text between brackets."""

from __future__ import annotations

from types import EllipsisType
from typing import Annotated, Any, TypeAlias

from layertree.core.attribute import as_type
from layertree.core.dynamic import is_a

SliceParts: TypeAlias = tuple[int | None, int | None, int | None]
"""(start, stop, step) of a slice."""

EncodedIndex: TypeAlias = tuple[int | str | SliceParts | None, ...]
"""A static index in JSON form: integers, slices as (start, stop, step), None for a new axis, "..." for an ellipsis."""

StaticIndex: TypeAlias = tuple[int | slice | EllipsisType | None, ...]
"""A static index as NumPy takes it: integers, slices, None and ``...``, but no data."""

WHOLE: SliceParts = (None, None, None)
"""The slice of a whole axis."""


def encode_index(index: object) -> EncodedIndex:
    """The JSON form of an index of Python: one part or a tuple of them, integers, slices, None and ``...``.

    Raises NoMatch for a part of another kind.

    >>> encode_index((slice(1, None), ..., None, -1))
    ((1, None, None), '...', None, -1)
    """
    parts: Any = index if is_a(index, tuple) else (index,)
    return tuple(map(_encode_part, parts))


def _encode_part(part: Any) -> int | str | SliceParts | None:
    if is_a(part, slice):
        return _integer(part.start), _integer(part.stop), _integer(part.step)
    if part is Ellipsis or (isinstance(part, str) and part == "..."):
        return "..."
    if part is None:
        return None
    if is_a(part, (tuple, list)) and len(part) == 3:
        start, stop, step = map(_integer, part)
        return start, stop, step
    return int(as_type(part, int))


def _integer(bound: Any) -> int | None:
    return None if bound is None else int(as_type(bound, int))


Index = Annotated[Any, encode_index, "integers, slices as (start, stop, step), None and '...'; a tuple of them"]
"""The type of an attribute that holds a static index: how it is checked, and what is allowed in words."""


def decode_index(index: EncodedIndex) -> StaticIndex:
    """The index that NumPy takes, of one in JSON form.

    >>> decode_index(((1, None, None), "...", 0))
    (slice(1, None, None), Ellipsis, 0)
    """
    return tuple(
        [slice(*part) if isinstance(part, tuple) else Ellipsis if isinstance(part, str) else part for part in index]
    )


def index_text(index: EncodedIndex | StaticIndex) -> str:
    """The text of a static index between its brackets, in either form.

    >>> index_text(((1, None, None), "...", None, -1)), index_text((slice(None, 4, 2), ...)), index_text(())
    ('1:, ..., None, -1', ':4:2, ...', '()')
    """
    return ", ".join(map(_part_text, index)) or "()"


def _part_text(part: int | str | SliceParts | slice | EllipsisType | None) -> str:
    if isinstance(part, slice):
        part = part.start, part.stop, part.step
    if isinstance(part, tuple):
        start, stop, step = ["" if bound is None else str(bound) for bound in part]
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    return "..." if part is Ellipsis else str(part)
