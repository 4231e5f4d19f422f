"""Trees by value: one node of those that are equal, with its spec."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.dynamic import is_a, type_of
from layertree.core.identity import Identity
from layertree.core.literal import Literal
from layertree.core.nested import flat, folded, parts_of_tuple
from layertree.core.provenance import Marks, mark
from layertree.core.spec import spec_of
from layertree.core.structure import construct, post_order, rebuild
from layertree.namespaces.spec import branches, infer
from layertree.sweep.plan import plan_of
from layertree.sweep.reading import Reading

_COMPARED_ELEMENTS = 1024

INPUT: Identity[Any, Any] = Identity()
"""The key of the input's derivative."""


class Scalar:
    """The kind of a constant of rank 0."""


class TreeValue:
    """A layer, the spec of its output, and the values of its children.

    ``kind`` is the class of an operation, ``Literal`` for a constant, ``Scalar`` for one of rank 0, None for other
    leaves. ``kinds`` and ``bounds`` are for what simplification finds out about it.
    """

    __slots__ = ("bounds", "children", "kind", "kinds", "layer", "spec")

    def __init__(self, layer: Any, spec: Any, children: tuple[TreeValue, ...] = ()) -> None:
        self.layer: Any = layer
        self.spec: Any = spec
        self.children: tuple[TreeValue, ...] = children
        self.kind: Any = layer.__class__ if children else None
        self.kinds: Any = None
        self.bounds: Any = None


class Table:
    """The nodes of one derivation, or of several over one input: equal ones are one value.

    Operations go by class, attributes and the identity of their operands' values, so that no tree is ever compared;
    leaves go by what they hold. ``marks`` are what new nodes are made for.
    """

    def __init__(self) -> None:
        self._nodes: dict[tuple[Any, ...], TreeValue] = {}
        self._leaves: dict[Any, TreeValue] = {}
        self._numbers: dict[tuple[Any, str], TreeValue] = {}
        self._specs: dict[tuple[Any, ...], Any] = {}
        self._equal_specs: dict[Any, Any] = {}
        self._tuples: set[int] = set()
        self.marks: Marks = {}

    def known(self, leaf: Any, spec: Any) -> TreeValue:
        """The value of an equal leaf that is there already, or this one's from now on."""
        found = self._leaves.get(leaf)
        if found is None:
            found = self._leaves[leaf] = TreeValue(leaf, self._one_of(spec))
        return found

    def constant(self, leaf: Any) -> TreeValue:
        """The value of a Literal."""
        # A Literal's hash does not read an array, so many small ones of one shape would all be compared to each other.
        is_small = is_a(leaf.data, np.ndarray) and leaf.data.size <= _COMPARED_ELEMENTS
        key = leaf.__label__() if is_small else leaf
        found = self._leaves.get(key)
        if found is None:
            found = self._leaves[key] = TreeValue(leaf, self._one_of(spec_of(leaf.data)))
            is_number = not is_a(found.spec, tuple) and found.spec.shape == ()
            found.kind = Scalar if is_number else Literal
        return found

    def lift(self, value: Any) -> TreeValue:
        """A constant of a rule as a value."""
        if is_a(value, TreeValue):
            return value  # type: ignore[no-any-return]  # is_a tells checkers nothing
        if is_a(value, np.ndarray):
            return self.constant(Literal(value))
        key = (type_of(value), repr(value))  # the text, since 0.0 == -0.0, and NaN is not itself
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self.constant(Literal(value))
        return found

    def operation(self, node: Any, values: tuple[TreeValue, ...]) -> TreeValue:
        """The value of an operation with the class and attributes of a node, over some values."""
        key = (node.__class__, label(node), *values)
        found = self._nodes.get(key)
        return self._made(key, node, values) if found is None else found

    def plain(self, cls: Any, values: tuple[TreeValue, ...]) -> TreeValue:
        """The same for a class that has operands alone."""
        key = (cls, (), *values)
        found = self._nodes.get(key)
        return self._made(key, None, values) if found is None else found

    def _made(self, key: tuple[Any, ...], node: Any, values: tuple[TreeValue, ...]) -> TreeValue:
        """The value of an operation that is not in the table."""
        made = TreeValue(self.layer_over(key, node, values), self._spec(key, node, values), values)
        self._nodes[key] = made
        return made

    def layer_over(self, key: tuple[Any, ...], node: Any, values: tuple[TreeValue, ...]) -> Any:
        """The layer over the values' layers; a new one is marked with what it is made for."""
        layer = over(key, node, values)
        if self.marks and layer is not node:
            mark(layer, self.marks)
        return layer

    def _spec(self, key: tuple[Any, ...], node: Any, values: tuple[TreeValue, ...]) -> Any:
        """The spec of an operation: inferred once for each class, attributes and specs of operands."""
        specs = [value.spec for value in values]
        known = (key[0], key[1], *map(id, specs))
        found = self._specs.get(known)
        if found is None:
            layer = over(key, node, values)
            spec = branches(layer, *specs) if layer.__control__ == "cond" else infer(layer, specs)
            found = self._specs[known] = self._one_of(spec)
        return found

    def _one_of(self, spec: Any) -> Any:
        """The spec itself, or an equal one that was there before. All are kept, so an id stands for a spec."""
        if id(spec) in self._tuples:
            return spec
        if is_a(spec, tuple):
            return folded(spec, self._one_of, self._one_tuple, self._parts)
        return self._equal_specs.setdefault((spec.shape, spec.dtype, spec.weak), spec)

    def _one_tuple(self, _: Any, parts: list[Any]) -> Any:
        # Keyed by the ids of the parts, which are the ones kept: Python compares deep tuples by recursion.
        made = self._equal_specs.setdefault((*map(id, parts),), tuple(parts))
        self._tuples.add(id(made))
        return made

    def _parts(self, spec: Any) -> Any:
        """The parts of a tuple that is not known yet."""
        return None if id(spec) in self._tuples else parts_of_tuple(spec)


def over(key: tuple[Any, ...], node: Any, values: tuple[TreeValue, ...]) -> Any:
    """The layer over the values' layers: a node of a plain class needs no node to copy."""
    layers = [value.layer for value in values]
    return construct(key[0], layers) if node is None else rebuild(node, layers)


def label(node: Any) -> tuple[Any, ...]:
    """What tells a node from others of its class over the same operands."""
    if node.__layout__.plain:
        return ()
    return (node.__label_hash__(), *[len(getattr(node, name)) for name in node.__layout__.variadic])


def is_known(spec: Any) -> bool:
    """Whether all sizes are known, or named."""
    if is_a(spec, tuple):
        return all(None not in part.shape for part in flat(spec))
    return None not in spec.shape


class Inlining(Reading[TreeValue]):
    """The reading whose results are values of this namespace: the formula with compositions put in place."""

    def __init__(self, xp: Table) -> None:
        self.xp = xp

    def apply(self, node: Any, inputs: list[TreeValue]) -> TreeValue:
        return self.xp.operation(node, tuple(inputs))

    def constant(self, node: Any, context: Any) -> TreeValue:
        return self.xp.constant(node)

    def cell(self, node: Any, context: Any) -> TreeValue:
        return self.xp.known(node, spec_of(node.value))

    def free(self, node: Any, context: Any) -> TreeValue:
        return self.xp.known(node, node.spec)

    def choose(self, node: Any, condition: TreeValue, then: TreeValue, otherwise: TreeValue) -> TreeValue:
        return self.xp.operation(node, (condition, then, otherwise))


def source_of(xp: Table, root: Any, spec: Any) -> TreeValue:
    """The input as a value: over the formula's own input node, its other nodes are taken as they are."""
    found = next((node for node in plan_of(root).nodes if node.__control__ == "source"), None)
    if found is None:
        found = next((node for node in post_order(root) if node.__control__ == "source"), INPUT)
    return xp.known(found, spec)
