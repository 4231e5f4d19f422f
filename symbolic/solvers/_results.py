"""The results of solvers: the static types of SciPy's OptimizeResult, and the result of a curve fit."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Protocol, TypeAlias, TypeVar

import attrs
import numpy as np
from numpy.typing import NDArray

from layertree import Layer
from layertree.core.dynamic import is_a
from layertree.core.errors import UnknownParameterError
from layertree.core.facade import FACADE
from layertree.core.nested import flat
from layertree.core.suggestions import nearest, some_of

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula

X = TypeVar("X")
F_co = TypeVar("F_co", bound=Layer[Any, Any], covariant=True)

Flat: TypeAlias = NDArray[np.float64]
"""A vector: all variables, or all outputs, one after the other."""
Matrix: TypeAlias = NDArray[np.float64]
"""A matrix, such as a Jacobian: a row for each element of the outputs, a column for each of the variables."""


class Solution(Protocol[X]):
    """The attributes that the results of all solvers have. A method of SciPy may add others."""

    x: X
    success: bool
    status: int
    message: str
    nfev: int


class Minimum(Solution[X], Protocol[X]):
    """The result of ``minimize``."""

    fun: float
    jac: Flat
    nit: int


class Root(Solution[X], Protocol[X]):
    """The result of ``root``."""

    fun: Flat


class LeastSquares(Solution[X], Protocol[X]):
    """The result of ``least_squares``."""

    fun: Flat
    jac: Matrix
    cost: float
    grad: Flat
    optimality: float
    active_mask: NDArray[np.int_]
    njev: int


class HasFormula(Protocol[F_co]):
    """The result of a solver that varies weights."""

    @property
    def formula(self) -> F_co:
        """The formula with new weights, which have the values found."""
        ...


class WeightsMinimum(Minimum[X], HasFormula[F_co], Protocol[X, F_co]):
    """The result of ``minimize`` over weights."""


class WeightsLeastSquares(LeastSquares[X], HasFormula[F_co], Protocol[X, F_co]):
    """The result of ``least_squares`` over weights."""


Fitted = TypeVar("Fitted")


@attrs.frozen(eq=False, kw_only=True, repr=False)
class CurveFit(Generic[Fitted]):
    """The parameters of a model with the least residual sum of squares for some observations, and their precision."""

    parameters: Fitted
    """The parameters: one array where each is a number, else a tuple of numbers and arrays."""
    standard_errors: Fitted
    """The standard error of each, in the same structure; inf where the observations do not determine it."""
    covariance: Matrix
    """Their covariance, shape (p, p), in the order of the parameters."""
    residual_sum_of_squares: float
    residual_standard_deviation: float
    degrees_of_freedom: int
    formula: AnyFormula
    """The model with these parameters, as a formula of x alone."""
    success: bool
    """Whether the solver stopped at a minimum."""
    result: LeastSquares[tuple[float | Flat, ...]]
    """The result of SciPy's least_squares; ``nfev`` and ``njev`` count the evaluations of all attempts."""
    names: tuple[str, ...]
    """The name of each element of the parameters in the text, in the order of the covariance."""
    remarks: tuple[str, ...]
    """A remark on each element: ``at its bound``, ``not determined by the data``, or the empty text."""

    def __getitem__(self, name: str, /) -> float:
        """The value of one parameter, or of one element of an array, by its name in the text: ``found["a"]``.

        Raises UnknownParameterError, which is a KeyError and has the names, for anything else.
        """
        if not is_a(name, str) or name not in self.names:
            raise _unknown_parameter(name, self.names)
        return float(self._values[self.names.index(name)])

    if TYPE_CHECKING:
        __iter__: ClassVar[None]
    else:

        def __iter__(self) -> NoReturn:
            raise TypeError(
                "a CurveFit is not iterated over: found.parameters and found.covariance are arrays, and found['"
                f"{self.names[0]}'] is one parameter"
            )

    @property
    def _values(self) -> Flat:
        """All numbers of the parameters, in the order of the names."""
        return np.concatenate([np.ravel(one) for one in flat(self.parameters)])

    def predict(self, x: object) -> Any:
        """The values of the fitted curve at x."""
        return self.formula.predict(x)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return FACADE.bundle(self)

    def __repr__(self) -> str:
        values = self._values
        errors = np.sqrt(np.diag(self.covariance))
        rows = map(_row, self.names, values, errors, self.remarks)
        deviation = self.residual_standard_deviation
        tail = f"residual standard deviation {deviation:.5g}, " if np.isfinite(deviation) else ""
        head = "CurveFit" if self.success else "CurveFit, not at a minimum"
        return "\n".join([head, *rows, f"  {tail}degrees of freedom {self.degrees_of_freedom}"])


def _unknown_parameter(name: object, names: tuple[str, ...]) -> UnknownParameterError:
    near = nearest(name, names)
    return UnknownParameterError(
        f"the fit has no parameter {reprlib.repr(name)}: it has {some_of(names)}"
        + (f"; near it is {near!r}" if near is not None else "")
    )


def _row(name: str, value: float, error: float, remark: str) -> str:
    precision = f" ± {error:.3g}" if np.isfinite(error) else ""
    return f"  {name} = {value:.10g}{precision}{remark and ', '}{remark}"
