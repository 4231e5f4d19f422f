"""vmap: a formula, or a function, of one example as one of a stack of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layertree import ShapeError
from layertree._kinds import is_a
from layertree._nested import flat, mapped
from layertree._spec import ArraySpec, spec_text
from symbolic.building.operations import apply, as_symbolic
from symbolic.core.origin import Origin, common_origin
from symbolic.derivatives._formulas import (
    as_formula,
    formula_of,
    is_function,
    packed,
    require_source,
    simple,
)
from symbolic.derivatives._functions import is_open, variable

__all__ = ["vmap"]


def vmap(f: Any, /, in_axes: Any = 0, out_axes: Any = 0, *, size: int | str | None = "Batch", spec: Any = None) -> Any:
    """The formula of a stack of examples, of one of a single example; or likewise the function.

    ``in_axes`` is the axis of the examples in the input: one for all parts of a tuple input, or a tuple of them, where
    None stands for a part that all examples share; ``out_axes`` likewise where the result has it. ``size`` is how many
    examples there are, as a number, a name, or None where nothing is known; a name that the input's spec has already
    gets a number behind it. All examples share the weights. Each draws its own dropout mask. A hook sees the stack.

    Nothing is run example by example: each operation runs once over the whole stack. A layer of your own stays what it
    is where both of its rules go element by element; else it is taken apart into what it computes with, whose gradients
    then count.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import grad, placeholder, sum
    >>> x = placeholder(ArraySpec((3,)))
    >>> vmap(sum(x * x)).predict(np.ones((2, 3)))
    array([3., 3.])
    >>> vmap(grad(sum(x * x))).predict(np.ones((2, 3)))
    array([[2., 2., 2.],
           [2., 2., 2.]])

    Of a Python function, which is called with examples in front, it is a function of data and of formulas alike.

    >>> vmap(lambda a, b: a @ b, in_axes=(0, None))(np.eye(2), np.array([3.0, 4.0]))
    array([3., 4.])

    Raises ShapeError for an axis that is not there, and where stacks differ in size; DTypeError for a layer that has no
    formula over stacks, with its name.
    """
    if is_function(f):
        return _of_function(f, in_axes, out_axes)
    formula = as_formula(f, spec)
    example = require_source(formula, "vmap")
    axes = _axes(in_axes, example, "in_axes", extra=1)
    _require_some(axes)
    dim = _fresh(size, example)
    whole = _stacked(example, axes, dim)
    return _mapped(formula.layer, Origin(whole), (dim,), out_axes, axes=axes, example=example)


def _mapped(layer: Any, origin: Any, dims: Any, out_axes: Any, **where: Any) -> Any:
    """The stacked formula with its axes where they are asked for."""
    from layertree.rewrite.batch import batch

    spec = () if origin is None else origin.spec
    stack = formula_of(batch(layer, spec, dims, **where), origin)
    places = _axes(out_axes, stack.spec, "out_axes", extra=0)
    moved = _placed(stack, places)
    return simple(moved.layer, moved.spec, origin)


def _placed(stack: Any, places: Any) -> Any:
    """A stack with its first axis moved to another place."""
    remaining = flat(places)

    def placed(leaf: Any) -> Any:
        place = next(remaining)
        if place is None:
            raise ValueError("out_axes = None is not allowed: each example has a result of its own")
        return _moved(leaf, 0, place % leaf.ndim)

    return packed(stack, placed, stack.origin)


def _moved(x: Any, start: int, end: int) -> Any:
    if start == end:
        return x
    order = [i for i in range(x.ndim) if i != start]
    order.insert(end, start)
    return apply("permute_dims", x, axes=tuple(order))


def _axes(given: Any, spec: Any, name: str, extra: int) -> Any:
    """An axis for each array: one given for a tuple counts for all its parts."""

    def split(pair: tuple[Any, Any]) -> Any:
        axes, one = pair
        if not is_a(one, tuple):
            return None
        parts = axes if is_a(axes, (tuple, list)) else (axes,) * len(one)
        if len(parts) != len(one):
            raise ValueError(f"{name} = {axes!r} is not allowed: {spec_text(one)} has {len(one)} parts")
        return list(zip(parts, one, strict=True))

    return mapped(lambda pair: _axis(name, extra, *pair), (given, spec), split)


def _axis(name: str, extra: int, given: Any, spec: Any) -> Any:
    if given is None:
        return None
    if not is_a(given, int) or isinstance(given, bool):
        raise TypeError(f"{name} = {given!r} is not allowed: give an axis, None, or a tuple of these for a tuple")
    ndim = spec.ndim + extra
    if not -ndim <= given < ndim:
        raise ShapeError(f"{name} = {given} is out of range: the stack has {ndim} axes")
    return given % ndim


def _require_some(axes: Any) -> None:
    if all(axis is None for axis in flat(axes)):
        raise ValueError("in_axes = None is not allowed for all of the input: nothing would be mapped over")


def _fresh(size: Any, spec: Any) -> Any:
    """The size, or a name for it that the spec has not yet."""
    taken, dim, count = {name for part in flat(spec) for name in part.shape}, size, 1
    while isinstance(dim, str) and dim in taken:
        count += 1
        dim = f"{size}{count}"
    return dim


def _stacked(example: Any, axes: Any, dim: Any) -> Any:
    """The spec of the stacked input."""
    remaining = flat(axes)
    return mapped(lambda one: _stacked_part(one, next(remaining), dim), example)


def _stacked_part(example: Any, axis: Any, dim: Any) -> Any:
    if axis is None:
        return example
    return ArraySpec((*example.shape[:axis], dim, *example.shape[axis:]), example.dtype)


def _of_function(function: Callable[..., Any], in_axes: Any, out_axes: Any) -> Callable[..., Any]:
    """The mapped Python function: of data it is data, of formulas a formula."""

    def mapped(*arguments: Any) -> Any:
        given = [as_symbolic(argument) for argument in arguments]
        axes = _axes(in_axes, tuple([one.spec for one in given]), "in_axes", extra=0)
        _require_some(axes)
        stacks: dict[Any, Any] = {}
        dims: list[Any] = []
        variables = [_variable(one, axis, stacks, dims) for one, axis in zip(given, axes, strict=True)]
        value = as_symbolic(function(*variables))
        origin = common_origin(value.layer, [value, *given])
        result = _mapped(value.layer, origin, (_common(dims),), out_axes, stacks=stacks)
        is_data = not any(is_open(one) for one in given)
        return result.predict() if is_data and not is_open(result) else result

    return mapped


def _variable(given: Any, axes: Any, stacks: dict[Any, Any], dims: list[Any]) -> Any:
    """One example of an argument, as a variable, for which the argument stands; what is shared as it is."""
    remaining = flat(axes)

    def of_part(part: Any) -> Any:
        axis = next(remaining)
        if axis is None:
            return part
        shape = list(part.shape)
        dims.append(shape.pop(axis))
        made = variable(ArraySpec(tuple(shape), part.dtype))
        stacks[made.layer] = _moved(part, axis, 0).layer
        return made

    return packed(given, of_part, given.origin)


def _common(dims: list[Any]) -> Any:
    """The one size that all stacks have."""
    known = {dim for dim in dims if isinstance(dim, int)}
    if len(known) > 1:
        raise ShapeError(f"the stacks have {' and '.join(map(str, sorted(known)))} examples: they are of one size")
    names = {dim for dim in dims if isinstance(dim, str)}
    if len(names) > 1:
        raise ShapeError(f"the stacks have {' and '.join(sorted(names))} examples: they are of one size")
    return next(iter(known or names), None)
