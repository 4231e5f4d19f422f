"""What ``formula[index]`` builds: a part of a tuple, a static index, or a look-up."""

from __future__ import annotations

from typing import Any

from layertree._attribute import NoMatch, encode_index
from layertree._errors import DTypeError
from layertree._layer import Layer


def index(formula: Any, key: Any) -> Any:
    """The formula at an index: integers, slices, None and ``...``; or one array or formula of integers."""
    from symbolic import _build

    if isinstance(formula.spec, tuple):
        return _part(formula, key)
    parts = key if isinstance(key, tuple) else (key,)
    looked_up = [i for i, part in enumerate(parts) if isinstance(part, (Layer, list)) or hasattr(part, "dtype")]
    looked_up = [i for i in looked_up if isinstance(parts[i], (Layer, list)) or parts[i].ndim]
    if looked_up:
        return _look_up(formula, parts, looked_up)
    try:
        encoded = encode_index(key)
    except NoMatch:
        raise TypeError(
            f"{key!r} is no index for {formula!s}: give integers, slices, None, ..., or an array of integers"
        ) from None
    return _build.apply("getitem", formula, index=encoded)


def _part(formula: Any, key: Any) -> Any:
    from symbolic import _build

    count = len(formula.spec)
    if isinstance(key, bool) or not isinstance(key, int):
        raise TypeError(f"{formula!s} is a tuple of {count}: its parts have integer positions, not {key!r}")
    return _build.apply("item", formula, position=key + count if -count <= key < 0 else key)


def _look_up(formula: Any, parts: tuple[Any, ...], looked_up: list[int]) -> Any:
    from symbolic import _build

    place = looked_up[0]
    whole = slice(None)
    others = [part for i, part in enumerate(parts) if i != place]
    if len(looked_up) > 1 or not all(
        part is Ellipsis or (isinstance(part, slice) and part == whole) for part in others
    ):
        raise DTypeError(
            f"{formula!s} is indexed by several arrays or formulas at once: look up along one axis, "
            "take(x, indices, axis=...), after indexing the others"
        )
    axis = place - len(parts) if Ellipsis in parts[:place] else place
    return _build.apply("take", formula, parts[place], axis=axis)
