"""Programs by the specification of their input, the least recently used dropped first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar, get_origin

import numpy as np

from layertree._data import as_data
from layertree._errors import ShapeError
from layertree._kinds import is_a, type_of
from layertree._spec import ArraySpec, as_spec, spec_of, spec_text

P = TypeVar("P")


class Cache(Generic[P]):
    """At most ``size`` programs; one that is asked for by two threads at once is made once."""

    def __init__(self, make: Callable[[Any], P], size: int, formula: Any = None) -> None:
        self._make = make
        self._size = size
        self._formula = formula
        self._made: OrderedDict[Any, P] = OrderedDict()
        self._lock = Lock()
        self._last: tuple[Any, P] | None = None

    def get(self, data: Any) -> tuple[Any, P]:
        """The data as programs take it, and the program for its specification.

        Raises what the formula's ``check_input`` has to say of it.
        """
        last = self._last
        if last is not None and fits(last[0], data):
            return data, last[1]
        data = as_data(data)
        spec = () if data is None else spec_of(data)
        program = self._made.get(spec)
        if program is None:
            if self._formula is not None:
                self._formula.check_input(data)
            program = self.for_spec(spec)
        self._last = (spec, program)
        return data, program

    def for_spec(self, spec: Any) -> P:
        """The program for a specification, made where it is not there yet."""
        with self._lock:
            program = self._made.get(spec)
            if program is None:
                program = self._made[spec] = self._make(spec)
                if len(self._made) > self._size:
                    self._made.popitem(last=False)
            self._made.move_to_end(spec)
            return program

    def use(self, spec: Any) -> P:
        """The program for a specification, as if it were asked for by data."""
        program = self.for_spec(spec)
        self._last = (spec, program)
        return program

    @property
    def last(self) -> P:
        """The program that was asked for last. Raises RuntimeError where none was."""
        if self._last is None:
            raise RuntimeError("nothing is compiled yet: a program is made for the first data it is given")
        return self._last[1]

    def __len__(self) -> int:
        return len(self._made)


def program_for(cache: Cache[P], batch: Any) -> P:
    """The program for a batch, or for the spec of one. Raises ShapeError for a spec whose sizes are not known."""
    if not _is_spec(batch):
        return cache.get(batch)[1]
    spec = as_spec(batch)
    if not _is_sized(spec):
        raise ShapeError(f"a program is made for sizes, but {spec_text(spec)} names some, or leaves them open")
    return cache.use(spec)


def _is_spec(given: Any) -> bool:
    if is_a(given, tuple):
        return bool(given) and all(map(_is_spec, given))
    return isinstance(given, (ArraySpec, type)) or get_origin(given) is not None


def _is_sized(spec: Any) -> bool:
    return all(map(_is_sized, spec)) if is_a(spec, tuple) else all(isinstance(dim, int) for dim in spec.shape)


def fits(spec: Any, data: Any) -> bool:
    """Whether data, as it is, has just this spec."""
    if type_of(spec) is tuple:
        if not spec:
            return data is None
        return type_of(data) is tuple and len(data) == len(spec) and all(map(fits, spec, data))
    kind = type_of(data)
    if kind is np.ndarray:
        return bool(data.dtype == spec.dtype and data.shape == spec.shape and data.ndim)
    return bool(spec.weak and kind is float and spec.dtype.kind == "f")
