"""Products of a vector with a Jacobian or Hessian, without the matrix itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from layertree import Identity, Literal
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.narrowing import is_tuple
from layertree.core.nested import flat, nested
from layertree.core.spec import WEAK_TYPES, ArraySpec, require
from layertree.rewrite.derive import inline, push_forward
from layertree.rewrite.derive import parts_of as parts_of_layer
from symbolic.building.operations import apply, as_symbolic, formula_of
from symbolic.core.formula import AnyFormula
from symbolic.core.origin import Origin
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import (
    as_formula,
    is_function,
    leaves_of,
    one_or_tuple,
    packed,
    require_floats,
    require_number,
    require_source,
    simple_formula,
    source_of,
    targets_of,
    tuple_of,
    zeros,
)
from symbolic.derivatives._functions import Answer, Function, traced, variable
from symbolic.derivatives._gradient import derivatives
from symbolic.signatures import typed

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Spec
    from symbolic.signatures import derivatives as signatures
else:
    from symbolic.signatures import absent as signatures

__all__ = ["hvp", "jvp", "vjp"]


@typed(signatures.vjp)
def vjp(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The product of a vector with the Jacobian: a formula from (input, delta of the output) to the delta of ``wrt``.

    ``wrt`` is that of ``grad``, the input unless given. The product of a Python function is a function of
    (argument, delta); that of a function of several arguments takes a tuple of arguments, and gives a tuple. The delta
    is converted to the kind and dtype of the output.

    >>> from symbolic import placeholder, sin
    >>> vjp(sin(placeholder(float))).predict((0.0, 2.0))
    2.0
    >>> vjp(sin)(0.0, 2.0)
    2.0
    """
    if is_function(f):
        return _of_function(f, _vjp_of_function)
    output = as_formula(f, spec)
    found = _with_vectors(output, wrt, "vjp", lambda _: [output.spec])
    return one_or_tuple(backward(found.formula, found.targets, found.vectors[0]), found.is_one, found.formula.origin)


@typed(signatures.jvp)
def jvp(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The product of the Jacobian with a vector: a formula of (input, tangent of ``wrt``), giving the output's tangent.

    It is the vector-Jacobian product, which is linear in its delta, differentiated with respect to that delta. Several
    targets have a tuple of tangents. The product of a Python function is a function of (argument, tangent).

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> jvp(x * x).predict((3.0, 0.5))
    3.0
    >>> jvp(lambda x: x * x)(3.0, 0.5)
    3.0
    """
    if is_function(f):
        return _of_function(f, _jvp_of_function)
    found = _with_vectors(as_formula(f, spec), wrt, "jvp", _specs)
    return forward(found.formula, found.targets, found.vectors)


@typed(signatures.hvp)
def hvp(f: Any, /, wrt: object = None, *, spec: object = None) -> object:
    """The product of the Hessian with a vector: a formula of (input, vector). It costs a few gradients at any size.

    Several targets have a tuple of vectors, and give a tuple. The product of a Python function is a function of
    (argument, vector).

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> hvp(x**3).predict((2.0, 1.0))
    12.0
    >>> hvp(lambda x: x**3)(2.0, 1.0)
    12.0
    """
    if is_function(f):
        return _of_function(f, _hvp_of_function)
    formula = as_formula(f, spec)
    require_number(formula, "hvp")
    found = _with_vectors(formula, wrt, "hvp", _specs)
    return one_or_tuple(curved(found.formula, found.targets, found.vectors), found.is_one, found.formula.origin)


def backward(formula: AnyFormula, targets: list[AnyFormula], delta: AnyFormula) -> list[AnyFormula]:
    """The vector-Jacobian product of a delta of the output, for each target."""
    return derivatives(formula, targets, parts_of_layer(delta.layer, formula.spec))


def forward(formula: AnyFormula, targets: list[AnyFormula], tangents: list[AnyFormula]) -> AnyFormula:
    """The Jacobian-vector product: the sum of the products of each target with its tangent."""
    for target in targets:
        require_floats(target)
    source, origin = source_of(formula), formula.origin
    pairs = zip(targets, tangents, strict=True)
    pushed = [push_forward(formula.layer, source, target.layer, tangent.layer) for target, tangent in pairs]
    found = [formula_of(one, origin) for one in pushed if one is not None]
    if not found:
        return zeros(formula)
    total = found[0]
    for one in found[1:]:
        total = _sum(total, one)
    return total if len(found) == 1 else simple_formula(total)


def _sum(first: AnyFormula, second: AnyFormula) -> AnyFormula:
    others = iter(leaves_of(second))
    return packed(first, lambda leaf: apply("add", leaf, next(others)), first.origin)


def curved(formula: AnyFormula, targets: list[AnyFormula], vectors: list[AnyFormula]) -> list[AnyFormula]:
    """The Hessian-vector product of vectors, one for each target."""
    slopes = tuple_of(derivatives(formula, targets), formula.origin)
    return backward(slopes, targets, tuple_of(vectors, formula.origin))


def _specs(targets: list[AnyFormula]) -> list[Spec]:
    return [target.spec for target in targets]


class _WithVectors(NamedTuple):
    """A formula, its targets and the vectors of a product, over one input."""

    formula: AnyFormula
    targets: list[AnyFormula]
    vectors: list[AnyFormula]
    is_one: bool
    """Whether one target was given, and no sequence of targets."""


def _with_vectors(
    formula: AnyFormula, wrt: object, name: str, specs: Callable[[list[AnyFormula]], list[Spec]]
) -> _WithVectors:
    """The formula and its targets over a new input: the pair of the old input and the vectors.

    The new input for a formula without an input is the vectors alone. ``specs`` gives the specs of the vectors.
    """
    if wrt is None:
        require_source(formula, name)
    targets, is_one = targets_of(formula, wrt)
    wanted = specs(targets)
    vector_spec: Spec = wanted[0] if len(wanted) == 1 and (is_one or name == "vjp") else tuple(wanted)
    if formula.origin is None:
        vector = _input(vector_spec)
        moved = [Symbolic(one.layer, one.spec, vector.origin) for one in (formula, *targets)]
        return _WithVectors(moved[0], moved[1:], _split(vector, wanted), is_one)
    pair = _input((formula.origin.spec, vector_spec))
    layers = inline([formula.layer, *[target.layer for target in targets]], pair.spec, pair[0].layer)
    moved = [Symbolic(layer, one.spec, pair.origin) for layer, one in zip(layers, [formula, *targets], strict=True)]
    return _WithVectors(moved[0], moved[1:], _split(pair[1], wanted), is_one)


def _input(spec: Spec) -> AnyFormula:
    """A new input, as one formula also where its spec is a tuple."""
    return Symbolic(Identity(), spec, Origin(spec))


def _split(vector: AnyFormula, wanted: list[Spec]) -> list[AnyFormula]:
    """The vectors in an input: the input itself, or the parts of a tuple of vectors."""
    return [vector] if vector.spec is wanted[0] else [vector[i] for i in range(len(wanted))]


Exchanged: TypeAlias = "dict[AnyLayer, AnyLayer]"
"""The variables that stand for vectors in a derivative, and the layers that take their places afterwards."""

_Product: TypeAlias = Callable[[AnyFormula, list[AnyFormula], AnyFormula, bool, Exchanged], Answer]
"""The product from the value of a function, its variables, the vector, and whether the vector is a tuple of vectors."""


def _of_function(function: Function, product: _Product) -> Function:
    """The product of a Python function: of data it is data, of formulas a formula."""

    def of_argument(argument: object, vector: object, /) -> object:
        arguments, several = (argument, True) if is_tuple(argument) else ((argument,), False)
        given = as_symbolic(vector)
        back: Exchanged = {}

        def build(value: AnyFormula, variables: list[AnyFormula]) -> Answer:
            return product(value, variables, given, several, back)

        return traced(function, arguments, build, [vector], back)

    return of_argument


def _vjp_of_function(
    value: AnyFormula, variables: list[AnyFormula], vector: AnyFormula, several: bool, back: Exchanged
) -> Answer:
    found = backward(value, variables, _fitted(value.spec, vector, "vjp", back))
    return tuple(found) if several else found[0]


def _jvp_of_function(
    value: AnyFormula, variables: list[AnyFormula], vector: AnyFormula, several: bool, back: Exchanged
) -> Answer:
    return forward(value, variables, _fitting(variables, vector, several, "jvp", back))


def _hvp_of_function(
    value: AnyFormula, variables: list[AnyFormula], vector: AnyFormula, several: bool, back: Exchanged
) -> Answer:
    require_number(value, "hvp")
    found = curved(value, variables, _fitting(variables, vector, several, "hvp", back))
    return tuple(found) if several else found[0]


def _fitting(
    variables: Sequence[AnyFormula], vector: AnyFormula, several: bool, name: str, back: Exchanged
) -> list[AnyFormula]:
    """The vector for each variable, in the kind and dtype of the variable."""
    vectors = [vector[i] for i in range(len(variables))] if several else [vector]
    return [_fitted(variable.spec, one, name, back) for variable, one in zip(variables, vectors, strict=True)]


def _fitted(spec: Spec, vector: AnyFormula, name: str, back: Exchanged) -> AnyFormula:
    """A vector in the kinds and dtypes of a spec. Raises ShapeError or DTypeError for a vector that does not fit."""
    try:
        require(spec, vector.spec, "the vector")
    except (ShapeError, DTypeError) as error:
        raise type(error)(f"{name}: {error}") from None
    layer: Any = vector.layer
    if is_a(layer, Literal):
        data: object = layer.data
        parts = zip(flat(spec), flat(data), strict=True)
        return as_symbolic(nested(data, [_converted(one, part) for one, part in parts]))
    wanted = flat(spec)
    return packed(vector, lambda leaf: _cast(leaf, next(wanted), back), vector.origin)


def _converted(spec: ArraySpec[Any], data: Any) -> object:
    """A number or an array in the kind and dtype of a spec."""
    return WEAK_TYPES[spec.dtype](data) if spec.weak else np.asarray(data, spec.dtype)[()]


def _cast(vector: AnyFormula, spec: ArraySpec[Any], back: Exchanged) -> AnyFormula:
    """A vector in the dtype of a spec; a variable stands for the cast vector, which may depend on an outer input."""
    if vector.dtype == spec.dtype:
        return vector
    cast = apply("astype", vector, dtype=spec.dtype)
    stand_in = variable(cast.spec)
    back[stand_in.layer] = cast.layer
    return stand_in
