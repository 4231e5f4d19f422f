"""Constants as they are written: numbers, strings, arrays, indices."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np


class DataError(ValueError):
    """A mistake in a constant, and its offset from the start of the constant."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


SCALARS: dict[str, type[np.generic]] = {
    kind.__name__: kind for kind in np.sctypeDict.values() if np.dtype(kind).kind in "biuf"
}
"""The types of NumPy's scalars, by name."""

DTYPES = {name: np.dtype(name) for name in {np.dtype(kind).name for kind in SCALARS.values()}}
"""The dtypes that data may have, by name."""


def number(text: str) -> int | float:
    """A number as Python reads it."""
    try:
        if text[:2] in ("0x", "0X"):
            return int(text, 16)
        return float(text) if any(sign in text for sign in ".eE") else int(text)
    except ValueError:
        raise DataError(f"a number of {len(text)} digits is too long: write a float, or in hexadecimal 0x...") from None


def scalar(kind: Any, value: Any) -> Any:
    """A NumPy scalar of a number, or of the digits in a string."""
    if isinstance(value, str):
        if kind is np.longdouble or value in ("nan", "inf", "-inf"):
            return kind(value)
    elif isinstance(value, (bool, int, float)):
        try:
            with np.errstate(over="raise"):
                made = kind(value)
        except (FloatingPointError, OverflowError):
            made = None
        if made is not None and (made == value or np.dtype(kind).kind == "f"):
            return made
    raise DataError(f"{kind.__name__} takes a number that it can hold, or 'nan', 'inf' or '-inf'")


def python_float(value: object) -> float:
    """A float of a number, or of 'nan', 'inf' or '-inf'."""
    if isinstance(value, (int, float)) or value in ("nan", "inf", "-inf"):
        return float(value)
    raise DataError("float takes a number, 'nan', 'inf' or '-inf'")


_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}


def string(text: str) -> str:
    """A string without its quotes and escapes."""

    def unescaped(found: re.Match[str]) -> str:
        escape = found[1]
        if len(escape) > 1:
            code = int(escape[1:], 16)
            if code <= 0x10FFFF:
                return chr(code)
        elif escape in _PLAIN_ESCAPES:
            return _PLAIN_ESCAPES[escape]
        raise DataError(f"{found[0]} is no escape in a string", found.start())

    return _ESCAPE.sub(unescaped, text[1:-1])


def index(text: str) -> tuple[Any, ...]:
    """A static index in its JSON form, from the text between its brackets."""
    if text.strip() == "()":
        return ()
    parts = text.split(",")
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return tuple(map(_index_part, parts))


def _index_part(text: str) -> Any:
    part = text.strip()
    if part in ("None", "..."):
        return None if part == "None" else part
    ends = part.split(":")
    if len(ends) == 1:
        return _integer(part)
    if len(ends) > 3:
        raise DataError(_NO_INDEX)
    bounds = [None if not end.strip() else _integer(end.strip()) for end in ends]
    return (*bounds, *[None] * (3 - len(bounds)))


_NO_INDEX = "an index is integers, slices, None and '...'; take(x, indices) looks up at others"


def _integer(text: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,4000}", text) is None:
        raise DataError(_NO_INDEX)
    return int(text)


_BRACKETS = re.compile(r"[\[\]]|[^\[\](),'\"]*+(?:,[^\[\](),'\"]*+)*+")


def array_elements(text: str, start: int) -> tuple[tuple[int, ...], list[str], int]:
    """The shape of a nested list that starts at a position, its elements as text, and the position behind it."""
    counts: list[int] = []  # how many parts each open list has so far
    sizes: dict[int, int] = {}  # the size of the lists at each depth
    elements: list[str] = []
    innermost = 0
    position = start
    if not text.startswith("[", start):
        raise DataError("'[' is wanted: array([1.0, 2.0])")
    while True:
        found = _BRACKETS.match(text, position)
        segment = found[0] if found else ""
        if segment == "[":
            if counts:
                counts[-1] += 1
            counts.append(0)
            if len(counts) > 64:
                raise DataError("an array has 64 axes at most", position - start)
        elif segment == "]":
            depth = len(counts)
            if sizes.setdefault(depth, counts[-1]) != counts[-1]:
                raise DataError(
                    f"the parts of an array have one length: {sizes[depth]}, not {counts[-1]}", position - start
                )
            counts.pop()
            if not counts:
                if innermost and innermost != len(sizes):
                    raise DataError("the parts of an array have one depth", position - start)
                return tuple([sizes[depth] for depth in sorted(sizes)]), elements, position + 1
        elif not segment:
            raise DataError("']' is wanted, or the next element of the array", position - start)
        else:
            parts = [part.strip() for part in segment.split(",")]
            if any(parts):
                innermost = innermost or len(counts)
                if len(counts) != innermost or counts[-1]:
                    raise DataError("the parts of an array have one depth", position - start)
                counts[-1] += len(parts)
                elements += parts
        position += len(segment)


def array(shape: tuple[int, ...], elements: list[str], dtype: np.dtype[Any] | None) -> Any:
    """An array of elements as they are written."""
    if dtype is None:
        dtype = _dtype_of(elements)
    made = _filled(elements, dtype)
    if made is None:
        wrong = next((text for text in elements if _filled([text], dtype) is None), "")
        raise DataError(f"an element of the array is no {dtype.name}: {wrong[:30]!r}")
    return made.reshape(shape)


def _filled(elements: list[str], dtype: np.dtype[Any]) -> Any:
    """The elements in a row, or None if the dtype cannot hold all of them."""
    kinds: dict[str, Callable[[str], Any]] = {"b": _boolean, "i": int, "u": int, "f": float}
    element = np.longdouble if dtype.kind == "f" and dtype.itemsize > 8 else kinds[dtype.kind]
    made = np.empty(len(elements), dtype)
    try:
        with np.errstate(over="raise"):
            made[:] = [element(text) for text in elements]
    except (ValueError, KeyError, OverflowError, FloatingPointError):
        return None
    return made


def _boolean(text: str) -> bool:
    return {"True": True, "False": False}[text]


def _dtype_of(elements: list[str]) -> np.dtype[Any]:
    """The dtype that NumPy does not write: of booleans, integers or floats."""
    if elements and all(text in ("True", "False") for text in elements):
        return np.dtype(bool)
    if elements and all(text.removeprefix("-").isdecimal() for text in elements):
        return np.dtype(np.int64)
    return np.dtype(np.float64)
