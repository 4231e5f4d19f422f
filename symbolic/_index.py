"""What ``formula[index]`` builds: a part of a tuple, a static index, or a look-up."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.attribute import NoMatch
from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, IndexRangeError
from layertree.core.layer import Layer
from layertree.core.static_index import encode_index


def index(formula: Any, key: Any) -> Any:
    """The formula at an index: integers, slices, None and ``...``; or one array or formula of integers."""
    from symbolic import _build

    if isinstance(formula.spec, tuple):
        return _part(formula, key)
    parts = tuple(map(_plain, key if is_a(key, tuple) else (key,)))
    if sum(part is Ellipsis for part in parts) > 1:
        raise IndexRangeError(f"{brief_formula(formula)} is indexed with more than one ...: there can be one")
    looked_up = [i for i, part in enumerate(parts) if isinstance(part, (Layer, list, np.ndarray))]
    if looked_up:
        return _look_up(formula, parts, looked_up)
    try:
        encoded = encode_index(parts)
    except NoMatch:
        raise TypeError(
            f"{key!r} is no index for {brief_formula(formula)}: give integers, slices, None, ..., or an array of "
            "integers"
        ) from None
    return _build.apply("getitem", formula, index=encoded)


def _plain(part: Any) -> Any:
    """An array without axes as the integer it holds; an empty list as indices, none of them."""
    if is_a(part, list) and not part:
        return np.zeros(0, np.intp)
    return part[()] if is_a(part, np.ndarray) and part.ndim == 0 else part


def _part(formula: Any, key: Any) -> Any:
    from symbolic import _build

    count = len(formula.spec)
    if isinstance(key, bool) or not is_a(key, (int, np.integer)):
        raise TypeError(
            f"{brief_formula(formula)} is a tuple of {count}: its parts have integer positions, not {key!r}"
        )
    if not -count <= key < count:
        raise IndexRangeError(f"{brief_formula(formula)} is a tuple of {count}: it has no part {key}")
    return _build.apply("item", formula, position=int(key) % count)


def _look_up(formula: Any, parts: tuple[Any, ...], looked_up: list[int]) -> Any:
    from symbolic import _build

    place = looked_up[0]
    others = [part for i, part in enumerate(parts) if i != place]
    if len(looked_up) > 1 or not all(map(_is_whole, others)):
        raise DTypeError(
            f"{brief_formula(formula)} is indexed by an array or formula and more: look up along one axis at a time, "
            "as in x[:, indices] or take(x, indices, axis=1), and index the other axes before"
        )
    after_ellipsis = any(part is Ellipsis for part in parts[:place])
    return _build.apply("take", formula, parts[place], axis=place - len(parts) if after_ellipsis else place)


def _is_whole(part: Any) -> bool:
    return part is Ellipsis or (isinstance(part, slice) and part == slice(None))
