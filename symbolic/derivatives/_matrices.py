"""Whole Jacobians and Hessians: one derivative over all directions at once."""

from __future__ import annotations

from typing import Any

from symbolic.derivatives._formulas import (
    as_formula,
    as_given,
    formula_of,
    is_function,
    leaves_of,
    packed,
    require_floats,
    require_number,
    source_of,
    targets_of,
    together,
)
from symbolic.derivatives._functions import positions_of, require_positions, traced
from symbolic.derivatives._gradient import derivatives

__all__ = ["hessian", "jacobian"]


def jacobian(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The derivative of an array by an array, of the shape output.shape + input.shape, as a formula of the same input.

    ``wrt`` is as for ``grad``: one target gives one formula, several a tuple formula. A tuple, as the output or as a
    target, gives a tuple, the output's outside. All directions are stacked in one formula, backward or, where the
    target has fewer elements than the output, forward: its tree has the same size whatever theirs is.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder, sin, stack
    >>> x = placeholder(ArraySpec((2,)))
    >>> jacobian(stack([x[0] * x[1], sin(x[0]), x[1] ** 2])).predict(np.array([0.0, 2.0]))
    array([[2., 0.],
           [1., 0.],
           [0., 4.]])

    Of a Python function it is a function, and ``wrt`` the position of an argument, or several.

    >>> jacobian(lambda v: v * v)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])

    Raises DTypeError for what is no float.
    """
    if is_function(f):
        return _of_function(f, wrt, jacobian_of)
    return jacobian_of(as_formula(f, spec), wrt)


def hessian(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The second derivative of one number by an array, of the shape input.shape + input.shape, as a formula.

    It is the gradient, differentiated along all directions at once in one formula. ``wrt`` is as for ``grad``; several
    targets, or a tuple, give a tuple of tuples.

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
        return _of_function(f, wrt, hessian_of)
    return hessian_of(as_formula(f, spec), wrt)


def jacobian_of(formula: Any, wrt: Any) -> Any:
    """The Jacobian of a formula by one target, or as a tuple by several."""
    require_floats(formula)
    targets, is_one = targets_of(formula, wrt)
    rows = packed(formula, lambda leaf: as_given(_rows(leaf, targets), is_one, formula.origin), formula.origin)
    return together(rows)


def _rows(formula: Any, targets: list[Any]) -> list[Any]:
    """For each target the Jacobian of an array; zeros where one of them is no float."""
    from layertree.rewrite.jacobians import jacobians

    for target in targets:
        require_floats(target)
    leaves = [leaf for target in targets for leaf in leaves_of(target)]
    found = iter(jacobians(formula.layer, source_of(formula), [leaf.layer for leaf in leaves]))
    return [packed(target, lambda leaf: formula_of(next(found), formula.origin), formula.origin) for target in targets]


def hessian_of(formula: Any, wrt: Any) -> Any:
    """The Hessian of a formula by one target, or as a tuple of tuples by several."""
    require_number(formula, "hessian")
    targets, is_one = targets_of(formula, wrt)
    slopes = derivatives(formula, targets)
    rows = [
        packed(slope, lambda leaf: as_given(_rows(leaf, targets), is_one, formula.origin), formula.origin)
        for slope in slopes
    ]
    return together(as_given(rows, is_one, formula.origin))


def _of_function(function: Any, wrt: Any, matrix: Any) -> Any:
    """The matrix of a Python function: of data it is data, of formulas a formula."""
    positions, is_one = positions_of(wrt)

    def derivative(*arguments: Any) -> Any:
        require_positions(positions, len(arguments))

        def build(value: Any, variables: list[Any]) -> Any:
            wanted = [variables[i] for i in positions]
            return matrix(value, wanted[0] if is_one else wanted)

        return traced(function, arguments, build)

    return derivative
