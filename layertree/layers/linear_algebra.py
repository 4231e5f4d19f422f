"""Matrix products."""

from typing import Any, Generic

from typing_extensions import TypeVar

from layertree.core.fields import layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = ["MatMul", "MatrixTranspose"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E", default=Any)
F = TypeVar("F", default=Any)


@layer(name="matmul", operator="@")
class MatMul(Layer[In, Tape[F, F]], Generic[In, D, E, F]):
    """The matrix product: of two vectors, matrices, or stacks of matrices that broadcast, as NumPy's ``@``.

    >>> import numpy as np
    >>> from layertree import Identity
    >>> MatMul(Identity(), np.array([1.0, 2.0])).predict(np.array([[3.0, 4.0]])).tolist()
    [11.0]
    """

    operand1: Layer[In, Tape[D, D]] = operand()
    operand2: Layer[In, Tape[E, E]] = operand()

    def compute(self, xp: Namespace, a: Value, b: Value) -> Value:
        return xp.matmul(a, b)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, b: Value) -> Pullbacks:
        # The left vector is a row and the right one a column: with these axes of size 1 one rule holds for all ranks.
        rows = xp.expand_dims(a, axis=-2) if xp.ndim(a) == 1 else a
        columns = xp.expand_dims(b, axis=-1) if xp.ndim(b) == 1 else b
        wide = xp.expand_dims(delta, axis=-1) if xp.ndim(b) == 1 else delta
        if xp.ndim(a) == 1:
            wide = xp.expand_dims(wide, axis=-2)

        def left() -> Value:
            if xp.ndim(a) == 1 and xp.ndim(b) <= 2:
                return xp.cast_like(_vector(xp, delta, b if xp.ndim(b) == 1 else xp.matrix_transpose(b)), a)
            part = xp.matmul(wide, xp.matrix_transpose(columns))
            return xp.reshape_like(xp.sum_to(part, rows), a)

        def right() -> Value:
            if xp.ndim(b) == 1 and xp.ndim(a) <= 2:
                return xp.cast_like(_vector(xp, delta, a), b)
            if xp.ndim(columns) == 2:
                # One product over all rows of the stack instead of a product for each matrix and a sum.
                part = xp.matmul(xp.matrix_transpose(_all_rows(xp, rows)), _all_rows(xp, wide))
            else:
                part = xp.matmul(xp.matrix_transpose(rows), wide)
            return xp.reshape_like(xp.sum_to(part, columns), b)

        return left, right


def _vector(xp: Namespace, delta: Value, other: Value) -> Value:
    """The delta of a vector operand, from the delta of the product and the other operand, without new axes."""
    return xp.multiply(delta, other) if xp.ndim(other) == 1 else xp.matmul(delta, other)


def _all_rows(xp: Namespace, x: Value) -> Value:
    """A stack of matrices as one matrix of all rows."""
    return xp.merge_dims(x, start=-xp.ndim(x), stop=-1) if xp.ndim(x) > 2 else x


@layer(name="matrix_transpose")
class MatrixTranspose(Layer[In, Tape[E, E]], Generic[In, D, E]):
    """The last two axes exchanged, as a view."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.matrix_transpose(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        return (lambda: xp.matrix_transpose(delta),)
