"""What the tests of the front end share."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np

import layertree
import symbolic
from layertree.typing import ArraySpec
from symbolic import placeholder

LIBRARY = tuple(package.__path__[0] for package in (layertree, symbolic))


def array_of(*shape: Any, dtype: Any = np.float32) -> Any:
    """A placeholder of an array; a dimension is a size, a name or None."""
    return placeholder(ArraySpec(shape, dtype))


def user_frame(error: BaseException) -> traceback.FrameSummary:
    """The last frame of an error's traceback that is outside of the library."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if not frame.filename.startswith(LIBRARY)][-1]


def library_frames(error: BaseException) -> int:
    """How many frames of the library a reader of the traceback has to look at."""
    return sum(frame.filename.startswith(LIBRARY) for frame in traceback.extract_tb(error.__traceback__))
