"""Vectorization (vmap): a formula of one example becomes a formula of a stack of examples.

The formula is read in the batch namespace, whose values have further leading axes. Nodes that do not depend on the
examples stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from layertree.core.brief import name_of
from layertree.core.diagnostics import MISFITS, misfit
from layertree.core.dynamic import type_of
from layertree.core.errors import DTypeError
from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.core.nested import apart, flat, folded
from layertree.core.spec import ArraySpec, Dim, SpecTree, spec_of, spec_text
from layertree.core.weight import CellLayer
from layertree.namespaces.batch import Batched, Batching, Diagonal, is_batched, is_named, is_transparent
from layertree.namespaces.batch._values import Several, parts_of_several, several
from layertree.namespaces.hash_consing import Inlining, TreeValue, source_of
from layertree.namespaces.spec import branches, infer
from layertree.namespaces.tree import Derivation
from layertree.sweep.reading import Reading
from layertree.sweep.sweep import sweep

BatchValue: TypeAlias = TreeValue | Batched | Several
"""A value of the batch namespace: one that all examples share, a stack of examples, or a tuple of both."""

Axes: TypeAlias = "int | tuple[Axes, ...] | None"
"""The axis of the examples in the input, for a tuple one for each part; None for a part that all examples share."""


def batch(
    layer: AnyLayer,
    spec: SpecTree,
    dims: tuple[Dim, ...],
    *,
    stacks: Mapping[AnyLayer, AnyLayer] | None = None,
    directions: Mapping[AnyLayer, AnyLayer] | None = None,
    axes: Axes = None,
    example: SpecTree | None = None,
) -> Any:
    """The formula whose value is the stack, with leading axes ``dims``, of the values of a formula of one example.

    The examples come from one of three sources. ``stacks`` maps free variables to layers with the leading axes, over an
    input of ``spec``. ``directions`` maps free variables, which run through all basis vectors, to layers of ones of
    their shape. ``axes`` says where the input has the axis of the examples; ``example`` is then the spec of the input
    of one example. A value that all examples share is repeated only if it is the result.

    >>> from layertree import Exp, Identity, Sum
    >>> from layertree.core.spec import ArraySpec
    >>> one = Sum(Exp(Identity()))
    >>> batch(one, ArraySpec(("N", 3)), ("N",), axes=0, example=ArraySpec((3,)))
    Sum(Exp(Identity()), axis=(-1,))

    Raises DTypeError for a layer that makes its own tape, or that contributes to a cell.
    """
    reading = _Batch(layer.__layer__(), spec, dims, stacks or {}, directions or {}, axes, example)
    return reading.xp.stacked(sweep(reading.root, reading.source, reading)).layer


class _Batch(Reading[BatchValue]):
    """The reading whose results are values of the batch namespace."""

    def __init__(
        self,
        root: AnyLayer,
        spec: SpecTree,
        dims: tuple[Dim, ...],
        stacks: Mapping[AnyLayer, AnyLayer],
        directions: Mapping[AnyLayer, AnyLayer],
        axes: Axes,
        example: SpecTree | None,
    ) -> None:
        self.tree = Derivation()
        self.root = root
        whole = source_of(self.tree, root, spec)
        self.source: BatchValue = whole if axes is None else self._input(whole, axes, example)
        self.stacks: dict[AnyLayer, Batched] = {}
        for variable, stack in stacks.items():
            self.stacks[variable] = Batched(self._read(stack, spec), _spec_of_free(variable))
        for variable, ones in directions.items():
            self.stacks[variable] = Diagonal(self.tree, self._read(ones, spec), is_one=True)
        self.xp = Batching(self.tree, dims, _first([*self.stacks.values(), self.source]).stack)

    def _read(self, layer: AnyLayer, spec: SpecTree) -> TreeValue:
        """A formula of the input as a value of the tree namespace."""
        return sweep(layer, source_of(self.tree, layer, spec), Inlining(self.tree))

    def _input(self, whole: TreeValue, axes: Axes, example: SpecTree | None) -> BatchValue:
        """The input as a value with the axis of the examples in front of each part that has one."""
        parts, positions = apart(whole, example, self._item), flat(axes)
        value: BatchValue = folded(example, lambda one: self._input_part(next(parts), next(positions), one), several)
        return value

    def _input_part(self, value: TreeValue, axis: int | None, example: ArraySpec[Any]) -> TreeValue | Batched:
        return value if axis is None else Batched(_in_front(self.tree, value, axis), example)

    def apply(self, node: AnyLayer, inputs: list[BatchValue]) -> Any:
        """An operation over a stack; an operation whose operands all examples share stays as it is."""
        if not any(map(is_batched, inputs)):
            return self._shared(node, tuple(inputs))
        if node.__has_tape__:
            raise DTypeError(
                f"{type(node).__name__} makes a tape of its own, so it has no formula for a stack of examples: give it "
                "compute and gradient instead"
            )
        layer: Any = node
        try:
            return layer.compute(self.xp, *inputs) if is_named(type_of(node)) else self._user_layer(layer, inputs)
        except MISFITS as error:
            raise misfit(error, node, [spec_text(value.spec) for value in inputs]) from None

    def _user_layer(self, node: Any, inputs: list[Any]) -> Any:
        """A layer of a user: itself over the stack where its rules are elementwise; else what it computes, expanded.

        The layer itself has its own gradient (such as a straight-through estimator), which its expansion has not.
        """
        specs = [value.spec for value in inputs]
        if node.__has_effect__:
            raise DTypeError("it contributes to a cell, and no contribution of a stack of examples is defined")
        if not is_transparent(node, specs):
            return node.compute(self.xp, *inputs)
        spec = infer(node, specs)
        stacks = [self.xp.aligned(value, spec.ndim) for value in inputs]
        return self.xp.result(name_of(node), self.tree.operation(node, tuple(stacks)), spec)

    def constant(self, node: Literal[Any], context: object) -> TreeValue:
        """A constant, which all examples share."""
        return self.tree.constant(node)

    def cell(self, node: CellLayer[Any], context: object) -> TreeValue:
        """A weight or state, which all examples share."""
        return self.tree.known(node, spec_of(node.value))

    def free(self, node: AnyLayer, context: object) -> TreeValue | Batched:
        """A free variable: the stack that was given for it, or a value that all examples share."""
        return self.stacks.get(node) or self.tree.known(node, _spec_of_free(node))

    def choose(self, node: AnyLayer, condition: BatchValue, then: BatchValue, otherwise: BatchValue) -> Any:
        """An If whose condition all examples share stays an If; with a condition for each example it is a ``where``."""
        spec: SpecTree = branches(node, condition.spec, then.spec, otherwise.spec)
        if is_batched(condition):
            return self._where(condition, then, otherwise)
        if is_batched(then) or is_batched(otherwise):
            then, otherwise = self.xp.stacked(then), self.xp.stacked(otherwise)
            return self._as_stacks(self._shared(node, (condition, then, otherwise)), spec)
        return self._shared(node, (condition, then, otherwise))

    def _shared(self, node: AnyLayer, values: Any) -> TreeValue:
        """An operation in the tree namespace, over values that are no stacks."""
        return self.tree.operation(node, values)

    def _where(self, condition: BatchValue, then: BatchValue, otherwise: BatchValue) -> BatchValue:
        sides = [apart(side, then.spec, lambda one, i: self.xp.item(one, position=i)) for side in (then, otherwise)]
        value: BatchValue = folded(then.spec, lambda _: self.xp.where(condition, *map(next, sides)), several)
        return value

    def _as_stacks(self, whole: TreeValue, spec: SpecTree) -> BatchValue:
        parts = apart(whole, spec, self._item)
        value: BatchValue = folded(spec, lambda one: self.xp.result("If", next(parts), one), several)
        return value

    def _item(self, whole: TreeValue, position: int) -> TreeValue:
        return self.tree.item(whole, position=position)


def _spec_of_free(variable: Any) -> Any:
    """The spec of a free variable."""
    return variable.spec


def _in_front(xp: Derivation, value: TreeValue, axis: int) -> TreeValue:
    """A value with one of its axes moved to the front."""
    ndim = value.spec.ndim
    position = axis % ndim
    if position == 0:
        return value
    return xp.permute_dims(value, axes=(position, *[i for i in range(ndim) if i != position]))


def _first(values: Iterable[BatchValue]) -> Any:
    """The first stack among some values and their parts."""
    parts = (part for value in values for part in flat(value, parts_of_several))
    return next((part for part in parts if isinstance(part, Batched)), None)
