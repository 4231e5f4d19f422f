"""Curve fitting: parameters, and how well the observations determine them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree import Identity, Layer, ShapeError
from layertree.core.data import describe
from layertree.core.dynamic import is_a
from layertree.core.nested import mapped, paths
from layertree.core.spec import ArraySpec, spec_of
from symbolic.building.placeholders import wrap
from symbolic.core.narrowing import is_formula
from symbolic.derivatives._formulas import parts_of
from symbolic.signatures import typed
from symbolic.solvers._evaluation import Evaluation, applied, of_arguments, plain
from symbolic.solvers._packing import as_floats, is_sequence
from symbolic.solvers._regression import GOOD_ENOUGH, Linearised, Residuals, fit
from symbolic.solvers._results import CurveFit, Flat
from symbolic.solvers._solve import packed_bounds
from symbolic.solvers._variables import Weights, require_no_weights

if TYPE_CHECKING:
    from symbolic.solvers import _signatures as signatures
else:
    from symbolic.signatures import absent as signatures


@typed(signatures.curve_fit)
def curve_fit(
    model: object,
    x: object,
    y: object,
    start: object = None,
    *,
    wrt: object = None,
    update: bool = False,
    sigma: object = None,
    absolute_sigma: bool = False,
    bounds: object = None,
    **options: Any,
) -> object:
    """The parameters of a model of ``x`` with the least sum of squared differences from ``y``.

    ``model`` is a function, or a formula, of ``x`` and then of each parameter: ``model(x, a, k)``; several predictors
    are a tuple ``x``. ``start`` holds the initial parameters. Without ``start`` the model is a formula of ``x`` alone,
    and its weights are fitted, all or those of ``wrt``, with their values as the start; ``update=True`` sets the
    weights, all at a time, if the fit succeeds. In the text of the result the parameters have the names in the
    signature of the function, or those that ``named_cells`` gives the weights; the parameters of a formula are ``b1``,
    ``b2`` and so on.

    >>> from symbolic import exp
    >>> from layertree.datasets import nist
    >>> data = nist("Misra1a")
    >>> curve_fit(lambda x, a, k: a * (1.0 - exp(-k * x)), data.x, data.y, (500.0, 0.0001))
    CurveFit
      a = 238.9421292 ± 2.71
      k = 0.0005501564318 ± 7.27e-06
      residual standard deviation 0.10188, degrees of freedom 12
    >>> found = curve_fit(data.model, data.x, data.y, data.starts[1])
    >>> [f"{one:.9g}" for one in found.parameters / data.parameters]
    ['1', '1']

    >>> from symbolic import placeholder, weight
    >>> from layertree.typing import ArraySpec
    >>> pressure = placeholder(ArraySpec((None,), float))
    >>> volume = weight(250.0, name="volume") * (1.0 - exp(-weight(0.0005, name="rate") * pressure))
    >>> curve_fit(volume, data.x, data.y).parameters.round(4).tolist()
    [238.9421, 0.0006]

    ``sigma`` is the standard deviation of each observation, up to a common factor; with ``absolute_sigma`` that factor
    is 1. Standard errors are computed from the exact Jacobian at the minimum, by its singular value decomposition; the
    standard error of a parameter at its bound is that without the bound, and the text remarks on the bound.

    The method is Levenberg and Marquardt's, then steps of Gauss and Newton for the last digits. If the result is no
    minimum, leaves more than a tenth of the variation of ``y``, or has residuals with a trend, then trust regions and
    shorter first steps are tried, too, and the result is the best of all. ``method`` names one of the methods of
    ``scipy.optimize.least_squares``. ``bounds`` is the pair of the lower and the upper bounds: each is one number for
    all parameters, or a sequence. These and other options are passed to SciPy.

    Raises ShapeError for a model with another shape than ``y``, ValueError for observations that are not finite and for
    a start at which the model is not finite, TypeError for ``p0`` and ``x0``, whose name is ``start`` here, and for
    ``wrt`` or ``update`` with a start, ModuleNotFoundError without SciPy.
    """
    _require_start(options)
    predictors, observed = _predictors(model, x), as_floats(y, "y")
    if start is None:
        what: Weights | _Start = Weights(model, wrt, (predictors,), update, "curve_fit", "start")
    else:
        require_no_weights(wrt, update, "curve_fit", "start")
        what = _Start(model, predictors, start)
    evaluation = what.evaluation(model)
    _require_shape(evaluation, observed)
    residuals = Residuals(evaluation, observed, 1.0 if sigma is None else _deviations(sigma, observed))
    first = _finite_start(residuals)
    limits = None if bounds is None else packed_bounds(bounds, evaluation.packing)
    result, found = fit(residuals, first, limits, options)
    result.success = found.is_finite and (bool(result.success) or found.offset < GOOD_ENOUGH)
    names = evaluation.packing.names(what.names)
    return _answer(evaluation, found, what.finish(result, evaluation), absolute_sigma, tuple(names))


class _Start:
    """The initial parameters of a model of x and of its parameters."""

    def __init__(self, model: object, x: object, start: Any) -> None:
        self.model = model
        self.x = x
        given = start if is_sequence(start) else (start,)
        self.start = tuple(map(_number, given))

    def evaluation(self, model: object) -> Evaluation:
        """The model as a function of the parameters."""
        return of_arguments(model, self.start, (self.x,), (), "curve_fit", "start")

    @property
    def names(self) -> list[str]:
        """The name of each number or array: that in the signature, with the position of a part of a tuple."""
        count = len(self.start)
        named = _signature(self.model)[1 : count + 1]
        names = named if len(named) == count else [f"b{i}" for i in range(1, count + 1)]
        return [names[place] + "".join(f"[{i}]" for i in rest) for (place, *rest), _ in paths(self.start)]

    def finish(self, result: Any, evaluation: Evaluation) -> Any:
        """The result with the model at its parameters, of x alone, for any number of observations."""
        result.x = evaluation.packing.unpack(result.x)
        x = wrap(Identity[Any, Any](), mapped(_loose, spec_of(self.x)))
        result.formula = applied(self.model, (parts_of(x), *result.x), "curve_fit")
        return result


def _signature(model: Any) -> list[str]:
    """The names of a function's positional parameters; none for a formula and for callables without a signature."""
    if isinstance(model, Layer):
        return []
    try:
        parameters = inspect.signature(model).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]


def _require_start(options: dict[str, Any]) -> None:
    """Raise TypeError for the names of the start in other solvers, which SciPy would reject as options."""
    for word in ("p0", "x0"):
        if word in options:
            raise TypeError(f"curve_fit: the parameters to begin with are start, not {word}: start={options[word]!r}")


def _predictors(model: object, x: object) -> object:
    """The predictors as floats; those of a formula, whose spec has dtypes, may be integers."""
    predictors: object = plain(x, "x") if is_formula(model) else as_floats(x, "x")
    return predictors


def _number(part: Any) -> Any:
    """A number as a Python float, which never promotes an array; any other part as it is."""
    return part if is_a(part, tuple) or np.ndim(part) else float(part)


def _deviations(sigma: object, y: Flat) -> Flat:
    """The standard deviation of each observation. Raises ShapeError or ValueError for others than positive numbers."""
    given = as_floats(sigma, "sigma")
    if np.shape(given) not in ((), np.shape(y)):
        raise ShapeError(f"sigma is {describe(given)}, but y is {describe(y)}: it has one for each observation")
    if not np.all(np.asarray(given) > 0):
        raise ValueError("sigma holds standard deviations: each has to be larger than 0")
    return np.broadcast_to(given, np.shape(y)).ravel()


def _require_shape(evaluation: Evaluation, y: Flat) -> None:
    """Raise ShapeError unless the model has the shape of the observations, ValueError unless these are finite."""
    whole = evaluation.outputs[0]
    if len(evaluation.outputs) > 1 or whole.shape != np.shape(y):
        raise ShapeError(
            f"the model is {', '.join(repr(one.spec) for one in evaluation.outputs)}, but y is {describe(y)}"
        )
    if not np.all(np.isfinite(y)):
        raise ValueError(f"y has {int(np.sum(~np.isfinite(y)))} observations that are not finite: leave them out")


def _finite_start(residuals: Residuals) -> Flat:
    """The start as a flat vector. Raises ValueError if the model is not finite there."""
    packing = residuals.evaluation.packing
    start = packing.pack(packing.pattern)
    wrong = ~np.isfinite(residuals.value(start))
    if wrong.any():
        raise ValueError(
            f"at the start {start.tolist()} the model is not finite for {int(wrong.sum())} of {wrong.size} observations"
        )
    return start


def _loose(spec: ArraySpec[Any]) -> ArraySpec[Any]:
    """The spec of any number of observations."""
    return ArraySpec((None,) * len(spec.shape), spec.dtype, spec.weak)


def _answer(
    evaluation: Evaluation, found: Linearised, result: Any, absolute_sigma: bool, names: tuple[str, ...]
) -> CurveFit[Any]:
    freedom = found.freedom
    variance = found.sum_of_squares / freedom if freedom > 0 else float("inf")
    covariance = found.covariance(1.0 if absolute_sigma else variance)
    unpack = evaluation.packing.unpack
    return CurveFit(
        parameters=_plainly(unpack(found.flat)),
        standard_errors=_plainly(unpack(np.sqrt(np.diag(covariance)))),
        covariance=covariance,
        residual_sum_of_squares=found.sum_of_squares,
        residual_standard_deviation=float(np.sqrt(variance)),
        degrees_of_freedom=freedom,
        formula=result.formula,
        success=result.success,
        result=result,
        names=names,
        remarks=tuple(map(_remark, result.active_mask, found.determined, np.isfinite(np.diag(covariance)))),
    )


def _remark(side: int, is_determined: bool, has_error: bool) -> str:
    """The remark on a parameter in the text."""
    remarks = ["at its bound"] if side else []
    if not is_determined:
        remarks.append("not determined by the data")
    elif not has_error:
        remarks.append("with no degrees of freedom for an error")
    return ", ".join(remarks)


def _plainly(values: Any) -> Any:
    """A tuple of numbers as one array; a tuple with arrays or tuples in it as it is."""
    return np.array(values) if all(np.ndim(one) == 0 and not is_a(one, tuple) for one in values) else values
