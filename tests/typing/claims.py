"""What a static type claims of a formula, compared with what the formula is at run time."""

from __future__ import annotations

import inspect
import typing
from typing import Any, get_args, get_origin

import numpy as np

from layertree import Layer, Tape
from layertree.core.spec import as_spec, spec_of
from symbolic import Symbolic


class Claims:
    """Stands in for ``assert_type``: each call adds to the count, and to ``broken`` where the type is not true.

    A named dimension stands for one size within a module.
    """

    def __init__(self) -> None:
        self.count = 0
        self.broken: list[str] = []
        self._sizes: dict[str, int] = {}

    def check(self, value: Any, hint: Any) -> Any:
        self.count += 1
        if not self._holds(value, hint):
            caller = inspect.stack()[1]
            self.broken.append(f"line {caller.lineno}: {value!r} is no {hint}")
        return value

    def _holds(self, value: Any, hint: Any) -> bool:
        if get_origin(hint) is Symbolic:
            given, output = get_args(hint)
            return self._has_input(value, given) and self._agrees(get_args(output)[0], value.spec)
        kind = get_origin(hint) or hint
        if isinstance(value, (Layer, Tape, str)) or kind.__module__.startswith("layertree.program"):
            return isinstance(value, kind)
        return self._agrees(hint, spec_of(value))

    def _has_input(self, formula: Symbolic, given: Any) -> bool:
        if given is object or formula.origin is None:
            return given is object and formula.origin is None
        return self._agrees(get_args(given)[0], formula.origin.spec)

    def _agrees(self, hint: Any, spec: Any) -> bool:
        """Whether data of a type has a spec."""
        if get_origin(hint) is tuple:
            parts = get_args(hint)
            return isinstance(spec, tuple) and len(spec) == len(parts) and all(map(self._agrees, parts, spec))
        if get_origin(hint) is not np.ndarray:
            return bool(as_spec(hint) == spec)
        shape, dtype = get_args(hint)
        if spec.weak or get_args(dtype)[0] is not spec.dtype.type:
            return False
        dims = get_args(shape)
        return Ellipsis in dims or (len(dims) == len(spec.shape) and all(map(self._names, dims, spec.shape)))

    def _names(self, dim: Any, size: Any) -> bool:
        if get_origin(dim) is typing.Literal:
            return (size,) == get_args(dim)
        if not isinstance(dim, typing.NewType):
            return dim is int
        name = dim.__name__
        return size == name if isinstance(size, str) else self._sizes.setdefault(name, size) == size
