"""Minima, roots and least squares, by SciPy's solvers with exact derivatives."""

from __future__ import annotations

from typing import Any

from layertree import Layer
from layertree.core.dynamic import is_a
from symbolic.solvers import _scipy
from symbolic.solvers._evaluation import Evaluation
from symbolic.solvers._packing import Packing, is_sequence
from symbolic.solvers._variables import Arguments, variables

WITHOUT_DERIVATIVES = {"nelder-mead", "powell", "cobyla", "cobyqa"}
WITH_HESSIAN_PRODUCT = {"newton-cg", "trust-ncg", "trust-krylov", "trust-constr"}
WITH_HESSIAN = {"dogleg", "trust-exact"}
ROOTS_WITH_JACOBIAN = {"hybr", "lm"}


def minimize(
    f: Any,
    x0: Any = None,
    args: Any = (),
    method: Any = None,
    *,
    wrt: Any = None,
    update: bool = False,
    bounds: Any = None,
    constraints: Any = (),
    **options: Any,
) -> Any:
    """A minimum of a formula, or of a Python function, whose value is one number; by ``scipy.optimize.minimize``.

    ``x0`` is a number, an array, or a tuple of them, which are then so many arguments; ``args`` are the arguments after
    it, which stay. SciPy's method gets the exact gradient, and the exact Hessian or its products where it uses them;
    each is a formula, built once. Inside all is float64.

    Returns SciPy's OptimizeResult, with ``x`` in the structure of ``x0``; what else it holds by variable, such as
    ``jac``, is one flat vector.

    >>> from symbolic import sum
    >>> def rosenbrock(x):
    ...     return sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
    >>> minimize(rosenbrock, [-1.2, 1.0, 0.5], method="trust-ncg", options={"gtol": 1e-9}).x.round(6)
    array([1., 1., 1.])

    Without ``x0`` the weights of a formula are varied, all or those of ``wrt``, from their values on; ``args`` is then
    its input. The result's ``formula`` has new weights of the values found. With ``update=True`` the weights themselves
    are set, all together, if the solver succeeds.

    >>> from symbolic import placeholder, weight
    >>> x = placeholder(float)
    >>> w = weight(1.0)
    >>> found = minimize((w * x - 6.0) ** 2, args=(2.0,), update=True)
    >>> round(found.x[0], 6), round(w.value, 6)
    (3.0, 3.0)

    ``constraints`` are SciPy's, where ``fun`` may be a formula, or a function to trace, of the same variables: it then
    gets its exact Jacobian. Everything else goes to SciPy as it is: ``bounds``, ``tol``, ``callback``, ``options``.

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


def root(f: Any, x0: Any, args: Any = (), method: str = "hybr", **options: Any) -> Any:
    """A root of a formula, or of a Python function, with as many values as variables; by ``scipy.optimize.root``.

    ``x0``, ``args`` and the result are as in ``minimize``. The methods ``hybr`` and ``lm`` get the exact Jacobian.

    >>> found = root(lambda x, y: (x + y - 3.0, x * y - 2.0), (0.0, 5.0))
    >>> [round(one, 6) for one in found.x]
    [1.0, 2.0]
    """
    optimize = _scipy.optimize()
    what = Arguments(x0, args if is_a(args, tuple) else (args,), "root")
    evaluation = what.evaluation(f)
    if method in ROOTS_WITH_JACOBIAN:
        options = {"jac": evaluation.jacobian, **options}
    start = evaluation.packing.pack(evaluation.packing.pattern)
    return what.finish(optimize.root(evaluation.value, start, method=method, **options), evaluation)


def least_squares(
    f: Any,
    x0: Any = None,
    args: Any = (),
    *,
    wrt: Any = None,
    update: bool = False,
    bounds: Any = None,
    **options: Any,
) -> Any:
    """The least sum of squares of a formula's values, or a Python function's; by ``scipy.optimize.least_squares``.

    ``x0``, ``args``, ``wrt``, ``update`` and the result are as in ``minimize``. SciPy gets the exact Jacobian, and
    ``method``, ``loss``, tolerances and the like as they are. ``bounds`` is a pair, of the lower and of the upper ones:
    each a number for all, or in the structure of ``x0``, where a list or an array does for a tuple.

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
    if bounds is not None:
        options["bounds"] = packed_bounds(bounds, packing)
    start = packing.pack(packing.pattern)
    found = optimize.least_squares(evaluation.value, start, **{"jac": evaluation.jacobian, **options})
    return what.finish(found, evaluation)


def packed_bounds(bounds: Any, packing: Packing) -> Any:
    """SciPy's Bounds as they are; of a pair its two sides as flat vectors. Raises ValueError for another number."""
    if not is_sequence(bounds):
        return bounds
    if len(bounds) != 2:
        raise ValueError(f"bounds are a pair, of the lower ones and of the upper ones: got {len(bounds)} parts")
    lower, upper = bounds
    return packing.pack(lower, "the lower bound"), packing.pack(upper, "the upper bound")


def _derivatives(evaluation: Evaluation, method: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The function and the derivatives that a method of minimize uses, unless others were given."""
    name = method.lower() if isinstance(method, str) else method
    if name in WITHOUT_DERIVATIVES or "jac" in options:
        return {"fun": evaluation.number, **options}
    given: dict[str, Any] = {"fun": evaluation.number_and_gradient, "jac": True}
    if (name in WITH_HESSIAN_PRODUCT or callable(name)) and "hess" not in options:
        given["hessp"] = evaluation.hessian_product
    elif name in WITH_HESSIAN:
        given["hess"] = evaluation.hessian
    return given | options


def _constraints(given: Any, what: Any, method: Any) -> Any:
    """SciPy's constraints, with exact derivatives for formulas and functions."""
    if is_a(given, (list, tuple)):
        return [_constraint(one, what, method) for one in given]
    return _constraint(given, what, method)


def _constraint(given: Any, what: Any, method: Any) -> Any:
    if is_a(given, dict) and "jac" not in given:
        evaluation = what.constraint(given["fun"], given.get("args", ()))
        if method == "trust-constr":
            return _nonlinear(evaluation, 0.0, 0.0 if given["type"] == "eq" else float("inf"))
        return {"type": given["type"], "fun": evaluation.value, "jac": evaluation.jacobian}
    if is_a(getattr(given, "fun", None), Layer):
        return _nonlinear(what.constraint(given.fun, ()), given.lb, given.ub)
    return given


def _nonlinear(evaluation: Evaluation, lower: Any, upper: Any) -> Any:
    return _scipy.optimize().NonlinearConstraint(
        evaluation.value, lower, upper, jac=evaluation.jacobian, hess=evaluation.hessian_along
    )
