"""Types for users: arrays with named dimensions, and specs.

>>> from typing import NewType
>>> Batch = NewType("Batch", int)
>>> Float32[Batch, int]
numpy.ndarray[tuple[layertree.typing.Batch, int], numpy.dtype[numpy.float32]]
"""

from __future__ import annotations

from typing import TypeAlias, TypeVarTuple

import numpy as np

from layertree.core.public import listed
from layertree.core.spec import ArraySpec as ArraySpec
from layertree.core.spec import Dim as Dim

__all__ = ["ArraySpec", "Bool", "Dim", "Float32", "Float64", "Int64"]


def __dir__() -> list[str]:
    return listed(globals())


Shape = TypeVarTuple("Shape")

# NumPy bounds the shape by tuple[int, ...], which no variadic parameter can promise; each use is checked all the same.
Float32: TypeAlias = np.ndarray[tuple[*Shape], np.dtype[np.float32]]  # type: ignore[type-var]  # see above
"""An array of float32 with the given dimensions."""
Float64: TypeAlias = np.ndarray[tuple[*Shape], np.dtype[np.float64]]  # type: ignore[type-var]  # see above
"""An array of float64 with the given dimensions."""
Int64: TypeAlias = np.ndarray[tuple[*Shape], np.dtype[np.int64]]  # type: ignore[type-var]  # see above
"""An array of int64 with the given dimensions."""
Bool: TypeAlias = np.ndarray[tuple[*Shape], np.dtype[np.bool_]]  # type: ignore[type-var]  # see above
"""An array of booleans with the given dimensions."""
