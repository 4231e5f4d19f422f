"""Laplacians, divergences and curls."""

from __future__ import annotations

from typing import Any

from layertree import ShapeError
from layertree._spec import spec_text
from symbolic.building.operations import apply
from symbolic.derivatives._formulas import (
    as_formula,
    described,
    formula_of,
    is_function,
    leaves_of,
    require_float,
    require_floats,
    require_number,
    simple,
    source_of,
    targets_of,
    tuple_of,
)
from symbolic.derivatives._functions import traced
from symbolic.derivatives._gradient import derivatives

__all__ = ["curl", "divergence", "laplacian"]


def laplacian(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The sum of the second derivatives of one number by each element of its input, or of ``wrt``.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder
    >>> x = placeholder(ArraySpec((3,)))
    >>> laplacian(x[0] ** 2 * x[1] + x[2] ** 3).predict(np.array([1.0, 2.0, 3.0]))
    np.float64(22.0)

    Of a Python function it is a function; all its arguments count.

    >>> laplacian(lambda x, y: x**2 * y)(1.0, 2.0)
    4.0
    """
    if is_function(f):
        return _of_function(f, _laplacian)
    formula = as_formula(f, spec)
    return _laplacian(formula, targets_of(formula, wrt)[0])


def divergence(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The sum of the derivatives of each element of the output by the same one of the input, or of ``wrt``.

    The output is built as the input is: an array of its shape, or a tuple of such parts.

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
        return _of_function(f, _divergence)
    formula = as_formula(f, spec)
    return _divergence(formula, targets_of(formula, wrt)[0])


def curl(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The curl of a field in three dimensions: of an array (3,) by one, or of a tuple of three numbers by three.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import placeholder, stack
    >>> x = placeholder(ArraySpec((3,)))
    >>> curl(stack([-x[1], x[0], 0.0 * x[2]])).predict(np.array([1.0, 2.0, 3.0]))
    array([0., 0., 2.])
    >>> curl(lambda x, y, z: (-y, x, z))(1.0, 2.0, 3.0)
    (0.0, 0.0, 2.0)

    Raises ShapeError where there are not three of each.
    """
    if is_function(f):
        return _of_function(f, _curl)
    formula = as_formula(f, spec)
    return _curl(formula, targets_of(formula, wrt)[0])


def _laplacian(formula: Any, targets: list[Any]) -> Any:
    require_number(formula, "laplacian")
    slopes = [leaf for slope in derivatives(formula, targets) for leaf in leaves_of(slope)]
    inputs = [leaf for target in targets for leaf in leaves_of(target)]
    return _total([_trace(slope, leaf) for slope, leaf in zip(slopes, inputs, strict=True) if _is_float(leaf)])


def _divergence(formula: Any, targets: list[Any]) -> Any:
    outputs = leaves_of(formula)
    inputs = [leaf for target in targets for leaf in leaves_of(target)]
    if len(outputs) != len(inputs) or any(one.ndim != two.ndim for one, two in zip(outputs, inputs, strict=True)):
        raise ShapeError(
            f"{described(formula, 'divergence')}: the output is built as what it is differentiated by, "
            f"which is {spec_text(_spec_of(inputs))}"
        )
    return _total([_trace(one, two) for one, two in zip(outputs, inputs, strict=True)])


def _trace(output: Any, target: Any) -> Any:
    """The sum of the derivatives of each element by the same one of a target."""
    rows = _jacobian(output, target)
    if output.ndim == 0:
        return rows
    return apply("sum", apply("take_diagonal", rows, axes=output.ndim))


def _curl(formula: Any, targets: list[Any]) -> Any:
    outputs = leaves_of(formula)
    inputs = [leaf for target in targets for leaf in leaves_of(target)]
    if [one.spec.shape for one in outputs] == [one.spec.shape for one in inputs] == [(3,)]:
        rows = _jacobian(outputs[0], inputs[0])
        parts = [apply("subtract", rows[j, i], rows[i, j]) for i, j in _TURNS]
        return _simple(apply("concat", tuple([apply("expand_dims", part, axis=0) for part in parts]), axis=0))
    if [one.spec.shape for one in outputs] == [one.spec.shape for one in inputs] == [()] * 3:
        parts = [
            apply("subtract", _jacobian(outputs[j], inputs[i]), _jacobian(outputs[i], inputs[j])) for i, j in _TURNS
        ]
        return _simple(tuple_of(parts, formula.origin))
    raise ShapeError(
        f"{described(formula, 'curl')}: the curl is that of three numbers by three, or of an array (3,) by one, but "
        f"this is by {spec_text(_spec_of(inputs))}"
    )


_TURNS = ((1, 2), (2, 0), (0, 1))


def _jacobian(output: Any, target: Any) -> Any:
    from layertree.rewrite.directions import jacobians

    require_float(output, "a derivative")
    require_floats(target)
    found = jacobians(output.layer, source_of(output), [target.layer])[0]
    return formula_of(found, output.origin)


def _total(parts: list[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = apply("add", total, part)
    return _simple(total)


def _simple(formula: Any) -> Any:
    return simple(formula.layer, formula.spec, formula.origin)


def _is_float(leaf: Any) -> bool:
    return bool(leaf.spec.dtype.kind == "f")


def _spec_of(leaves: list[Any]) -> Any:
    return leaves[0].spec if len(leaves) == 1 else tuple([leaf.spec for leaf in leaves])


def _of_function(function: Any, build: Any) -> Any:
    """The same of a Python function, by all its arguments."""

    def derivative(*arguments: Any) -> Any:
        return traced(function, arguments, build)

    return derivative
