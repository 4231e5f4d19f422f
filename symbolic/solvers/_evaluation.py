"""A formula as a function of one flat vector, with exact derivatives, which are built once, when first asked for."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layertree import DTypeError, Layer, ShapeError, inference
from layertree._data import as_data
from layertree._kinds import is_a, type_of
from layertree._nested import flat, mapped, nested
from layertree._spec import spec_of, spec_text
from symbolic import derivatives
from symbolic.building.operations import apply, array_spec, as_symbolic
from symbolic.building.placeholders import placeholder, weight, wrap
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import leaves_of, parts_of
from symbolic.solvers._packing import Flat, Packing, as_floats

Matrix = NDArray[np.float64]
COMPILED_AFTER = 50
"""How often a formula runs before it is compiled: a program takes a few milliseconds to make, and saves a tenth of one
a run. The number does not depend on the clock, so that the same fit always takes the same way."""


class Evaluation:
    """What a solver calls. The variables are weights of its own, which nobody else sees it set.

    ``formula`` is over these ``variables``, in the order of the packing's leaves, and over ``data``, its input.
    """

    def __init__(self, formula: Any, packing: Packing, variables: Sequence[Any], data: Any) -> None:
        self.packing = packing
        self.variables = tuple(variables)
        self.data = data
        self._at = np.full(packing.size, np.nan)
        whole = Symbolic(inference(formula.layer), formula.spec, formula.origin)
        self.outputs = leaves_of(whole)

    def value(self, flat: Flat) -> Flat:
        """All outputs, one after the other."""
        self._set(flat)
        return np.concatenate([np.zeros(0), *[np.ravel(output(self.data)) for output in self._values]])

    def number(self, flat: Flat) -> float:
        """The output, which is one number."""
        self._set(flat)
        return float(self.outputs[0].predict(self.data))

    def number_and_gradient(self, flat: Flat) -> tuple[float, Flat]:
        """The output, which is one number, and its gradient."""
        self._set(flat)
        value, *slopes = self._number_and_gradient.predict(self.data)
        return float(value), _joined(slopes)

    def jacobian(self, flat: Flat) -> Matrix:
        """A row an output element, a column a variable's element."""
        self._set(flat)
        return np.vstack([self._rows(formula(self.data)) for formula in self._jacobians])

    def hessian_product(self, flat: Flat, vector: Flat) -> Flat:
        """The Hessian of the one number times a vector."""
        self._set(flat)
        product, directions = self._hessian_product
        _put(directions, self.packing.split(vector))
        return _joined(product.predict(self.data))

    def hessian(self, flat: Flat) -> Matrix:
        """The Hessian of the one number."""
        self._set(flat)
        return np.vstack([self._rows(row) for row in self._hessian.predict(self.data)])

    def hessian_along(self, flat: Flat, vector: Flat) -> Matrix:
        """The Hessian of the outputs' sum, each weighted by an element of a vector."""
        self._set(flat)
        formula, factors = self._hessian_along
        _put(factors, Packing(tuple([one.value for one in factors])).split(vector))
        return np.vstack([self._rows(row) for row in formula.predict(self.data)])

    def require_number(self, name: str) -> None:
        """ShapeError unless the output is one number."""
        specs = [array_spec(one) for one in self.outputs]
        if len(specs) != 1 or specs[0].shape != ():
            raise ShapeError(
                f"{name} wants one number, but the formula gives {', '.join(map(spec_text, specs))}; sum or mean makes "
                "one"
            )

    def _set(self, flat: Flat) -> None:
        if not np.array_equal(flat, self._at):  # solvers ask for the value and then for its derivative
            _put(self.variables, self.packing.split(flat))
            self._at = np.array(flat)

    def _rows(self, parts: Sequence[Any]) -> Matrix:
        """The derivatives of one array, each of shape array.shape + variable.shape, side by side."""
        return np.hstack([_matrix(part, np.ndim(one.value)) for part, one in zip(parts, self.variables, strict=True)])

    @cached_property
    def _number_and_gradient(self) -> Any:
        formula = self.outputs[0]
        slopes = derivatives.grad(formula, self.variables)
        return apply("tuple", (formula, *[slopes[i] for i in range(len(self.variables))]))

    @cached_property
    def _values(self) -> list[_Reading]:
        return [_Reading(output) for output in self.outputs]

    @cached_property
    def _jacobians(self) -> list[_Reading]:
        return [_Reading(derivatives.jacobian(output, self.variables)) for output in self.outputs]

    @cached_property
    def _hessian(self) -> Any:
        return derivatives.hessian(self.outputs[0], self.variables)

    @cached_property
    def _hessian_product(self) -> tuple[Any, tuple[Any, ...]]:
        directions = tuple([weight(one.value) for one in self.variables])
        slopes = derivatives.grad(self.outputs[0], self.variables)
        product = _inner([slopes[i] for i in range(len(directions))], directions)
        return derivatives.grad(product, self.variables), directions

    @cached_property
    def _hessian_along(self) -> tuple[Any, tuple[Any, ...]]:
        factors = tuple([weight(_ones(one, self.data)) for one in self.outputs])
        return derivatives.hessian(_inner(self.outputs, factors), self.variables), factors


class _Reading:
    """The value of a formula for some data, by a program once it has run often."""

    def __init__(self, formula: Any) -> None:
        self._formula = formula
        self._predict = formula.predict
        self._runs = 0

    def __call__(self, data: Any) -> Any:
        self._runs += 1
        return self._compiled(data) if self._runs == COMPILED_AFTER else self._predict(data)

    def _compiled(self, data: Any) -> Any:
        from layertree.program import compile  # a fit that is soon done has no need to load it

        program = compile(self._formula)
        try:
            value = program.predict(data)
        except (DTypeError, ShapeError):  # a black box, or a shape that depends on data
            return self._predict(data)
        self._predict = program.predict
        return value


def of_arguments(
    f: Any, x0: Any, before: Sequence[Any], after: Sequence[Any], name: str, called: str = "x0"
) -> Evaluation:
    """The evaluation of a formula, or a Python function, of x0 (a tuple is several arguments) among others.

    ``called`` is what the user knows x0 by.
    """
    packing = Packing(x0, called)
    variables = [weight(leaf) for leaf in flat(packing.pattern)]
    varied = nested(packing.pattern, variables)
    data = tuple([plain(part, "an argument") for part in (*before, *after)])
    given = list(map(parts_of, placeholder(tuple(map(spec_of, data))))) if data else []
    varied = varied if is_a(varied, tuple) else (varied,)
    arguments = (*given[: len(before)], *varied, *given[len(before) :])
    return Evaluation(applied(f, arguments, name), packing, variables, data or None)


def of_weights(f: Any, weights: Sequence[Any], args: Sequence[Any], name: str) -> Evaluation:
    """The evaluation of a formula over some of its weights, with ``args`` as its input."""
    from layertree.rewrite.derive import exchange  # it loads families of layers

    require_formula(f, name)
    packing = Packing(tuple([one.value for one in weights]), "the weights")
    variables = [weight(leaf) for leaf in flat(packing.pattern)]
    data = tuple([plain(part, "an argument") for part in args])
    whole = None if not data else data[0] if len(data) == 1 else data
    f.check_input(whole)
    exchanged = exchange(f.__layer__(), dict(zip(weights, [one.layer for one in variables], strict=True)))
    formula = as_symbolic(exchanged) if whole is None else wrap(exchanged, spec_of(whole))
    return Evaluation(formula, packing, variables, whole)


def applied(f: Any, arguments: tuple[Any, ...], name: str) -> Any:
    """A formula, or a Python function, of some formulas."""
    if is_a(f, Layer):
        specs = mapped(lambda argument: as_symbolic(argument).spec, arguments)
        spec = specs[0] if len(specs) == 1 else specs
        f.check_input(spec)
        return wrap(f.__layer__(), spec)(*arguments)
    if not callable(f):
        raise TypeError(f"{name} takes a formula, a layer or a function: {f!r} is none")
    return as_symbolic(_tuples(f(*arguments)))


def require_formula(f: Any, name: str, called: str = "x0") -> None:
    """TypeError for what has no weights."""
    if not isinstance(f, Layer):
        raise TypeError(f"{name} over weights takes a formula; with a Python function give {called}: got {f!r}")


def plain(data: Any, what: str) -> Any:
    """Data that a formula reads: floats in double precision, integers and booleans as they are."""
    return mapped(lambda part: as_floats(part, what) if np.asarray(part).dtype.kind == "f" else part, as_data(data))


def _tuples(result: Any) -> Any:
    """Lists, which functions written for SciPy return, as tuples."""
    return mapped(lambda part: part, result, lambda value: value if is_a(value, (list, tuple)) else None)


def _inner(formulas: Sequence[Any], factors: Sequence[Any]) -> Any:
    """The sum of the products of all elements."""
    products = [formula * factor for formula, factor in zip(formulas, factors, strict=True)]
    totals = [one if one.spec.shape == () else apply("sum", one) for one in products]
    return functools.reduce(operator.add, totals)


def _ones(formula: Any, data: Any) -> Any:
    """Ones of the kind and shape that a formula gives."""
    value = formula.predict(data)
    return 1.0 if type_of(value) is float else np.ones_like(value)


def _matrix(part: Any, trailing: int) -> Matrix:
    shape = np.shape(part)
    split = len(shape) - trailing
    return np.reshape(part, (math.prod(shape[:split]), math.prod(shape[split:])))


def _put(variables: Sequence[Any], values: Sequence[Any]) -> None:
    for one, value in zip(variables, values, strict=True):
        one.layer.set(value)


def _joined(parts: Sequence[Any]) -> Flat:
    return np.concatenate([np.zeros(0), *map(np.ravel, parts)])
