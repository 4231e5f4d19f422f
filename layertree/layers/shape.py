"""Manipulation of shapes, padding, and conversions of dtype."""

from itertools import accumulate
from typing import Any, Generic

import numpy as np
from typing_extensions import TypeVar

from layertree.core.fields import attribute, layer, operand, operands
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value
from layertree.layers._axes import from_end

__all__ = [
    "Alike",
    "BroadcastTo",
    "Cast",
    "CastLike",
    "Concat",
    "ConcatPart",
    "ExpandDims",
    "MergeDims",
    "OnesLike",
    "Pad",
    "PermuteDims",
    "Reshape",
    "ReshapeLike",
    "SplitDim",
    "ZerosLike",
]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E", default=Any)


@layer(name="reshape")
class Reshape(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The elements in the same (C) order in another shape; one size of -1 is computed from the others."""

    operand: Layer[In, Tape[D, D]] = operand()
    shape: tuple[int, ...] = attribute(minimum=-1, help="the new shape")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.reshape(a, shape=self.shape)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.cast_like(xp.reshape_like(delta, a), a),)


@layer(name="reshape_like")
class ReshapeLike(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The operand in the shape of a pattern, which gets no delta."""

    argument: Layer[In, Tape[D, D]] = operand()
    like: Layer[In, Tape[E, E]] = operand()

    def compute(self, xp: Namespace, a: Value, like: Value) -> Value:
        return xp.reshape_like(a, like)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, like: Value) -> Pullbacks:
        return (lambda: xp.reshape_like(delta, a), None)


@layer(name="merge_dims")
class MergeDims(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The axes from ``start`` up to ``stop``, both counted from the end, flattened to one."""

    operand: Layer[In, Tape[D, D]] = operand()
    start: int = attribute(maximum=-1, help="the first axis to merge, counted from the end")
    stop: int = attribute(maximum=0, help="the axis after the last one to merge; 0 is the end")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.merge_dims(a, start=self.start, stop=self.stop)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.reshape_like(delta, a),)


@layer(name="split_dim")
class SplitDim(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The last axis as two, of which the first has size ``parts``."""

    operand: Layer[In, Tape[D, D]] = operand()
    parts: int = attribute(minimum=1, help="into how many equal parts the last axis falls")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.split_dim(a, parts=self.parts)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.reshape_like(delta, a),)


@layer(name="permute_dims")
class PermuteDims(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The axes in another order: axis i of the result is axis ``axes[i]`` of the operand."""

    operand: Layer[In, Tape[D, D]] = operand()
    axes: tuple[int, ...] = attribute(help="a permutation of the axes")

    def _from_end(self, ndim: int) -> tuple[int, ...]:
        return tuple([from_end(axis, ndim) for axis in self.axes])

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.permute_dims(a, axes=self._from_end(xp.ndim(a)))

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        ndim = len(self.axes)
        forward = self._from_end(ndim)
        back = tuple([from_end(forward.index(axis), ndim) for axis in range(-ndim, 0)])
        return (lambda: xp.permute_dims(delta, axes=back),)


@layer(name="broadcast_to")
class BroadcastTo(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The operand broadcast to a shape, as a view."""

    operand: Layer[In, Tape[D, D]] = operand()
    shape: tuple[int, ...] = attribute(minimum=0, help="the shape to broadcast to")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.broadcast_to(a, shape=self.shape)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.sum_to(delta, a),)


@layer(name="expand_dims")
class ExpandDims(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The operand with a new axis of size 1 at a place of the result."""

    operand: Layer[In, Tape[D, D]] = operand()
    axis: int = attribute(help="where the new axis is in the result")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.expand_dims(a, axis=from_end(self.axis, xp.ndim(a) + 1))

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.cast_like(xp.reshape_like(delta, a), a),)


@layer(name="concat")
class Concat(Layer[In, Tape[E, E]], Generic[In, E]):
    """The operands joined along an axis; the sizes of their other axes are equal."""

    operands: tuple[Layer[In, Tape[Any, Any]], ...] = operands()
    axis: int = attribute(default=0, help="the axis along which they are joined")

    def compute(self, xp: Namespace, *values: Value) -> Value:
        return xp.concat(values, axis=from_end(self.axis, xp.ndim(values[0]) if values else 1))

    def gradient(self, xp: Namespace, delta: Value, output: Value, *values: Value) -> Pullbacks:
        axis = from_end(self.axis, xp.ndim(values[0]))
        indices = _indices_of_parts([xp.shape(value)[axis] for value in values], axis)
        parts = range(len(values))
        if indices:
            pieces = [lambda i=i: xp.getitem(delta, index=indices[i]) for i in parts]
        else:
            pieces = [lambda i=i: xp.concat_part(delta, values, part=i, axis=axis) for i in parts]
        return tuple([lambda i=i: xp.cast_like(pieces[i](), values[i]) for i in parts])


def _indices_of_parts(sizes: list[Any], axis: int) -> list[tuple[Any, ...]]:
    """The index of each part of a joined array, in linear time; empty where a size is unknown."""
    if not all(isinstance(size, int) for size in sizes):
        return []
    rest = ((None, None, None),) * (-axis - 1)
    ends = list(accumulate(sizes))
    return [("...", (end - size, end, None), *rest) for size, end in zip(sizes, ends, strict=True)]


@layer(name="concat_part")
class ConcatPart(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The slice of a concatenation that one operand became, with the operands as patterns: the adjoint of Concat."""

    argument: Layer[In, Tape[D, D]] = operand()
    likes: tuple[Layer[In, Tape[Any, Any]], ...] = operands()
    part: int = attribute(minimum=0, help="which of the operands")
    axis: int = attribute(help="the axis along which they were joined")

    def compute(self, xp: Namespace, a: Value, *likes: Value) -> Value:
        return xp.concat_part(a, likes, part=self.part, axis=from_end(self.axis, xp.ndim(a)))

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, *likes: Value) -> Pullbacks:
        axis = from_end(self.axis, xp.ndim(a))

        def widened() -> Value:
            parts = [delta if i == self.part else xp.zeros_like(like) for i, like in enumerate(likes)]
            return xp.cast_like(xp.concat(tuple(parts), axis=axis), a)

        return (widened, *[None] * len(likes))


@layer(name="pad")
class Pad(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The operand with constant elements before and after along its last axes."""

    operand: Layer[In, Tape[D, D]] = operand()
    widths: tuple[tuple[int, int], ...] = attribute(minimum=0, help="(before, after) for each of the last axes")
    value: float = attribute(default=0.0, help="the element to pad with")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.pad(a, widths=self.widths, value=self.value)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        inner = tuple([(before, -after or None, None) for before, after in self.widths])
        return (lambda: xp.getitem(delta, index=("...", *inner)),)


@layer(name="alike")
class Alike(Layer[In, Tape[D, D]], Generic[In, D, E]):
    """The operand, whose shape has to be that of a pattern: a check where broadcasting would be a mistake.

    Another shape is a ShapeError, when the formula is built where the sizes are known, and when it runs.
    """

    argument: Layer[In, Tape[D, D]] = operand()
    like: Layer[In, Tape[E, E]] = operand()
    reason: str = attribute(default="the shapes have to be the same", help="what an error says of another shape")

    def compute(self, xp: Namespace, a: Value, like: Value) -> Value:
        return xp.alike(a, like, reason=self.reason)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, like: Value) -> Pullbacks:
        return (lambda: delta, None)


@layer(name="zeros_like", differentiable=False)
class ZerosLike(Layer[In, Tape[D, D]], Generic[In, D]):
    """Zeros in the dtype and shape of a pattern."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.zeros_like(a)


@layer(name="ones_like", differentiable=False)
class OnesLike(Layer[In, Tape[D, D]], Generic[In, D]):
    """Ones in the dtype and shape of a pattern."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.ones_like(a)


@layer(name="astype")
class Cast(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The operand in another dtype; the delta is cast back."""

    operand: Layer[In, Tape[D, D]] = operand()
    dtype: np.dtype[Any] = attribute(help="the dtype of the result")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.astype(a, dtype=self.dtype)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.cast_like(delta, a),)


@layer(name="cast_like")
class CastLike(Layer[In, Tape[D, D]], Generic[In, D, E]):
    """The operand in the dtype of a pattern, which gets no delta."""

    argument: Layer[In, Tape[E, E]] = operand()
    like: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, like: Value) -> Value:
        return xp.cast_like(a, like)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, like: Value) -> Pullbacks:
        return (lambda: xp.cast_like(delta, a), None)
