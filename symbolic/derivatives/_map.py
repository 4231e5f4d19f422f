"""vmap: the formula, or the function, of a stack of examples from that of one example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree import AxisRangeError, ShapeError
from layertree.core.brief import counted
from layertree.core.nested import flat, mapped
from layertree.core.spec import ArraySpec, Dim, spec_text
from layertree.rewrite.batch import batch
from symbolic.building.operations import apply, as_symbolic, formula_of
from symbolic.core.formula import AnyFormula
from symbolic.core.origin import Origin, common_origin, input_spec
from symbolic.derivatives._formulas import as_formula, is_function, packed, require_source, simple
from symbolic.derivatives._functions import Function, values_of_closed, variable
from symbolic.signatures import typed

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Nested, Spec
    from symbolic.signatures import derivatives as signatures
else:
    from symbolic.signatures import absent as signatures

__all__ = ["vmap"]

Axes: TypeAlias = "int | Sequence[Axes] | None"
"""The axis of the examples; None where all examples share the data; a sequence for the parts of a tuple."""
Axis: TypeAlias = int | None


@typed(signatures.vmap)
def vmap(
    f: Any, /, in_axes: Axes = 0, out_axes: Axes = 0, *, size: int | str | None = "Batch", spec: object = None
) -> object:
    """The formula of a stack of examples, from the formula of one example; likewise for a function.

    ``in_axes`` is the axis of the examples in the input: one axis for all parts of a tuple input, or a tuple of axes,
    where None marks a part that all examples share; ``out_axes`` is the axis of the examples in the result. ``size`` is
    the number of examples, as a number, a name, or None if it is unknown; a name that the spec of the input already has
    gets a number at its end. All examples share the weights. Each example has its own dropout mask. A hook sees the
    whole stack.

    Each operation runs once over the whole stack, not example by example. A layer of your own stays one layer if both
    of its rules work element by element; else it is decomposed into the operations of ``compute``, and these have
    gradients of their own.

    >>> import numpy as np
    >>> from layertree.typing import ArraySpec
    >>> from symbolic import grad, placeholder, sum
    >>> x = placeholder(ArraySpec((3,)))
    >>> vmap(sum(x * x)).predict(np.ones((2, 3)))
    array([3., 3.])
    >>> vmap(grad(sum(x * x))).predict(np.ones((2, 3)))
    array([[2., 2., 2.],
           [2., 2., 2.]])

    The result for a Python function is a function of data and of formulas alike, whose arguments are stacks.

    >>> vmap(lambda a, b: a @ b, in_axes=(0, None))(np.eye(2), np.array([3.0, 4.0]))
    array([3., 4.])

    Raises ShapeError for an axis out of range and for stacks of different sizes, DTypeError for a layer that has no
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
    stack = batch(formula.layer, whole, (dim,), axes=axes, example=example)
    return _with_out_axes(stack, Origin(whole), out_axes)


def _with_out_axes(layer: AnyLayer, origin: Origin | None, out_axes: Axes) -> AnyFormula:
    """The formula of a stack, with the axis of the examples moved from the first place to ``out_axes``."""
    stack = formula_of(layer, origin)
    places = flat(_axes(out_axes, stack.spec, "out_axes", extra=0))

    def placed(leaf: AnyFormula) -> AnyFormula:
        place: Axis = next(places)
        if place is None:
            raise ValueError("out_axes = None is not allowed: each example has a result of its own")
        return _moved(leaf, 0, place % leaf.ndim)

    moved = packed(stack, placed, stack.origin)
    return simple(moved.layer, moved.spec, origin)


def _moved(x: AnyFormula, start: int, end: int) -> AnyFormula:
    """A formula with one axis moved to another place."""
    if start == end:
        return x
    order = [i for i in range(x.ndim) if i != start]
    order.insert(end, start)
    return apply("permute_dims", x, axes=tuple(order))


def _axes(given: Axes, spec: Spec, name: str, extra: int) -> Nested[Axis]:
    """An axis for each array: one axis for a tuple is that of all its parts. ``extra`` counts axes not in the spec."""

    def split(pair: tuple[Axes, Spec]) -> list[tuple[Axes, Spec]] | None:
        axes, one = pair
        if not isinstance(one, tuple):
            return None
        parts: Sequence[Axes] = axes if isinstance(axes, (tuple, list)) else (axes,) * len(one)
        if len(parts) != len(one):
            raise ValueError(f"{name} = {axes!r} is not allowed: {spec_text(one)} has {counted(len(one), 'part')}")
        return list(zip(parts, one, strict=True))

    found: Nested[Axis] = mapped(lambda pair: _axis(name, extra, *pair), (given, spec), split)
    return found


def _axis(name: str, extra: int, given: object, spec: ArraySpec[Any]) -> Axis:
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"{name} = {given!r} is not allowed: give an axis, None, or a tuple of these for a tuple")
    ndim = spec.ndim + extra
    if not -ndim <= given < ndim:
        raise AxisRangeError(f"{name} = {given} is out of range: the stack has {counted(ndim, 'axis', 'axes')}")
    return given % ndim


def _require_some(axes: Nested[Axis]) -> None:
    if all(axis is None for axis in flat(axes)):
        raise ValueError("in_axes = None is not allowed for all of the input: nothing would be mapped over")


def _fresh(size: Dim, spec: Spec) -> Dim:
    """The size, or a name that the spec does not have yet."""
    taken, dim, count = {name for part in flat(spec) for name in part.shape}, size, 1
    while isinstance(dim, str) and dim in taken:
        count += 1
        dim = f"{size}{count}"
    return dim


def _stacked(example: Spec, axes: Nested[Axis], dim: Dim) -> Spec:
    """The spec of the stacked input."""
    remaining = flat(axes)
    stacked: Spec = mapped(lambda one: _stacked_part(one, next(remaining), dim), example)
    return stacked


def _stacked_part(example: ArraySpec[Any], axis: Axis, dim: Dim) -> ArraySpec[Any]:
    if axis is None:
        return example
    return ArraySpec((*example.shape[:axis], dim, *example.shape[axis:]), example.dtype)


def _of_function(function: Function, in_axes: Axes, out_axes: Axes) -> Function:
    """The mapped Python function: of data it is data, of formulas a formula."""

    def mapped(*arguments: object) -> object:
        given = [as_symbolic(argument) for argument in arguments]
        axes = _axes(in_axes, tuple([one.spec for one in given]), "in_axes", extra=0)
        _require_some(axes)
        assert isinstance(axes, tuple)
        stacks: dict[AnyLayer, AnyLayer] = {}
        dims: list[Dim] = []
        variables = [_variable(one, axis, stacks, dims) for one, axis in zip(given, axes, strict=True)]
        value = as_symbolic(function(*variables))
        origin = common_origin(value.layer, [value, *given])
        stack = batch(value.layer, input_spec(origin), (_common(dims),), stacks=stacks)
        return values_of_closed([_with_out_axes(stack, origin, out_axes)], arguments)[0]

    return mapped


def _variable(given: AnyFormula, axes: Nested[Axis], stacks: dict[AnyLayer, AnyLayer], dims: list[Dim]) -> AnyFormula:
    """A variable for one example of an argument; an argument that all examples share as it is.

    Adds the argument to ``stacks`` under its variable, and the number of examples to ``dims``.
    """
    remaining = flat(axes)

    def of_part(part: AnyFormula) -> AnyFormula:
        axis: Axis = next(remaining)
        if axis is None:
            return part
        shape = list(part.shape)
        dims.append(shape.pop(axis))
        made = variable(ArraySpec(tuple(shape), part.dtype))
        stacks[made.layer] = _moved(part, axis, 0).layer
        return made

    return packed(given, of_part, given.origin)


def _common(dims: list[Dim]) -> Dim:
    """The one size that all stacks have. Raises ShapeError for several."""
    known = {dim for dim in dims if isinstance(dim, int)}
    if len(known) > 1:
        raise ShapeError(f"the stacks have {' and '.join(map(str, sorted(known)))} examples: they are of one size")
    names = {dim for dim in dims if isinstance(dim, str)}
    if len(names) > 1:
        raise ShapeError(f"the stacks have {' and '.join(sorted(names))} examples: they are of one size")
    common: list[Dim] = [*known, *names]
    return common[0] if common else None
