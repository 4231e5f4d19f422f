"""Curve fitting: parameters, and how well the observations determine them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from layertree import Identity, Layer, ShapeError
from layertree.core.data import describe
from layertree.core.dynamic import is_a
from layertree.core.nested import flat, mapped, paths
from layertree.core.spec import ArraySpec, spec_of
from symbolic.building.operations import as_symbolic
from symbolic.building.placeholders import wrap
from symbolic.core.narrowing import is_formula
from symbolic.derivatives._formulas import parts_of
from symbolic.signatures import typed
from symbolic.solvers._bounds import inner_bounds
from symbolic.solvers._evaluation import Evaluation, applied, of_arguments, plain
from symbolic.solvers._habits import positions_text, require_own_names
from symbolic.solvers._packing import as_floats, is_sequence
from symbolic.solvers._regression import GOOD_ENOUGH, Linearised, Residuals, fit
from symbolic.solvers._results import CurveFit, Flat
from symbolic.solvers._variables import Weights, require_no_weights

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import Nested
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

    SciPy works on parameters in units of their start, and residuals in units of the observations: powers of two, so
    that its absolute tolerances have the same meaning for data of any size.

    Raises ShapeError for a model with another shape than ``y``, ValueError for observations that are not finite, for
    fewer observations than parameters, for a start outside of its bounds and for a start at which the model is not
    finite, TypeError for options that have another name here, such as ``p0``, and for ``wrt`` or ``update`` with a
    start, ModuleNotFoundError without SciPy.
    """
    require_own_names(options)
    predictors, observed = _predictors(model, x), as_floats(y, "y")
    if start is None:
        what: Weights | _Start = Weights(model, wrt, (predictors,), update, "curve_fit", "start")
    else:
        require_no_weights(wrt, update, "curve_fit", "start")
        what = _Start(model, predictors, start)
    evaluation = what.evaluation(model)
    _require_shape(evaluation, observed)
    _require_enough(evaluation, observed)
    residuals = Residuals(evaluation, observed, 1.0 if sigma is None else _deviations(sigma, observed))
    first = _finite_start(residuals, predictors, observed)
    names = evaluation.packing.names(what.names)
    limits = None if bounds is None else inner_bounds(bounds, evaluation.packing, first, names)
    result, found = fit(residuals, first, limits, options)
    result.success = found.is_finite and (bool(result.success) or found.offset < GOOD_ENOUGH)
    return _answer(evaluation, found, what.finish(result, evaluation), absolute_sigma, residuals.unit, tuple(names))


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
        found: tuple[Nested[AnyFormula], ...] = mapped(as_symbolic, result.x)
        result.formula = applied(self.model, (parts_of(x), *found), "curve_fit")
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
        advice = ""
        if len(evaluation.outputs) > 1:
            advice = ": concat joins the parts of a tuple to one array"
        elif whole.shape == ():
            advice = ": a model that is constant has no value for each observation, so write c + 0.0 * x"
        raise ShapeError(
            f"the model is {', '.join(repr(one.spec) for one in evaluation.outputs)}, but y is {describe(y)}{advice}"
        )
    wrong = ~np.isfinite(y)
    if np.any(wrong):
        raise ValueError(
            f"y has {int(np.sum(wrong))} observations that are not finite, {positions_text(wrong)}: leave them out"
        )


def _require_enough(evaluation: Evaluation, y: Flat) -> None:
    """Raise ValueError for fewer observations than parameters."""
    count = evaluation.packing.size
    if np.size(y) < max(count, 1):
        raise ValueError(
            f"curve_fit: {np.size(y)} observation{'s' * (np.size(y) != 1)} of {count} parameter{'s' * (count != 1)}: "
            "at least one observation for each parameter is wanted"
        )


def _finite_start(residuals: Residuals, x: object, y: Flat) -> Flat:
    """The start as a flat vector. Raises ValueError if the model is not finite there."""
    packing = residuals.evaluation.packing
    start = packing.pack(packing.pattern)
    wrong = np.reshape(~np.isfinite(residuals.value(start)), np.shape(y))
    if wrong.any():
        missing = any(np.isnan(part).any() for part in flat(x) if np.asarray(part).dtype.kind == "f")
        advice = "; x has NaN, which no model is finite at: leave these observations out" if missing else ""
        raise ValueError(
            f"at the start {start.tolist()} the model is not finite for {int(wrong.sum())} of {wrong.size} "
            f"observations, {positions_text(wrong)}{advice}"
        )
    return start


def _loose(spec: ArraySpec[Any]) -> ArraySpec[Any]:
    """The spec of any number of observations."""
    return ArraySpec((None,) * len(spec.shape), spec.dtype, spec.weak)


def _answer(
    evaluation: Evaluation, found: Linearised, result: Any, absolute_sigma: bool, unit: float, names: tuple[str, ...]
) -> CurveFit[Any]:
    freedom = found.freedom
    variance = found.sum_of_squares / freedom if freedom > 0 else float("inf")  # in the unit of the residuals
    covariance = found.covariance(1.0 / unit / unit if absolute_sigma else variance)
    unpack = evaluation.packing.unpack
    return CurveFit(
        parameters=_plainly(unpack(found.flat)),
        standard_errors=_plainly(unpack(np.sqrt(np.diag(covariance)))),
        covariance=covariance,
        residual_sum_of_squares=found.sum_of_squares * unit * unit,
        residual_standard_deviation=float(np.sqrt(variance)) * unit,
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
