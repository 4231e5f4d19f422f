"""Programs by the specification of their input, the least recently used dropped first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar, get_origin

from numpy import ndarray

from layertree.core.data import as_data
from layertree.core.dynamic import type_of
from layertree.core.errors import ShapeError
from layertree.core.nested import flat, folded, mapped
from layertree.core.spec import WEAK_TYPES, ArraySpec, as_spec, spec_of, spec_text

P = TypeVar("P")


class Entry(Generic[P]):
    """A program, with the specification it is made for, and whether data as they are have just this one.

    ``run`` is what the cache was asked to run of its programs. ``kind`` is the type of a Python number where that is
    all that fits: to ask for it takes a third of the call.
    """

    __slots__ = ("fits", "kind", "program", "run", "spec")

    def __init__(self, spec: Any, program: P, fits: Callable[[Any], bool], run: Any) -> None:
        self.spec: Any = spec
        self.program: P = program
        self.fits: Callable[[Any], bool] = fits
        self.kind: type | None = WEAK_TYPES[spec.dtype] if isinstance(spec, ArraySpec) and spec.weak else None
        self.run: Any = run


class Cache(Generic[P]):
    """At most ``size`` programs; one that is asked for by two threads at once is made once.

    ``latest`` is the one that was asked for last, by which callers that are in a hurry may look first.
    """

    def __init__(
        self,
        make: Callable[[Any], P],
        size: int,
        formula: Any = None,
        runner: Callable[[P], Callable[[Any], Any]] | None = None,
    ) -> None:
        self._make = make
        self._size = size
        self._formula = formula
        self._runner = runner
        self._made: OrderedDict[Any, Entry[P]] = OrderedDict()
        self._lock = Lock()
        nothing: Any = None
        self.latest: Entry[P] = Entry(None, nothing, _nothing_fits, None)

    def get(self, data: Any) -> tuple[Any, P]:
        """The data as programs take it, and the program for its specification.

        Raises what the formula's ``check_input`` has to say of it.
        """
        latest = self.latest
        if not latest.fits(data):
            data, latest = self.find(data)
        return data, latest.program

    def find(self, data: Any) -> tuple[Any, Entry[P]]:
        """The data as programs take it, and what there is for its specification."""
        data = as_data(data)
        spec = () if data is None else spec_of(data)
        if self._formula is not None and spec not in self._made:
            self._formula.check_input(data)
        self.latest = entry = self._entry(spec)
        return data, entry

    def for_spec(self, spec: Any) -> P:
        """The program for a specification, made where it is not there yet."""
        return self._entry(spec).program

    def use(self, spec: Any) -> P:
        """The program for a specification, as if it were asked for by data."""
        self.latest = entry = self._entry(spec)
        return entry.program

    def _entry(self, spec: Any) -> Entry[P]:
        with self._lock:
            entry = self._made.get(spec)
            if entry is None:
                program = self._make(spec)
                run = None if self._runner is None else self._runner(program)
                entry = self._made[spec] = Entry(spec, program, fitting(spec), run)
                if len(self._made) > self._size:
                    self._made.popitem(last=False)
            self._made.move_to_end(spec)
            return entry

    @property
    def last(self) -> P:
        """The program that was asked for last. Raises RuntimeError where none was."""
        if self.latest.spec is None:
            raise RuntimeError("nothing is compiled yet: a program is made for the first data it is given")
        return self.latest.program

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
    """Whether a spec is given; an empty tuple is data."""
    return bool(folded(given, _is_one_spec, lambda _, parts: bool(parts) and all(parts)))


def _is_one_spec(given: Any) -> bool:
    return isinstance(given, (ArraySpec, type)) or get_origin(given) is not None


def _is_sized(spec: Any) -> bool:
    return all(isinstance(dim, int) for part in flat(spec) for dim in part.shape)


def fitting(spec: Any) -> Callable[[Any], bool]:
    """Whether data, as they are, have just this spec: a function of the data alone, since it is asked at each call."""
    if type_of(spec) is not tuple:
        return _leaf(spec)
    if not spec:
        return _is_none
    parts = mapped(_leaf, spec)
    return _nested_of(parts) if any(type_of(part) is tuple for part in parts) else _tuple_of(parts)


def _leaf(spec: Any) -> Callable[[Any], bool]:
    if spec.weak:
        return _of_kind(WEAK_TYPES[spec.dtype])
    return _array_of(spec.shape, spec.dtype) if spec.shape else _of_kind(spec.dtype.type)


def _nothing_fits(data: Any) -> bool:
    return False


def _is_none(data: Any) -> bool:
    return data is None


def _of_kind(kind: type) -> Callable[[Any], bool]:
    """Numbers of one kind, Python's or NumPy's."""

    def fits(data: Any) -> bool:
        return type_of(data) is kind

    return fits


def _array_of(shape: tuple[int, ...], dtype: Any) -> Callable[[Any], bool]:
    def fits(data: Any) -> bool:
        return bool(type_of(data) is ndarray and data.shape == shape and data.dtype == dtype)

    return fits


def _nested_of(parts: Any) -> Callable[[Any], bool]:
    def fits(data: Any) -> bool:
        rest = [(parts, data)]
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


def _tuple_of(parts: tuple[Callable[[Any], bool], ...]) -> Callable[[Any], bool]:
    size = len(parts)

    def fits(data: Any) -> bool:
        if type_of(data) is not tuple or len(data) != size:
            return False
        for place, part in enumerate(data):  # noqa: SIM110  # a loop takes half as long as all(...)
            if not parts[place](part):
                return False
        return True

    return fits
