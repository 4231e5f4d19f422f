"""Data: the numbers, arrays, and tuples of these that formulas compute with."""

from __future__ import annotations

import reprlib
from typing import Any, TypeAlias

import numpy as np

from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import DTypeError
from layertree.core.nested import brief_text, flat, mapped

Data: TypeAlias = Any
"""A number, an array, or nested tuples of these: of any type until it is checked."""

PYTHON_NUMBERS = frozenset((float, int, bool))


def as_data(given: Data) -> Data:
    """Data in canonical kinds, read-only: lists become arrays, rank-0 arrays NumPy scalars.

    Raises DTypeError for anything but real numbers, booleans, arrays and tuples of these.
    """
    if type(given) in PYTHON_NUMBERS or given is None:
        return given
    if is_a(given, tuple):
        return mapped(as_data, given)
    if is_a(given, list):
        given = _array_of(given)
    if is_a(given, (np.ndarray, np.generic)):
        _require_plain(given)
        if is_a(given, np.ndarray):
            return read_only(np.asarray(given)) if given.ndim else given[()]
        return given
    if is_a(given, float):
        return float(given)
    if callable(getattr(type_of(given), "__array__", None)):
        return as_data(_array_of_frame(given))
    raise DTypeError(f"{reprlib.repr(given)} cannot be computed with: data are numbers, arrays, and tuples of these")


def _array_of_frame(given: Any) -> Any:
    """The array of a data frame, a series or another container that gives one. Raises DTypeError unless it does."""
    try:
        found = given.__array__()
    except TypeError as error:
        raise DTypeError(str(error)) from None
    if not is_a(found, np.ndarray):
        raise DTypeError(f"{type(given).__name__}.__array__ gives {type(found).__name__}, which is no array")
    return found


def _array_of(given: list[Any]) -> Any:
    if any(is_a(part, np.ma.MaskedArray) for part in given):
        raise DTypeError("a list of masked arrays makes no array with a mask: give what drops or fills the masked")
    try:
        return np.asarray(given)
    except ValueError:
        raise DTypeError(
            f"{reprlib.repr(given)} makes no array, since its parts differ in shape: several values are a tuple"
        ) from None


def _require_plain(data: Data) -> None:
    """Raise DTypeError for an array of other than real numbers or booleans, or of a class with its own arithmetic."""
    if data.dtype.kind == "O":
        raise DTypeError(
            "data of dtype object cannot be computed with: give real numbers, array.astype(float), and drop or fill "
            "what is missing, such as None"
        )
    if data.dtype.kind not in "biuf":
        raise DTypeError(f"data of dtype {data.dtype} cannot be computed with: give real numbers or booleans")
    require_plain_class(data)


def require_plain_class(data: object) -> None:
    """Raise DTypeError for an array of a class with its own arithmetic: a masked array or a matrix.

    A conversion to an array would drop the mask.
    """
    kind = type_of(data)
    if (
        is_a(data, np.ndarray)
        and kind is not np.ndarray
        and not (kind.__mul__ is np.ndarray.__mul__ and kind.__array_ufunc__ is np.ndarray.__array_ufunc__)
    ):
        if is_a(data, np.ma.MaskedArray):
            raise DTypeError(
                "a MaskedArray computes by rules of its own, which a formula does not have: give masked.compressed(), "
                "which drops what is masked, or masked.filled(0)"
            )
        raise DTypeError(
            f"a {kind.__name__} computes by rules of its own, which a formula does not have: give a plain array, "
            "np.asarray(matrix)"
        )


def read_only(data: Data) -> Data:
    """A read-only view of an array; other data unchanged.

    Views of the result (a reshape, a slice) are read-only, too, so no weight or tape changes by a write into a result.
    """
    if is_a(data, np.ndarray):
        if not data.flags.writeable:
            return data
        view = data.view()
        view.setflags(write=False)
        return view
    if is_a(data, tuple):
        return mapped(read_only, data)
    return data


def owned(data: Data) -> Data:
    """Data whose arrays nobody else can change: copies of the arrays, except of those that are read-only and own
    their memory.
    """
    if is_a(data, tuple):
        return mapped(owned, data)
    if not is_a(data, np.ndarray) or (data.flags.owndata and not data.flags.writeable):
        return data
    copy = np.array(data, order="K")
    copy.setflags(write=False)
    return copy


def is_empty_batch(data: Data) -> bool:
    """Whether a batch, or the spec of one, has no examples: leading dimension 0 in each of its arrays.

    >>> is_empty_batch((np.zeros((0, 2)), 1.0)), is_empty_batch((np.zeros((0, 2)), np.zeros(3))), is_empty_batch(1.0)
    (True, False, False)
    """
    sizes = [part.shape[0] for part in flat(data) if getattr(part, "shape", ())]
    return bool(sizes) and not any(sizes)


def is_differentiable(data: Data) -> bool:
    """Whether this data has deltas: real floats and arrays of them do, and tuples with such a part.

    >>> is_differentiable(1.0), is_differentiable(1), is_differentiable((1, 2.0))
    (True, False, True)
    """
    kind = type_of(data)
    if kind is float:
        return True
    if kind is np.ndarray or is_a(data, (np.ndarray, np.generic)):
        return bool(data.dtype.kind == "f")
    if is_a(data, tuple):
        return any(map(is_differentiable, flat(data)))
    return is_a(data, float)


def describe(data: Data) -> str:
    """The kind of some data in a few words, for messages: ``float``, ``float32 array of shape (2, 3)``."""
    if is_a(data, (np.ndarray, np.generic)):
        return f"{data.dtype} array of shape {data.shape}"
    if is_a(data, tuple):
        return brief_text(data, describe)
    return type(data).__name__


def described(data: Data) -> str:
    """The kind of some data with an article: ``a float``, ``an int64 array of shape (2, 3)``.

    >>> described(1.0), described(True), described(1)
    ('a float', 'a bool', 'an int')
    """
    return with_article(describe(data))


def with_article(word: str) -> str:
    """A word or a digit after "a" or "an". A "u" is that of "uint8" and "unit", which take an "a"."""
    return f"an {word}" if word[:1] in "aeioAEIO8" else f"a {word}"
