"""Minima, roots and least squares, by SciPy's solvers with exact derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layertree import Layer
from layertree.core.dynamic import is_a
from layertree.core.narrowing import is_sequence as is_list_or_tuple
from symbolic.signatures import typed
from symbolic.solvers import _scipy
from symbolic.solvers._bounds import inner_bounds
from symbolic.solvers._evaluation import Evaluation
from symbolic.solvers._variables import Arguments, Weights, arguments, variables

if TYPE_CHECKING:
    from symbolic.solvers import _signatures as signatures
else:
    from symbolic.signatures import absent as signatures

WITHOUT_DERIVATIVES = {"nelder-mead", "powell", "cobyla", "cobyqa"}
WITH_HESSIAN_PRODUCT = {"newton-cg", "trust-ncg", "trust-krylov", "trust-constr"}
WITH_HESSIAN = {"dogleg", "trust-exact"}
ROOTS_WITH_JACOBIAN = {"hybr", "lm"}


@typed(signatures.minimize)
def minimize(
    f: object,
    x0: object = None,
    args: object = (),
    method: object = None,
    *,
    wrt: object = None,
    update: bool = False,
    bounds: object = None,
    constraints: object = (),
    **options: Any,
) -> object:
    """A minimum of a formula, or of a Python function, whose value is one number; by ``scipy.optimize.minimize``.

    ``x0`` is a number, an array, or a tuple of them, one for each argument; ``args`` are further arguments, which are
    constant. SciPy's method gets the exact gradient, and the exact Hessian or its products if it uses them; each is a
    formula, built once. All computations are in float64.

    Returns SciPy's OptimizeResult, with ``x`` in the structure of ``x0``; its other attributes by variable, such as
    ``jac``, are flat vectors.

    >>> from symbolic import sum
    >>> def rosenbrock(x):
    ...     return sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
    >>> minimize(rosenbrock, [-1.2, 1.0, 0.5], method="trust-ncg", options={"gtol": 1e-9}).x.round(6)
    array([1., 1., 1.])

    Without ``x0`` the weights of a formula are varied, all or those of ``wrt``, and their values are the start;
    ``args`` is then the input of the formula. The result's ``formula`` has new weights with the values found. With
    ``update=True`` the weights themselves are set, all at a time, if the solver succeeds.

    >>> from symbolic import placeholder, weight
    >>> x = placeholder(float)
    >>> w = weight(1.0)
    >>> found = minimize((w * x - 6.0) ** 2, args=(2.0,), update=True)
    >>> round(found.x[0], 6), round(w.value, 6)
    (3.0, 3.0)

    ``constraints`` are those of SciPy. The ``fun`` of a constraint may be a formula, or a function to trace, of the
    same variables: SciPy then gets its exact Jacobian. ``bounds`` and other options, such as ``tol``, ``callback`` and
    ``options``, are passed to SciPy unchanged.

    Raises ShapeError for a value that is not one number, ModuleNotFoundError without SciPy.
    """
    optimize = _scipy.optimize()
    what = variables(f, x0, args, wrt, update, "minimize")
    evaluation = what.evaluation(f)
    evaluation.require_number("minimize")
    given = _derivatives(evaluation, method, options)
    found = optimize.minimize(
        x0=evaluation.packing.pack(evaluation.packing.pattern),
        method=method,
        bounds=bounds,
        constraints=_constraints(constraints, what, method),
        **given,
    )
    return what.finish(found, evaluation)


@typed(signatures.root)
def root(f: object, x0: object, args: object = (), method: str = "hybr", **options: Any) -> object:
    """A root of a formula, or of a Python function, with as many values as variables; by ``scipy.optimize.root``.

    ``x0``, ``args`` and the result are as in ``minimize``. The methods ``hybr`` and ``lm`` get the exact Jacobian.

    >>> found = root(lambda x, y: (x + y - 3.0, x * y - 2.0), (0.0, 5.0))
    >>> [round(one, 6) for one in found.x]
    [1.0, 2.0]
    """
    optimize = _scipy.optimize()
    what = Arguments(x0, arguments(args), "root")
    evaluation = what.evaluation(f)
    if method in ROOTS_WITH_JACOBIAN:
        options = {"jac": evaluation.jacobian, **options}
    start = evaluation.packing.pack(evaluation.packing.pattern)
    return what.finish(optimize.root(evaluation.value, start, method=method, **options), evaluation)


@typed(signatures.least_squares)
def least_squares(
    f: object,
    x0: object = None,
    args: object = (),
    *,
    wrt: object = None,
    update: bool = False,
    bounds: object = None,
    **options: Any,
) -> object:
    """The least sum of squares of a formula's values, or a Python function's; by ``scipy.optimize.least_squares``.

    ``x0``, ``args``, ``wrt``, ``update`` and the result are those of ``minimize``. SciPy gets the exact Jacobian;
    ``method``, ``loss``, tolerances and other options are passed unchanged. ``bounds`` is the pair of the lower and the
    upper bounds: each is one number for all variables, or has the structure of ``x0``, where a list or an array may
    stand for a tuple.

    >>> import numpy as np
    >>> from symbolic import exp
    >>> t = np.array([0.0, 1.0, 2.0, 3.0])
    >>> found = least_squares(lambda a, k: a * exp(-k * t) - 5.0 * np.exp(-0.5 * t), (1.0, 1.0))
    >>> [round(one, 6) for one in found.x]
    [5.0, 0.5]
    """
    optimize = _scipy.optimize()
    what = variables(f, x0, args, wrt, update, "least_squares")
    evaluation = what.evaluation(f)
    packing = evaluation.packing
    start = packing.pack(packing.pattern)
    if bounds is not None:
        options["bounds"] = inner_bounds(bounds, packing, start, packing.names(what.names))
    found = optimize.least_squares(evaluation.value, start, **{"jac": evaluation.jacobian, **options})
    return what.finish(found, evaluation)


def _derivatives(evaluation: Evaluation, method: object, options: dict[str, Any]) -> dict[str, Any]:
    """The function and the derivatives that a method of minimize uses; those in ``options`` have precedence."""
    name = method.lower() if isinstance(method, str) else method
    if name in WITHOUT_DERIVATIVES or "jac" in options:
        return {"fun": evaluation.number, **options}
    given: dict[str, Any] = {"fun": evaluation.number_and_gradient, "jac": True}
    if (name in WITH_HESSIAN_PRODUCT or callable(name)) and "hess" not in options:
        given["hessp"] = evaluation.hessian_product
    elif name in WITH_HESSIAN:
        given["hess"] = evaluation.hessian
    return given | options


def _constraints(given: object, what: Arguments | Weights, method: object) -> object:
    """SciPy's constraints, with exact derivatives for formulas and functions."""
    if is_list_or_tuple(given):
        return [_constraint(one, what, method) for one in given]
    return _constraint(given, what, method)


def _constraint(given: Any, what: Arguments | Weights, method: object) -> object:
    if is_a(given, dict) and "jac" not in given:
        evaluation = what.constraint(given["fun"], given.get("args", ()))
        if method == "trust-constr":
            return _nonlinear(evaluation, 0.0, 0.0 if given["type"] == "eq" else float("inf"))
        return {"type": given["type"], "fun": evaluation.value, "jac": evaluation.jacobian}
    if is_a(getattr(given, "fun", None), Layer):
        return _nonlinear(what.constraint(given.fun, ()), given.lb, given.ub)
    return given


def _nonlinear(evaluation: Evaluation, lower: object, upper: object) -> object:
    constraint: object = _scipy.optimize().NonlinearConstraint(
        evaluation.value, lower, upper, jac=evaluation.jacobian, hess=evaluation.hessian_along
    )
    return constraint
