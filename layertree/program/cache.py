"""A cache of programs by the spec of their input; the least recently used is dropped first (LRU)."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeAlias, TypeVar, cast, get_origin
from weakref import WeakSet

from numpy import ndarray

from layertree.core.data import as_data
from layertree.core.dynamic import type_of
from layertree.core.errors import ShapeError
from layertree.core.nested import flat, folded, mapped
from layertree.core.spec import WEAK_TYPES, ArraySpec, as_spec, spec_of, spec_text
from layertree.program.ir.operations import AnyLayer, Data, DType, SpecTree, ValueSpec

P = TypeVar("P")

Fits: TypeAlias = Callable[[Data], bool]
"""Whether data, as they are, have one certain spec."""


class Entry(Generic[P]):
    """A program with the spec it is compiled for, and the test whether data have just this spec.

    ``run`` is the function of the program that the cache was asked for. ``kind`` is the type of a Python number where
    only that type fits: to compare types takes a third of a call of ``fits``.
    """

    __slots__ = ("fits", "kind", "program", "run", "spec")

    def __init__(self, spec: SpecTree, program: P, fits: Fits, run: Callable[[Data], Any]) -> None:
        self.spec: SpecTree | None = spec
        self.program: P = program
        self.fits: Fits = fits
        self.kind: type | None = WEAK_TYPES[spec.dtype] if isinstance(spec, ArraySpec) and spec.weak else None
        self.run: Callable[[Data], Any] = run


_caches: WeakSet[Cache[Any]] = WeakSet()


def _renew_locks() -> None:
    for cache in list(_caches):
        cache.renew_lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


class Cache(Generic[P]):
    """At most ``size`` programs, which ``make`` compiles; two threads that ask for one program at once compile it once.

    ``formula`` checks data of new specs; ``runner`` gives the function of a program that becomes ``Entry.run``.
    ``latest`` is the entry that was asked for last: a quick caller tries it before ``find``.
    """

    def __init__(
        self,
        make: Callable[[Any], P],
        size: int,
        formula: AnyLayer | None = None,
        runner: Callable[[P], Callable[[Data], Any]] | None = None,
    ) -> None:
        self._make = make
        self._size = size
        self._formula = formula
        self._runner = runner
        self._made: OrderedDict[SpecTree, Entry[P]] = OrderedDict()
        self._lock = Lock()
        _caches.add(self)
        nothing: Any = None
        self.latest: Entry[P] = Entry(nothing, nothing, _nothing_fits, _nothing_fits)

    def get(self, data: Data) -> tuple[Data, P]:
        """The data in the form that programs take, and the program for their spec.

        Raises what ``check_input`` of the formula raises.
        """
        latest = self.latest
        if not latest.fits(data):
            data, latest = self.find(data)
        return data, latest.program

    def find(self, data: Data) -> tuple[Data, Entry[P]]:
        """The data in the form that programs take, and the entry for their spec."""
        data = as_data(data)
        spec: SpecTree = () if data is None else spec_of(data)
        if self._formula is not None and spec not in self._made:
            self._formula.check_input(data)
        self.latest = entry = self._entry(spec)
        return data, entry

    def for_spec(self, spec: SpecTree) -> P:
        """The program for a spec, compiled where it is not in the cache."""
        return self._entry(spec).program

    def use(self, spec: SpecTree) -> P:
        """The program for a spec, which becomes the latest, as if data had asked for it.

        Raises what ``check_input`` of the formula raises for a spec.
        """
        if self._formula is not None and spec not in self._made:
            self._formula.check_input(spec)
        self.latest = entry = self._entry(spec)
        return entry.program

    def _entry(self, spec: SpecTree) -> Entry[P]:
        with self._lock:
            entry = self._made.get(spec)
            if entry is None:
                program = self._make(spec)
                run = _nothing_fits if self._runner is None else self._runner(program)
                entry = self._made[spec] = Entry(spec, program, fitting(spec), run)
                if len(self._made) > self._size:
                    self._made.popitem(last=False)
            self._made.move_to_end(spec)
            return entry

    def renew_lock(self) -> None:
        """Replace the lock, which a thread that a child process does not have may hold."""
        self._lock = Lock()

    @property
    def last(self) -> P:
        """The program that was asked for last. Raises RuntimeError where there is none."""
        if self.latest.spec is None:
            raise RuntimeError("nothing is compiled yet: a program is made for the first data it is given")
        return self.latest.program

    def __len__(self) -> int:
        return len(self._made)


def program_for(cache: Cache[P], batch: Data) -> P:
    """The program for a batch, or for the spec of one. Raises ShapeError for a spec whose sizes are not known."""
    if not _is_spec(batch):
        return cache.get(batch)[1]
    spec: SpecTree = as_spec(batch)
    if not _is_sized(spec):
        raise ShapeError(f"a program is made for sizes, but {spec_text(spec)} names some, or leaves them open")
    return cache.use(spec)


def _is_spec(given: Data) -> bool:
    """Whether a spec is given; an empty tuple is data."""
    return bool(folded(given, _is_one_spec, lambda _, parts: bool(parts) and all(parts)))


def _is_one_spec(given: object) -> bool:
    return isinstance(given, (ArraySpec, type)) or get_origin(given) is not None


def _is_sized(spec: SpecTree) -> bool:
    return all(isinstance(dim, int) for part in flat(spec) for dim in part.shape)


def fitting(spec: SpecTree) -> Fits:
    """The test whether data have just this spec: a function of the data alone, since each call runs it."""
    if not isinstance(spec, tuple):
        return _leaf(spec)
    if not spec:
        return _is_none
    parts = mapped(_leaf, spec)
    return _nested_of(parts) if any(type_of(part) is tuple for part in parts) else _tuple_of(parts)


def _leaf(spec: ValueSpec) -> Fits:
    if spec.weak:
        return _of_kind(WEAK_TYPES[spec.dtype])
    shape = cast("tuple[int, ...]", spec.shape)
    return _array_of(shape, spec.dtype) if shape else _of_kind(spec.dtype.type)


def _nothing_fits(data: Data) -> bool:
    return False


def _is_none(data: Data) -> bool:
    return data is None


def _of_kind(kind: type) -> Fits:
    """The test for numbers of one type, Python's or NumPy's."""

    def fits(data: Data) -> bool:
        return type_of(data) is kind

    return fits


def _array_of(shape: tuple[int, ...], dtype: DType) -> Fits:
    """The test for arrays of one shape and dtype."""

    def fits(data: Data) -> bool:
        return bool(type_of(data) is ndarray and data.shape == shape and data.dtype == dtype)

    return fits


def _nested_of(parts: tuple[Any, ...]) -> Fits:
    """The test for nested tuples, from tests in the same nesting."""

    def fits(data: Data) -> bool:
        rest: list[tuple[Any, Data]] = [(parts, data)]
        while rest:
            fit, part = rest.pop()
            if type_of(fit) is tuple:
                if type_of(part) is not tuple or len(part) != len(fit):
                    return False
                rest.extend(zip(fit, part, strict=True))
            elif not fit(part):
                return False
        return True

    return fits


def _tuple_of(parts: tuple[Fits, ...]) -> Fits:
    """The test for tuples of leaves, from the tests of these."""
    size = len(parts)

    def fits(data: Data) -> bool:
        if type_of(data) is not tuple or len(data) != size:
            return False
        for place, part in enumerate(data):  # noqa: SIM110  # a loop takes half as long as all(...)
            if not parts[place](part):
                return False
        return True

    return fits
