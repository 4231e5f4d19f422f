"""Gradients of one number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree.core.nested import at_path, paths
from layertree.rewrite.derive import parts_of, values_of
from symbolic.building.operations import apply
from symbolic.core.formula import AnyFormula
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import (
    as_formula,
    is_function,
    one_or_tuple,
    packed,
    require_floats,
    require_number,
    source_of,
    targets_of,
    tuple_of,
    with_common_nodes,
    zeros,
)
from symbolic.derivatives._functions import Answer, of_arguments
from symbolic.signatures import typed

if TYPE_CHECKING:
    from layertree.namespaces.tree import TreeValue
    from symbolic.signatures import derivatives as signatures

    Found: TypeAlias = TreeValue | tuple["Found", ...] | Mapping[int, "Found"] | None
else:
    from symbolic.signatures import absent as signatures

__all__ = ["grad", "value_and_grad"]


@typed(signatures.grad)
def grad(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The gradient of a formula whose value is one number, as a formula of the same input.

    ``wrt`` is the target of the derivative: the input (the default), a weight, a placeholder's part, or any other
    sub-formula; several targets in a sequence give a tuple formula in that order. The gradient by a target that the
    value does not depend on is zero. A bare layer needs the ``spec`` of its input.

    >>> from symbolic import placeholder, sin, weight
    >>> x = placeholder(float)
    >>> grad((1.0 + x) * weight(2.0))
    weight(2.0)
    >>> grad(x**3), grad(grad(x**3))
    (3.0 * x ** 2, 6.0 * x)

    The gradient of a Python function is a function of data and of formulas alike; such gradients may be nested.
    ``wrt`` is then the position of an argument, or several positions. The result is a formula, too, if it holds a
    weight that the function uses.

    >>> round(grad(lambda x: x * sin(x))(3.0), 6)
    -2.828857
    >>> grad(lambda x: x * grad(lambda y: x + y)(x))(5.0)
    1.0

    Raises ShapeError for a value that is neither one number nor an array of one element, DTypeError for one that is no
    float.
    """
    if is_function(f):
        return of_arguments(f, wrt, lambda value, targets: gradient(value, targets, "grad"))
    return gradient(as_formula(f, spec), wrt, "grad")


@typed(signatures.value_and_grad)
def value_and_grad(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The pair of a formula's value and its gradient, which share their common nodes. ``wrt`` is that of ``grad``.

    ``predict`` of the pair runs the inference form, as ``predict`` of every formula: without dropout, and with running
    averages in place of those of the batch. The training form is ``value_and_grad(f).forward(data).value``, or
    ``compile(f, train=True)``, which updates the weights, too.

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> value_and_grad(x * x).predict(3.0)
    (9.0, 6.0)
    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    if is_function(f):
        return of_arguments(f, wrt, _value_and_gradient)
    formula = as_formula(f, spec)
    require_number(formula, "value_and_grad")
    targets, is_one = targets_of(formula, wrt)
    value, found = _with_value(formula, targets)
    return with_common_nodes(tuple_of([value, one_or_tuple(found, is_one, formula.origin)], formula.origin))


def gradient(formula: AnyFormula, wrt: object, name: str) -> AnyFormula:
    """The gradient of a formula by one target, or as a tuple by several."""
    require_number(formula, name)
    targets, is_one = targets_of(formula, wrt)
    return one_or_tuple(derivatives(formula, targets), is_one, formula.origin)


def _value_and_gradient(formula: AnyFormula, wrt: object) -> Answer:
    return formula, gradient(formula, wrt, "grad")


def derivatives(formula: AnyFormula, targets: list[AnyFormula], delta: object = None) -> list[AnyFormula]:
    """The vector-Jacobian product of a formula for each target, a tuple formula where the target is a tuple.

    ``delta`` is the vector: unless given 1, or ones for an array of one element.
    """
    return _with_value(formula, targets, delta)[1]


def _with_value(
    formula: AnyFormula, targets: list[AnyFormula], delta: object = None
) -> tuple[AnyFormula, list[AnyFormula]]:
    """The formula in its simplest form, and its derivatives."""
    for target in targets:
        require_floats(target)
    if delta is None and not isinstance(formula.spec, tuple) and formula.spec.shape:
        delta = parts_of(apply("ones_like", formula).layer, formula.spec)
    value, found = values_of(formula.layer, source_of(formula), [target.layer for target in targets], delta)
    slopes = [_derivative(target, one, formula) for target, one in zip(targets, found, strict=True)]
    return Symbolic(value.layer, formula.spec, formula.origin), slopes


def _derivative(target: AnyFormula, found: Found, formula: AnyFormula) -> AnyFormula:
    """The derivative that was found for a target, as a formula; zeros for parts that the formula does not reach."""
    values = (at_path(found, path) for path, _ in paths(target.spec))

    def derivative(leaf: AnyFormula) -> AnyFormula:
        value: TreeValue | None = next(values)
        return zeros(leaf) if value is None else Symbolic(value.layer, value.spec, formula.origin)

    return packed(target, derivative, formula.origin)
