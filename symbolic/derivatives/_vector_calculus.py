"""Laplacians, divergences and curls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layertree import ShapeError
from layertree.core.spec import spec_text
from layertree.rewrite.jacobians import jacobians
from symbolic.building.operations import apply, array_spec, formula_of
from symbolic.core.formula import AnyFormula
from symbolic.derivatives._formulas import (
    as_formula,
    described,
    is_function,
    leaves_of,
    require_float,
    require_floats,
    require_number,
    simple_formula,
    source_of,
    targets_of,
    tuple_of,
)
from symbolic.derivatives._functions import of_all_arguments
from symbolic.derivatives._gradient import derivatives
from symbolic.signatures import typed

if TYPE_CHECKING:
    from symbolic.core.types import Spec
    from symbolic.signatures import derivatives as signatures
else:
    from symbolic.signatures import absent as signatures

__all__ = ["curl", "divergence", "laplacian"]


@typed(signatures.of_numbers)
def laplacian(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The sum of the second derivatives of one number by each element of its input, or of ``wrt``.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> x = placeholder(ArraySpec((3,)))
    >>> laplacian(x[0] ** 2 * x[1] + x[2] ** 3).predict(np.array([1.0, 2.0, 3.0]))
    np.float64(22.0)

    The Laplacian of a Python function is a function; it is the sum over all arguments.

    >>> laplacian(lambda x, y: x**2 * y)(1.0, 2.0)
    4.0
    """
    if is_function(f):
        return of_all_arguments(f, _laplacian)
    formula = as_formula(f, spec)
    return _laplacian(formula, targets_of(formula, wrt)[0])


@typed(signatures.divergence)
def divergence(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The sum of the derivatives of each element of the output by the same element of the input, or of ``wrt``.

    The output has the structure of the input: an array of the same shape, or a tuple of such parts.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> x = placeholder(ArraySpec((3,)))
    >>> divergence(x * x).predict(np.array([1.0, 2.0, 3.0]))
    np.float64(12.0)
    >>> divergence(lambda x, y: (x * y, y))(2.0, 5.0)
    6.0

    Raises ShapeError for an output of another shape.
    """
    if is_function(f):
        return of_all_arguments(f, _divergence)
    formula = as_formula(f, spec)
    return _divergence(formula, targets_of(formula, wrt)[0])


@typed(signatures.of_numbers)
def curl(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The curl of a field in three dimensions: of an array (3,) by one, or of a tuple of three numbers by three.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder, stack
    >>> x = placeholder(ArraySpec((3,)))
    >>> curl(stack([-x[1], x[0], 0.0 * x[2]])).predict(np.array([1.0, 2.0, 3.0]))
    array([0., 0., 2.])
    >>> curl(lambda x, y, z: (-y, x, z))(1.0, 2.0, 3.0)
    (0.0, 0.0, 2.0)

    Raises ShapeError for other shapes.
    """
    if is_function(f):
        return of_all_arguments(f, _curl)
    formula = as_formula(f, spec)
    return _curl(formula, targets_of(formula, wrt)[0])


def _laplacian(formula: AnyFormula, targets: list[AnyFormula]) -> AnyFormula:
    require_number(formula, "laplacian")
    slopes = [leaf for slope in derivatives(formula, targets) for leaf in leaves_of(slope)]
    pairs = zip(slopes, _leaves(targets), strict=True)
    return _total([_trace(slope, leaf) for slope, leaf in pairs if leaf.dtype.kind == "f"])


def _divergence(formula: AnyFormula, targets: list[AnyFormula]) -> AnyFormula:
    outputs, inputs = leaves_of(formula), _leaves(targets)
    if len(outputs) != len(inputs) or any(one.ndim != two.ndim for one, two in zip(outputs, inputs, strict=True)):
        raise ShapeError(
            f"{described(formula, 'divergence')}: the output is built as what it is differentiated by, "
            f"which is {spec_text(_spec_of(inputs))}"
        )
    return _total([_trace(one, two) for one, two in zip(outputs, inputs, strict=True)])


def _trace(output: AnyFormula, target: AnyFormula) -> AnyFormula:
    """The trace of a Jacobian: the sum of the derivatives of each element by the same element of a target."""
    rows = _jacobian(output, target)
    if output.ndim == 0:
        return rows
    return apply("sum", apply("take_diagonal", rows, axes=output.ndim))


def _curl(formula: AnyFormula, targets: list[AnyFormula]) -> AnyFormula:
    outputs, inputs = leaves_of(formula), _leaves(targets)
    shapes = [array_spec(one).shape for one in outputs], [array_spec(one).shape for one in inputs]
    if shapes == ([(3,)], [(3,)]):
        rows = _jacobian(outputs[0], inputs[0])
        parts = [apply("subtract", rows[j, i], rows[i, j]) for i, j in _CYCLE]
        return simple_formula(apply("concat", tuple([apply("expand_dims", part, axis=0) for part in parts]), axis=0))
    if shapes == ([()] * 3, [()] * 3):
        parts = [
            apply("subtract", _jacobian(outputs[j], inputs[i]), _jacobian(outputs[i], inputs[j])) for i, j in _CYCLE
        ]
        return simple_formula(tuple_of(parts, formula.origin))
    raise ShapeError(
        f"{described(formula, 'curl')}: the curl is that of three numbers by three, or of an array (3,) by one, but "
        f"this is by {spec_text(_spec_of(inputs))}"
    )


_CYCLE = ((1, 2), (2, 0), (0, 1))
"""The indices i, j of each component of a curl: d f_j / d x_i - d f_i / d x_j."""


def _jacobian(output: AnyFormula, target: AnyFormula) -> AnyFormula:
    require_float(output, "a derivative")
    require_floats(target)
    found = jacobians(output.layer, source_of(output), [target.layer])[0]
    return formula_of(found, output.origin)


def _total(parts: list[AnyFormula]) -> AnyFormula:
    total = parts[0]
    for part in parts[1:]:
        total = apply("add", total, part)
    return simple_formula(total)


def _leaves(targets: list[AnyFormula]) -> list[AnyFormula]:
    return [leaf for target in targets for leaf in leaves_of(target)]


def _spec_of(leaves: list[AnyFormula]) -> Spec:
    return leaves[0].spec if len(leaves) == 1 else tuple([leaf.spec for leaf in leaves])
