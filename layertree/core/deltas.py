"""Deltas (cotangents): their addition, their conformity with a value, and the seed of a backward pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any, TypeAlias

import numpy as np

from layertree.core.brief import counted
from layertree.core.data import Data, describe, described, is_differentiable, read_only, require_plain_class
from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import DTypeError, GradientError, ShapeError
from layertree.core.nested import as_dict, folded

Delta: TypeAlias = Any
"""The cotangent of data: a number or an array of the same kind; of a tuple, Parts."""

Add = Callable[[Delta, Delta], Delta]
Conform = Callable[[Delta, Data], Delta]


class Parts(Mapping[int, Delta]):
    """The delta of a tuple: position to delta. A missing position has no delta at all.

    >>> dict(Parts({0: 1.0}) + Parts({0: 2.0, 1: 5.0}))
    {0: 3.0, 1: 5.0}
    """

    __slots__ = ("_parts",)

    def __init__(self, parts: Mapping[int, Delta]) -> None:
        self._parts = dict(parts)

    def __getitem__(self, position: int) -> Delta:
        return self._parts[position]

    def __iter__(self) -> Iterator[int]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __add__(self, other: Parts) -> Parts:
        return add_parts(self, other, add)

    def __repr__(self) -> str:
        return f"Parts({self._parts!r})"


def add_parts(first: Parts, second: Parts, add_one: Add) -> Parts:
    """The sum of two deltas of one tuple, position by position."""
    return joined([first, second], add_one)


def joined(deltas: list[Parts], add_one: Add) -> Parts:
    """The sum of any number of deltas of one tuple, in time linear in the number of parts."""
    return folded(deltas, lambda several: reduce(add_one, several), as_parts, _by_position)  # type: ignore[no-any-return]


def _by_position(deltas: list[Delta]) -> dict[int, list[Delta]] | None:
    """The deltas of each part of a tuple, where these are deltas of a tuple."""
    if not is_a(deltas[0], Parts):
        return None
    found: dict[int, list[Delta]] = {}
    for parts in deltas:
        for position, delta in parts.items():
            found.setdefault(position, []).append(delta)
    return found


def conform(delta: Delta, value: Data) -> Delta:
    """The delta of a rule in the kind and dtype of the value it belongs to. GradientError for another shape or kind."""
    kind = type_of(value)
    if type(delta) is kind and (kind is float or (kind is np.ndarray and _alike(delta, value))):
        return delta
    if kind is tuple:
        return folded((delta, value), lambda pair: conform(*pair), as_parts, _parts_to_conform)
    given = np.asarray(delta)
    if not is_differentiable(value):
        raise _misfit(delta, value, "no delta, since only floats have one")
    if given.shape != np.shape(value) or given.dtype.kind not in "biuf":
        raise _misfit(delta, value, f"real numbers of shape {np.shape(value)}")
    if kind is float:
        return float(given)
    cast = given.astype(value.dtype, copy=False)
    return cast if cast.ndim else cast[()]  # a value of rank 0 is a NumPy scalar, and so is its delta


def _parts_to_conform(pair: tuple[Delta, Data]) -> Any:
    """Pairs of a delta and a value, by position, where the value is a tuple."""
    delta, value = pair
    if type_of(value) is not tuple:
        return None
    if not is_a(delta, Parts) or any(position not in range(len(value)) for position in delta):
        raise _misfit(delta, value, f"Parts of positions 0 to {len(value) - 1}")
    return {position: (part, value[position]) for position, part in delta.items()}


def _alike(delta: Delta, value: Data) -> bool:
    return bool(delta.dtype == value.dtype and delta.shape == value.shape)


def _misfit(delta: Delta, value: Data, wanted: str) -> GradientError:
    return GradientError(f"it gives {described(delta)} for {described(value)}: give {wanted}")


def map_parts(delta: Delta, function: Callable[[Delta], Delta]) -> Delta:
    """``function(delta)``; of the delta of a tuple, the same for each part."""
    return folded(delta, function, as_parts, _parts_of)


def as_parts(parts: Mapping[int, Delta], results: list[Delta]) -> Parts:
    """The ``join`` of ``folded`` for mappings: the results by position, as Parts."""
    return Parts(as_dict(parts, results))


def _parts_of(delta: Delta) -> Any:
    return delta if is_a(delta, Parts) else None


def add(first: Delta, second: Delta) -> Delta:
    """The sum of two deltas of one value: numbers and arrays by ``+``, parts by position.

    Never in place: a rule may return the same array for both of its operands.
    """
    return first + second


def seed(value: Data, delta: Delta) -> Delta:
    """The seed of a backward pass from ``value``: the given delta, checked against the value and cast to its dtype.

    For None: 1 for a float, ones for an array of one element. Another output needs an explicit delta of its own shape
    and kind.
    """
    if delta is None:
        return _default_seed(value)
    if is_a(value, tuple):
        return folded((value, delta), lambda pair: seed(*pair), as_parts, _parts_to_seed)
    if not is_differentiable(value):
        raise DTypeError(f"{described(value)} has no delta: cast it to float")
    require_plain_class(delta)
    if is_a(value, np.ndarray) and value.ndim:
        given = np.asarray(delta)
        if given.shape != value.shape or not is_a(delta, np.ndarray):
            raise ShapeError(
                f"the delta is {described(delta)}, but the output is {described(value)}: "
                f"give an array of shape {value.shape}"
            )
    elif np.ndim(delta) != 0:
        raise ShapeError(f"the delta is {described(delta)}, but the output is {described(value)}: give a number")
    given = np.asarray(delta)
    if given.dtype.kind not in "fiub":
        raise DTypeError(f"the delta is {described(delta)}, but the output is {described(value)}: give real numbers")
    if is_a(value, float) and not is_a(value, np.generic):
        return float(delta)
    cast = given.astype(value.dtype)  # a copy: gradients own their arrays
    return read_only(cast) if value.ndim else cast[()]


def _default_seed(value: Data) -> Delta:
    if is_a(value, tuple):
        raise ShapeError(f"the output is {describe(value)}: give a delta for each part, as a tuple or as Parts")
    if not is_differentiable(value):
        raise DTypeError(f"the output is {described(value)}, which has no gradient: cast to float")
    if is_a(value, np.generic):
        return value.dtype.type(1)
    if is_a(value, np.ndarray):
        if value.size != 1:
            raise ShapeError(
                f"the output is {described(value)}: only a float or an array of one element has a delta "
                f"of its own, so give one of shape {value.shape}"
            )
        return np.ones_like(value, order="C")
    return 1.0


def _parts_to_seed(pair: tuple[Delta, Data]) -> Any:
    """Pairs of a value and a delta, by position, where the value is a tuple with a given delta."""
    value, delta = pair
    if delta is None or not is_a(value, tuple):
        return None
    given = dict(delta) if is_a(delta, Mapping) else None
    if is_a(delta, tuple):
        if len(delta) != len(value):
            raise ShapeError(f"the delta has {counted(len(delta), 'part')}, but the output has {len(value)}")
        given = {i: part for i, part in enumerate(delta) if part is not None}
    if given is None:
        raise DTypeError(f"the delta is {described(delta)}, but the output is {describe(value)}: give a tuple or Parts")
    unknown = [i for i in given if i not in range(len(value))]
    if unknown:
        raise ShapeError(f"the delta has a part {unknown[0]}, but the output has {counted(len(value), 'part')}")
    return {i: (value[i], part) for i, part in given.items()}
