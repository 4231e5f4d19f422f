"""A formula as a function of one flat vector, with exact derivatives, each built once, at its first use."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from layertree import DTypeError, ShapeError, Weight, inference
from layertree.core.data import as_data
from layertree.core.dynamic import type_of
from layertree.core.narrowing import is_layer, is_sequence
from layertree.core.nested import flat, mapped, nested
from layertree.core.spec import spec_of, spec_text
from layertree.rewrite.derive import substitute_nodes
from symbolic.building.operations import apply, array_spec, as_symbolic, compose
from symbolic.building.placeholders import placeholder, weight, wrap
from symbolic.core.formula import AnyFormula
from symbolic.core.symbolic import Symbolic
from symbolic.derivatives._formulas import leaves_of, parts_of, tuple_of
from symbolic.derivatives._gradient import gradient
from symbolic.derivatives._matrices import hessian_of, jacobian_of
from symbolic.solvers._packing import Packing, as_floats
from symbolic.solvers._results import Flat, Matrix

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Nested, Spec

Data: TypeAlias = object
"""The input of a formula."""

COMPILED_AFTER = 50
"""The number of runs after which a formula is compiled: compiling takes a few milliseconds, and saves a tenth of one
for each run. The number does not depend on the clock, so that equal fits always do the same computations."""


class Evaluation:
    """The functions that a solver calls. The variables are weights of the evaluation, which belong to no other formula.

    ``formula`` is over these ``variables``, in the order of the packing's leaves, and over ``data``, its input.
    """

    def __init__(self, formula: AnyFormula, packing: Packing, variables: Sequence[AnyFormula], data: Data) -> None:
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
        """The Jacobian: a row for each element of the outputs, a column for each element of the variables."""
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
        if not np.array_equal(flat, self._at):  # a solver evaluates the value and its derivative at one point
            _put(self.variables, self.packing.split(flat))
            self._at = np.array(flat)

    def _rows(self, parts: Sequence[object]) -> Matrix:
        """The derivatives of one array, each of shape array.shape + variable.shape, side by side."""
        return np.hstack([_matrix(part, np.ndim(one.value)) for part, one in zip(parts, self.variables, strict=True)])

    @cached_property
    def _number_and_gradient(self) -> AnyFormula:
        formula = self.outputs[0]
        return tuple_of([formula, *self._gradient()], formula.origin)

    @cached_property
    def _values(self) -> list[_Evaluator]:
        return [_Evaluator(output) for output in self.outputs]

    @cached_property
    def _jacobians(self) -> list[_Evaluator]:
        return [_Evaluator(jacobian_of(output, self.variables)) for output in self.outputs]

    @cached_property
    def _hessian(self) -> AnyFormula:
        return hessian_of(self.outputs[0], self.variables)

    @cached_property
    def _hessian_product(self) -> tuple[AnyFormula, tuple[AnyFormula, ...]]:
        directions: tuple[AnyFormula, ...] = tuple([weight(one.value) for one in self.variables])
        product = _inner(self._gradient(), directions)
        return gradient(product, self.variables, "grad"), directions

    @cached_property
    def _hessian_along(self) -> tuple[AnyFormula, tuple[AnyFormula, ...]]:
        factors: tuple[AnyFormula, ...] = tuple([weight(_ones(one, self.data)) for one in self.outputs])
        return hessian_of(_inner(self.outputs, factors), self.variables), factors

    def _gradient(self) -> list[AnyFormula]:
        """The gradient of the first output by each variable."""
        slopes = gradient(self.outputs[0], self.variables, "grad")
        return [slopes[i] for i in range(len(self.variables))]


class _Evaluator:
    """The value of a formula for some data, by a program after the first runs."""

    def __init__(self, formula: AnyFormula) -> None:
        self._formula = formula
        self._predict: Callable[[Data], Any] = formula.predict
        self._runs = 0

    def __call__(self, data: Data) -> Any:
        self._runs += 1
        return self._compiled(data) if self._runs == COMPILED_AFTER else self._predict(data)

    def _compiled(self, data: Data) -> Any:
        from layertree.program import compile  # for loading time: short fits compile nothing

        program = compile(self._formula)
        try:
            value = program.predict(data)
        except (DTypeError, ShapeError):  # a black box, or a shape that depends on data
            return self._predict(data)
        self._predict = program.predict
        return value


def of_arguments(
    f: object, x0: object, before: Sequence[object], after: Sequence[object], name: str, called: str = "x0"
) -> Evaluation:
    """The evaluation of a formula, or a Python function, of the arguments ``before``, x0 and ``after``.

    A tuple x0 is several arguments. ``called`` is the name of x0 in the call of the user.
    """
    packing = Packing(x0, called)
    variables: list[AnyFormula] = [weight(leaf) for leaf in flat(packing.pattern)]
    varied: Nested[AnyFormula] = nested(packing.pattern, variables)
    data = tuple([plain(part, "an argument") for part in (*before, *after)])
    given = list(map(parts_of, placeholder(tuple(map(spec_of, data))))) if data else []
    several = varied if isinstance(varied, tuple) else (varied,)
    arguments = (*given[: len(before)], *several, *given[len(before) :])
    return Evaluation(applied(f, arguments, name), packing, variables, data or None)


def of_weights(f: object, weights: Sequence[Weight[Any]], args: Sequence[object], name: str) -> Evaluation:
    """The evaluation of a formula over some of its weights, with ``args`` as its input."""
    layer = require_formula(f, name)
    packing = Packing(tuple([one.value for one in weights]), "the weights")
    variables: list[AnyFormula] = [weight(leaf) for leaf in flat(packing.pattern)]
    data = tuple([plain(part, "an argument") for part in args])
    whole = None if not data else data[0] if len(data) == 1 else data
    layer.check_input(whole)
    exchanged = substitute_nodes(layer.__layer__(), dict(zip(weights, [one.layer for one in variables], strict=True)))
    formula = as_symbolic(exchanged) if whole is None else wrap(exchanged, spec_of(whole))
    return Evaluation(formula, packing, variables, whole)


def applied(f: object, arguments: tuple[Nested[AnyFormula], ...], name: str) -> AnyFormula:
    """A formula, or a Python function, of some formulas. Raises TypeError for an f of another type."""
    if is_layer(f):
        specs: tuple[Spec, ...] = mapped(lambda argument: as_symbolic(argument).spec, arguments)
        spec = specs[0] if len(specs) == 1 else specs
        f.check_input(spec)
        outer: AnyFormula = wrap(f.__layer__(), spec)
        return compose(outer, arguments)
    if not callable(f):
        raise TypeError(f"{name} takes a formula, a layer or a function: {f!r} is none")
    return as_symbolic(_tuples(f(*arguments)))


def require_formula(f: object, name: str, called: str = "x0") -> AnyLayer:
    """The formula whose weights are varied. Raises TypeError for anything else."""
    if not is_layer(f):
        raise TypeError(f"{name} over weights takes a formula; with a Python function give {called}: got {f!r}")
    return f


def plain(data: object, what: str) -> Data:
    """The input of a formula: floats in double precision, integers and booleans as they are."""
    converted: Data = mapped(
        lambda part: as_floats(part, what) if np.asarray(part).dtype.kind == "f" else part, as_data(data)
    )
    return converted


def _tuples(result: object) -> object:
    """The result of a function with tuples in place of lists, which functions written for SciPy return."""
    found: object = mapped(lambda part: part, result, lambda value: value if is_sequence(value) else None)
    return found


def _inner(formulas: Sequence[AnyFormula], factors: Sequence[AnyFormula]) -> AnyFormula:
    """The inner product: the sum of the products of all elements."""
    products = [apply("multiply", formula, factor) for formula, factor in zip(formulas, factors, strict=True)]
    totals = [one if one.shape == () else apply("sum", one) for one in products]
    return functools.reduce(lambda first, second: apply("add", first, second), totals)


def _ones(formula: AnyFormula, data: Data) -> object:
    """Ones of the shape of a formula's output."""
    value = formula.predict(data)
    return 1.0 if type_of(value) is float else np.ones_like(value)


def _matrix(part: Any, trailing: int) -> Matrix:
    shape = np.shape(part)
    split = len(shape) - trailing
    return np.reshape(part, (math.prod(shape[:split]), math.prod(shape[split:])))


def _put(variables: Sequence[AnyFormula], values: Sequence[object]) -> None:
    """Set the weights that formulas wrap."""
    for one, value in zip(variables, values, strict=True):
        layer: Weight[Any] = one.layer  # type: ignore[assignment]  # a formula made by weight()
        layer.set(value)


def _joined(parts: Iterable[Any]) -> Flat:
    return np.concatenate([np.zeros(0), *[np.ravel(part) for part in parts]])
