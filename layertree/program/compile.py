"""compile: a formula, or a training step, as straight-line NumPy."""

from __future__ import annotations

from typing import Any, Literal, TypeVar, overload

from layertree._cell import require_rule
from layertree._identity import Identity
from layertree._layer import Layer
from layertree._tape import Tape
from layertree.program.compiled import compiled
from layertree.program.training import TrainingStep

__all__ = ["compile"]

X = TypeVar("X")
Y = TypeVar("Y")
In = TypeVar("In")
Out = TypeVar("Out")


@overload
def compile(
    layer: Layer[Tape[X, Any], Tape[Y, Any]], *, train: Literal[True], optimizer: Any = ..., threads: int | None = ...
) -> TrainingStep[X, Y]: ...
@overload
def compile(layer: Layer[In, Out], *, train: Literal[False] = ..., threads: int | None = ...) -> Layer[In, Out]: ...
def compile(layer: Any, *, train: bool = False, optimizer: Any = None, threads: int | None = None) -> Any:
    """The formula as a layer that runs as one program; or, with ``train``, one training step of it.

    A program is made for the shapes and dtypes of the first data it is given, kept, and made again for others.

    >>> from symbolic import placeholder, weight
    >>> from layertree import SGD
    >>> x = placeholder(float)
    >>> compile(x * x + 1.0).predict(3.0)
    10.0
    >>> w = weight(2.0)
    >>> step = compile((1.0 + x) * w, train=True, optimizer=SGD(0.1))
    >>> step(3.0), w.value
    (8.0, 1.6)

    Raises TypeError for an optimizer that is none, DTypeError for what does not compile.
    """
    if optimizer is not None:
        require_rule(optimizer)
    return TrainingStep(layer, optimizer, threads) if train else compiled(layer, Identity(), threads)
