"""Layers of vectorized formulas: diagonals, and gathers with leading axes in common.

The family is closed: a derivative or ``vmap`` of these layers needs no layer outside of the families.
"""

from typing import Generic, TypeVar

from layertree.core.fields import attribute, layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = ["EmbedDiagonal", "EyeLike", "ReshapeLast", "ScatterEach", "TakeDiagonal", "TakeEach"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E")
L = TypeVar("L")

_SHARED = "how many leading axes the operand and the indices have in common"


@layer(name="eye_like", differentiable=False)
class EyeLike(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The identity of a pattern's space, (*shape, *shape): for each element the array that is 1 there and 0 elsewhere.

    >>> import numpy as np
    >>> EyeLike(np.zeros(2)).predict(None).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    like: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, like: Value) -> Value:
        return xp.eye_like(like)


@layer(name="embed_diagonal")
class EmbedDiagonal(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """(..., *shape) to (..., *shape, *shape): the elements on the diagonal, else 0.

    >>> import numpy as np
    >>> from layertree import Identity
    >>> EmbedDiagonal(Identity(), axes=1).predict(np.array([2.0, 3.0])).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """

    operand: Layer[In, Tape[D, D]] = operand()
    axes: int = attribute(minimum=0, help="how many of the last axes are doubled")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.embed_diagonal(a, axes=self.axes)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.take_diagonal(delta, axes=self.axes),)


@layer(name="take_diagonal")
class TakeDiagonal(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The diagonal of the last axes, (..., *shape, *shape) to (..., *shape): the adjoint of EmbedDiagonal."""

    operand: Layer[In, Tape[D, D]] = operand()
    axes: int = attribute(minimum=0, help="how many axes are left of twice as many")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.take_diagonal(a, axes=self.axes)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.embed_diagonal(delta, axes=self.axes),)


@layer(name="reshape_last")
class ReshapeLast(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The last axes in another shape, in C order; the other axes are kept. One size of -1 is computed from the others.

    >>> import numpy as np
    >>> from layertree import Identity
    >>> ReshapeLast(Identity(), axes=1, shape=(2, 2)).predict(np.ones((5, 4))).shape
    (5, 2, 2)
    """

    operand: Layer[In, Tape[D, D]] = operand()
    axes: int = attribute(minimum=0, help="how many of the last axes change")
    shape: tuple[int, ...] = attribute(minimum=-1, help="what they change to")

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.reshape_last(a, axes=self.axes, shape=self.shape)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.cast_like(xp.reshape_like(delta, a), a),)


@layer(name="take_each")
class TakeEach(Layer[In, Tape[E, E]], Generic[In, D, E, L]):
    """Take, with indices of its own for each of some leading axes: (*shared, ...) at (*shared, *indices).

    >>> import numpy as np
    >>> from layertree import Identity
    >>> TakeEach(Identity(), np.array([1, 0]), axis=-1, shared=1).predict(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [2.0, 3.0]
    """

    argument: Layer[In, Tape[D, D]] = operand()
    indices: Layer[In, Tape[L, L]] = operand()
    axis: int = attribute(maximum=-1, help="the axis to look along, counted from the end")
    shared: int = attribute(minimum=1, help=_SHARED)

    def compute(self, xp: Namespace, a: Value, indices: Value) -> Value:
        return xp.take_each(a, indices, axis=self.axis, shared=self.shared)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, indices: Value) -> Pullbacks:
        return (lambda: xp.scatter_each(delta, indices, a, axis=self.axis, shared=self.shared), None)


@layer(name="scatter_each")
class ScatterEach(Layer[In, Tape[E, E]], Generic[In, D, E, L]):
    """Zeros in the shape of a pattern with slices added at the indices of each: the adjoint of TakeEach."""

    argument: Layer[In, Tape[D, D]] = operand()
    indices: Layer[In, Tape[L, L]] = operand()
    like: Layer[In, Tape[E, E]] = operand()
    axis: int = attribute(maximum=-1, help="the axis to add along, counted from the end")
    shared: int = attribute(minimum=1, help=_SHARED)

    def compute(self, xp: Namespace, a: Value, indices: Value, like: Value) -> Value:
        return xp.scatter_each(a, indices, like, axis=self.axis, shared=self.shared)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, indices: Value, like: Value) -> Pullbacks:
        return (lambda: xp.take_each(delta, indices, axis=self.axis, shared=self.shared), None, None)
