"""Tapes: the result of one forward pass, with the way back.

A tape mirrors the layer that made it: ``tape.upstream`` are the tapes of the layer's operands. It keeps the
operands' values, which its gradient needs, and is freed by reference count as soon as nobody holds it.
"""

# Slots answer for the properties that Tape declares:
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree.core.cell import Cell
from layertree.core.data import Data, as_data, describe, is_differentiable
from layertree.core.deltas import Delta
from layertree.core.errors import ClosedTapeError, DTypeError
from layertree.core.tape import AnyTape, Data_co, Delta_contra, Tape
from layertree.core.value import Pullbacks
from layertree.tape.masked import Mask, MaskedSums

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer
    from layertree.core.weight import CellLayer

# Tapes are numbered in the order of their creation, so an upstream tape always has the smaller number.
next_serial: Callable[[], int] = count(1).__next__


class KeptTape(Tape[Data_co, Delta_contra]):
    """Base class of the library's own tapes: a value in a slot, and a serial number, which orders a backward pass."""

    __slots__ = ("__weakref__", "_used", "is_active", "is_trainable", "serial", "upstream", "value")

    value: Data_co
    is_trainable: bool
    is_active: bool
    upstream: tuple[AnyKept, ...]
    serial: int
    has_effect: bool = False
    """Whether the layer contributes to cells, as running averages do."""
    cell: Cell | None = None
    """The cell whose value a leaf holds."""

    key: Any = None
    """The key of a leaf's delta in Gradients where that is not the tape itself: the Weight of a cell."""
    layer: Any = None
    """The layer that this tape is a run of."""

    if not TYPE_CHECKING:  # to checkers, an attribute that is not declared is an error

        def __getattr__(self, name: str) -> Any:
            # Reached only where a slot is empty, so an open tape pays nothing for the check.
            if name in ("value", "upstream"):
                raise ClosedTapeError(f"this tape is {self._state()}: its {name} is gone. Run forward again")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def pullbacks(self, delta: Delta) -> Pullbacks:
        """One closure an upstream tape, which computes its delta; None where there is none."""
        return ()

    def deltas(self, delta: Delta) -> tuple[Delta, ...]:
        _ = self.upstream  # raises for a closed tape, whose operands' values are gone
        return tuple(pullback() if pullback else None for pullback in self.pullbacks(delta))

    def _state(self) -> str:
        used = hasattr(self, "_used")
        return "used up by a backward pass (retain=True in gradients or backward keeps it)" if used else "closed"

    def use_up(self) -> None:
        """Release the upstream tapes after a backward pass from here; the value stays."""
        self._used = True
        del self.upstream

    def close(self) -> None:
        for name in ("value", "upstream"):
            if hasattr_slot(self, name):
                delattr(self, name)

    def __repr__(self) -> str:
        if not hasattr_slot(self, "value"):
            return f"<{type(self).__name__} {self._state()}>"
        value = self.value
        number = f" {value!r}" if type(value) in (float, int, bool) else ""
        return f"<{type(self).__name__} of {describe(value)}{number}>"


def hasattr_slot(tape: AnyTape, name: str) -> bool:
    """Whether a slot is filled, without the error that reading an empty one raises."""
    try:
        getattr(tape, name)
    except ClosedTapeError:
        return False
    return True


class LeafTape(KeptTape[Data_co, Delta_contra]):
    """A tape with nothing upstream: it holds nothing to release, and any number of backward passes may reach it."""

    __slots__ = ()

    def use_up(self) -> None:
        """A leaf is not used up."""

    def close(self) -> None:
        """A leaf has nothing to release."""


class Constant(LeafTape[Data_co, Delta_contra]):
    """Plain data as a tape, made by ``forward``. It has no delta."""

    __slots__ = ()

    upstream: tuple[KeptTape[Any, Any], ...]

    def __init__(self, data: Data) -> None:
        value: Data = data if type(data) is float else as_data(data)
        self.value = value
        self.is_trainable = self.is_active = False
        self.upstream = ()


class Input(LeafTape[Data_co, Delta_contra]):
    """A leaf with a delta: ``gradients`` has the delta under this tape as key.

    The tape holds a read-only view of the data, not a copy: do not write into the array before going backward.

    Raises DTypeError for data without a float part, since integers and booleans have no gradient.
    """

    __slots__ = ()

    upstream: tuple[KeptTape[Any, Any], ...]
    serial: int

    def __init__(self, data: Data_co) -> None:
        value: Data = as_data(data)
        if not is_differentiable(value):
            raise DTypeError(
                f"Input of {describe(value)}: only floats have a gradient, so cast to float "
                "(float(data), data.astype(float)), or give forward the plain data"
            )
        self.value = value
        self.is_trainable = self.is_active = True
        self.upstream = ()
        self.serial = next_serial()


class CellTape(LeafTape[Any, Any]):
    """The value of a cell at the start of one run."""

    __slots__ = ("cell", "key")

    cell: Cell  # pyrefly: ignore[bad-override-mutable-attribute]  # a cell is never None here
    key: Any
    is_trainable: bool
    upstream: tuple[KeptTape[Any, Any], ...]
    serial: int

    def __init__(self, layer: CellLayer[Any], value: Data) -> None:
        self.value = value
        self.is_trainable = layer.is_trainable
        self.is_active = True
        self.upstream = ()
        self.cell = layer.cell  # pyright: ignore[reportIncompatibleVariableOverride, reportIncompatibleMethodOverride]
        self.key = layer
        self.serial = next_serial()


class OperationTape(KeptTape[Data_co, Delta_contra]):
    """The tape of a layer with ``compute`` and ``gradient``: the operands' values, and the namespace of the run.

    Two values, as most operations have, are stored without a tuple: one object fewer for the garbage collector.
    """

    __slots__ = ("_first", "_second", "_values", "has_effect", "layer", "xp")

    layer: Any
    xp: Any
    is_trainable: bool
    serial: int
    has_effect: bool
    _values: tuple[Any, ...] | None

    def __init__(
        self, layer: AnyLayer, xp: Any, value: Any, values: tuple[Any, ...], upstream: tuple[Any, ...]
    ) -> None:
        self.value = value
        self.upstream = upstream
        self.layer = layer
        self.xp = xp
        if len(values) == 2:
            self._first, self._second = values
            self._values = None
            first, second = upstream
            trainable = first.is_trainable or second.is_trainable
            active = trainable or first.is_active or second.is_active
        else:
            self._values = values
            trainable = active = False
            for tape in upstream:
                trainable = trainable or tape.is_trainable
                active = active or tape.is_active
        self.has_effect = layer.__has_effect__
        # A comparison cuts deltas, but not the contributions to cells further upstream.
        self.is_trainable = trainable and layer.__has_gradient__ and (type(value) is float or is_differentiable(value))
        self.is_active = active
        self.serial = next_serial()

    def contributions(self) -> Any:
        """The layer's contribution to each cell among its operands; None for the others."""
        _ = self.upstream  # raises for a closed tape
        values = (self._first, self._second) if self._values is None else self._values
        return self.layer.contribute(self.xp, self.value, *values)

    def pullbacks(self, delta: Delta, mask: Mask | None = None) -> Pullbacks:
        """One closure an operand, which computes its delta; ``mask`` is that of the delta of an elementwise layer."""
        values = self._values
        xp = self.xp if mask is None else MaskedSums(self.xp, mask)
        if values is None:
            found: Pullbacks = self.layer.gradient(xp, delta, self.value, self._first, self._second)
        elif len(values) == 1:  # as in ``compute``: an argument by itself is quicker than a tuple of them
            found = self.layer.gradient(xp, delta, self.value, values[0])
        else:
            found = self.layer.gradient(xp, delta, self.value, *values)
        return found

    def use_up(self) -> None:
        super().use_up()
        self._release_values()

    def close(self) -> None:
        super().close()
        self._release_values()

    def _release_values(self) -> None:
        self._values = ()
        self._first = self._second = None


AnyKept: TypeAlias = KeptTape[Any, Any]
"""A tape of the library of any data."""
