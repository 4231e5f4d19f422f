"""Symbolic: Python's operators and NumPy's protocols around a layer. Every operation builds a larger tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias, TypeVar, overload

import numpy as np

from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.core.layer import In_contra, Layer, Out_co
from layertree.core.layout import Layout
from layertree.core.spec import require
from layertree.core.tape import Tape
from symbolic._exchanged import Exchanged
from symbolic._signatures import arithmetic, comparison, division, logic, product, reflected_product, typed

if TYPE_CHECKING:
    from symbolic._arrays import A, B, Bits, Given, In, Loose, Quantity, Shaped, X
    from symbolic._arrays import T as Scalar

    Part: TypeAlias = Layer[In, Tape[X, X]] | X

__all__ = ["Origin", "Symbolic"]

W = TypeVar("W")
Y = TypeVar("Y")
Z = TypeVar("Z")
Out = TypeVar("Out")
OfBits = TypeVar("OfBits", bound="Symbolic[Any, Tape[Bits, Any]]")
OfNumbers = TypeVar("OfNumbers", bound="Symbolic[Any, Tape[Quantity, Any]]")
OfElements = TypeVar("OfElements", bound="Symbolic[Any, Tape[Quantity | Bits, Any]]")


class Origin:
    """One placeholder call: formulas of one origin have the same input, of this spec."""

    __slots__ = ("spec",)

    spec: Any

    def __init__(self, spec: Any) -> None:
        self.spec = spec


class _NoArrayError(DTypeError, AttributeError):
    """What arrays have was asked of a tuple."""


class Symbolic(Layer[In_contra, Out_co]):
    """A formula that grows by operators. It is a layer, and wraps one: ``formula.layer``.

    >>> from symbolic import placeholder, weight
    >>> x = placeholder(float)
    >>> f = (1.0 + x) * weight(2.0)
    >>> f.layer
    Times(Plus(Literal(1.0), Identity()), Weight(2.0))
    >>> str(f), f.predict(3.0)
    ('(1.0 + x) * weight(2.0)', 8.0)

    Comparisons build trees, too: compare formulas through ``.layer``. Everything is written once, in ``_build``.
    """

    __slots__ = ("layer", "origin", "spec")

    __layout__ = Layout()
    layer: Layer[In_contra, Out_co]
    spec: Any
    origin: Origin | None

    def __init__(self, layer: Any, spec: Any, origin: Origin | None) -> None:
        _set_layer(self, layer)
        _set_spec(self, spec)
        _set_origin(self, origin)

    def __layer__(self) -> Layer[In_contra, Out_co]:
        return self.layer

    def check_input(self, data: Any) -> None:
        """Raise unless data, or the spec of some, fits the spec of the input."""
        if self.origin is not None:
            require(self.origin.spec, data)

    def with_layer(self, layer: Any, given: Sequence[Any] = (), /) -> Symbolic[In_contra, Out_co]:
        """The formula of the same input around another layer, which was made with some given formulas.

        Raises ShapeError or DTypeError where the layer does not fit the input, ValueError for formulas of another one.
        """
        return _rewriting.rewritten(self, layer, given)  # type: ignore[no-any-return]  # any formula

    def surroundings(self) -> Any:
        """What a function that rewrites this formula has around it: its input, for the bare layers that it gets."""
        return _rewriting.Surroundings(self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a formula never changes: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a formula never changes: {name} cannot be deleted")

    @overload
    def __call__(self, inner: Layer[In, In_contra], /) -> Symbolic[In, Out_co]: ...
    @overload
    def __call__(
        self: Layer[Given[tuple[X, Y]], Out], first: Part[object, X], second: Part[object, Y], /
    ) -> Symbolic[object, Out]: ...
    @overload
    def __call__(
        self: Layer[Given[tuple[X, Y]], Out], first: Part[Given[W], X], second: Part[Given[W], Y], /
    ) -> Symbolic[Given[W], Out]: ...
    @overload
    def __call__(  # type: ignore[overload-overlap]  # a tuple of formulas is no data
        self: Layer[Given[tuple[X, Y]], Out], parts: tuple[Part[Given[W], X], Part[Given[W], Y]], /
    ) -> Symbolic[Given[W], Out]: ...
    @overload
    def __call__(
        self: Layer[Given[tuple[X, Y, Z]], Out],
        first: Part[Given[W], X],
        second: Part[Given[W], Y],
        third: Part[Given[W], Z],
        /,
    ) -> Symbolic[Given[W], Out]: ...
    @overload
    def __call__(self: Layer[Tape[X, X], Out], data: X, /) -> Symbolic[object, Out]: ...
    def __call__(self, *arguments: Any) -> Any:
        """The formula with the outputs of others as its input: ``cross_entropy(model(images), labels)``."""
        return _build.compose(self, arguments)

    @property
    def value(self: Symbolic[Any, Tape[X, Any]]) -> X:
        """The value of a weight or a constant; a formula of an input has none before it runs."""
        if "cell" in self.layer.__dict__ or "data" in self.layer.__dict__:
            leaf: Any = self.layer
            value: X = leaf.value
            return value
        raise AttributeError(
            f"{brief_formula(self)} has a value only when it runs: formula.predict(data), or forward(data).value"
        )

    @property
    def shape(self) -> Any:
        """The shape of the output, with the names of dimensions, and None for what is not known yet."""
        return self._array_spec("shape").shape

    @property
    def ndim(self) -> int:
        """The number of axes of the output."""
        return len(self._array_spec("ndim").shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the output."""
        return self._array_spec("dtype").dtype  # type: ignore[no-any-return]  # a spec is of any kind

    def _array_spec(self, wanted: str) -> Any:
        if is_a(self.spec, tuple):
            raise _NoArrayError(
                f"{brief_formula(self)} is a tuple of {len(self.spec)}, which has no {wanted}: take a part, x[0]"
            )
        return self.spec

    @property
    def T(self: Symbolic[In, Shaped[tuple[A, B], Scalar]]) -> Symbolic[In, Shaped[tuple[B, A], Scalar]]:
        """A matrix with its two axes exchanged."""
        if self.ndim != 2:
            raise ValueError(f"{brief_formula(self)} has {self.ndim} axes: .T is for matrices; use .mT or permute_dims")
        return _build.unary("matrix_transpose", self)

    mT: Exchanged = Exchanged()
    """A stack of matrices with the last two axes exchanged."""

    # Each operator has the type of its signature. They say ``self: Any``: a bare one mypy would not bind to that type.

    @typed(arithmetic)
    def __add__(self: Any, other: Any) -> Any:
        return _build.binary("add", self, other)

    @typed(arithmetic)
    def __radd__(self: Any, other: Any) -> Any:
        return _build.binary("add", other, self)

    @typed(arithmetic)
    def __sub__(self: Any, other: Any) -> Any:
        return _build.binary("subtract", self, other)

    @typed(arithmetic)
    def __rsub__(self: Any, other: Any) -> Any:
        return _build.binary("subtract", other, self)

    @typed(arithmetic)
    def __mul__(self: Any, other: Any) -> Any:
        return _build.binary("multiply", self, other)

    @typed(arithmetic)
    def __rmul__(self: Any, other: Any) -> Any:
        return _build.binary("multiply", other, self)

    @typed(division)
    def __truediv__(self: Any, other: Any) -> Any:
        return _build.binary("divide", self, other)

    @typed(division)
    def __rtruediv__(self: Any, other: Any) -> Any:
        return _build.binary("divide", other, self)

    @typed(arithmetic)
    def __floordiv__(self: Any, other: Any) -> Any:
        return _build.binary("floor_divide", self, other)

    @typed(arithmetic)
    def __rfloordiv__(self: Any, other: Any) -> Any:
        return _build.binary("floor_divide", other, self)

    @typed(arithmetic)
    def __mod__(self: Any, other: Any) -> Any:
        return _build.binary("remainder", self, other)

    @typed(arithmetic)
    def __rmod__(self: Any, other: Any) -> Any:
        return _build.binary("remainder", other, self)

    def __divmod__(self: Symbolic[Any, Tape[Quantity, Any]], other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self: Symbolic[Any, Tape[Quantity, Any]], other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    @typed(arithmetic)
    def __pow__(self: Any, other: Any) -> Any:
        return _build.binary("pow", self, other)

    @typed(arithmetic)
    def __rpow__(self: Any, other: Any) -> Any:
        return _build.binary("pow", other, self)

    @typed(product)
    def __matmul__(self: Any, other: Any) -> Any:
        return _build.binary("matmul", self, other)

    @typed(reflected_product)
    def __rmatmul__(self: Any, other: Any) -> Any:
        return _build.binary("matmul", other, self)

    def __neg__(self: OfNumbers) -> OfNumbers:
        return _build.unary("negative", self)  # type: ignore[return-value]  # apply builds any formula

    def __pos__(self: OfElements) -> OfElements:
        return self

    @overload
    def __abs__(self: Symbolic[In, Tape[bool, bool]]) -> Symbolic[In, Tape[int, int]]: ...
    @overload
    def __abs__(self: OfNumbers) -> OfNumbers: ...
    def __abs__(self) -> Any:
        return _build.unary("abs", self)

    @typed(logic)
    def __and__(self: Any, other: Any) -> Any:
        return _build.binary("bitwise_and", self, other)

    @typed(logic)
    def __rand__(self: Any, other: Any) -> Any:
        return _build.binary("bitwise_and", other, self)

    @typed(logic)
    def __or__(self: Any, other: Any) -> Any:
        return _build.binary("bitwise_or", self, other)

    @typed(logic)
    def __ror__(self: Any, other: Any) -> Any:
        return _build.binary("bitwise_or", other, self)

    @typed(logic)
    def __xor__(self: Any, other: Any) -> Any:
        return _build.binary("bitwise_xor", self, other)

    @typed(logic)
    def __rxor__(self: Any, other: Any) -> Any:
        return _build.binary("bitwise_xor", other, self)

    def __invert__(self: OfBits) -> OfBits:
        return _build.unary("bitwise_invert", self)  # type: ignore[return-value]  # apply builds any formula

    @typed(comparison)
    def __lt__(self: Any, other: Any) -> Any:
        return _build.binary("less", self, other)

    @typed(comparison)
    def __le__(self: Any, other: Any) -> Any:
        return _build.binary("less_equal", self, other)

    @typed(comparison)
    def __gt__(self: Any, other: Any) -> Any:
        return _build.binary("greater", self, other)

    @typed(comparison)
    def __ge__(self: Any, other: Any) -> Any:
        return _build.binary("greater_equal", self, other)

    @typed(comparison)
    def __eq__(self: Any, other: Any) -> Any:  # type: ignore[override]  # a formula, as NumPy gives an array
        return _build.binary("equal", self, other)

    @typed(comparison)
    def __ne__(self: Any, other: Any) -> Any:  # type: ignore[override]  # a formula, as NumPy gives an array
        return _build.binary("not_equal", self, other)

    def __hash__(self) -> int:
        return hash(self.layer)

    @overload
    def __getitem__(self: Layer[In, Shaped[Any, Scalar]], index: Any, /) -> Symbolic[In, Shaped[Loose, Scalar]]: ...
    @overload
    def __getitem__(
        self: Layer[In, Tape[tuple[X, *tuple[Any, ...]], Any]], index: Literal[0], /
    ) -> Symbolic[In, Tape[X, X]]: ...
    @overload
    def __getitem__(
        self: Layer[In, Tape[tuple[Any, X, *tuple[Any, ...]], Any]], index: Literal[1], /
    ) -> Symbolic[In, Tape[X, X]]: ...
    @overload
    def __getitem__(
        self: Layer[In, Tape[tuple[Any, Any, X, *tuple[Any, ...]], Any]], index: Literal[2], /
    ) -> Symbolic[In, Tape[X, X]]: ...
    @overload
    def __getitem__(self: Layer[In, Tape[tuple[Any, ...], Any]], index: int, /) -> Symbolic[In, Tape[Any, Any]]: ...
    def __getitem__(self, index: Any, /) -> Any:
        return _index.index(self, index)

    # What a formula refuses. Checkers see None or nothing: else they would take it for a number, an array, a sequence.
    if TYPE_CHECKING:
        __iter__: None
        __contains__: None
    else:

        def __bool__(self) -> NoReturn:
            raise TypeError(
                f"{brief_formula(self)} has no truth value before it runs: if_(condition, then, otherwise) and "
                "where(...) choose, & and | combine comparisons, and formulas are compared by their layers, "
                "f.layer == g.layer"
            )

        def __iter__(self) -> NoReturn:
            raise TypeError(
                f"{brief_formula(self)} cannot be iterated over before it runs: take parts by index, x[0]; "
                "placeholder((float, float)) gives a pair"
            )

        def __len__(self) -> NoReturn:
            raise TypeError(f"{brief_formula(self)} has no len(): see formula.shape")

        def __float__(self) -> NoReturn:
            raise TypeError(f"{brief_formula(self)} is no number before it runs: formula.predict(data) gives one")

        __int__ = __index__ = __float__

        def __contains__(self, item: object) -> NoReturn:
            raise TypeError(f"'in' has no answer before {brief_formula(self)} runs")

        def __array__(self, *_: Any, **__: Any) -> NoReturn:
            raise TypeError(f"{brief_formula(self)} is no array before it runs: formula.predict(data) gives one")

    def __repr__(self) -> str:
        return format(self.layer, "formula")

    def __format__(self, style: str) -> str:
        from symbolic._format import styled_formula

        return styled_formula(self, style)

    def _repr_latex_(self) -> str:
        from symbolic._format import notebook_latex

        return notebook_latex(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return _numpy.ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return _numpy.function(function, arguments, options)

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        """This package, whose functions carry the names of the Array API standard."""
        import symbolic

        return symbolic

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        import copy

        return Symbolic(copy.deepcopy(self.layer, memo), self.spec, self.origin)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return Symbolic, (self.layer, self.spec, self.origin)


# What fills the slots of a new formula: its own ``__setattr__`` refuses.
_set_layer, _set_spec, _set_origin = [vars(Symbolic)[name].__set__ for name in ("layer", "spec", "origin")]

from symbolic import _build, _index, _numpy, _rewriting  # noqa: E402  # they build Symbolics, and its operators call them
