"""Symbolic: Python's operators and NumPy's protocols around a layer. Every operation builds a larger tree."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from layertree._errors import DTypeError
from layertree._formula_text import brief_formula, formula
from layertree._layer import In_contra, Layer, Out_co
from layertree._spec import require

__all__ = ["Origin", "Symbolic"]


class Origin:
    """One placeholder call: formulas of one origin have the same input, of this spec."""

    __slots__ = ("spec",)

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

    layer: Layer[In_contra, Out_co]
    spec: Any
    origin: Origin | None

    def __init__(self, layer: Any, spec: Any, origin: Origin | None) -> None:
        put = object.__setattr__
        put(self, "layer", layer)
        put(self, "spec", spec)
        put(self, "origin", origin)

    def __layer__(self) -> Layer[In_contra, Out_co]:
        return self.layer

    def check_input(self, data: Any) -> None:
        """Raise unless data fits the spec of the input."""
        if self.origin is not None:
            require(self.origin.spec, data)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a formula never changes: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a formula never changes: {name} cannot be deleted")

    def __call__(self, *arguments: Any) -> Any:
        """The formula with the outputs of others as its input: ``cross_entropy(model(images), labels)``."""
        return _build.compose(self, arguments)

    @property
    def value(self) -> Any:
        """The value of a weight or a constant; a formula of an input has none before it runs."""
        for name in ("cell", "data"):
            if name in self.layer.__dict__:
                return self.layer.value  # type: ignore[attr-defined]  # only leaves with a value come here
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
        if isinstance(self.spec, tuple):
            raise _NoArrayError(
                f"{brief_formula(self)} is a tuple of {len(self.spec)}, which has no {wanted}: take a part, x[0]"
            )
        return self.spec

    @property
    def T(self) -> Any:
        """A matrix with its two axes exchanged."""
        if self.ndim != 2:
            raise ValueError(f"{brief_formula(self)} has {self.ndim} axes: .T is for matrices; use .mT or permute_dims")
        return _build.apply("matrix_transpose", self)

    @property
    def mT(self) -> Any:
        """A stack of matrices with the last two axes exchanged."""
        return _build.apply("matrix_transpose", self)

    def __add__(self, other: Any) -> Any:
        return _build.apply("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return _build.apply("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return _build.apply("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _build.apply("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return _build.apply("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _build.apply("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _build.apply("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _build.apply("divide", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _build.apply("floor_divide", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _build.apply("floor_divide", other, self)

    def __mod__(self, other: Any) -> Any:
        return _build.apply("remainder", self, other)

    def __rmod__(self, other: Any) -> Any:
        return _build.apply("remainder", other, self)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __pow__(self, other: Any) -> Any:
        return _build.apply("pow", self, other)

    def __rpow__(self, other: Any) -> Any:
        return _build.apply("pow", other, self)

    def __matmul__(self, other: Any) -> Any:
        return _build.apply("matmul", self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _build.apply("matmul", other, self)

    def __neg__(self) -> Any:
        return _build.apply("negative", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return _build.apply("abs", self)

    def __and__(self, other: Any) -> Any:
        return _build.apply("bitwise_and", self, other)

    def __rand__(self, other: Any) -> Any:
        return _build.apply("bitwise_and", other, self)

    def __or__(self, other: Any) -> Any:
        return _build.apply("bitwise_or", self, other)

    def __ror__(self, other: Any) -> Any:
        return _build.apply("bitwise_or", other, self)

    def __xor__(self, other: Any) -> Any:
        return _build.apply("bitwise_xor", self, other)

    def __rxor__(self, other: Any) -> Any:
        return _build.apply("bitwise_xor", other, self)

    def __invert__(self) -> Any:
        return _build.apply("bitwise_invert", self)

    def __lt__(self, other: Any) -> Any:
        return _build.apply("less", self, other)

    def __le__(self, other: Any) -> Any:
        return _build.apply("less_equal", self, other)

    def __gt__(self, other: Any) -> Any:
        return _build.apply("greater", self, other)

    def __ge__(self, other: Any) -> Any:
        return _build.apply("greater_equal", self, other)

    def __eq__(self, other: Any) -> Any:
        return _build.apply("equal", self, other)

    def __ne__(self, other: Any) -> Any:
        return _build.apply("not_equal", self, other)

    def __hash__(self) -> int:
        return hash(self.layer)

    def __getitem__(self, index: Any) -> Any:
        return _index.index(self, index)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{brief_formula(self)} has no truth value before it runs: if_(condition, then, otherwise) and where(...) "
            "choose, & and | combine comparisons, and formulas are compared by their layers, f.layer == g.layer"
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

    def __repr__(self) -> str:
        return formula(self.layer)

    def __format__(self, style: str) -> str:
        return formula(self.layer) if not style else format(self.layer, style)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return _numpy.ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return _numpy.function(function, arguments, options)

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(f"{brief_formula(self)} is no array before it runs: formula.predict(data) gives one")

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        """This package, whose functions carry the names of the Array API standard."""
        import symbolic

        return symbolic

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        import copy

        return Symbolic(copy.deepcopy(self.layer, memo), self.spec, self.origin)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return Symbolic, (self.layer, self.spec, self.origin)


from symbolic import _build, _index, _numpy  # noqa: E402  # they build Symbolics, and its operators call them
