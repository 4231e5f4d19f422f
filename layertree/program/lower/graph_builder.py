"""The graph builder: appends primitives with their specs, with value numbering and constant folding on the way.

An operation with the name, the operands and the attributes of an earlier one is not appended again (common
subexpression elimination by value numbering): every primitive is a function of its operands, a random one too, since it
draws by a counter. Hooks alone are appended each time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeAlias

import numpy as np

from layertree.core.nested import flat, nested
from layertree.core.spec import WEAK, WEAK_TYPES, ArraySpec, spec_of
from layertree.namespaces import NUMPY, SCALAR
from layertree.namespaces.spec import SPEC
from layertree.program.ir.constants import number_key
from layertree.program.ir.operations import (
    AnyLayer,
    Array,
    Attributes,
    Body,
    Data,
    DType,
    Number,
    Op,
    OpTree,
    ValueSpec,
    sizes_of,
)

Operand: TypeAlias = "Op | Number | Array"
"""An operand of a lowering rule: a value of the graph, or a constant that becomes one."""

Key: TypeAlias = tuple[Hashable, ...]
"""The value number of an operation: equal keys mean equal values."""

_NEVER_SHARED = frozenset(("hook",))
"""Primitives with a side effect."""


class _Scope(NamedTuple):
    """The operations of the graph itself or of one side of a branch, and the value numbers that end with the scope."""

    ops: list[Op]
    keys: list[Key]


class GraphBuilder:
    """The operations of one lowering so far, with a scope for each branch that is open.

    ``layer`` is the node that is being lowered, of which new operations take note.
    """

    def __init__(self) -> None:
        self._scopes = [_Scope([], [])]
        self._numbered: dict[Key, Op] = {}  # one dict for all scopes: a look-up costs the same at any depth
        self.layer: AnyLayer | None = None

    @property
    def ops(self) -> list[Op]:
        """The operations outside of branches, in order."""
        return self._scopes[0].ops

    def shape(self, value: Operand) -> tuple[int, ...]:
        """The shape, whose dimensions are all sizes."""
        return self.lift(value).shape

    def ndim(self, value: Operand) -> int:
        """The number of axes."""
        return self.lift(value).ndim

    def dtype(self, value: Operand) -> DType | type:
        """The dtype of an array; the type of a Python number."""
        return SPEC.dtype(self.lift(value).spec)

    def lift(self, value: Operand) -> Op:
        """The value itself, or a constant as a value."""
        return value if isinstance(value, Op) else self.constant(value)

    def constant(self, data: Number | Array) -> Op:
        """A constant. Equal numbers are one value, and so is an array that is given twice."""
        spec: ValueSpec = spec_of(data)
        key = ("constant", spec, number_key(data)) if not spec.shape else ("constant", id(data))
        return self._known(key) or self._add(key, Op("constant", (), {"data": data}, spec))

    def filled(self, value: Number, spec: ValueSpec) -> Op:
        """A constant that holds one number everywhere, and takes no memory."""
        if spec.weak:
            return self.constant(WEAK_TYPES[spec.dtype](value))
        if not spec.shape:
            return self.constant(spec.dtype.type(value))
        key = ("filled", spec, number_key(value))
        known = self._known(key)
        if known is None:
            shape = sizes_of(spec)
            data = np.broadcast_to(np.asarray(value, spec.dtype), shape)
            known = self._add(key, Op("constant", (), {"data": data, "fill": value}, spec))
        return known

    def identity(self, spec: ValueSpec) -> Op:
        """The identity matrix of the space of a spec, as an array whose shape is that of the spec twice."""
        key = ("identity", spec)
        known = self._known(key)
        if known is None:
            shape = sizes_of(spec)
            data: Array = np.reshape(np.eye(math.prod(shape), dtype=spec.dtype), shape * 2)
            known = self._add(key, Op("constant", (), {"data": data}, ArraySpec(data.shape, spec.dtype)))
        return known

    def mask(self, data: Array) -> Op:
        """A constant array of booleans. Equal masks are one value."""
        data = np.ascontiguousarray(data)
        key = ("mask", data.shape, data.tobytes())
        return self._known(key) or self._add(key, Op("constant", (), {"data": data}, spec_of(data)))

    def leaf(self, name: str, key: Hashable, spec: ValueSpec, variable: str | None = None) -> Op:
        """A value that the program is given: an ``input``, a ``cell`` or a ``state``, with what it is known by.

        ``variable`` is the name of its variable in the source, for a leaf that has one of its own.
        """
        known = self._known((name, key))
        if known is not None:
            return known
        attributes = {"key": key} if variable is None else {"key": key, "name": variable}
        return self._add((name, key), Op(name, (), attributes, spec))

    def append(self, name: str, inputs: tuple[Op, ...], attributes: Attributes, spec: ValueSpec) -> Op:
        """An operation of a spec, appended as it is; an equal one that exists is returned instead."""
        key: Key = (name, inputs, spec)
        if attributes:
            key = (*key, *[(one, _hashable(value)) for one, value in attributes.items()])
        known = None if name in _NEVER_SHARED else self._known(key)
        return known or self._add(key, Op(name, inputs, attributes, spec, self.layer))

    def primitive(self, name: str, /, *operands: Operand, **attributes: Data) -> Op:
        """An operation whose spec is inferred; on constant numbers alone it is evaluated (constant folding)."""
        inputs = tuple([self.lift(operand) for operand in operands])
        infer: Callable[..., ValueSpec] = getattr(SPEC, name)
        spec = infer(*[op.spec for op in inputs], **attributes)
        for op in inputs:
            if op.name != "constant":
                break
        else:
            folded = _folded(name, inputs, attributes, spec)
            if folded is not None:
                return self.filled(folded, spec) if spec.shape else self.constant(folded)
        return self.append(name, inputs, attributes, spec)

    def branch(self, condition: Op, bodies: tuple[Body, Body], spec: ValueSpec | tuple[Data, ...]) -> OpTree:
        """The values of a branch in the nesting of its spec: a ``cond``, and a ``result`` for each value."""
        op = Op("cond", (condition,), {}, WEAK[bool], self.layer, bodies)
        self._scopes[-1].ops.append(op)
        results: list[Op] = []
        for position, part in enumerate(flat(spec)):
            result = Op("result", (op,), {"position": position}, part, self.layer)
            results.append(self._add(("result", id(op), position), result))
        return nested(spec, results)  # type: ignore[no-any-return]  # in the nesting of the spec

    def enter_branch(self) -> None:
        """Open a scope: operations appended from here on run only in this side of a branch."""
        self._scopes.append(_Scope([], []))

    def leave_branch(self) -> list[Op]:
        """Close the innermost scope, and return its operations."""
        scope = self._scopes.pop()
        for key in scope.keys:
            del self._numbered[key]
        return scope.ops

    def _known(self, key: Key) -> Op | None:
        return self._numbered.get(key)

    def _add(self, key: Key, op: Op) -> Op:
        scope = self._scopes[-1] if op.inputs else self._scopes[0]
        scope.ops.append(op)
        scope.keys.append(key)
        self._numbered[key] = op
        return op


def _folded(name: str, inputs: tuple[Op, ...], attributes: Attributes, spec: ValueSpec) -> Number | None:
    """The number that an operation on constant numbers gives, or fills its result with; None where it is not one."""
    if isinstance(spec, tuple) or any(op.is_array and not op.is_filled for op in inputs):
        return None
    if any(op.is_array for op in inputs) and not isinstance(getattr(NUMPY, name, None), np.ufunc):
        return None
    values = [op.dtype.type(op.attributes["fill"]) if op.is_array else op.attributes["data"] for op in inputs]
    xp = SCALAR if all(op.is_weak for op in inputs) else NUMPY
    with np.errstate(all="ignore"):
        found: Number = getattr(xp, name)(*values, **attributes)
    return found


def _hashable(value: Data) -> Hashable:
    """An attribute as a part of a key: its text, in which True and 1 differ; a function by identity."""
    return repr(value) if not callable(value) else id(value)
