"""The namespaces in which layers are read: scalar, numpy, spec, tree, and the definitions they share."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.data import PYTHON_NUMBERS
from layertree.namespaces import numpy as numpy_kernels
from layertree.namespaces import scalar as scalar_kernels
from layertree.namespaces._namespace import Namespace

__all__ = ["NUMPY", "SCALAR", "Namespace", "namespace_of"]

SCALAR = Namespace("scalar", scalar_kernels)
NUMPY = Namespace("numpy", numpy_kernels, np)


def namespace_of(value: Any) -> Namespace:
    """The namespace that computes with a value: scalar for Python numbers, NumPy for arrays."""
    return SCALAR if type(value) in PYTHON_NUMBERS else NUMPY
