"""Solvers: minima, roots, least squares and curve fitting, by SciPy with exact derivatives.

SciPy is the optional extra ``scipy``, and loads when a solver first runs.
"""

from layertree.core.public import listed
from symbolic.solvers._curve_fit import curve_fit as curve_fit
from symbolic.solvers._results import CurveFit as CurveFit
from symbolic.solvers._solve import least_squares as least_squares
from symbolic.solvers._solve import minimize as minimize
from symbolic.solvers._solve import root as root

__all__ = ["CurveFit", "curve_fit", "least_squares", "minimize", "root"]


def __dir__() -> list[str]:
    return listed(globals())
