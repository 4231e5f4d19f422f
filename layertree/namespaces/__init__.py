"""Namespaces: the readings of a rule. The same formula over ``xp`` computes numbers, arrays, specs, layers or stacks.

The protocol ``layertree.core.namespace.Namespace`` names all functions. Each namespace implements the protocol:

- ``scalar``: Python numbers, by ``math`` and ``operator``, with the IEEE answer where Python raises;
- ``numpy``: arrays, by NumPy, the room ``kernels``, and the kernels of the module;
- ``spec``: specs instead of data, shape and dtype inference by one rule a function; ``infer`` reads a layer,
  ``infer_spec`` a formula;
- ``tree``: layers with their specs. The derivative of a formula is another formula, whose equal nodes are one
  (``hash_consing``);
- ``batch``: vectorization (vmap) over the tree namespace, for stacks of examples or directions.

``definitions`` writes each function that the standard lacks once, in functions of the standard; ``lookup`` finds a
function in the modules of an engine, then in the definitions. A function that an engine computes faster or more
exactly itself is a kernel in the module of the engine.

A namespace imports ``core``, ``layers``, ``sweep`` and ``kernels``. Start with ``definitions``, then ``lookup``.
"""

from __future__ import annotations

import numpy as np

from layertree.core.data import PYTHON_NUMBERS, Data
from layertree.core.namespace import Namespace
from layertree.namespaces import numpy as numpy_kernels
from layertree.namespaces import scalar as scalar_kernels
from layertree.namespaces.lookup import namespace_from

__all__ = ["NUMPY", "SCALAR", "namespace_of"]

SCALAR: Namespace[Data] = namespace_from("scalar", scalar_kernels)
NUMPY: Namespace[Data] = namespace_from("numpy", numpy_kernels, np)


def namespace_of(value: Data) -> Namespace[Data]:
    """The namespace that computes with a value: ``SCALAR`` for Python numbers, ``NUMPY`` for arrays."""
    return SCALAR if type(value) in PYTHON_NUMBERS else NUMPY
