"""The tree namespace: symbolic differentiation. Its values are layers with their specs, so a derivative is a formula.

Each function builds the layer of its name, through the table of hash consing; so a derivative shares the nodes of the
formula. A forward pass computes nothing: the value of a layer is the layer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from layertree.core.layer import AnyLayer
from layertree.core.provenance import mark
from layertree.core.value import Value
from layertree.layers import layer_of
from layertree.namespaces.hash_consing import INPUT as INPUT
from layertree.namespaces.hash_consing import Table, is_known
from layertree.namespaces.hash_consing import TreeValue as TreeValue


class Derivation(Table):
    """The namespace of one derivation, with the table of its values."""

    def sum_to(self, x: Value, like: TreeValue) -> TreeValue:
        """SumTo; ``x`` itself where the specs are known to be equal."""
        value = self.lift(x)
        return value if is_known(value.spec) and value.spec == like.spec else self._build("sum_to", value, like)

    def cast_like(self, x: Value, like: TreeValue) -> TreeValue:
        """CastLike; ``x`` itself where the dtypes are equal."""
        value = self.lift(x)
        is_alike = value.spec.dtype == like.spec.dtype and value.spec.weak == like.spec.weak
        return value if is_alike else self._build("cast_like", value, like)

    def reshape_like(self, value: TreeValue, like: TreeValue) -> TreeValue:
        """ReshapeLike; ``value`` itself where the shapes are known to be equal."""
        if is_known(value.spec) and value.spec.shape == like.spec.shape:
            return value
        return self._build("reshape_like", value, like)

    def __getattr__(self, name: str) -> Callable[..., TreeValue]:
        # Python calls __getattr__ once for each name: the class keeps the method, which later uses find. A method kept
        # by the object would be a reference cycle, and a derivation is freed by reference count.
        setattr(Derivation, name, _function(name))
        method: Callable[..., TreeValue] = getattr(self, name)
        return method

    def _build(self, name: str, /, *operands: Value, **attributes: object) -> TreeValue:
        """The value of the layer of a name over operands; a variadic operand is a tuple of values."""
        cls = layer_of(name)
        if cls.__layout__.plain:
            return self.plain(cls, tuple(map(self.lift, operands)))
        values: list[TreeValue] = []
        fields: list[AnyLayer | tuple[AnyLayer, ...]] = []
        for operand in operands:
            if isinstance(operand, tuple):
                parts = [self.lift(part) for part in cast("tuple[Value, ...]", operand)]
                values.extend(parts)
                fields.append(tuple([part.layer for part in parts]))
            else:
                value = self.lift(operand)
                values.append(value)
                fields.append(value.layer)
        node = cls(*fields, **attributes)
        mark(node, self.marks)
        return self.operation(node, tuple(values))


def _function(name: str) -> Callable[..., TreeValue]:
    """The method that builds the layer of a name; AttributeError for a name that no layer computes."""
    cls = layer_of(name)

    def build(self: Derivation, /, *operands: Value, **attributes: object) -> TreeValue:
        return self._build(name, *operands, **attributes)  # pyright: ignore[reportPrivateUsage]  # a method of it

    def plain(self: Derivation, /, *operands: Value) -> TreeValue:
        return self.plain(cls, tuple([one if type(one) is TreeValue else self.lift(one) for one in operands]))

    return plain if cls.__layout__.plain else build
