"""The formulas that have no operands: placeholders, weights and constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from layertree import Identity, Layer, Literal, Tape, Weight
from layertree.core.spec import ArraySpec, as_spec, spec_of
from layertree.namespaces.spec import infer_spec
from symbolic.building.operations import apply_layer
from symbolic.core.origin import Origin
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from layertree.core.cell import UpdateRule
    from layertree.core.weight import CellLayer
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import Spec

__all__ = ["literal", "placeholder", "weight", "wrap"]

X = TypeVar("X")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
In = TypeVar("In")
Out = TypeVar("Out")
M = TypeVar("M", bound=Layer[Any, Any])

Kind = type[A] | ArraySpec[A]


@overload
def placeholder(
    spec: tuple[Kind[A], Kind[B]], /
) -> tuple[
    Symbolic[Tape[tuple[A, B], tuple[A, B]], Tape[A, A]],
    Symbolic[Tape[tuple[A, B], tuple[A, B]], Tape[B, B]],
]: ...
@overload
def placeholder(
    spec: tuple[Kind[A], Kind[B], Kind[C]], /
) -> tuple[
    Symbolic[Tape[tuple[A, B, C], tuple[A, B, C]], Tape[A, A]],
    Symbolic[Tape[tuple[A, B, C], tuple[A, B, C]], Tape[B, B]],
    Symbolic[Tape[tuple[A, B, C], tuple[A, B, C]], Tape[C, C]],
]: ...
@overload
def placeholder(spec: Kind[X], /) -> Symbolic[Tape[X, X], Tape[X, X]]: ...
@overload
def placeholder(spec: tuple[Any, ...], /) -> tuple[Symbolic[Any, Any], ...]: ...
def placeholder(spec: Any, /) -> Any:
    """The input of a new formula; a tuple of specs gives a tuple of placeholders over one tuple input.

    A spec is ``float``, an ``ArraySpec``, or an annotation such as ``Float32[Batch, Features]``.

    >>> x, y = placeholder((float, float))
    >>> (x * y).predict((3.0, 4.0))
    12.0
    """
    wanted: Spec = as_spec(spec)
    whole: AnyFormula = Symbolic(Identity(), wanted, Origin(wanted))
    if not isinstance(wanted, tuple):
        return whole
    # For loading time: a look-up of the class by its name would load all families of layers.
    from layertree.layers.structure import Item  # here for loading time

    return tuple([apply_layer(Item, whole, position=i) for i in range(len(wanted))])


def weight(value: X, name: str | None = None, optimizer: UpdateRule | None = None) -> Symbolic[object, Tape[X, X]]:
    """A trainable value as a formula, which any formula takes as an operand.

    >>> weight(2.0, name="slope").layer
    Weight(2.0, name='slope')
    """
    layer = Weight(value, name, optimizer)
    return Symbolic(layer, spec_of(layer.value), None)


def in_role(made: M, role: str) -> M:
    """A weight or a state that a block makes, with its role in the block, which names a cell without a name."""
    layer: CellLayer[Any] = made.__layer__()  # type: ignore[assignment]  # blocks make weights and states alone
    layer.cell.role = role
    return made


def literal(value: X, *, copy: bool = True) -> Symbolic[object, Tape[X, object]]:
    """A constant as a formula. Operators make one of plain data without it.

    A formula owns its arrays, so an array is copied, unless it is read-only and owns its memory; with ``copy=False``
    the caller promises not to write into the array.

    >>> literal(2.0).predict()
    2.0
    """
    layer: Literal[Any] = Literal(value, copy=copy)
    return Symbolic(layer, spec_of(layer.data), None)


def wrap(layer: Layer[In, Out], spec: Any) -> Symbolic[In, Out]:
    """A layer, built without this package, as a formula; ``spec`` is the spec of its input.

    >>> from layertree import Exp, Identity
    >>> 2.0 * wrap(Exp(Identity()), float)
    2.0 * exp(x)
    """
    if not isinstance(layer, Layer):  # pyright: ignore[reportUnnecessaryIsInstance]  # users may give anything
        raise TypeError(f"wrap takes a layer: {layer!r} is none")
    wanted = as_spec(spec)
    return Symbolic(layer.__layer__(), infer_spec(layer, wanted), Origin(wanted))
