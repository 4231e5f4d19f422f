"""``formula[index]``: a part of a tuple, a static index of an array, or a look-up by an array of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from layertree.core.attribute import NoMatch
from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, IndexRangeError
from layertree.core.layer import Layer
from layertree.core.narrowing import is_tuple
from layertree.core.static_index import encode_index
from symbolic.building.operations import apply

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula

__all__ = ["index"]


def index(formula: AnyFormula, key: object) -> AnyFormula:
    """The formula at an index: integers, slices, None and ``...``; or one array or formula of integers.

    Raises TypeError for a key of another kind, IndexRangeError for a part that a tuple does not have, DTypeError for a
    look-up along several axes at a time.
    """
    if isinstance(formula.spec, tuple):
        return _part(formula, key, len(formula.spec))
    keys: tuple[object, ...] = key if is_tuple(key) else (key,)
    parts = tuple(map(_plain, keys))
    if sum(part is Ellipsis for part in parts) > 1:
        raise IndexRangeError(f"{brief_formula(formula)} is indexed with more than one ...: there can be one")
    arrays = [i for i, part in enumerate(parts) if isinstance(part, (Layer, list, np.ndarray))]
    if arrays:
        return _look_up(formula, parts, arrays)
    try:
        encoded = encode_index(parts)
    except NoMatch:
        raise TypeError(
            f"{key!r} is no index for {brief_formula(formula)}: give integers, slices, None, ..., or an array of "
            "integers"
        ) from None
    return apply("getitem", formula, index=encoded)


def _plain(part: Any) -> object:
    """A part of an index, which may be anything: an array without axes as its integer, an empty list as an array."""
    if is_a(part, list) and not part:
        return np.zeros(0, np.intp)
    return part[()] if is_a(part, np.ndarray) and part.ndim == 0 else part


def _part(formula: AnyFormula, key: Any, count: int) -> AnyFormula:
    if isinstance(key, bool) or not is_a(key, (int, np.integer)):
        raise TypeError(
            f"{brief_formula(formula)} is a tuple of {count}: its parts have integer positions, not {key!r}"
        )
    if not -count <= key < count:
        raise IndexRangeError(f"{brief_formula(formula)} is a tuple of {count}: it has no part {key}")
    return apply("item", formula, position=int(key) % count)


def _look_up(formula: AnyFormula, parts: tuple[object, ...], arrays: list[int]) -> AnyFormula:
    """``take`` along the one axis that is indexed by an array; the other axes have to be whole."""
    place = arrays[0]
    others = [part for i, part in enumerate(parts) if i != place]
    if len(arrays) > 1 or not all(map(_is_whole, others)):
        raise DTypeError(
            f"{brief_formula(formula)} is indexed by an array or formula and more: look up along one axis at a time, "
            "as in x[:, indices] or take(x, indices, axis=1), and index the other axes before"
        )
    after_ellipsis = any(part is Ellipsis for part in parts[:place])
    return apply("take", formula, parts[place], axis=place - len(parts) if after_ellipsis else place)


def _is_whole(part: object) -> bool:
    """Whether an index keeps all of an axis."""
    return part is Ellipsis or (isinstance(part, slice) and part == slice(None))
