"""Hash consing: the table of a derivation, in which equal trees are one value (Ershov, 1958; Goto, 1974).

The key of an operation holds its class, its attributes and the identities of its operands, so an equal node is found
in time that does not depend on the size of the tree.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeAlias

import numpy as np

from layertree.core.data import Data
from layertree.core.dynamic import is_a
from layertree.core.free import Free
from layertree.core.identity import Identity
from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.core.nested import flat, folded, parts_of_tuple
from layertree.core.provenance import Marks, mark
from layertree.core.spec import Spec, spec_of
from layertree.core.structure import construct, post_order, rebuild
from layertree.core.value import Value
from layertree.core.weight import CellLayer
from layertree.namespaces.spec import branches, infer
from layertree.namespaces.spec.properties import SpecProperties
from layertree.sweep.plan import plan_of
from layertree.sweep.reading import Reading

Key: TypeAlias = tuple[object, ...]
"""A class, a label, and values or ids: the same for equal operations."""

_COMPARED_ELEMENTS = 1024
"""The largest array that is compared by its elements."""

INPUT: Identity[Data, Data] = Identity()
"""The input of a formula that has no input node; the key of the derivative for the input."""


class Scalar:
    """The ``kind`` of a constant of rank 0."""


class TreeValue:
    """A value of the tree namespace: a layer, the spec of its output, and the values of its children.

    ``kind`` is the class of an operation, ``Literal`` for a constant, ``Scalar`` for a constant of rank 0, None for
    other leaves. Simplification keeps facts about the value in ``kinds`` and ``bounds``.
    """

    __slots__ = ("bounds", "children", "kind", "kinds", "layer", "spec")

    layer: Any
    """Of the class that ``kind`` names."""
    spec: Spec
    children: tuple[TreeValue, ...]
    kind: type | None
    kinds: Any
    bounds: Any

    def __init__(self, layer: Any, spec: Spec, children: tuple[TreeValue, ...] = ()) -> None:
        self.layer = layer
        self.spec = spec
        self.children = children
        self.kind = layer.__class__ if children else None
        self.kinds = None
        self.bounds = None


class Table(SpecProperties):
    """The values of one derivation, or of several derivations over one input; equal trees are one value.

    Operations are keyed by class, attributes and operands, leaves by their content. ``marks`` is the provenance of the
    nodes that are built next.
    """

    def __init__(self) -> None:
        self._nodes: dict[Key, TreeValue] = {}
        self._leaves: dict[Hashable, TreeValue] = {}
        self._numbers: dict[tuple[type, str], TreeValue] = {}
        self._specs: dict[Key, Spec] = {}
        self._equal_specs: dict[Hashable, Spec] = {}
        self._tuples: set[int] = set()
        self.marks: Marks = {}

    def known(self, leaf: AnyLayer, spec: Spec) -> TreeValue:
        """The value of a leaf; equal leaves have one value."""
        found = self._leaves.get(leaf)
        if found is None:
            found = self._leaves[leaf] = TreeValue(leaf, self._one_of(spec))
        return found

    def constant(self, leaf: Literal[Data]) -> TreeValue:
        """The value of a Literal."""
        # The hash of a Literal does not read its array, so many small arrays of one shape would collide.
        is_small = is_a(leaf.data, np.ndarray) and leaf.data.size <= _COMPARED_ELEMENTS
        key: Hashable = leaf.__label__() if is_small else leaf
        found = self._leaves.get(key)
        if found is None:
            found = self._leaves[key] = TreeValue(leaf, self._one_of(spec_of(leaf.data)))
            is_number = not is_a(found.spec, tuple) and found.spec.shape == ()
            found.kind = Scalar if is_number else Literal
        return found

    def lift(self, value: Value) -> TreeValue:
        """A value as it is, a constant of a rule as a value."""
        if isinstance(value, TreeValue):
            return value
        if is_a(value, np.ndarray):
            return self.constant(Literal(value))
        key = (type(value), repr(value))  # the text, since 0.0 == -0.0 and NaN != NaN
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self.constant(Literal(value))
        return found

    def operation(self, node: AnyLayer, values: tuple[TreeValue, ...]) -> TreeValue:
        """The value of an operation with the class and attributes of ``node`` and with ``values`` as children."""
        key = (node.__class__, label(node), *values)
        found = self._nodes.get(key)
        return self._made(key, node, values) if found is None else found

    def plain(self, cls: type[AnyLayer], values: tuple[TreeValue, ...]) -> TreeValue:
        """The value of an operation of a class all of whose fields are operands, with ``values`` as children."""
        key: Key = (cls, (), *values)
        found = self._nodes.get(key)
        return self._made(key, None, values) if found is None else found

    def _made(self, key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...]) -> TreeValue:
        """The value of an operation that is not in the table yet."""
        made = TreeValue(self.layer_over(key, node, values), self._spec(key, node, values), values)
        self._nodes[key] = made
        return made

    def layer_over(self, key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...]) -> AnyLayer:
        """The layer over the layers of the values; a new layer gets the provenance ``marks``."""
        layer = over(key, node, values)
        if self.marks and layer is not node:
            mark(layer, self.marks)
        return layer

    def _spec(self, key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...]) -> Spec:
        """The spec of an operation, inferred once for a class, attributes and specs of operands."""
        specs = [value.spec for value in values]
        known: Key = (key[0], key[1], *map(id, specs))
        found = self._specs.get(known)
        if found is None:
            layer = over(key, node, values)
            spec = branches(layer, *specs) if layer.__control__ == "cond" else infer(layer, specs)
            found = self._specs[known] = self._one_of(spec)
        return found

    def _one_of(self, spec: Spec) -> Spec:
        """The first of all equal specs. The table keeps them, so the id of a spec identifies it."""
        if id(spec) in self._tuples:
            return spec
        if is_a(spec, tuple):
            return folded(spec, self._one_of, self._one_tuple, self._parts)
        return self._equal_specs.setdefault((spec.shape, spec.dtype, spec.weak), spec)

    def _one_tuple(self, _: object, parts: list[Spec]) -> Spec:
        # Keyed by the ids of the parts, which the table keeps: Python compares deep tuples by recursion.
        made = self._equal_specs.setdefault((*map(id, parts),), tuple(parts))
        self._tuples.add(id(made))
        return made

    def _parts(self, spec: Spec) -> Spec:
        """The parts of a tuple that is not in the table yet; None for other specs."""
        return None if id(spec) in self._tuples else parts_of_tuple(spec)


def over(key: Key, node: AnyLayer | None, values: tuple[TreeValue, ...]) -> AnyLayer:
    """The layer over the layers of the values: a copy of ``node``, or one of the class in the key without a node."""
    layers = [value.layer for value in values]
    made: AnyLayer = construct(key[0], layers) if node is None else rebuild(node, layers)
    return made


def label(node: AnyLayer) -> Key:
    """The part of the key that distinguishes a node from others of its class over the same operands."""
    if node.__layout__.plain:
        return ()
    return (node.__label_hash__(), *[len(getattr(node, name)) for name in node.__layout__.variadic])


def is_known(spec: Spec) -> bool:
    """Whether all sizes are numbers or names."""
    if is_a(spec, tuple):
        return all(None not in part.shape for part in flat(spec))
    return None not in spec.shape


class Inlining(Reading[TreeValue]):
    """The reading whose results are values of the table; a Compose is inlined: its outer formula over the inner one."""

    def __init__(self, xp: Table) -> None:
        self.xp = xp

    def apply(self, node: AnyLayer, inputs: list[TreeValue]) -> TreeValue:
        return self.xp.operation(node, tuple(inputs))

    def constant(self, node: Literal[Data], context: object) -> TreeValue:
        return self.xp.constant(node)

    def cell(self, node: CellLayer[Data], context: object) -> TreeValue:
        return self.xp.known(node, spec_of(node.value))

    def free(self, node: Free[Data], context: object) -> TreeValue:
        return self.xp.known(node, node.spec)

    def choose(self, node: AnyLayer, condition: TreeValue, then: TreeValue, otherwise: TreeValue) -> TreeValue:
        return self.xp.operation(node, (condition, then, otherwise))


def source_of(xp: Table, root: AnyLayer, spec: Spec) -> TreeValue:
    """The input as a value of the table: the input node of the formula, so that other nodes need no copy."""
    found = next((node for node in plan_of(root).nodes if node.__control__ == "source"), None)
    if found is None:
        found = next((node for node in post_order(root) if node.__control__ == "source"), INPUT)
    return xp.known(found, spec)
