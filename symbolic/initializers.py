"""Initial arrays of weights: dimensions are positional arguments and keep their types.

The random generator is that of ``with seed(...)``, so that a model built under a seed is the same each time.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np

from layertree import DTypeError
from layertree.core.attribute import Rule
from layertree.core.public import listed
from symbolic.signatures import typed

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from layertree.typing import Float32
    from symbolic.signatures.arrays import A, B, C, E, T

__all__ = [
    "generator",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "normal",
    "ones",
    "seed",
    "uniform",
    "zeros",
]


def __dir__() -> list[str]:
    return listed(globals())


AnyShape: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[Any]]
"""An array of any number of dimensions."""

_ANY, _FROM_ZERO = Rule(None, None, None), Rule(0, None, None)
_generator: ContextVar[np.random.Generator | None] = ContextVar("generator", default=None)


@contextmanager
def seed(number: int) -> Generator[None]:
    """A context in which the random numbers of initialisers and dropout depend on this number alone.

    >>> with seed(0):
    ...     first = normal(3)
    >>> with seed(0):
    ...     second = normal(3)
    >>> bool((first == second).all())
    True
    """
    before, made = _generator.get(), np.random.default_rng(_FROM_ZERO.conform(number, int, "seed: number"))
    try:  # an interrupt may arrive between any two instructions, so not after the change
        _generator.set(made)
        yield
    finally:
        _generator.set(before)


def generator() -> np.random.Generator:
    """The generator of the enclosing ``with seed(...)``, else a fresh one."""
    return _generator.get() or np.random.default_rng()


def _sizes(shape: tuple[int, ...], name: str) -> tuple[int, ...]:
    """The dimensions, each a size of 0 or more."""
    return _FROM_ZERO.conform(shape, tuple[int, ...], f"{name}: shape")  # type: ignore[no-any-return]  # sizes conform


def _floats(drawn: NDArray[np.float64] | float, name: str, dtype: object) -> AnyShape:
    """Random numbers in a dtype. Raises DTypeError for dtypes other than floats, which would round them."""
    wanted = _ANY.conform(dtype, np.dtype, f"{name}: dtype")
    if wanted.kind != "f":
        raise DTypeError(f"{name}: dtype = {wanted} is not allowed: give one of floats")
    return np.asarray(drawn).astype(wanted)[()]


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """The fan-in and fan-out of a kernel (..., inputs, outputs), whose other axes are its window.

    >>> fans((3, 3, 16, 32))
    (144, 288)
    """
    shape = _sizes(shape, "fans")
    if not shape:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    window = math.prod(shape[:-2])
    return shape[-2] * window, shape[-1] * window


def _glorot(shape: tuple[int, ...]) -> float:
    return math.sqrt(2.0 / max(sum(fans(shape)), 1))


def _he(shape: tuple[int, ...]) -> float:
    return math.sqrt(2.0 / max(fans(shape)[0], 1))


@overload
def initializer(a: A, /) -> Float32[A]: ...
@overload
def initializer(a: A, b: B, /) -> Float32[A, B]: ...
@overload
def initializer(a: A, b: B, c: C, /) -> Float32[A, B, C]: ...
@overload
def initializer(a: A, b: B, c: C, e: E, /) -> Float32[A, B, C, E]: ...
@overload
def initializer(a: A, /, *, dtype: type[T] | np.dtype[T]) -> np.ndarray[tuple[A], np.dtype[T]]: ...
@overload
def initializer(a: A, b: B, /, *, dtype: type[T] | np.dtype[T]) -> np.ndarray[tuple[A, B], np.dtype[T]]: ...
@overload
def initializer(a: A, b: B, c: C, /, *, dtype: type[T] | np.dtype[T]) -> np.ndarray[tuple[A, B, C], np.dtype[T]]: ...
@overload
def initializer(
    a: A, b: B, c: C, e: E, /, *, dtype: type[T] | np.dtype[T]
) -> np.ndarray[tuple[A, B, C, E], np.dtype[T]]: ...
@overload
def initializer(*shape: int, dtype: DTypeLike = ...) -> AnyShape: ...
def initializer(*shape: int, dtype: object = np.float32) -> object:
    """The type of a function that makes an array of given dimensions.

    The last overload gives an array that is no argument for a fixed shape; else a checker would take that overload for
    dimensions that do not fit.
    """


@typed(initializer)
def zeros(*shape: int, dtype: DTypeLike = np.float32) -> object:
    """Zeros."""
    return np.zeros(_sizes(shape, "zeros"), dtype)


@typed(initializer)
def ones(*shape: int, dtype: DTypeLike = np.float32) -> object:
    """Ones."""
    return np.ones(_sizes(shape, "ones"), dtype)


@overload
def normal(a: A, /, *, std: float = ...) -> Float32[A]: ...
@overload
def normal(a: A, b: B, /, *, std: float = ...) -> Float32[A, B]: ...
@overload
def normal(a: A, b: B, c: C, /, *, std: float = ...) -> Float32[A, B, C]: ...
@overload
def normal(a: A, b: B, c: C, e: E, /, *, std: float = ...) -> Float32[A, B, C, E]: ...
@overload
def normal(a: A, /, *, std: float = ..., dtype: type[T] | np.dtype[T]) -> np.ndarray[tuple[A], np.dtype[T]]: ...
@overload
def normal(
    a: A, b: B, /, *, std: float = ..., dtype: type[T] | np.dtype[T]
) -> np.ndarray[tuple[A, B], np.dtype[T]]: ...
@overload
def normal(
    a: A, b: B, c: C, /, *, std: float = ..., dtype: type[T] | np.dtype[T]
) -> np.ndarray[tuple[A, B, C], np.dtype[T]]: ...
@overload
def normal(
    a: A, b: B, c: C, e: E, /, *, std: float = ..., dtype: type[T] | np.dtype[T]
) -> np.ndarray[tuple[A, B, C, E], np.dtype[T]]: ...
@overload
def normal(*shape: int, std: float = ..., dtype: DTypeLike = ...) -> AnyShape: ...
def normal(*shape: int, std: float = 1.0, dtype: object = np.float32) -> object:
    """Normally distributed numbers with mean 0 and standard deviation ``std``."""
    sizes, width = _sizes(shape, "normal"), _FROM_ZERO.conform(std, float, "normal: std")
    return _floats(generator().standard_normal(sizes) * width, "normal", dtype)


@overload
def uniform(a: A, /, *, low: float = ..., high: float = ...) -> Float32[A]: ...
@overload
def uniform(a: A, b: B, /, *, low: float = ..., high: float = ...) -> Float32[A, B]: ...
@overload
def uniform(a: A, b: B, c: C, /, *, low: float = ..., high: float = ...) -> Float32[A, B, C]: ...
@overload
def uniform(a: A, b: B, c: C, e: E, /, *, low: float = ..., high: float = ...) -> Float32[A, B, C, E]: ...
@overload
def uniform(
    a: A, /, *, low: float = ..., high: float = ..., dtype: type[T] | np.dtype[T]
) -> np.ndarray[tuple[A], np.dtype[T]]: ...
@overload
def uniform(
    a: A, b: B, /, *, low: float = ..., high: float = ..., dtype: type[T] | np.dtype[T]
) -> np.ndarray[tuple[A, B], np.dtype[T]]: ...
@overload
def uniform(
    a: A, b: B, c: C, /, *, low: float = ..., high: float = ..., dtype: type[T] | np.dtype[T]
) -> np.ndarray[tuple[A, B, C], np.dtype[T]]: ...
@overload
def uniform(
    a: A, b: B, c: C, e: E, /, *, low: float = ..., high: float = ..., dtype: type[T] | np.dtype[T]
) -> np.ndarray[tuple[A, B, C, E], np.dtype[T]]: ...
@overload
def uniform(*shape: int, low: float = ..., high: float = ..., dtype: DTypeLike = ...) -> AnyShape: ...
def uniform(*shape: int, low: float = -1.0, high: float = 1.0, dtype: object = np.float32) -> object:
    """Uniformly distributed numbers from ``low`` up to, but without, ``high``."""
    start, end = (_ANY.conform(bound, float, "uniform: bound") for bound in (low, high))
    return _floats(np.asarray(generator().uniform(start, end, _sizes(shape, "uniform"))), "uniform", dtype)


@typed(initializer)
def glorot_uniform(*shape: int, dtype: DTypeLike = np.float32) -> object:
    """Uniform within +-sqrt(6 / (fan_in + fan_out)), for tanh and sigmoid (Glorot and Bengio, 2010)."""
    return uniform(*shape, low=-_glorot(shape) * math.sqrt(3.0), high=_glorot(shape) * math.sqrt(3.0), dtype=dtype)


@typed(initializer)
def glorot_normal(*shape: int, dtype: DTypeLike = np.float32) -> object:
    """Normal with standard deviation sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""
    return normal(*shape, std=_glorot(shape), dtype=dtype)


@typed(initializer)
def he_uniform(*shape: int, dtype: DTypeLike = np.float32) -> object:
    """Uniform within +-sqrt(6 / fan_in), for relu (He et al., 2015)."""
    return uniform(*shape, low=-_he(shape) * math.sqrt(3.0), high=_he(shape) * math.sqrt(3.0), dtype=dtype)


@typed(initializer)
def he_normal(*shape: int, dtype: DTypeLike = np.float32) -> object:
    """Normal with standard deviation sqrt(2 / fan_in), for relu (He et al., 2015)."""
    return normal(*shape, std=_he(shape), dtype=dtype)
