"""The names in a text: its own definitions, the names of cells, and the functions that it may call."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree import Identity, Item, State, Weight
from layertree.core.data import describe, described
from layertree.core.dynamic import is_a
from layertree.core.literal import Literal
from layertree.core.weight import CellLayer
from layertree.text.values import object_name
from symbolic.parsing._calls import Arguments, Callee, Input, LayerClass, catalogue, of_user
from symbolic.parsing._data import DTYPES, SCALARS
from symbolic.parsing._error import nearest
from symbolic.parsing._operands import LeftOut, OperandError, as_layer, as_plain

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Spec

AnyCell: TypeAlias = CellLayer[Any]
"""A weight or a state, with a value of any type."""

_CONSTANTS: dict[str, object] = {
    **DTYPES,
    **SCALARS,
    "True": True,
    "False": False,
    "None": None,
    "nan": float("nan"),
    "inf": float("inf"),
    "pi": math.pi,
    "e": math.e,
    "float": float,
    "int": int,
    "bool": bool,
}


class Names:
    """The values of the names in one text."""

    def __init__(self, weights: Mapping[str, AnyLayer], known: Iterable[object]) -> None:
        self.input = Identity[Any, Any]()
        self.spec: Spec | None = None
        self._defined: dict[str, AnyLayer] = {}
        self._cells: dict[str, AnyCell] = {}
        self._weights = {name: _as_cell(name, weight) for name, weight in weights.items()}
        self._objects: dict[str, object] = {}
        self._callees: dict[str, Callee] = catalogue() | {
            "weight": self._weight,
            "Weight": self._weight,
            "state": self._state,
            "State": self._state,
            "Identity": self._identity,
        }
        for thing in known:
            self._objects |= {object_name(thing): thing, str(getattr(thing, "__name__", object_name(thing))): thing}
            self._callees |= of_user(thing, self._objects)
        if self._objects:
            self._callees |= {
                name: LayerClass(callee.cls, self._objects)
                for name, callee in self._callees.items()
                if isinstance(callee, LayerClass) and callee.cls.__layout__.identities
            }

    def define(self, names: list[str], value: object) -> None:
        """Define a name as a formula, or as the input; several names as the parts of a tuple input."""
        if "x" in names and not isinstance(value, Input):
            raise OperandError("'x' is the input: give this formula another name")
        for name in names:
            if name in self._defined:
                raise OperandError(f"{name!r} is defined already: a name stands for one formula")
        if isinstance(value, Input):
            self._define_input(names, value.spec)
        elif len(names) == 1:
            self._defined[names[0]] = as_layer(value)
        else:
            raise OperandError("several names are those of a tuple input: x, y = placeholder((float, float))")

    def _define_input(self, names: list[str], spec: Any) -> None:
        if self.spec is not None:
            raise OperandError("a formula has one input: several are a tuple, x, y = placeholder((float, float))")
        self.spec = spec
        if len(names) == 1:
            self._defined[names[0]] = self.input
        elif not is_a(spec, tuple) or len(spec) != len(names):
            raise OperandError(f"{len(names)} names are wanted as parts of the input, which is {spec!r}")
        else:
            self._defined |= {name: Item(self.input, i) for i, name in enumerate(names)}

    def defined(self, name: str) -> Any:
        """The formula that a name stands for, or None."""
        return self.input if name == "x" and self.spec is None else self._defined.get(name)

    def value(self, name: str) -> object:
        """The value of a name that is not called."""
        formula = self.defined(name)
        if formula is not None:
            return formula
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name in self._objects:
            return self._objects[name]
        if name in self._callees:
            raise OperandError(f"{name!r} is a function: {name}(...) calls it")
        raise OperandError(self._unknown(name, ["x", *self._defined, *_CONSTANTS, *self._callees]))

    def number(self, name: str) -> AnyLayer | None:
        """The constant formula that a name before an opening bracket writes: in ``True(x)`` the outer part is True."""
        return Literal(_CONSTANTS[name]) if name in ("True", "False") else None

    def callee(self, name: str) -> Callee:
        """The function that a name before an opening bracket calls."""
        found = self._callees.get(name)
        if found is None:
            raise OperandError(self._unknown(name, self._callees))
        return found

    def _unknown(self, name: str, known: Iterable[str]) -> str:
        shown = name if len(name) < 60 else name[:57] + "..."
        advice = nearest(name, known) or "; classes and functions of your own are handed to parse(..., known=[...])"
        return f"{shown!r} is not known here{advice}"

    def _identity(self, arguments: Arguments) -> AnyLayer:
        arguments.by_name((), "Identity")
        return self.input

    def _weight(self, arguments: Arguments) -> AnyCell:
        given = arguments.by_name(("value", "name", "optimizer"), "weight")
        return self._cell(Weight, given, {"optimizer": as_plain(given.get("optimizer"))})

    def _state(self, arguments: Arguments) -> AnyCell:
        given = arguments.by_name(("value", "rule", "name"), "state")
        return self._cell(State, given, {"rule": as_plain(given.get("rule"))})

    def _cell(
        self, kind: type[Weight[Any] | State[Any]], given: Mapping[str, object], rule: Mapping[str, Any]
    ) -> AnyCell:
        """The cell of a name: that of an earlier line, that given to ``parse``, or a new one. Each call without a name
        gives a new cell.
        """
        name = as_plain(given.get("name"))
        value = given.get("value")
        known = (self._cells.get(name) or self._weights.get(name)) if is_a(name, str) else None
        if known is None:
            if value is None or isinstance(value, LeftOut):
                raise OperandError(
                    "the value is left out of this text: format(formula, 'full') writes it; or the weight has a name, "
                    "and parse(..., weights={name: weight}) is given it"
                )
            known = kind(as_plain(value), name=name, **rule)
        elif type(known) is not kind:
            raise OperandError(f"{name!r} is the name of a {type(known).__name__}, not of a {kind.__name__}")
        elif value is not None and not isinstance(value, LeftOut):
            self._require_same(name, known, as_plain(value))
        if name is not None:
            self._cells[name] = known
        return known

    def _require_same(self, name: str, known: AnyCell, value: object) -> None:
        """Raise OperandError for a second value of a name: of another kind than the weight given to ``parse``, or
        different from that of an earlier line.
        """
        if name in self._weights:
            if describe(Literal(value).data) != describe(known.value):
                raise OperandError(
                    f"the weight given as {name!r} is {described(known.value)}, and the text has "
                    f"{described(Literal(value).data)}"
                )
        elif Literal(value) != Literal(known.value):
            raise OperandError(f"two weights are called {name!r} and have different values: a name stands for one")


def _as_cell(name: str, weight: Any) -> AnyCell:
    layer = weight.__layer__() if hasattr(weight, "__layer__") else weight
    if not is_a(layer, CellLayer):
        raise TypeError(f"weights[{name!r}] has to be a weight or a state: got {weight!r}")
    found: AnyCell = layer
    return found
