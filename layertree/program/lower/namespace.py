"""The lowering namespace: a graph builder with the names that layers compute with, so that ``compute`` lowers a layer.

A name is looked up in the lowering rules, then among the primitives (what NumPy or our kernels over it have), then in
the definitions, which write a name in other names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from layertree.namespaces import NUMPY, definitions
from layertree.program.ir.operations import Data
from layertree.program.lower import lowering_rules
from layertree.program.lower.graph_builder import GraphBuilder


class LoweringNamespace(GraphBuilder):
    """The namespace of one lowering, whose values are operations."""

    __name__ = "lowering"

    def __getattr__(self, name: str) -> Callable[..., Data]:
        # Python calls this once a name: the function is kept, and found as a plain attribute from then on.
        found: Callable[..., Data]
        if name in lowering_rules.__all__:
            found = partial(getattr(lowering_rules, name), self)
        elif is_primitive(name):
            found = partial(self.primitive, name)
        elif name in definitions.__all__:
            found = partial(getattr(definitions, name), self)
        else:
            raise AttributeError(f"the lowering namespace has no {name!r}")
        setattr(self, name, found)
        return found


def is_primitive(name: str) -> bool:
    """Whether NumPy, or our kernels over it, have a name themselves, besides the definitions."""
    if name.startswith("_"):
        return False
    found = getattr(NUMPY, name, None)
    return found is not None and not (isinstance(found, partial) and name in definitions.__all__)
