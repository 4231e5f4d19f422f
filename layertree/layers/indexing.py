"""Indexing, gather and scatter: elements and slices at positions, and the adjoints."""

from typing import Any, Generic

from typing_extensions import TypeVar

from layertree.core.fields import attribute, layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.static_index import WHOLE, EncodedIndex, Index
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value
from layertree.layers._axes import from_end

__all__ = ["GetItem", "Pick", "Put", "ScatterAdd", "Take", "Unpick"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E", default=Any)
L = TypeVar("L", default=Any)

_INDEX = "integers, slices, None and '...', in their JSON form"


@layer(name="getitem")
class GetItem(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """``operand[index]`` for an index that is known when the formula is built.

    The index is kept as JSON: a slice is (start, stop, step), ``...`` is "...", a new axis None.

    >>> import numpy as np
    >>> from layertree import Identity
    >>> GetItem(Identity(), (0, (None, 2, None))).predict(np.array([[1.0, 2.0, 3.0]])).tolist()
    [1.0, 2.0]
    """

    operand: Layer[In, Tape[D, D]] = operand()
    index: Index = attribute(help=_INDEX)

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.getitem(a, index=self._from_end(xp.ndim(a)))

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.cast_like(xp.put(delta, a, index=self._from_end(xp.ndim(a))), a),)

    def _from_end(self, ndim: int) -> EncodedIndex:
        return index_from_end(self.index, ndim)


def index_from_end(index: EncodedIndex, ndim: int) -> EncodedIndex:
    """The index with an ellipsis in front, so that it also holds for values with more leading axes."""
    if "..." in index:
        return index
    missing = ndim - sum(part is not None for part in index)
    return ("...", *index, *[WHOLE] * max(missing, 0))


@layer(name="put")
class Put(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """Zeros in the shape of a pattern with the operand at an index: the adjoint of GetItem."""

    argument: Layer[In, Tape[D, D]] = operand()
    like: Layer[In, Tape[E, E]] = operand()
    index: Index = attribute(help=_INDEX)

    def compute(self, xp: Namespace, a: Value, like: Value) -> Value:
        return xp.put(a, like, index=self.index)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, like: Value) -> Pullbacks:
        return (lambda: xp.getitem(delta, index=self.index), None)


@layer(name="take")
class Take(Layer[In, Tape[E, E]], Generic[In, D, E, L]):
    """The slices of the operand at integer indices along an axis: an embedding look-up.

    Negative indices count from the end; repeated ones add up in the gradient. Out of range is an IndexRangeError.
    """

    argument: Layer[In, Tape[D, D]] = operand()
    indices: Layer[In, Tape[L, L]] = operand()
    axis: int = attribute(default=0, help="the axis to look along")

    def compute(self, xp: Namespace, a: Value, indices: Value) -> Value:
        return xp.take(a, indices, axis=from_end(self.axis, xp.ndim(a)))

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, indices: Value) -> Pullbacks:
        return (lambda: xp.scatter_add(delta, indices, a, axis=from_end(self.axis, xp.ndim(a))), None)


@layer(name="scatter_add")
class ScatterAdd(Layer[In, Tape[E, E]], Generic[In, D, E, L]):
    """Zeros in the shape of a pattern with slices added at integer indices: the adjoint of Take."""

    argument: Layer[In, Tape[D, D]] = operand()
    indices: Layer[In, Tape[L, L]] = operand()
    like: Layer[In, Tape[E, E]] = operand()
    axis: int = attribute(default=0, help="the axis to add along")

    def compute(self, xp: Namespace, a: Value, indices: Value, like: Value) -> Value:
        return xp.scatter_add(a, indices, like, axis=from_end(self.axis, xp.ndim(like)))

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, indices: Value, like: Value) -> Pullbacks:
        return (lambda: xp.take(delta, indices, axis=from_end(self.axis, xp.ndim(like))), None, None)


@layer(name="pick")
class Pick(Layer[In, Tape[E, E]], Generic[In, D, E, L]):
    """The element of each row (the last axis) at the label of the row; a label out of range is an IndexRangeError."""

    argument: Layer[In, Tape[D, D]] = operand()
    labels: Layer[In, Tape[L, L]] = operand()

    def compute(self, xp: Namespace, a: Value, labels: Value) -> Value:
        return xp.pick(a, labels)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, labels: Value) -> Pullbacks:
        return (lambda: xp.unpick(delta, labels, a), None)


@layer(name="unpick")
class Unpick(Layer[In, Tape[E, E]], Generic[In, D, E, L]):
    """Zeros in the shape of a pattern with the operand at the labels: the adjoint of Pick."""

    argument: Layer[In, Tape[D, D]] = operand()
    labels: Layer[In, Tape[L, L]] = operand()
    like: Layer[In, Tape[E, E]] = operand()

    def compute(self, xp: Namespace, a: Value, labels: Value, like: Value) -> Value:
        return xp.unpick(a, labels, like)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, labels: Value, like: Value) -> Pullbacks:
        return (lambda: xp.pick(delta, labels), None, None)
