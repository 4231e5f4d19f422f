"""compile: a formula, or a training step of it, as straight-line NumPy."""

from __future__ import annotations

from typing import Any, Literal, TypeVar, overload

from layertree.core.cell import UpdateRule, require_rule
from layertree.core.identity import Identity
from layertree.core.layer import Layer
from layertree.core.objective import require_float, require_number
from layertree.core.spec import ArraySpec
from layertree.core.tape import Tape
from layertree.program.compiled import Compiled, compiled
from layertree.program.options import conformed
from layertree.program.training_step import TrainingStep

__all__ = ["compile"]

X = TypeVar("X")
Y = TypeVar("Y")
In = TypeVar("In")
Out = TypeVar("Out")


@overload
def compile(
    layer: Layer[Tape[X, Any], Tape[Y, Any]],
    *,
    train: Literal[True],
    optimizer: UpdateRule | None = ...,
    threads: int | None = ...,
    limit: int | None = ...,
    check_finite: bool = ...,
) -> TrainingStep[X, Y]: ...
@overload
def compile(
    layer: Layer[In, Out],
    *,
    train: Literal[False] = ...,
    threads: int | None = ...,
    limit: int | None = ...,
    check_finite: bool = ...,
) -> Compiled[In, Out]: ...
def compile(
    layer: Layer[Any, Any],
    *,
    train: bool = False,
    optimizer: UpdateRule | None = None,
    threads: int | None = None,
    limit: int | None = None,
    check_finite: bool = False,
) -> Compiled[Any, Any] | TrainingStep[Any, Any]:
    """The formula as a layer that runs as one program; or, with ``train``, one training step of the formula.

    A program is compiled for the shapes and dtypes of the first data, and kept; other shapes or dtypes get programs of
    their own. ``source`` is the NumPy source of the program that ran last, ``memory`` a report on its memory,
    ``explain()`` what each pass of the compiler did, ``profile(batch)`` the time of each layer, ``str`` its schedule;
    ``reserve(batch)`` compiles without a run.

    Rows of a large batch, and long chains of elementwise operations, are divided among ``threads``, by default as many
    as there are cores, with one thread of BLAS in each; the same number of threads gives the same bits.

    ``limit`` is how many bytes the intermediate values may take: a program that needs more raises MemoryError, with the
    layers that need them. With ``check_finite`` the first layer that makes a NaN or an infinity, forward or backward,
    raises FloatingPointError before any cell changes.

    >>> from symbolic import placeholder, weight
    >>> from layertree import SGD
    >>> x = placeholder(float)
    >>> compile(x * x + 1.0).predict(3.0)
    10.0
    >>> w = weight(2.0)
    >>> step = compile((1.0 + x) * w, train=True, optimizer=SGD(0.1))
    >>> step(3.0), w.value
    (8.0, 1.6)

    Raises TypeError for an optimizer that is none, DTypeError for a layer that does not compile; for an objective whose
    spec is known, ShapeError where it is not one number, and DTypeError where it has no gradient.
    """
    if not hasattr(layer, "__layer__"):
        raise TypeError(f"compile takes a formula or a layer: got {layer!r}")
    if optimizer is not None:
        require_rule(optimizer)
        if not train:
            raise TypeError("an optimizer serves a training step: compile(objective, train=True, optimizer=...)")
    options = conformed(threads, limit, check_finite)
    if train:
        _require_objective(layer)
        return TrainingStep[Any, Any](layer, optimizer, options)
    return compiled(layer, Identity(), options)


def _require_objective(layer: Layer[Any, Any]) -> None:
    """Raise for an objective that is known not to be one number; an array of one element counts as one."""
    spec = getattr(layer, "spec", None)
    if not isinstance(spec, (ArraySpec, tuple)):
        return  # a layer, which does not know its input
    if isinstance(spec, ArraySpec) and all(dim == 1 for dim in spec.shape):
        spec = ArraySpec((), spec.dtype)
    require_number("compile: the objective", layer, spec)
    require_float("compile: the objective", layer, spec)
