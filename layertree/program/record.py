"""The record namespace: values are operations of a program, so reading a layer's ``compute`` lowers it to primitives.

All shapes are sizes here, so what takes its shape from a pattern becomes a primitive with a static shape, and the
pattern is not kept alive. An operation that is there already is not recorded again (common subexpressions): every
primitive is a function of its operands, also a random one, which draws by a counter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from layertree.core.dynamic import type_of
from layertree.core.nested import flat, nested
from layertree.core.spec import WEAK, ArraySpec, spec_of
from layertree.namespaces import NUMPY, SCALAR, definitions
from layertree.namespaces.spec import SPEC
from layertree.program import lowering
from layertree.program._ops import Body, Op

_ALWAYS_NEW = frozenset(("hook",))
"""What does something besides giving a value, each time it stands in a formula."""


class Record:
    """The namespace of one lowering: the operations so far, and a table of them for each branch around here."""

    __name__ = "record"

    def __init__(self) -> None:
        self._scopes: list[tuple[list[Op], dict[Any, Op]]] = [([], {})]
        self.layer: Any = None

    @property
    def ops(self) -> list[Op]:
        """The operations recorded outside of branches, in order."""
        return self._scopes[0][0]

    def shape(self, value: Any) -> tuple[int, ...]:
        """The shape, all of it sizes."""
        return tuple(self.lift(value).spec.shape)

    def ndim(self, value: Any) -> int:
        """The number of axes."""
        return len(self.lift(value).spec.shape)

    def dtype(self, value: Any) -> Any:
        """The dtype; of a Python number its type."""
        return SPEC.dtype(self.lift(value).spec)

    def lift(self, value: Any) -> Op:
        """A constant of a rule as a value."""
        return value if type_of(value) is Op else self.constant(value)

    def constant(self, data: Any) -> Op:
        """A constant; equal numbers are one."""
        spec = spec_of(data)
        key = ("constant", spec, repr(data)) if not spec.shape else ("constant", id(data))
        return self._known(key) or self._add(key, Op("constant", (), {"data": data}, spec))

    def filled(self, value: Any, spec: Any) -> Op:
        """A constant of one number in some shape, which takes no memory."""
        if spec.weak:
            return self.constant(spec_of_weak(spec)(value))
        if not spec.shape:
            return self.constant(spec.dtype.type(value))
        key = ("filled", spec, repr(value))
        data: Any = None
        if self._known(key) is None:
            data = np.broadcast_to(np.asarray(value, spec.dtype), spec.shape)
        return self._known(key) or self._add(key, Op("constant", (), {"data": data, "fill": value}, spec))

    def identity(self, spec: Any) -> Op:
        """The identity of the space of a spec, with its shape twice."""
        key = ("identity", spec)
        known = self._known(key)
        if known is None:
            data: Any = np.eye(math.prod(spec.shape), dtype=spec.dtype)
            data = data.reshape(spec.shape * 2)
            known = self._add(key, Op("constant", (), {"data": data}, ArraySpec(data.shape, spec.dtype)))
        return known

    def mask(self, data: Any) -> Op:
        """A constant array of booleans; equal ones are one."""
        data = np.ascontiguousarray(data)
        key = ("mask", data.shape, data.tobytes())
        return self._known(key) or self._add(key, Op("constant", (), {"data": data}, spec_of(data)))

    def leaf(self, name: str, key: Any, spec: Any) -> Op:
        """A value that the program is given."""
        return self._known((name, key)) or self._add((name, key), Op(name, (), {"key": key}, spec))

    def record(self, name: str, inputs: tuple[Op, ...], attributes: dict[str, Any], spec: Any) -> Op:
        """A primitive over values, or the equal one that is there."""
        key: tuple[Any, ...] = (name, inputs, spec)
        if attributes:
            key = (*key, *[(one, _hashable(value)) for one, value in attributes.items()])
        known = None if name in _ALWAYS_NEW else self._known(key)
        return known or self._add(key, Op(name, inputs, attributes, spec, self.layer))

    def branch(self, condition: Op, bodies: tuple[Body, Body], spec: Any) -> Any:
        """The values of a real branch, in the nesting of its spec."""
        op = Op("cond", (condition,), {}, WEAK[bool], self.layer, bodies)
        self._scopes[-1][0].append(op)
        results: list[Op] = []
        for position, part in enumerate(flat(spec)):
            result = Op("result", (op,), {"position": position}, part, self.layer)
            results.append(self._add(("result", id(op), position), result))
        return nested(spec, results)

    def open(self) -> None:
        """Begin a branch: what is recorded from here on is run only there."""
        self._scopes.append(([], {}))

    def close(self) -> list[Op]:
        """End a branch, and take its operations."""
        return self._scopes.pop()[0]

    def _known(self, key: Any) -> Op | None:
        for _, table in reversed(self._scopes):
            found: Op | None = table.get(key)
            if found is not None:
                return found
        return None

    def _add(self, key: Any, op: Op) -> Op:
        ops, table = self._scopes[-1] if op.inputs else self._scopes[0]
        ops.append(op)
        table[key] = op
        return op

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # Reached once a name: what is found is kept, so that later uses are plain attributes.
        found: Any = getattr(lowering, name, None) if name in lowering.__all__ else None
        if found is not None:
            found = partial(found, self)
        elif _is_primitive(name):
            found = partial(self.primitive, name)
        elif name in definitions.__all__:
            found = partial(getattr(definitions, name), self)
        else:
            raise AttributeError(f"the record namespace has no {name!r}")
        setattr(self, name, found)
        return found  # type: ignore[no-any-return]  # each of them is a function

    def primitive(self, name: str, /, *operands: Any, **attributes: Any) -> Op:
        """An operation that is recorded as it is, or computed where its operands are constants."""
        inputs = tuple([self.lift(operand) for operand in operands])
        spec = getattr(SPEC, name)(*[op.spec for op in inputs], **attributes)
        for op in inputs:
            if op.name != "constant":
                break
        else:
            folded = self._folded(name, inputs, attributes, spec)
            if folded is not None:
                return folded
        return self.record(name, inputs, attributes, spec)

    def _folded(self, name: str, inputs: tuple[Op, ...], attributes: dict[str, Any], spec: Any) -> Op | None:
        """An operation on constant numbers, which may fill a shape, as a constant."""
        if isinstance(spec, tuple) or any(op.is_array and "fill" not in op.attributes for op in inputs):
            return None
        if any(op.is_array for op in inputs) and not isinstance(getattr(NUMPY, name, None), np.ufunc):
            return None
        values = [op.spec.dtype.type(op.attributes["fill"]) if op.is_array else op.attributes["data"] for op in inputs]
        xp = SCALAR if all(op.spec.weak for op in inputs) else NUMPY
        with np.errstate(all="ignore"):
            data = getattr(xp, name)(*values, **attributes)
        return self.filled(data, spec) if spec.shape else self.constant(data)


def _is_primitive(name: str) -> bool:
    """Whether NumPy, or our kernels over it, have a name themselves."""
    if name.startswith("_"):
        return False
    found = getattr(NUMPY, name, None)
    return found is not None and not (isinstance(found, partial) and name in definitions.__all__)


def _hashable(value: Any) -> Any:
    """An attribute as part of a key; True and 1 differ."""
    return repr(value) if not callable(value) else id(value)


def spec_of_weak(spec: ArraySpec[Any]) -> type:
    """The Python type of a weak spec."""
    from layertree.core.spec import WEAK_TYPES

    return WEAK_TYPES[spec.dtype]
