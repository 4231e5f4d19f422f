"""Products of a vector with a Jacobian or Hessian, which is never made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from layertree import Identity
from layertree._errors import DTypeError, ShapeError
from layertree._kinds import is_a
from layertree._spec import require
from symbolic.building.operations import apply, as_symbolic
from symbolic.core.origin import Origin
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import (
    as_formula,
    as_given,
    formula_of,
    is_function,
    leaves_of,
    packed,
    require_floats,
    require_number,
    require_source,
    simple,
    source_of,
    targets_of,
    tuple_of,
    zeros,
)
from symbolic.derivatives._functions import traced
from symbolic.derivatives._gradient import derivatives

__all__ = ["hvp", "jvp", "vjp"]


def vjp(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The product of a vector with the Jacobian: a formula of (input, delta of the output), giving that of ``wrt``.

    ``wrt`` is the input, unless it is said otherwise, as for ``grad``. Of a Python function it is a function of
    (argument, delta); one of several arguments takes a tuple of them, and gives a tuple.

    >>> from symbolic import placeholder, sin
    >>> vjp(sin(placeholder(float))).predict((0.0, 2.0))
    2.0
    >>> vjp(sin)(0.0, 2.0)
    2.0
    """
    if is_function(f):
        return _of_function(f, "vjp")
    formula = as_formula(f, spec)
    formula, targets, is_one, delta = _beside(formula, wrt, "vjp", lambda _: [formula.spec])
    return as_given(backward(formula, targets, delta[0]), is_one, formula.origin)


def jvp(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The product of the Jacobian with a vector: a formula of (input, tangent of ``wrt``), giving the output's tangent.

    It is the derivative of the vector-Jacobian product with respect to its delta, on which that depends linearly.
    Several targets have a tuple of tangents. Of a Python function it is a function of (argument, tangent).

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> jvp(x * x).predict((3.0, 0.5))
    3.0
    >>> jvp(lambda x: x * x)(3.0, 0.5)
    3.0
    """
    if is_function(f):
        return _of_function(f, "jvp")
    formula, targets, _, tangents = _beside(as_formula(f, spec), wrt, "jvp", _specs)
    return forward(formula, targets, tangents)


def hvp(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The product of the Hessian with a vector: a formula of (input, vector). It costs a few gradients, at any size.

    Several targets have a tuple of vectors, and give a tuple. Of a Python function it is a function of
    (argument, vector).

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> hvp(x**3).predict((2.0, 1.0))
    12.0
    >>> hvp(lambda x: x**3)(2.0, 1.0)
    12.0
    """
    if is_function(f):
        return _of_function(f, "hvp")
    formula = as_formula(f, spec)
    require_number(formula, "hvp")
    formula, targets, is_one, vectors = _beside(formula, wrt, "hvp", _specs)
    return as_given(curved(formula, targets, vectors), is_one, formula.origin)


def backward(formula: Any, targets: list[Any], delta: Any) -> list[Any]:
    """What a delta of the output is to each target."""
    from layertree.rewrite.derive import parts_of

    return derivatives(formula, targets, parts_of(delta.layer, formula.spec))


def forward(formula: Any, targets: list[Any], tangents: list[Any]) -> Any:
    """What tangents of the targets are to the output: the sum of what each is."""
    from layertree.rewrite.derive import push

    for target in targets:
        require_floats(target)
    source, origin = source_of(formula), formula.origin
    pairs = zip(targets, tangents, strict=True)
    pushed = [push(formula.layer, source, target.layer, tangent.layer) for target, tangent in pairs]
    found = [formula_of(one, origin) for one in pushed if one is not None]
    if not found:
        return zeros(formula)
    total = found[0]
    for one in found[1:]:
        total = _sum(total, one)
    return total if len(found) == 1 else simple(total.layer, total.spec, origin)


def _sum(first: Any, second: Any) -> Any:
    others = iter(leaves_of(second))
    return packed(first, lambda leaf: apply("add", leaf, next(others)), first.origin)


def curved(formula: Any, targets: list[Any], vectors: list[Any]) -> list[Any]:
    """What the Hessian makes of vectors, one for each target."""
    slopes = tuple_of(derivatives(formula, targets), formula.origin)
    return backward(slopes, targets, tuple_of(vectors, formula.origin))


def _specs(targets: list[Any]) -> list[Any]:
    return [target.spec for target in targets]


def _beside(
    formula: Any, wrt: Any, name: str, specs: Callable[[list[Any]], list[Any]]
) -> tuple[Any, list[Any], bool, list[Any]]:
    """The formula and its targets over a new input, a pair of the old one and vectors, and these vectors.

    A formula without an input leaves only the vectors.
    """
    from layertree.rewrite.derive import over

    if wrt is None:
        require_source(formula, name)
    targets, is_one = targets_of(formula, wrt)
    wanted = specs(targets)
    vector_spec = wanted[0] if len(wanted) == 1 and (is_one or name == "vjp") else tuple(wanted)
    if formula.origin is None:
        vector = _whole(vector_spec)
        moved = [Symbolic(one.layer, one.spec, vector.origin) for one in (formula, *targets)]
        return moved[0], moved[1:], is_one, _split(vector, wanted, vector_spec)
    pair = _whole((formula.origin.spec, vector_spec))
    layers = over([formula.layer, *[target.layer for target in targets]], pair.spec, pair[0].layer)
    moved = [Symbolic(layer, one.spec, pair.origin) for layer, one in zip(layers, [formula, *targets], strict=True)]
    return moved[0], moved[1:], is_one, _split(pair[1], wanted, vector_spec)


def _whole(spec: Any) -> Any:
    """A new input, as one formula also where it is a tuple."""
    return Symbolic(Identity(), spec, Origin(spec))


def _split(vector: Any, wanted: Sequence[Any], spec: Any) -> list[Any]:
    return [vector] if spec is wanted[0] else [vector[i] for i in range(len(wanted))]


def _of_function(function: Any, name: str) -> Any:
    """The product for a Python function: of data it is data, of formulas a formula."""

    def product(argument: Any, vector: Any, /) -> Any:
        several = is_a(argument, tuple)
        arguments: Any = argument if several else (argument,)
        given = as_symbolic(vector)

        def build(value: Any, variables: list[Any]) -> Any:
            if name == "vjp":
                _require_fit(value.spec, given, name)
                found = backward(value, variables, given)
                return found[0] if not several else tuple(found)
            if name == "hvp":
                require_number(value, name)
            vectors = [given[i] for i in range(len(variables))] if several else [given]
            for variable, one in zip(variables, vectors, strict=True):
                _require_fit(variable.spec, one, name)
            if name == "jvp":
                return forward(value, variables, vectors)
            found = curved(value, variables, vectors)
            return found[0] if not several else tuple(found)

        return traced(function, arguments, build, beside=[given])

    return product


def _require_fit(spec: Any, vector: Any, name: str) -> None:
    """The vector of a product has the spec of what it belongs to."""
    try:
        require(spec, vector.spec, "the vector")
    except (ShapeError, DTypeError) as error:
        raise type(error)(f"{name}: {error}") from None
