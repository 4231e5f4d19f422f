"""Derivatives of formulas, and of Python functions, to any order: each is a formula again, or a function.

All of them come from the rules by which deltas go back, written once in each layer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from layertree import DTypeError, Identity, Layer, ShapeError
from layertree._formula_text import brief_formula
from layertree._free import Free
from layertree._kinds import is_a
from layertree._spec import spec_text
from layertree.layers import layer_of
from layertree.namespaces.spec import infer_spec
from symbolic._build import as_symbolic, one_origin
from symbolic._placeholder import placeholder, wrap
from symbolic._symbolic import Symbolic

__all__ = ["grad", "hvp", "jvp", "value_and_grad", "vjp"]


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
    if _is_function(f):
        return _of_function(f, wrt, with_value=False)
    formula = _as_formula(f, spec)
    _require_number(formula, "grad")
    return _derivative(formula, wrt)


def value_and_grad(f: Any, /, wrt: Any = None, *, spec: Any = None) -> Any:
    """The pair of a formula's value and its gradient, which share what they have in common.

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> value_and_grad(x * x).predict(3.0)
    (9.0, 6.0)
    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    if _is_function(f):
        return _of_function(f, wrt, with_value=True)
    formula = _as_formula(f, spec)
    _require_number(formula, "value_and_grad")
    return _tuple([formula, _derivative(formula, wrt)], formula.origin)


def vjp(f: Any, /, *, spec: Any = None) -> Any:
    """The product of a vector with the Jacobian: a formula of (input, delta of the output), giving the input's delta.

    >>> from symbolic import placeholder, sin
    >>> vjp(sin(placeholder(float))).predict((0.0, 2.0))
    2.0
    """
    formula = _as_formula(f, spec)
    source = _source_spec(formula, "vjp")
    x, delta = placeholder((source, formula.spec))
    return _derivative_by(formula(x), x, delta.layer)


def jvp(f: Any, /, *, spec: Any = None) -> Any:
    """The product of the Jacobian with a vector: a formula of (input, tangent), giving the output's tangent.

    It is the derivative of the vector-Jacobian product with respect to its delta, on which that depends linearly.

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> jvp(x * x).predict((3.0, 0.5))
    3.0
    """
    formula = _as_formula(f, spec)
    source = _source_spec(formula, "jvp")
    pair = (source, source)
    x, tangent = placeholder(pair)
    value = formula(x)
    delta: Any = Free[Any](value.spec)
    pulled = derive(value.layer, pair, [x.layer], delta)[0]
    pushed = None if pulled is None else derive(pulled, pair, [delta], tangent.layer)[0]
    if pushed is None:
        return _zeros(value)
    # What is left of the delta is a pattern that gives its shape alone: the output has the same.
    return _simple(exchange(pushed, {delta: value.layer}), value.spec, x.origin)


def hvp(f: Any, /, *, spec: Any = None) -> Any:
    """The product of the Hessian with a vector: a formula of (input, vector). It costs a few gradients, at any size.

    >>> from symbolic import placeholder
    >>> x = placeholder(float)
    >>> hvp(x**3).predict((2.0, 1.0))
    12.0
    """
    formula = _as_formula(f, spec)
    _require_number(formula, "hvp")
    source = _source_spec(formula, "hvp")
    x, vector = placeholder((source, source))
    return _derivative_by(grad(formula)(x), x, vector.layer)


def derive(layer: Any, spec: Any, targets: Sequence[Any], delta: Any = None) -> list[Any]:
    """The derivatives as layers; what makes them loads the families of layers, so it loads when it is first used."""
    from layertree.rewrite import derive

    return derive.derive(layer, spec, targets, delta)


def exchange(layer: Any, replacements: dict[Any, Any]) -> Any:
    """The layer with some of its nodes exchanged for others."""
    from layertree.rewrite import derive

    return derive.exchange(layer, replacements)


def _is_function(f: Any) -> bool:
    return callable(f) and not isinstance(f, Layer)


def _as_formula(f: Any, spec: Any) -> Any:
    if is_a(f, Symbolic):
        return f
    if is_a(f, Layer):
        return wrap(f, spec) if spec is not None else as_symbolic(f)
    raise TypeError(f"{f!r} has no derivative: give a formula, a layer or a function")


def _require_number(formula: Any, name: str) -> None:
    if is_a(formula.spec, tuple) or formula.spec.shape != ():
        raise ShapeError(
            f"{name}({brief_formula(formula)}: {spec_text(formula.spec)}): the gradient is that of one number; "
            "sum or mean makes one"
        )
    if formula.spec.dtype.kind != "f":
        raise DTypeError(
            f"{name}({brief_formula(formula)}: {spec_text(formula.spec)}): only floats have a gradient: cast to float"
        )


def _source_spec(formula: Any, name: str) -> Any:
    if formula.origin is None or isinstance(formula.origin.spec, tuple):
        raise ShapeError(f"{name}({brief_formula(formula)}): a formula of one array or number is wanted")
    return formula.origin.spec


def _derivative(formula: Any, wrt: Any) -> Any:
    """The derivative by one target as a formula, by several as a tuple formula."""
    if is_a(wrt, Sequence):
        return _tuple([_derivative_by(formula, target) for target in wrt], formula.origin)
    return _derivative_by(formula, wrt)


def _derivative_by(formula: Any, wrt: Any, delta: Any = None) -> Any:
    target = Symbolic(Identity(), _input_spec(formula), formula.origin) if wrt is None else _target(wrt, formula)
    source = _input_spec(formula)
    _require_floats(target)
    found = derive(formula.layer, source, [target.layer], delta)[0]
    if isinstance(target.spec, tuple):
        return _parts(target, found or {}, formula.origin)
    return _zeros(target) if found is None else Symbolic(found, infer_spec(found, source), formula.origin)


def _input_spec(formula: Any) -> Any:
    return () if formula.origin is None else formula.origin.spec


def _target(wrt: Any, formula: Any) -> Any:
    if not isinstance(wrt, Layer):
        raise TypeError(f"wrt = {wrt!r} is not allowed: give the input, a weight, or another part of the formula")
    return as_symbolic(wrt, formula.origin)


def _require_floats(target: Any) -> None:
    parts = target.spec if is_a(target.spec, tuple) else (target.spec,)
    if not any(is_a(part, tuple) or part.dtype.kind == "f" for part in parts):
        raise DTypeError(
            f"{brief_formula(target)} is {spec_text(target.spec)}: only floats have a gradient: cast to float"
        )


def _parts(target: Any, found: dict[int, Any], origin: Any) -> Any:
    """The derivative by a tuple, as a tuple: zeros for the parts that are not reached."""
    parts: list[Any] = []
    for i, spec in enumerate(target.spec):
        part = Symbolic(layer_of("item")(target.layer, position=i), spec, origin)
        derivative = found.get(i)
        if derivative is None:
            parts.append(_zeros(part))
        else:
            parts.append(Symbolic(derivative, infer_spec(derivative, origin.spec), origin))
    return _tuple(parts, origin)


def _zeros(like: Any) -> Any:
    return _simple(layer_of("zeros_like")(like.layer), like.spec, like.origin)


def _simple(layer: Any, spec: Any, origin: Any) -> Any:
    from layertree.rewrite.simplify import simplify

    return Symbolic(simplify(layer, () if origin is None else origin.spec), spec, origin)


def _tuple(parts: Sequence[Any], origin: Any) -> Any:
    return Symbolic(
        layer_of("tuple")(tuple([part.layer for part in parts])), tuple(part.spec for part in parts), origin
    )


def _of_function(function: Callable[..., Any], wrt: Any, *, with_value: bool) -> Callable[..., Any]:
    """The derivative of a Python function: of data it is data, of formulas a formula."""
    positions = (0,) if wrt is None else tuple(wrt) if is_a(wrt, Sequence) else (wrt,)
    single = not is_a(wrt, Sequence)

    def derivative(*arguments: Any) -> Any:
        given = [as_symbolic(argument) for argument in arguments]
        wrong = [i for i in positions if not isinstance(i, int) or not 0 <= i < len(given)]
        if wrong:
            raise TypeError(f"wrt = {wrong[0]!r} is no position among {len(given)} arguments")
        # The variables are fresh leaves, exchanged for the arguments afterwards: what the function itself refers to
        # from outside, a variable of an outer derivative or an outer input, stays as it is.
        variables = [Symbolic(Free(symbol.spec), symbol.spec, None) for symbol in given]
        value = as_symbolic(function(*variables))
        _require_number(value, "grad")
        parts = [_derivative_by(value, variables[i]) for i in positions]
        answers = [*([value] if with_value else []), *(parts if single else [_tuple(parts, value.origin)])]
        back = {variable.layer: symbol.layer for variable, symbol in zip(variables, given, strict=True)}
        results = [_exchanged(answer, back, given) for answer in answers]
        return results[0] if len(results) == 1 else tuple(results)

    return derivative


def _exchanged(answer: Any, back: dict[Any, Any], given: list[Any]) -> Any:
    origin = one_origin(answer.layer, [answer, *given])
    result = _simple(exchange(answer.layer, back), answer.spec, origin)
    is_data = not any(isinstance(argument.layer, Free) or argument.origin is not None for argument in given)
    return result.predict() if is_data and _is_closed(result) else result


def _is_closed(formula: Any) -> bool:
    from layertree import nodes

    return not any(node._control in ("free", "source") for node in nodes(formula))
