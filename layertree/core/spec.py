"""Specs: the shape and dtype of a value, as far as they are known without the value."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, get_args, get_origin, overload

import attrs
import numpy as np
from typing_extensions import TypeVar

from layertree.core.data import PYTHON_NUMBERS, Data, describe, described
from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.nested import Path, brief_text, mapped, nested_text, place_text, tuple_text
from layertree.core.visible import visible

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

T = TypeVar("T", default=Any)
S = TypeVar("S", bound=np.generic)

Spec: TypeAlias = Any
"""An ArraySpec, or nested tuples of these."""

SpecTree: TypeAlias = "ArraySpec[Any] | tuple[SpecTree, ...]"
"""The same for code that branches by ``isinstance``, which checkers then narrow."""

AnyDType: TypeAlias = "np.dtype[Any]"

Dim = int | str | None
"""A size, the name of a size, or None for an unknown size."""


def _dims(shape: Any) -> tuple[Dim, ...]:
    shape = tuple(shape) if is_a(shape, (tuple, list)) else (shape,)
    are_sizes = True
    for dim in shape:
        if type_of(dim) is not int or dim < 0:
            _require_dim(dim, shape)
            are_sizes = False
    return shape if are_sizes else tuple([int(dim) if is_a(dim, np.integer) else dim for dim in shape])


def _require_dim(dim: object, shape: tuple[object, ...]) -> None:
    if isinstance(dim, bool) or dim == "" or not (dim is None or isinstance(dim, (int, str, np.integer))):
        raise TypeError(f"ArraySpec.shape = {shape!r} is not allowed: a dimension is a size, a name or None")
    if isinstance(dim, (int, np.integer)) and dim < 0:
        raise ValueError(f"ArraySpec.shape = {shape!r} is not allowed: a size is not negative")


def _dtype(kind: Any) -> AnyDType:
    try:
        dtype: AnyDType | None = None if kind is None else np.dtype(kind)
    except TypeError:
        dtype = None
    if dtype is None:
        raise DTypeError(f"ArraySpec.dtype = {kind!r} is not allowed: give a dtype, such as np.float32")
    if dtype.kind not in KINDS:
        raise DTypeError(f"ArraySpec.dtype = {dtype} is not allowed: give one of real numbers or of booleans")
    return dtype


KINDS = {"b": 0, "u": 1, "i": 1, "f": 2}
"""The order of the kinds of dtypes: data of a lower kind are accepted for a spec of a higher kind."""


@attrs.frozen(init=False, repr=False)
class ArraySpec(Generic[T]):
    """The shape and dtype of an array: a dimension is a size, a name, or None for unknown.

    A ``weak`` spec is that of a Python number, which never promotes an array.

    >>> ArraySpec(("Batch", 8), np.float32)
    float32 (Batch, 8)
    """

    shape: tuple[Dim, ...]
    dtype: AnyDType
    weak: bool

    # For type checkers, the dtype determines the type parameter.
    @overload
    def __init__(
        self: ArraySpec[NDArray[np.float64]], shape: tuple[Dim, ...] | list[Dim] | Dim, *, weak: bool = ...
    ) -> None: ...
    @overload
    def __init__(
        self: ArraySpec[NDArray[S]],
        shape: tuple[Dim, ...] | list[Dim] | Dim,
        dtype: type[S] | np.dtype[S],
        weak: bool = ...,
    ) -> None: ...
    @overload
    def __init__(self, shape: tuple[Dim, ...] | list[Dim] | Dim, dtype: DTypeLike, weak: bool = ...) -> None: ...
    def __init__(self, shape: Any, dtype: Any = np.float64, weak: bool = False) -> None:
        object.__setattr__(self, "shape", _dims(shape))
        object.__setattr__(self, "dtype", _dtype(dtype))
        object.__setattr__(self, "weak", weak)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __repr__(self) -> str:
        if self.weak:
            return WEAK_TYPES[self.dtype].__name__
        return f"{self.dtype.name} {shape_text(self.shape)}"


WEAK_TYPES: dict[AnyDType, type] = {
    np.dtype(np.float64): float,
    np.dtype(np.int64): int,
    np.dtype(np.bool_): bool,
}
WEAK: dict[Any, ArraySpec[Any]] = {kind: ArraySpec((), dtype, True) for dtype, kind in WEAK_TYPES.items()}
"""The specs of Python numbers."""


def shape_text(shape: tuple[Dim, ...]) -> str:
    """A shape as the text of a tuple: names without quotes, ? for an unknown size."""
    return tuple_text(["?" if dim is None else visible(str(dim)) for dim in shape])


def spec_text(spec: Spec) -> str:
    """A spec, or a tuple of them, in one line; of a large tuple the number of its parts."""
    return brief_text(spec, repr)


def spec_of(value: Data) -> Spec:
    """The spec of some data; of a tuple the tuple of its parts' specs."""
    if type(value) in PYTHON_NUMBERS:
        return WEAK[type(value)]
    if is_a(value, (np.ndarray, np.generic)):
        return ArraySpec(value.shape, value.dtype)
    if is_a(value, tuple):
        return mapped(spec_of, value)
    raise DTypeError(f"{value!r} has no spec: the library computes with numbers, arrays and tuples of them")


def as_spec(given: Any) -> Spec:
    """The spec that a user names: ``float``, an ArraySpec, ``Float32[Batch, Features]``, a tuple of specs.

    >>> as_spec((float, ArraySpec((3,), np.float32)))
    (float, float32 (3,))
    """
    return mapped(_as_one_spec, given, _parts_of_given)


def _parts_of_given(given: Any) -> Any:
    """The specs in a tuple, or in the annotation of one."""
    if is_a(given, tuple):
        return given or None
    return get_args(given) if get_origin(given) is tuple else None


def _as_one_spec(given: Any) -> Any:
    if is_a(given, ArraySpec):
        return given
    if isinstance(given, type) and not isinstance(given, types.GenericAlias):
        if given in WEAK:
            return WEAK[given]
        if issubclass(given, np.generic):
            return ArraySpec((), _dtype(given))
    if get_origin(given) is np.ndarray:
        return _of_annotation(given)
    raise TypeError(
        f"{given!r} is no spec: give float, int, bool, ArraySpec(shape, dtype), Float32[Batch, Features] "
        "from layertree.typing, or a tuple of these"
    )


def _of_annotation(alias: Any) -> ArraySpec[Any]:
    shape, dtype = get_args(alias)
    dims = get_args(shape)
    is_open = Ellipsis in dims or any(get_origin(dim) is typing.Unpack for dim in dims)
    if get_origin(shape) is not tuple or is_open:
        raise TypeError(f"{alias} leaves the number of axes open: name each dimension, or give an ArraySpec")
    scalar: tuple[Any, ...] = get_args(dtype)
    if not scalar or not (isinstance(scalar[0], type) and issubclass(scalar[0], np.generic)):
        raise TypeError(f"{alias} leaves the dtype open: name it, or give an ArraySpec")
    return ArraySpec(tuple(map(_dim_of, dims)), *scalar)


def _dim_of(kind: Any) -> Dim:
    """A size, or the name of a NewType or TypeVar; of ``int`` and ``Any`` nothing is known."""
    if get_origin(kind) is typing.Literal:
        kind = get_args(kind)[0]
    if isinstance(kind, (int, str)):
        return kind
    if isinstance(kind, (typing.NewType, typing.TypeVar)):
        return kind.__name__
    if kind is int or kind is Any:
        return None
    raise TypeError(f"{kind!r} is no dimension: give a NewType of int, Literal[8], or int where nothing is known")


def require(spec: Spec, value: Data, what: str = "the input") -> None:
    """Raise unless data, or the spec of some, fits a spec: structure, number of axes, known sizes, kind of dtype.

    A name is one size wherever it stands.
    """
    names: dict[str, int] = {}
    pending: list[tuple[Path, Spec, Data]] = [((), spec, value)]
    while pending:
        path, wanted, given = pending.pop()
        several = is_a(wanted, tuple)
        misfit = _misfit_of_parts(wanted, given) if several else _misfit(wanted, given, names)
        if misfit is not None:
            kind, reason = misfit
            raise kind(f"{place_text(path, what)} is {_given(given)}{reason}")
        if several:
            pending += [((*path, i), wanted[i], given[i]) for i in reversed(range(len(wanted)))]


Misfit = tuple[type[Exception], str] | None
"""The error, and how it goes on after what was given; None where it fits."""


def _misfit(spec: Spec, value: Data, names: dict[str, int]) -> Misfit:
    kept = WEAK.get(type(value), value)
    if not isinstance(kept, (ArraySpec, np.ndarray, np.generic)):
        return DTypeError, f", but {spec_text(spec)} is wanted"
    if KINDS.get(kept.dtype.kind, 9) > KINDS[spec.dtype.kind]:
        return DTypeError, f", but {spec_text(spec)} is wanted: cast it to {spec.dtype.name}"
    if len(kept.shape) != len(spec.shape):
        return ShapeError, f", but {spec_text(spec)} is wanted"
    for dim, size in zip(spec.shape, kept.shape, strict=True):
        if not _fits(dim, size, names):
            known = f", and {dim} is {names[dim]}" if isinstance(dim, str) and dim in names else ""
            return ShapeError, f", but {spec_text(spec)} is wanted{known}"
    return None


def _misfit_of_parts(specs: tuple[Spec, ...], value: Data) -> Misfit:
    if is_a(value, tuple) and len(value) == len(specs):
        return None
    wanted = f"a tuple of {len(specs)} is wanted: {spec_text(specs)}"
    if not is_a(value, tuple):
        return DTypeError, f", but {wanted}"
    difference = f"{abs(len(specs) - len(value))} {'missing' if len(value) < len(specs) else 'too many'}"
    return ShapeError, f", {difference}: {wanted}"


def _fits(dim: Dim, size: Dim, names: dict[str, int]) -> bool:
    if dim is None or size is None or dim == size:
        return True
    if isinstance(dim, str):
        return isinstance(size, int) and names.setdefault(dim, size) == size
    return isinstance(size, str)


def _given(value: Data) -> str:
    if isinstance(value, (tuple, ArraySpec)):
        return nested_text(value, _kind)
    if value is None:
        return "missing"
    return described(value)


def _kind(value: Data) -> str:
    return repr(value) if is_a(value, ArraySpec) else describe(value)
