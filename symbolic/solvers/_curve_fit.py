"""Curve fitting: parameters, and how well the observations determine them."""

from __future__ import annotations

import inspect
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from layertree import Identity, Layer, ShapeError
from layertree._data import describe
from layertree._kinds import is_a
from layertree._nested import flat, mapped, paths
from layertree._spec import ArraySpec, spec_of
from symbolic.building.placeholders import wrap
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import parts_of
from symbolic.solvers._evaluation import Evaluation, applied, of_arguments, plain
from symbolic.solvers._packing import as_floats, is_sequence
from symbolic.solvers._regression import GOOD_ENOUGH, Linearised, Residuals, fit
from symbolic.solvers._solve import packed_bounds
from symbolic.solvers._variables import Weights, require_no_weights


@attrs.frozen(eq=False, kw_only=True, repr=False)
class CurveFit:
    """The parameters of a model that come nearest to some observations, and what is known of their precision."""

    parameters: Any
    """The parameters: one array where each is a number, else a tuple of numbers and arrays."""
    standard_errors: Any
    """The standard error of each, in the same structure; inf where the observations do not determine it."""
    covariance: NDArray[np.float64]
    """Their covariance, shape (p, p), in the order of the parameters."""
    residual_sum_of_squares: float
    residual_standard_deviation: float
    degrees_of_freedom: int
    formula: Any
    """The model with these parameters, as a formula of x alone."""
    success: bool
    """Whether the solver stopped at a minimum."""
    result: Any
    """What SciPy's least_squares returned; its ``nfev`` and ``njev`` count the evaluations of all attempts."""
    names: tuple[str, ...]
    """What each element of the parameters is called in the text, in the order of the covariance."""
    remarks: tuple[str, ...]
    """What is special of each: ``at its bound``, ``not determined by the data``; empty where nothing is."""

    def predict(self, x: Any) -> Any:
        """The fitted curve at x."""
        return self.formula.predict(x)

    def __repr__(self) -> str:
        values = np.concatenate([np.ravel(one) for one in flat(self.parameters)])
        errors = np.sqrt(np.diag(self.covariance))
        rows = map(_row, self.names, values, errors, self.remarks)
        deviation = self.residual_standard_deviation
        tail = f"residual standard deviation {deviation:.5g}, " if np.isfinite(deviation) else ""
        head = "CurveFit" if self.success else "CurveFit, not at a minimum"
        return "\n".join([head, *rows, f"  {tail}degrees of freedom {self.degrees_of_freedom}"])


def _row(name: str, value: float, error: float, remark: str) -> str:
    precision = f" ± {error:.3g}" if np.isfinite(error) else ""
    return f"  {name} = {value:.10g}{precision}{remark and ', '}{remark}"


def curve_fit(
    model: Any,
    x: Any,
    y: Any,
    start: Any = None,
    *,
    wrt: Any = None,
    update: bool = False,
    sigma: Any = None,
    absolute_sigma: bool = False,
    bounds: Any = None,
    **options: Any,
) -> CurveFit:
    """The parameters with which a model of ``x`` comes nearest to ``y``, in the sum of squares.

    ``model`` is a function, or a formula, of ``x`` and then of each parameter: ``model(x, a, k)``; several predictors
    are a tuple ``x``. ``start`` holds the parameters to begin with. Without ``start`` the model is a formula of ``x``
    alone, and what is fitted are its weights, all or those of ``wrt``, from their values on; ``update=True`` sets them,
    all together, if it succeeds. The text of the result calls the parameters as the signature of the function does, or
    as ``named_cells`` calls the weights; those of a formula without weights are ``b1``, ``b2`` and so on.

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

    ``sigma`` is the standard deviation of each observation, relative to the others', or with ``absolute_sigma`` as it
    is. Standard errors come from the exact Jacobian at the minimum, by its singular value decomposition; at a bound
    they are those of a parameter that is free to cross it, and the text says so.

    The method is Levenberg and Marquardt's, then steps of Gauss and Newton for the last digits. Where that ends at no
    minimum, or at one that leaves more than a tenth of the variation of ``y``, or residuals with a trend, then trust
    regions and shorter first steps are tried, too, and the best is taken. ``method`` names one of
    ``scipy.optimize.least_squares``. ``bounds`` are a pair, of the lower and of the upper ones: each a number for all,
    or a sequence. These and other options go to SciPy.

    Raises ShapeError where the model gives another shape than ``y``, ValueError for observations that are not finite
    and for a start at which the model is not finite, TypeError for ``p0`` or ``x0``, which is ``start`` here, and for
    ``wrt`` or ``update`` beside a start, ModuleNotFoundError without SciPy.
    """
    _require_start(options)
    x, y = _predictors(model, x), as_floats(y, "y")
    if start is None:
        what: Weights | _Start = Weights(model, wrt, (x,), update, "curve_fit", "start")
    else:
        require_no_weights(wrt, update, "curve_fit", "start")
        what = _Start(model, x, start)
    evaluation = what.evaluation(model)
    _require_shape(evaluation, y)
    residuals = Residuals(evaluation, y, 1.0 if sigma is None else _deviations(sigma, y))
    first = _finite_start(residuals)
    limits = None if bounds is None else packed_bounds(bounds, evaluation.packing)
    result, found = fit(residuals, first, limits, options)
    result.success = found.is_finite and (bool(result.success) or found.offset < GOOD_ENOUGH)
    names = evaluation.packing.names(what.names)
    return _answer(evaluation, found, what.finish(result, evaluation), absolute_sigma, tuple(names))


class _Start:
    """The parameters of a model of x and of them."""

    def __init__(self, model: Any, x: Any, start: Any) -> None:
        self.model = model
        self.x = x
        given: Any = start if is_sequence(start) else (start,)
        self.start = tuple(map(_number, given))

    def evaluation(self, model: Any) -> Evaluation:
        """The model as a function of the parameters."""
        return of_arguments(model, self.start, (self.x,), (), "curve_fit", "start")

    @property
    def names(self) -> list[str]:
        """What each number or array is called: as in the signature, a part of a tuple with its place."""
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
    """The names of a function's positional parameters; a formula has none, nor has what does not tell."""
    if is_a(model, Layer):
        return []
    try:
        parameters = inspect.signature(model).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]


def _require_start(options: dict[str, Any]) -> None:
    """TypeError for another solver's word, which would be taken for an option of SciPy's."""
    for word in ("p0", "x0"):
        if word in options:
            raise TypeError(f"curve_fit: the parameters to begin with are start, not {word}: start={options[word]!r}")


def _predictors(model: Any, x: Any) -> Any:
    """The predictors as floats; a formula says itself which are integers."""
    return plain(x, "x") if isinstance(model, Symbolic) else as_floats(x, "x")


def _number(part: Any) -> Any:
    """A number as one that never promotes; anything else as it is."""
    return part if is_a(part, tuple) or np.ndim(part) else float(part)


def _deviations(sigma: Any, y: Any) -> NDArray[np.float64]:
    given = as_floats(sigma, "sigma")
    if np.shape(given) not in ((), np.shape(y)):
        raise ShapeError(f"sigma is {describe(given)}, but y is {describe(y)}: it has one for each observation")
    if not np.all(np.asarray(given) > 0):
        raise ValueError("sigma holds standard deviations: each has to be larger than 0")
    return np.broadcast_to(given, np.shape(y)).ravel()


def _require_shape(evaluation: Evaluation, y: Any) -> None:
    """ShapeError where the model is not compared with the observations one by one."""
    whole = evaluation.outputs[0]
    if len(evaluation.outputs) > 1 or whole.shape != np.shape(y):
        raise ShapeError(
            f"the model is {', '.join(repr(one.spec) for one in evaluation.outputs)}, but y is {describe(y)}"
        )
    if not np.all(np.isfinite(y)):
        raise ValueError(f"y has {int(np.sum(~np.isfinite(y)))} observations that are not finite: leave them out")


def _finite_start(residuals: Residuals) -> Any:
    packing = residuals.evaluation.packing
    start = packing.pack(packing.pattern)
    wrong = ~np.isfinite(residuals.value(start))
    if wrong.any():
        raise ValueError(
            f"at the start {start.tolist()} the model is not finite for {int(wrong.sum())} of {wrong.size} observations"
        )
    return start


def _loose(spec: Any) -> Any:
    return ArraySpec((None,) * len(spec.shape), spec.dtype, spec.weak)


def _answer(
    evaluation: Evaluation, found: Linearised, result: Any, absolute_sigma: bool, names: tuple[str, ...]
) -> CurveFit:
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
    """What the text says of a parameter."""
    remarks = ["at its bound"] if side else []
    if not is_determined:
        remarks.append("not determined by the data")
    elif not has_error:
        remarks.append("with no degrees of freedom for an error")
    return ", ".join(remarks)


def _plainly(values: Any) -> Any:
    """Numbers alone as one array."""
    return np.array(values) if all(np.ndim(one) == 0 and not is_a(one, tuple) for one in values) else values
