"""Symbolic: Python's operators and NumPy's protocols around a layer. Every operation builds a larger formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn, TypeAlias, TypeVar, overload

from layertree.core.brief import brief_formula, counted
from layertree.core.diagnostics import MISFITS
from layertree.core.errors import DTypeError
from layertree.core.layer import In_contra, Layer, Out_co
from layertree.core.layout import Layout
from layertree.core.spec import WEAK, require
from layertree.core.tape import Tape
from symbolic.core.facade import facade
from symbolic.core.matrix_transpose import MatrixTranspose
from symbolic.core.origin import part_advice
from symbolic.core.refusals import Refusals, way_to_change
from symbolic.signatures import typed
from symbolic.signatures.operators import arithmetic, comparison, division, logic, product, reflected_product

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np

    from layertree.core.spec import ArraySpec
    from symbolic.core.formula import AnyFormula
    from symbolic.core.origin import Origin
    from symbolic.core.types import AnyLayer, Spec
    from symbolic.signatures.arrays import A, B, Bits, Given, In, Loose, Quantity, Shaped, X
    from symbolic.signatures.arrays import T as Scalar

    Build: TypeAlias = Callable[..., object]
    Part: TypeAlias = Layer[In, Tape[X, X]] | X

__all__ = ["Symbolic"]

W = TypeVar("W")
Y = TypeVar("Y")
Z = TypeVar("Z")
Out = TypeVar("Out")
OfBits = TypeVar("OfBits", bound="Symbolic[Any, Tape[Bits, Any]]")
OfNumbers = TypeVar("OfNumbers", bound="Symbolic[Any, Tape[Quantity, Any]]")
OfElements = TypeVar("OfElements", bound="Symbolic[Any, Tape[Quantity | Bits, Any]]")


class _NoArrayError(DTypeError, AttributeError):
    """An attribute of arrays, asked of a tuple formula."""


class Symbolic(Layer[In_contra, Out_co], Refusals):
    """A formula that grows by operators. It is a layer, and wraps one: ``formula.layer``.

    >>> from symbolic import placeholder, weight
    >>> x = placeholder(float)
    >>> f = (1.0 + x) * weight(2.0)
    >>> f.layer
    Times(Plus(Literal(1.0), Identity()), Weight(2.0))
    >>> str(f), f.predict(3.0)
    ('(1.0 + x) * weight(2.0)', 8.0)

    Comparisons build formulas, too: formulas are compared through ``.layer``.
    """

    __slots__ = ("layer", "origin", "spec")

    __layout__: ClassVar[Layout] = Layer.__layout__
    layer: Layer[In_contra, Out_co]
    spec: Spec
    origin: Origin | None
    """The origin of the input; None for a formula without an input."""

    def __init__(self, layer: AnyLayer, spec: Spec, origin: Origin | None) -> None:
        _set_layer(self, layer)
        _set_spec(self, spec)
        _set_origin(self, origin)

    def __layer__(self) -> Layer[In_contra, Out_co]:
        return self.layer

    def check_input(self, data: object) -> None:
        """Raise unless data, or the spec of some, fits the spec of the input."""
        if self.origin is not None and (type(data) is not float or self.origin.spec is not _FLOAT):
            try:
                require(self.origin.spec, data)
            except MISFITS as error:
                advice = part_advice(self.origin.spec, data)
                if not advice:
                    raise
                raise type(error)(f"{error}{advice}") from None

    def __source__(self) -> Spec | None:
        """The spec of the input; None for a formula without one."""
        return None if self.origin is None else self.origin.spec

    def with_layer(self, layer: AnyLayer, given: Sequence[object] = (), /) -> Symbolic[In_contra, Out_co]:
        """The formula of the same input around another layer, made with the formulas ``given``.

        Raises ShapeError or DTypeError if the layer does not fit the input, ValueError for a given formula of another
        origin.
        """
        return facade.rewritten(self, layer, given)

    def surroundings(self) -> Any:
        """The context in which a function that rewrites this formula takes its bare layers for formulas."""
        return facade.surroundings(self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a formula never changes: {name} cannot be set{way_to_change(self.layer, name)}")

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
        return facade.compose(self, arguments)

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
    def shape(self) -> tuple[int | str | None, ...]:
        """The shape of the output: sizes, names of dimensions, and None for unknown dimensions.

        A named dimension is an extension of this library. The Array API knows sizes and None alone, so code for any
        Array API namespace treats a name as it treats None: a size that is not known yet.
        """
        return self._array_spec("shape").shape

    @property
    def ndim(self) -> int:
        """The number of axes of the output."""
        return len(self._array_spec("ndim").shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the output."""
        return self._array_spec("dtype").dtype

    def _array_spec(self, attribute: str) -> ArraySpec[Any]:
        """The spec of an array formula; an error naming the attribute for a tuple formula."""
        if isinstance(self.spec, tuple):
            raise _NoArrayError(
                f"{brief_formula(self)} is a tuple of {len(self.spec)}, which has no {attribute}: take a part, x[0]"
            )
        return self.spec

    @property
    def T(self: Symbolic[In, Shaped[tuple[A, B], Scalar]]) -> Symbolic[In, Shaped[tuple[B, A], Scalar]]:
        """The transpose of a matrix. Raises ValueError for a formula that has not two axes."""
        if self.ndim != 2:
            axes = f"(x, {tuple(reversed(range(self.ndim)))})" if self.ndim > 2 else ""
            raise ValueError(
                f"{brief_formula(self)} has {counted(self.ndim, 'axis', 'axes')}: .T is for matrices; "
                f"use .mT or permute_dims{axes}"
            )
        return facade.unary("matrix_transpose", self)

    mT: MatrixTranspose = MatrixTranspose()
    """A stack of matrices with the last two axes exchanged."""

    # Each operator has the type of its signature. ``self`` is annotated: mypy binds no bare ``self`` to that type.

    @typed(arithmetic)
    def __add__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("add", self, other)

    @typed(arithmetic)
    def __radd__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("add", other, self)

    @typed(arithmetic)
    def __sub__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("subtract", self, other)

    @typed(arithmetic)
    def __rsub__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("subtract", other, self)

    @typed(arithmetic)
    def __mul__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("multiply", self, other)

    @typed(arithmetic)
    def __rmul__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("multiply", other, self)

    @typed(division)
    def __truediv__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("divide", self, other)

    @typed(division)
    def __rtruediv__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("divide", other, self)

    @typed(arithmetic)
    def __floordiv__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("floor_divide", self, other)

    @typed(arithmetic)
    def __rfloordiv__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("floor_divide", other, self)

    @typed(arithmetic)
    def __mod__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("remainder", self, other)

    @typed(arithmetic)
    def __rmod__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("remainder", other, self)

    def __divmod__(self: Symbolic[Any, Tape[Quantity, Any]], other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self: Symbolic[Any, Tape[Quantity, Any]], other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    @typed(arithmetic)
    def __pow__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("pow", self, other)

    @typed(arithmetic)
    def __rpow__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("pow", other, self)

    @typed(product)
    def __matmul__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("matmul", self, other)

    @typed(reflected_product)
    def __rmatmul__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("matmul", other, self)

    def __neg__(self: OfNumbers) -> OfNumbers:
        return facade.unary("negative", self)  # type: ignore[return-value]  # a formula of the same type

    def __pos__(self: OfElements) -> OfElements:
        return self

    @overload
    def __abs__(self: Symbolic[In, Tape[bool, bool]]) -> Symbolic[In, Tape[int, int]]: ...
    @overload
    def __abs__(self: OfNumbers) -> OfNumbers: ...
    def __abs__(self) -> Any:
        return facade.unary("abs", self)

    @typed(logic)
    def __and__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("bitwise_and", self, other)

    @typed(logic)
    def __rand__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("bitwise_and", other, self)

    @typed(logic)
    def __or__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("bitwise_or", self, other)

    @typed(logic)
    def __ror__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("bitwise_or", other, self)

    @typed(logic)
    def __xor__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("bitwise_xor", self, other)

    @typed(logic)
    def __rxor__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("bitwise_xor", other, self)

    def __invert__(self: OfBits) -> OfBits:
        return facade.unary("bitwise_invert", self)  # type: ignore[return-value]  # a formula of the same type

    @typed(comparison)
    def __lt__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("less", self, other)

    @typed(comparison)
    def __le__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("less_equal", self, other)

    @typed(comparison)
    def __gt__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("greater", self, other)

    @typed(comparison)
    def __ge__(self: AnyFormula, other: object) -> AnyFormula:
        return facade.binary("greater_equal", self, other)

    @typed(comparison)
    def __eq__(self: AnyFormula, other: object) -> AnyFormula:  # type: ignore[override]  # a formula, as NumPy gives an array
        return facade.binary("equal", self, other)

    @typed(comparison)
    def __ne__(self: AnyFormula, other: object) -> AnyFormula:  # type: ignore[override]  # a formula, as NumPy gives an array
        return facade.binary("not_equal", self, other)

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
        return facade.index(self, index)

    def __repr__(self) -> str:
        return format(self.layer, "formula")

    def __format__(self, style: str) -> str:
        return facade.format(self, style)

    def _repr_latex_(self) -> str:
        return facade.latex(self)

    def __array_ufunc__(self, ufunc: Build, method: str, *inputs: object, **options: object) -> Any:
        return facade.ufunc(ufunc, method, inputs, options)

    def __array_function__(
        self, function: Build, types: Iterable[type], arguments: tuple[object, ...], options: dict[str, object]
    ) -> Any:
        return facade.array_function(function, arguments, options)

    def __array_namespace__(self, api_version: str | None = None) -> ModuleType:
        """This package, whose functions carry the names of the Array API standard."""
        return facade.namespace

    def __deepcopy__(self, memo: dict[int, object]) -> Symbolic[In_contra, Out_co]:
        from copy import deepcopy  # for loading time

        return Symbolic(deepcopy(self.layer, memo), self.spec, self.origin)

    def __reduce_ex__(self, protocol: object) -> tuple[type, tuple[AnyLayer, Spec, Origin | None]]:
        return Symbolic, (self.layer, self.spec, self.origin)


_FLOAT = WEAK[float]
# The slots of a new formula are filled by their descriptors, since ``__setattr__`` of a formula raises.
_set_layer, _set_spec, _set_origin = [vars(Symbolic)[name].__set__ for name in ("layer", "spec", "origin")]
