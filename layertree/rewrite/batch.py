"""A formula of one example as a formula of a stack of them: read once, in the batch namespace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from layertree.core.brief import name_of
from layertree.core.diagnostics import MISFITS, misfit
from layertree.core.dynamic import type_of
from layertree.core.errors import DTypeError
from layertree.core.nested import apart, flat, folded
from layertree.core.spec import Dim, spec_of, spec_text
from layertree.namespaces.batch import Batched, Batching, Diagonal, is_batched, is_named, is_transparent
from layertree.namespaces.batch._values import parts_of_several, several
from layertree.namespaces.hash_consing import Inlining, source_of
from layertree.namespaces.spec import branches, infer
from layertree.namespaces.tree import Derivation
from layertree.sweep.reading import Reading
from layertree.sweep.sweep import sweep


def batch(
    layer: Any,
    spec: Any,
    dims: tuple[Dim, ...],
    *,
    stacks: Mapping[Any, Any] | None = None,
    directions: Mapping[Any, Any] | None = None,
    axes: Any = None,
    example: Any = None,
) -> Any:
    """The formula whose value is a stack with leading axes ``dims``, of one whose value is that of one example.

    ``stacks`` gives for free variables the layers that have these axes in front, over an input of ``spec``;
    ``directions`` those that stand for one direction after the other, with layers of ones of their shape. Where it is
    the input that has them, ``axes`` says at which place (the parts of a tuple each their own, None where all
    examples share it), and ``example`` is the spec of the input of one. What does not depend on the examples stays as
    it is, and is repeated where it is the result.

    >>> from layertree import Exp, Identity, Sum
    >>> from layertree.core.spec import ArraySpec
    >>> one = Sum(Exp(Identity()))
    >>> batch(one, ArraySpec(("N", 3)), ("N",), axes=0, example=ArraySpec((3,)))
    Sum(Exp(Identity()), axis=(-1,))
    """
    reading = _Batch(layer.__layer__(), spec, dims, stacks or {}, directions or {}, axes, example)
    return reading.xp.stacked(sweep(reading.root, reading.source, reading)).layer


class _Batch(Reading[Any]):
    """The reading whose results are values of the batch namespace."""

    def __init__(
        self,
        root: Any,
        spec: Any,
        dims: tuple[Dim, ...],
        stacks: Mapping[Any, Any],
        directions: Mapping[Any, Any],
        axes: Any,
        example: Any,
    ) -> None:
        self.tree = Derivation()
        self.root = root
        whole = source_of(self.tree, root, spec)
        self.source = whole if axes is None else self._input(whole, axes, example)
        self.stacks: dict[Any, Batched] = {}
        for variable, stack in stacks.items():
            self.stacks[variable] = Batched(self._read(stack, spec), variable.spec)
        for variable, ones in directions.items():
            self.stacks[variable] = Diagonal(self.tree, self._read(ones, spec), is_one=True)
        self.xp = Batching(self.tree, dims, _first([*self.stacks.values(), self.source]).stack)

    def _read(self, layer: Any, spec: Any) -> Any:
        """A formula of the input as a value."""
        return sweep(layer, source_of(self.tree, layer, spec), Inlining(self.tree))

    def _input(self, whole: Any, axes: Any, example: Any) -> Any:
        """The input as a value of which some parts are stacks, with the axis of the examples in front."""
        parts, places = apart(whole, example, self._item), flat(axes)
        return folded(example, lambda one: self._part_of_input(next(parts), next(places), one), several)

    def _part_of_input(self, value: Any, axis: Any, example: Any) -> Any:
        return value if axis is None else Batched(in_front(self.tree, value, axis), example)

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        """An operation: as it is, where it does not depend on the examples."""
        if not any(map(is_batched, inputs)):
            return self.tree.operation(node, tuple(inputs))
        if node.__has_tape__:
            raise DTypeError(
                f"{type(node).__name__} makes a tape of its own, so it has no formula for a stack of examples: give it "
                "compute and gradient instead"
            )
        try:
            return node.compute(self.xp, *inputs) if is_named(type_of(node)) else self._of_another(node, inputs)
        except MISFITS as error:
            raise misfit(error, node, [spec_text(value.spec) for value in inputs]) from None

    def _of_another(self, node: Any, inputs: list[Any]) -> Any:
        """A layer from outside the families: itself, where its rules go element by element; else what it computes.

        So it keeps a gradient of its own, such as one that goes straight through, wherever that can be.
        """
        specs = [value.spec for value in inputs]
        if node.__has_effect__:
            raise DTypeError("it has something to say to a cell, and it is not known what that is for many examples")
        if not is_transparent(node, specs):
            return node.compute(self.xp, *inputs)
        spec = infer(node, specs)
        stacks = [self.xp.aligned(value, spec.ndim) for value in inputs]
        return self.xp.result(name_of(node), self.tree.operation(node, tuple(stacks)), spec)

    def constant(self, node: Any, context: Any) -> Any:
        """A constant is one of all."""
        return self.tree.constant(node)

    def cell(self, node: Any, context: Any) -> Any:
        """A weight is one of all."""
        return self.tree.known(node, spec_of(node.value))

    def free(self, node: Any, context: Any) -> Any:
        """A free variable is a stack where one stands for it."""
        return self.stacks.get(node) or self.tree.known(node, node.spec)

    def choose(self, node: Any, condition: Any, then: Any, otherwise: Any) -> Any:
        """An If with one condition for all examples stays one; with a condition for each example, a ``where``."""
        spec = branches(node, condition.spec, then.spec, otherwise.spec)
        if is_batched(condition):
            return self._chosen(condition, then, otherwise)
        if is_batched(then) or is_batched(otherwise):
            then, otherwise = self.xp.stacked(then), self.xp.stacked(otherwise)
            return self._as_stacks(self.tree.operation(node, (condition, then, otherwise)), spec)
        return self.tree.operation(node, (condition, then, otherwise))

    def _chosen(self, condition: Any, then: Any, otherwise: Any) -> Any:
        sides = [apart(side, then.spec, lambda one, i: self.xp.item(one, position=i)) for side in (then, otherwise)]
        return folded(then.spec, lambda _: self.xp.where(condition, *map(next, sides)), several)

    def _as_stacks(self, whole: Any, spec: Any) -> Any:
        parts = apart(whole, spec, self._item)
        return folded(spec, lambda one: self.xp.result("If", next(parts), one), several)

    def _item(self, whole: Any, position: int) -> Any:
        return self.tree.item(whole, position=position)


def in_front(xp: Any, value: Any, axis: int) -> Any:
    """A value with one of its axes moved to the front."""
    ndim = value.spec.ndim
    place = axis % ndim
    return value if place == 0 else xp.permute_dims(value, axes=(place, *[i for i in range(ndim) if i != place]))


def _first(values: list[Any]) -> Any:
    """A stack among some values."""
    parts = (part for value in values for part in flat(value, parts_of_several))
    return next((part for part in parts if isinstance(part, Batched)), None)
