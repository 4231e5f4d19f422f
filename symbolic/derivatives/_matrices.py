"""Whole Jacobians and Hessians: one derivative along all directions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layertree.rewrite.jacobians import jacobians
from symbolic.building.operations import formula_of
from symbolic.core.formula import AnyFormula
from symbolic.derivatives._formulas import (
    as_formula,
    is_function,
    leaves_of,
    one_or_tuple,
    packed,
    require_floats,
    require_number,
    source_of,
    targets_of,
    with_common_nodes,
)
from symbolic.derivatives._functions import of_arguments
from symbolic.derivatives._gradient import derivatives
from symbolic.signatures import typed

if TYPE_CHECKING:
    from symbolic.signatures import derivatives as signatures
else:
    from symbolic.signatures import absent as signatures

__all__ = ["hessian", "jacobian"]


@typed(signatures.jacobian)
def jacobian(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The derivative of an array by an array, of the shape output.shape + input.shape, as a formula of the same input.

    ``wrt`` is that of ``grad``: one target gives one formula, several targets a tuple formula. The Jacobian of a tuple
    formula, or by a tuple target, is a tuple; for both it is a tuple over the outputs of tuples over the targets. All
    directions are stacked in one formula, in reverse mode or, where the target has fewer elements than the output, in
    forward mode. The size of the formula does not depend on the number of directions.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder, sin, stack
    >>> x = placeholder(ArraySpec((2,)))
    >>> jacobian(stack([x[0] * x[1], sin(x[0]), x[1] ** 2])).predict(np.array([0.0, 2.0]))
    array([[2., 0.],
           [1., 0.],
           [0., 4.]])

    The Jacobian of a Python function is a function, and ``wrt`` the position of an argument, or several positions.

    >>> jacobian(lambda v: v * v)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])

    Raises DTypeError for outputs and targets that are no floats.
    """
    if is_function(f):
        return of_arguments(f, wrt, jacobian_of)
    return jacobian_of(as_formula(f, spec), wrt)


@typed(signatures.hessian)
def hessian(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The second derivative of one number by an array, of the shape input.shape + input.shape, as a formula.

    It is the gradient, differentiated along all directions at once in one formula. ``wrt`` is that of ``grad``; several
    targets, or a tuple, give a tuple of tuples. The Hessian of a Python function is a function.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder, sum
    >>> x = placeholder(ArraySpec((2,)))
    >>> hessian(sum(x**3)).predict(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    >>> hessian(lambda x: x**3)(2.0)
    12.0
    """
    if is_function(f):
        return of_arguments(f, wrt, hessian_of)
    return hessian_of(as_formula(f, spec), wrt)


def jacobian_of(formula: AnyFormula, wrt: object) -> AnyFormula:
    """The Jacobian of a formula by one target, or as a tuple by several."""
    require_floats(formula)
    targets, is_one = targets_of(formula, wrt)
    return with_common_nodes(_rows(formula, targets, is_one))


def _rows(formula: AnyFormula, targets: list[AnyFormula], is_one: bool) -> AnyFormula:
    """The Jacobians of each array that a formula consists of."""
    origin = formula.origin
    return packed(formula, lambda leaf: one_or_tuple(_jacobians(leaf, targets), is_one, origin), origin)


def _jacobians(formula: AnyFormula, targets: list[AnyFormula]) -> list[AnyFormula]:
    """For each target the Jacobian of an array; zeros if the array or the target is not of floats."""
    for target in targets:
        require_floats(target)
    leaves = [leaf for target in targets for leaf in leaves_of(target)]
    found = iter(jacobians(formula.layer, source_of(formula), [leaf.layer for leaf in leaves]))
    return [packed(target, lambda leaf: formula_of(next(found), formula.origin), formula.origin) for target in targets]


def hessian_of(formula: AnyFormula, wrt: object) -> AnyFormula:
    """The Hessian of a formula by one target, or as a tuple of tuples by several."""
    require_number(formula, "hessian")
    targets, is_one = targets_of(formula, wrt)
    rows = [_rows(slope, targets, is_one) for slope in derivatives(formula, targets)]
    return with_common_nodes(one_or_tuple(rows, is_one, formula.origin))
