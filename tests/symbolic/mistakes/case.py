"""What a mistake is: how it is written, and what its error says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from layertree.typing import ArraySpec


class Case(NamedTuple):
    """A wrong formula of one input or several, with what its error says; ``late`` if unknown sizes hide it."""

    name: str
    inputs: list[ArraySpec[Any]]
    build: Callable[..., Any]
    error: type[Exception]
    operation: str
    reason: str
    late: bool = True


def f32(*shape: int) -> ArraySpec[Any]:
    return ArraySpec(shape, np.float32)


def i64(*shape: int) -> ArraySpec[Any]:
    return ArraySpec(shape, np.int64)


FLOAT: Any = float
IMAGES = f32(2, 8, 8, 4)
