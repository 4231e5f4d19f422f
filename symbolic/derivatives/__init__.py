"""Derivatives of formulas, and of Python functions, to any order: each is a formula again, or a function.

All of them come from the rules by which deltas go back, written once in each layer. Where there are many directions
they are stacked along leading axes of one formula, whose tree does not grow with their number.
"""

from layertree.core.public import listed
from symbolic.derivatives._gradient import grad as grad
from symbolic.derivatives._gradient import value_and_grad as value_and_grad
from symbolic.derivatives._map import vmap as vmap
from symbolic.derivatives._matrices import hessian as hessian
from symbolic.derivatives._matrices import jacobian as jacobian
from symbolic.derivatives._products import hvp as hvp
from symbolic.derivatives._products import jvp as jvp
from symbolic.derivatives._products import vjp as vjp
from symbolic.derivatives._vector_calculus import curl as curl
from symbolic.derivatives._vector_calculus import divergence as divergence
from symbolic.derivatives._vector_calculus import laplacian as laplacian

__all__ = [
    "curl",
    "divergence",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "laplacian",
    "value_and_grad",
    "vjp",
    "vmap",
]


def __dir__() -> list[str]:
    return listed(globals())
