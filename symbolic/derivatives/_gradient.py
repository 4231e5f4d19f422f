"""Gradients of one number."""

from __future__ import annotations

from typing import Any

from layertree._nested import at_path, paths
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import (
    as_formula,
    as_given,
    is_function,
    packed,
    require_floats,
    require_number,
    source_of,
    targets_of,
    together,
    tuple_of,
    zeros,
)
from symbolic.derivatives._functions import positions_of, require_positions, traced

__all__ = ["grad", "value_and_grad"]


def grad(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The gradient of a formula whose value is one number, as a formula of the same input.

    ``wrt`` is what it is taken with respect to: the input (the default), a weight, a placeholder's part, or any other
    sub-formula; several of them in a sequence give a tuple formula in that order. What does not matter to the value has
    a gradient of zeros. A bare layer needs the ``spec`` of its input.

    >>> from symbolic import placeholder, sin, weight
    >>> x = placeholder(float)
    >>> grad((1.0 + x) * weight(2.0))
    weight(2.0)
    >>> grad(x**3), grad(grad(x**3))
    (3.0 * x ** 2, 6.0 * x)

    Of a Python function it is a function, of data and of formulas alike, which may be nested; ``wrt`` is then the
    position of an argument, or several.

    >>> round(grad(lambda x: x * sin(x))(3.0), 6)
    -2.828857
    >>> grad(lambda x: x * grad(lambda y: x + y)(x))(5.0)
    1.0

    Raises ShapeError for a value that is not one number, DTypeError for one that is no float.
    """
    if is_function(f):
        return _of_function(f, wrt, with_value=False)
    return gradient(as_formula(f, spec), wrt, "grad")


def value_and_grad(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The pair of a formula's value and its gradient, which share what they have in common.

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> value_and_grad(x * x).predict(3.0)
    (9.0, 6.0)
    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    if is_function(f):
        return _of_function(f, wrt, with_value=True)
    formula = as_formula(f, spec)
    require_number(formula, "value_and_grad")
    targets, is_one = targets_of(formula, wrt)
    value, found = _with_value(formula, targets)
    return together(tuple_of([value, as_given(found, is_one, formula.origin)], formula.origin))


def gradient(formula: Any, wrt: Any, name: str) -> Any:
    """The gradient of a formula by one target, or as a tuple by several."""
    require_number(formula, name)
    targets, is_one = targets_of(formula, wrt)
    return as_given(derivatives(formula, targets), is_one, formula.origin)


def derivatives(formula: Any, targets: list[Any], delta: Any = None) -> list[Any]:
    """The derivative of a formula by each target, a tuple formula where the target is a tuple."""
    return _with_value(formula, targets, delta)[1]


def _with_value(formula: Any, targets: list[Any], delta: Any = None) -> tuple[Any, list[Any]]:
    """The formula in its simplest form, and its derivatives."""
    from layertree.rewrite.derive import values_of

    for target in targets:
        require_floats(target)
    layers, origin = [target.layer for target in targets], formula.origin
    value, found = values_of(formula.layer, source_of(formula), layers, delta)
    slopes = [_derivative(target, one, origin) for target, one in zip(targets, found, strict=True)]
    return Symbolic(value.layer, formula.spec, origin), slopes


def _derivative(target: Any, found: Any, origin: Any) -> Any:
    """What was found for a target as a formula: zeros for what is not reached."""
    values = (at_path(found, path) for path, _ in paths(target.spec))

    def derivative(leaf: Any) -> Any:
        value = next(values)
        return zeros(leaf) if value is None else Symbolic(value.layer, value.spec, origin)

    return packed(target, derivative, origin)


def _of_function(function: Any, wrt: Any, *, with_value: bool) -> Any:
    """The derivative of a Python function: of data it is data, of formulas a formula."""
    positions, is_one = positions_of(wrt)

    def derivative(*arguments: Any) -> Any:
        require_positions(positions, len(arguments))

        def build(value: Any, variables: list[Any]) -> Any:
            wanted = [variables[i] for i in positions]
            found = gradient(value, wanted[0] if is_one else wanted, "grad")
            return (value, found) if with_value else found

        return traced(function, arguments, build)

    return derivative
