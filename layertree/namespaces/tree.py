"""The tree namespace: values are layers with their specs, so a derivative is another tree.

A forward pass here computes nothing: the value of a layer is the layer. Each function builds the layer of its name,
through a table that gives back an equal node where there is one, so that a derivative shares the forward's nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layertree.core.dynamic import is_a
from layertree.core.provenance import mark
from layertree.layers import layer_of
from layertree.namespaces.hash_consing import INPUT as INPUT
from layertree.namespaces.hash_consing import Table, is_known
from layertree.namespaces.hash_consing import TreeValue as TreeValue
from layertree.namespaces.spec import SPEC


class Derivation(Table):
    """The namespace of one derivation, with its table of nodes."""

    def shape(self, value: Any) -> Any:
        """The shape, with names and unknowns."""
        return SPEC.shape(self.lift(value).spec)

    def ndim(self, value: Any) -> Any:
        """The number of axes."""
        return SPEC.ndim(self.lift(value).spec)

    def dtype(self, value: Any) -> Any:
        """The dtype; of a Python number its type."""
        return SPEC.dtype(self.lift(value).spec)

    def sum_to(self, value: Any, like: TreeValue) -> TreeValue:
        """No node where the specs are known to be the same already."""
        value = self.lift(value)
        return value if is_known(value.spec) and value.spec == like.spec else self._build("sum_to", value, like)

    def cast_like(self, value: Any, like: TreeValue) -> TreeValue:
        """No node where the dtypes are the same already."""
        value = self.lift(value)
        is_alike = value.spec.dtype == like.spec.dtype and value.spec.weak == like.spec.weak
        return value if is_alike else self._build("cast_like", value, like)

    def reshape_like(self, value: TreeValue, like: TreeValue) -> TreeValue:
        """No node where the shapes are known to be the same already."""
        if is_known(value.spec) and value.spec.shape == like.spec.shape:
            return value
        return self._build("reshape_like", value, like)

    def __getattr__(self, name: str) -> Callable[..., TreeValue]:
        # Reached once a name: the class keeps the method, so that later uses find it. Not the object: that would be a
        # cycle, and a derivation is freed by reference count.
        setattr(Derivation, name, _function(name))
        return getattr(self, name)  # type: ignore[no-any-return]  # it is what was set

    def _build(self, name: str, /, *operands: Any, **attributes: Any) -> TreeValue:
        """The node of a name over values; a variadic operand is a tuple of them."""
        cls = layer_of(name)
        if cls.__layout__.plain:
            return self.plain(cls, tuple(map(self.lift, operands)))
        values: list[TreeValue] = []
        fields: list[Any] = []
        for operand in operands:
            if is_a(operand, tuple):
                parts = [self.lift(part) for part in operand]
                values.extend(parts)
                fields.append(tuple([part.layer for part in parts]))
            else:
                value = self.lift(operand)
                values.append(value)
                fields.append(value.layer)
        node: Any = cls(*fields, **attributes)
        mark(node, self.marks)
        return self.operation(node, tuple(values))


def _function(name: str) -> Callable[..., TreeValue]:
    """The method of a name; AttributeError where no layer has it."""
    cls = layer_of(name)

    def build(self: Derivation, /, *operands: Any, **attributes: Any) -> TreeValue:
        return self._build(name, *operands, **attributes)  # pyright: ignore[reportPrivateUsage]  # a method of it

    def plain(self: Derivation, /, *operands: Any) -> TreeValue:
        return self.plain(cls, tuple([one if type(one) is TreeValue else self.lift(one) for one in operands]))

    return plain if cls.__layout__.plain else build
