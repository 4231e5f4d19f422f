"""Nonlinear regression: the fit, its refinement to the last digits, and the precision that the Jacobian implies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symbolic.solvers import _scipy
from symbolic.solvers._evaluation import Evaluation
from symbolic.solvers._packing import is_sequence
from symbolic.solvers._results import Flat, Matrix

if TYPE_CHECKING:
    from symbolic.solvers._results import LeastSquares

    Attempt: TypeAlias = tuple[LeastSquares[Flat], "Linearised"]

TOLERANCE = 1e-15
REFINEMENTS = 30
GOOD_ENOUGH = 1e-6
"""The offset below which a fit counts as converged: a millionth of the standard errors."""
ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""The largest ratio of residuals to observations at which the residuals count as rounding errors."""
DISAGREEMENT = 0.1
"""The share of the variation of the observations that the residuals of a good model may have."""


class Residuals:
    """The differences between a model and the observations, each over its standard deviation and one common unit.

    The unit is the power of two nearest to the largest observation over its standard deviation.
    """

    def __init__(self, evaluation: Evaluation, y: Flat, sigma: Flat | float) -> None:
        self.evaluation = evaluation
        self.y = np.ravel(y)
        with np.errstate(all="ignore"):
            self.unit = _power_of_two(float(np.max(np.abs(self.y / sigma), initial=0.0)))
        self.sigma = sigma * self.unit
        self.size = self.y.size
        self.nfev = 0
        self.njev = 0

    def value(self, flat: Flat) -> Flat:
        """The residuals at some parameters."""
        self.nfev += 1
        with np.errstate(all="ignore"):
            found: Flat = (self.evaluation.value(flat) - self.y) / self.sigma
        return found

    def jacobian(self, flat: Flat) -> Matrix:
        """The derivatives of the residuals, a column for each parameter."""
        self.njev += 1
        with np.errstate(all="ignore"):
            found: Matrix = self.evaluation.jacobian(flat) / np.reshape(self.sigma, (-1, 1))
        return found

    def variation(self) -> tuple[float, float]:
        """The sum of squares of the observations, about 0 and about their mean, each over its standard deviation."""
        observed = self.y / self.sigma
        weight = np.broadcast_to(1.0 / np.asarray(self.sigma), observed.shape)
        about = observed - weight * ((weight @ observed) / (weight @ weight))
        return float(observed @ observed), float(about @ about)


class Linearised:
    """The problem at one point, by the QR decomposition of the Jacobian, its columns scaled to length 1."""

    def __init__(self, residuals: Residuals, flat: Flat) -> None:
        self.flat = flat
        self.residual = residuals.value(flat)
        self.sum_of_squares = float(self.residual @ self.residual)
        jacobian = residuals.jacobian(flat)
        self.is_finite = bool(np.isfinite(self.sum_of_squares) and np.isfinite(jacobian).all())
        self.scale = np.ones(flat.size)
        self.rank = 0
        if self.is_finite:
            lengths = np.linalg.norm(jacobian, axis=0)
            self.scale = np.where(lengths > 0, lengths, 1.0)
            self.left, self.singular, self.right = np.linalg.svd(jacobian / self.scale, full_matrices=False)
            threshold = np.finfo(np.float64).eps * max(jacobian.shape) * self.singular.max(initial=0.0)
            self.rank = int((self.singular > threshold).sum())

    @property
    def freedom(self) -> int:
        """The degrees of freedom: observations less parameters."""
        return self.residual.size - self.flat.size

    @property
    def offset(self) -> float:
        """The relative offset of Bates and Watts (1981), a distance from the minimum.

        It is the length of the residuals within the tangent space over the length expected there by chance, and so in
        units of the size of the confidence region.
        """
        if not self.is_finite or self.rank < self.flat.size:
            return float("inf")
        within = float(np.sum((self.left.T @ self.residual) ** 2))
        outside = max(self.sum_of_squares - within, 0.0)
        if within == 0.0:
            return 0.0
        return float(np.sqrt((within / self.flat.size) / (outside / max(self.freedom, 1)))) if outside else float("inf")

    def step(self) -> Flat:
        """The step of Gauss and Newton, in the directions that the Jacobian determines."""
        kept = slice(self.rank)
        along = (self.left[:, kept].T @ self.residual) / self.singular[kept]
        step: Flat = -(self.right[kept].T @ along) / self.scale
        return step

    @property
    def determined(self) -> NDArray[np.bool_]:
        """Which parameters the observations determine: those without a component in the null space of the Jacobian."""
        if not self.is_finite:
            return np.zeros(self.flat.size, np.bool_)
        seen: NDArray[np.bool_] = np.sum(self.right[: self.rank] ** 2, axis=0) > 1.0 - 1e-12
        return seen

    def covariance(self, variance: float) -> Matrix:
        """The covariance of the parameters; infinite where the observations do not determine them."""
        if not self.is_finite or not np.isfinite(variance):
            return np.full((self.flat.size, self.flat.size), np.inf)
        root = self.right[: self.rank].T / self.singular[: self.rank] / self.scale[:, None]
        known = self.determined
        covariance: Matrix = np.where(known & known[:, None], variance * (root @ root.T), np.inf)
        return covariance


def fit(residuals: Residuals, start: Flat, bounds: object, options: dict[str, Any]) -> Attempt:
    """SciPy's result and the problem at the best point; ``nfev`` and ``njev`` count the evaluations of all attempts."""
    given = {"x_scale": "jac", "ftol": TOLERANCE, "xtol": TOLERANCE, "gtol": TOLERANCE, "max_nfev": 20_000, **options}
    if bounds is not None:
        given["bounds"] = bounds
    is_plain = bounds is None and given.get("loss", "linear") == "linear"
    if "method" in given or not is_plain or residuals.size < start.size:
        result, found = _tried(residuals, start, {"method": "trf", **given}, is_plain)
    else:
        result, found = _best(residuals, start, given)
    result.nfev, result.njev = residuals.nfev, residuals.njev
    return _without_unit(result, residuals.unit), found


def _without_unit(result: LeastSquares[Flat], unit: float) -> LeastSquares[Flat]:
    """SciPy's result with the residuals over their standard deviations, not over the unit."""
    result.fun, result.jac = result.fun * unit, result.jac * unit
    result.cost, result.grad = result.cost * unit * unit, result.grad * unit * unit
    return result


def _power_of_two(size: float) -> float:
    """The power of two nearest to a positive number; 1 for 0 and for a number that is not finite."""
    if not 0.0 < size < np.inf:
        return 1.0
    return math.ldexp(1.0, min(max(round(math.log2(size)), -1000), 1000))


def _best(residuals: Residuals, start: Flat, given: dict[str, Any]) -> Attempt:
    """The first fit if it is good, else the best of several methods, whose ways from a bad start differ."""

    def tried(method: str, point: Flat, **more: object) -> Attempt:
        return _tried(residuals, point, {**given, "method": method, **more})

    found = [tried("lm", start)]
    if found[0][0].success and _is_good(residuals, found[0][1]):
        return found[0]
    found += [tried("trf", start), tried("lm", _cautious(residuals, start, 0.3))]
    if len({f"{one[1].sum_of_squares:.6e}" for one in found}) > 1:  # several minima: further attempts pay
        found.append(tried("lm", _cautious(residuals, start, 0.1)))
        found.append(tried("dogbox", start, max_nfev=1000))
    finite = [one for one in found if one[1].is_finite] or found
    least = min(one.sum_of_squares for _, one in finite)
    equal = [one for one in finite if one[1].sum_of_squares <= least * (1.0 + 1e-8)] or finite
    # A model may have several equal minima, as where two signs cancel: the result is the minimum nearest to the start.
    return min(equal, key=lambda one: _distance(one[1].flat, start))


def _is_good(residuals: Residuals, found: Linearised) -> bool:
    """Whether a minimum is good enough to try no other method.

    It is if the offset is small, the residuals are less than a tenth of the variation of the observations, and they
    show no trend: the statistic of Durbin and Watson (1950), which is 2 for noise and near 0 for a trend, is at least
    1. It is, too, if the residuals are no larger than rounding errors.
    """
    left = found.sum_of_squares
    whole, about = residuals.variation()
    if left <= ROUNDING**2 * whole:
        return True
    steps = np.diff(found.residual)
    return found.offset < GOOD_ENOUGH and left <= DISAGREEMENT * about and float(steps @ steps) >= left


def _distance(flat: Flat, start: Flat) -> float:
    """The distance of two points, each parameter relative to its size."""
    scale = np.maximum(np.abs(flat), np.abs(start))
    return float(np.linalg.norm((flat - start) / np.where(scale == 0.0, 1.0, scale)))


def _tried(residuals: Residuals, start: Flat, options: dict[str, Any], is_plain: bool = True) -> Attempt:
    """The fit by one method of SciPy; refined to the last digits if the problem is plain least squares."""
    with np.errstate(all="ignore"):
        scale = np.ones(start.size) if "callback" in options else _scale(residuals, start)

        def value(point: Flat) -> Flat:
            return residuals.value(point * scale)

        def jacobian(point: Flat) -> Matrix:
            return residuals.jacobian(point * scale) * scale

        result = _scipy.optimize().least_squares(
            value,
            start / scale,
            jac=jacobian,
            **_scaled(options, scale, residuals.unit),
        )
        result.x, result.jac, result.grad = result.x * scale, result.jac / scale, result.grad / scale
    found = Linearised(residuals, result.x)
    if is_plain:
        found = _refined(residuals, found)
        result.x, result.fun, result.cost = found.flat, found.residual, found.sum_of_squares / 2.0
    return result, found


def _scale(residuals: Residuals, start: Flat) -> Flat:
    """A unit for each parameter, a power of two near its start; for a start of 0 near the change that the residuals ask
    for, the quotient of the lengths of the residuals and of the parameter's column of the Jacobian.
    """
    sizes = np.abs(start)
    if not sizes.all():
        lengths = np.linalg.norm(residuals.jacobian(start), axis=0)
        sizes = np.where(sizes > 0.0, sizes, np.linalg.norm(residuals.value(start)) / lengths)
    return np.array([_power_of_two(float(size)) for size in sizes])


def _scaled(options: Mapping[str, Any], scale: Flat, unit: float) -> dict[str, Any]:
    """Options of ``scipy.optimize.least_squares`` for scaled parameters and residuals."""
    scaled = dict(options)
    if "bounds" in options:
        bounds = options["bounds"]
        lower, upper = bounds if is_sequence(bounds) else (bounds.lb, bounds.ub)
        scaled["bounds"] = np.asarray(lower, np.float64) / scale, np.asarray(upper, np.float64) / scale
    if "x_scale" in options and not isinstance(options["x_scale"], str):
        scaled["x_scale"] = np.asarray(options["x_scale"], np.float64) / scale
    if options.get("loss", "linear") != "linear":
        scaled["f_scale"] = options.get("f_scale", 1.0) / unit
    return scaled


def _cautious(residuals: Residuals, start: Flat, share: float) -> Flat:
    """The fit by Levenberg and Marquardt's method whose first step changes parameters by a share of their size.

    A long first step may leave the valley of the minimum.
    """
    with np.errstate(all="ignore"):
        found = _scipy.optimize().leastsq(
            residuals.value,
            start,
            Dfun=residuals.jacobian,
            full_output=True,
            maxfev=2000,
            factor=share,
            diag=1.0 / np.where(start == 0.0, 1.0, np.abs(start)),
        )[0]
    point: Flat = np.asarray(found, np.float64)
    return point if np.isfinite(residuals.value(point)).all() else start


def _refined(residuals: Residuals, found: Linearised) -> Linearised:
    """Steps of Gauss and Newton, as long as each decreases the offset: SciPy stops at half of the digits of a float."""
    for _ in range(REFINEMENTS):
        if not np.isfinite(found.offset):
            return found
        nearer = Linearised(residuals, found.flat + found.step())
        allowed = found.sum_of_squares * (1.0 + 1e-9)
        if not nearer.offset < found.offset or nearer.sum_of_squares > allowed:
            return found
        found = nearer
    return found
