"""Arrays as small pictures: heat maps of vectors and matrices, images as they are, with statistics as text."""

from __future__ import annotations

import math
import struct
import zlib
from base64 import b64encode
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]

CELL = 6
"""The side of one element in pixels."""
_ROWS, _COLUMNS = 12, 20
_IMAGE_SIDE = 64
_MOST = 1_000_000
"""How many elements the statistics of an array read."""
_NEGATIVE, _MIDDLE, _POSITIVE = (np.array(one, np.float64) for one in ((0, 90, 160), (247, 247, 247), (200, 90, 0)))
_NAN = (20, 20, 20)


def picture_of(array: Array) -> tuple[str, int, int]:
    """The address of a PNG with the elements of an array as colours, and its width and height.

    Blue is negative, white zero, orange positive, black NaN; grey and coloured images are shown as they are. Of a large
    array every n-th row and column is shown, of one of higher rank the first matrix.
    """
    pixels, side = _image(array) if is_image(array) else (_colours(_sampled(array)), CELL)
    large = pixels.repeat(side, 0).repeat(side, 1)
    address = "data:image/png;base64," + b64encode(png(large)).decode()
    return address, large.shape[1], large.shape[0]


def is_image(array: Array) -> bool:
    """Whether an array is shown as an image: bytes of rank 2, or of rank 3 with three or four channels."""
    if array.dtype != np.uint8 or min(array.shape, default=0) < 1:
        return False
    return (array.ndim == 2 and min(array.shape) >= 8) or (array.ndim == 3 and array.shape[-1] in (3, 4))


def statistics(array: Array) -> str:
    """Shape, dtype, the least, the mean and the greatest element, and how many are not finite; of a sample if large.

    >>> statistics(np.array([1.0, 2.0, np.inf]))
    'float64 (3,): least 1, mean 1.5, greatest 2, 1 not finite'
    """
    step = -(-array.size // _MOST) or 1
    head = f"{array.dtype} {array.shape}" + (f", each {step}th element" if step > 1 else "")
    numbers = _floats(array.flat[::step] if step > 1 else array.ravel())
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return f"{head}: no finite element"
    least, greatest = finite.min(), finite.max()
    mean = min(max(_mean(finite, max(abs(least), abs(greatest))), least), greatest)
    parts = [f"least {least:.4g}", f"mean {mean:.4g}", f"greatest {greatest:.4g}"]
    if finite.size < numbers.size:
        parts.append(f"{numbers.size - finite.size} not finite")
    return f"{head}: {', '.join(parts)}"


def _mean(numbers: Array, largest: float) -> float:
    """The mean of numbers up to ``largest``, whose sum may overflow: divided by a power of two, which is exact."""
    scale = math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest else 1.0
    with np.errstate(under="ignore"):
        return float((numbers / scale).mean() * scale)


def _floats(array: Array) -> Array:
    """The elements as float64; a long double beyond its range is infinite."""
    with np.errstate(over="ignore", under="ignore"):
        return array.astype(np.float64)


def _sampled(array: Array) -> Array:
    while array.ndim > 2:
        array = array[0] if array.shape[0] else array.reshape(0, 0)
    matrix = array.reshape(1, -1) if array.ndim < 2 else array
    steps = [-(-size // most) or 1 for size, most in zip(matrix.shape, (_ROWS, _COLUMNS), strict=True)]
    sampled: Array = matrix[:: steps[0], :: steps[1]]
    return sampled


def _colours(matrix: Array) -> Array:
    if not matrix.size:
        return np.full((1, 1, 3), 200, np.uint8)
    numbers = _floats(matrix)
    finite = np.abs(numbers[np.isfinite(numbers)])
    scale = finite.max() if finite.size and finite.max() else 1.0
    with np.errstate(under="ignore"):
        part = np.clip(np.nan_to_num(numbers, nan=0.0, posinf=scale, neginf=-scale) / scale, -1.0, 1.0)[..., None]
    end = np.where(part < 0, _NEGATIVE, _POSITIVE)
    colours = _MIDDLE + np.abs(part) * (end - _MIDDLE)
    colours[np.isnan(numbers)] = _NAN
    whole: Array = np.rint(colours).astype(np.uint8)
    return whole


def _image(array: Array) -> tuple[Array, int]:
    step = -(-max(array.shape[:2]) // _IMAGE_SIDE)
    image = array[::step, ::step]
    colours: Array = image[..., None].repeat(3, -1) if image.ndim == 2 else image[..., :3]
    return colours, max(_IMAGE_SIDE // max(image.shape[:2]), 1)


def png(pixels: Array) -> bytes:
    """An image of bytes (height, width, 3) as PNG (ISO/IEC 15948)."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # a filter byte of 0 begins each row
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
