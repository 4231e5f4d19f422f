"""Namespace: the functions that the rules of layers, definitions and update rules compute with.

A rule is written once against ``xp: Namespace`` and read in each namespace: Python numbers, NumPy arrays, specs, layers
of a derivative, stacks of examples, operations of a program. Names and parameters are those of the Array API standard
(https://data-apis.org/array-api/latest) where it has the function, else the name of the layer that computes it.

Operands come first, by position; attributes, which are the fields of the layer of that name, by keyword. Axes are
negative, so that a rule also holds for values with more leading axes. An operand called ``like`` is a pattern, of which
only shape and dtype are used. Python numbers may stand for operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from typing_extensions import TypeVar

from layertree.core.elementwise import ElementwiseFunctions
from layertree.core.static_index import EncodedIndex
from layertree.core.value import Axes, DType, Pair, Shape, Sizes, Value, Widths

__all__ = ["Namespace"]

V = TypeVar("V", covariant=True, default=Value)
"""The type of a namespace's values."""


class Namespace(ElementwiseFunctions[V], Protocol[V]):
    """The functions of a namespace, whose results are of type ``V``.

    ``Namespace`` alone leaves the values opaque, as rules do: they serve all namespaces.
    """

    # Properties of a value, which every namespace knows without data. A rule may branch on rank and dtype.

    def shape(self, x: Value, /) -> Shape:
        """The sizes of all axes; a name or None for a size that is not known before there are data."""
        ...

    def ndim(self, x: Value, /) -> int:
        """The rank: the number of axes."""
        ...

    def dtype(self, x: Value, /) -> DType:
        """The dtype, or the type of a Python number."""
        ...

    # Creation and dtypes.

    def astype(self, x: Value, /, *, dtype: DType) -> V:
        """``x`` in another dtype."""
        ...

    def cast_like(self, x: Value, like: Value, /) -> V:
        """``x`` in the dtype of a pattern."""
        ...

    def ones_like(self, like: Value, /) -> V:
        """Ones in the shape and dtype of a pattern."""
        ...

    def zeros_like(self, like: Value, /) -> V:
        """Zeros in the shape and dtype of a pattern."""
        ...

    def eye_like(self, like: Value, /) -> V:
        """The identity of the space of a pattern, (*shape, *shape)."""
        ...

    def bernoulli(self, like: Value, counter: Value, /, *, probability: float, seed: int) -> V:
        """Booleans in the shape of a pattern, drawn by a counter-based generator."""
        ...

    # Reductions and cumulative functions.

    def sum(self, x: Value, /, *, axis: Axes, keepdims: bool = False) -> V:
        """The sum over axes."""
        ...

    def prod(self, x: Value, /, *, axis: Axes, keepdims: bool = False) -> V:
        """The product over axes."""
        ...

    def mean(self, x: Value, /, *, axis: Axes, keepdims: bool = False) -> V:
        """The mean over axes."""
        ...

    def max(self, x: Value, /, *, axis: Axes, keepdims: bool = False) -> V:
        """The maximum over axes."""
        ...

    def min(self, x: Value, /, *, axis: Axes, keepdims: bool = False) -> V:
        """The minimum over axes."""
        ...

    def argmax(self, x: Value, /, *, axis: int, keepdims: bool = False) -> V:
        """The position of the maximum along an axis, of equal ones the first."""
        ...

    def vector_norm(self, x: Value, /, *, axis: Axes, keepdims: bool = False) -> V:
        """The Euclidean norm over axes."""
        ...

    def logsumexp(self, x: Value, /, *, axis: Axes, keepdims: bool = False) -> V:
        """log(sum(exp(x))) over axes, without overflow."""
        ...

    def softmax(self, x: Value, /, *, axis: Axes) -> V:
        """exp(x) / sum(exp(x)) over axes."""
        ...

    def log_softmax(self, x: Value, /, *, axis: int) -> V:
        """The logarithm of the softmax along an axis."""
        ...

    def axis_size(self, x: Value, /, *, axis: Axes) -> V:
        """The number of elements along axes, as an integer."""
        ...

    def cumulative_sum(self, x: Value, /, *, axis: int) -> V:
        """The cumulative sum along an axis."""
        ...

    def cumulative_prod(self, x: Value, /, *, axis: int) -> V:
        """The cumulative product along an axis."""
        ...

    def linear_recurrence(self, factors: Value, terms: Value, /, *, axis: int) -> V:
        """y[i] = factors[i] * y[i - 1] + terms[i] along an axis."""
        ...

    # Manipulation of shapes.

    def alike(self, x: Value, like: Value, /, *, reason: str) -> V:
        """``x``, if its shape is that of a pattern; else a ShapeError with a reason."""
        ...

    def broadcast_like(self, x: Value, like: Value, /) -> V:
        """``x`` broadcast to the shape of a pattern."""
        ...

    def broadcast_to(self, x: Value, /, *, shape: Shape) -> V:
        """``x`` broadcast to a shape."""
        ...

    def sum_to(self, x: Value, like: Value, /) -> V:
        """The adjoint of broadcasting: sums over broadcast axes, in shape and dtype of a pattern."""
        ...

    def reshape(self, x: Value, /, *, shape: Sizes) -> V:
        """The elements in C order in another shape; one size may be -1."""
        ...

    def reshape_like(self, x: Value, like: Value, /) -> V:
        """The elements in C order in the shape of a pattern."""
        ...

    def reshape_last(self, x: Value, /, *, axes: int, shape: Sizes) -> V:
        """The last axes in another shape."""
        ...

    def merge_dims(self, x: Value, /, *, start: int, stop: int) -> V:
        """The axes from ``start`` up to ``stop`` flattened to one."""
        ...

    def split_dim(self, x: Value, /, *, parts: int) -> V:
        """The last axis as two, of which the first has size ``parts``."""
        ...

    def expand_dims(self, x: Value, /, *, axis: int) -> V:
        """``x`` with a new axis of size 1."""
        ...

    def permute_dims(self, x: Value, /, *, axes: Sizes) -> V:
        """The axes in another order."""
        ...

    def matrix_transpose(self, x: Value, /) -> V:
        """The last two axes exchanged."""
        ...

    def concat(self, operands: Sequence[Value], /, *, axis: int) -> V:
        """The operands joined along an axis."""
        ...

    def concat_part(self, x: Value, likes: Sequence[Value], /, *, part: int, axis: int) -> V:
        """The slice of a concatenation that one operand became: the adjoint of ``concat``."""
        ...

    def pad(self, x: Value, /, *, widths: Widths, value: float) -> V:
        """The last axes with constant elements (before, after) each."""
        ...

    def embed_diagonal(self, x: Value, /, *, axes: int) -> V:
        """The last axes twice, with the elements on the diagonal."""
        ...

    def take_diagonal(self, x: Value, /, *, axes: int) -> V:
        """The diagonal of the last axes: the adjoint of ``embed_diagonal``."""
        ...

    # Indexing, and the adjoints.

    def getitem(self, x: Value, /, *, index: EncodedIndex) -> V:
        """``x[index]`` for a static index."""
        ...

    def put(self, x: Value, like: Value, /, *, index: EncodedIndex) -> V:
        """Zeros with ``x`` at a static index: the adjoint of ``getitem``."""
        ...

    def take(self, x: Value, indices: Value, /, *, axis: int) -> V:
        """The slices at integer indices along an axis."""
        ...

    def scatter_add(self, x: Value, indices: Value, like: Value, /, *, axis: int) -> V:
        """Zeros with slices added at indices: the adjoint of ``take``."""
        ...

    def take_each(self, x: Value, indices: Value, /, *, axis: int, shared: int) -> V:
        """``take`` with indices for each element of ``shared`` leading axes."""
        ...

    def scatter_each(self, x: Value, indices: Value, like: Value, /, *, axis: int, shared: int) -> V:
        """The adjoint of ``take_each``."""
        ...

    def pick(self, x: Value, labels: Value, /) -> V:
        """The element of each row at its label."""
        ...

    def unpick(self, x: Value, labels: Value, like: Value, /) -> V:
        """Zeros with ``x`` at the labels: the adjoint of ``pick``."""
        ...

    def cross_entropy(self, x: Value, labels: Value, /) -> V:
        """The negative log-probability of each label."""
        ...

    # Products, windows, convolution and pooling; channels last.

    def matmul(self, a: Value, b: Value, /) -> V:
        """The matrix product."""
        ...

    def windows(self, x: Value, /, *, window: Shape, stride: Sizes, dilation: Sizes) -> V:
        """All windows as new axes (im2col)."""
        ...

    def fold(self, x: Value, like: Value, /, *, stride: Sizes, dilation: Sizes) -> V:
        """Windows added up: the adjoint of ``windows`` (col2im)."""
        ...

    def conv2d(self, x: Value, kernel: Value, /, *, stride: Pair, padding: Pair, dilation: Pair, groups: int) -> V:
        """The cross-correlation of images with a kernel."""
        ...

    def max_pool2d(self, x: Value, /, *, window: Pair, stride: Pair, padding: Pair) -> V:
        """The maximum of each window of images."""
        ...

    def max_unpool2d(self, x: Value, output: Value, like: Value, /, *, window: Pair, stride: Pair, padding: Pair) -> V:
        """``x`` at the maximum of each window: the adjoint of ``max_pool2d``."""
        ...

    # Tuples and control. A part of a tuple may be a tuple, so the result is opaque in every namespace.

    def tuple(self, operands: Sequence[Value], /) -> Value:
        """Several values as one."""
        ...

    def item(self, x: Value, /, *, position: int) -> Value:
        """One part of a tuple."""
        ...

    def stop_gradient(self, x: Value, /) -> Value:
        """``x``, without a derivative."""
        ...

    def hook(self, x: Value, /, *, function: Callable[[Any], object]) -> Value:
        """``x``, after ``function(x)``."""
        ...

    def dropout(self, x: Value, mask: Value, /, *, rate: float) -> V:
        """``x`` where a mask is true, divided by 1 - rate; else 0."""
        ...

    def running_average(self, x: Value, average: Value, /) -> V:
        """``x``, whose statistics update an average on commit."""
        ...
