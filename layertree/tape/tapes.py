"""Tapes: the result of one forward pass, with the way back.

A tape mirrors the layer that made it: ``tape.upstream`` are the tapes of the layer's operands. It keeps the
operands' values, which its gradient needs, and is freed by reference count as soon as nobody holds it.
"""

# Slots answer for the properties that Tape declares:
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from itertools import count
from typing import Any

from layertree.core.data import as_data, describe, is_differentiable
from layertree.core.errors import ClosedTapeError, DTypeError
from layertree.core.tape import Data_co, Delta_contra, Tape

# Tapes are numbered as they are made, so that an upstream tape always has the smaller number.
next_serial = count(1).__next__


class KeptTape(Tape[Data_co, Delta_contra]):
    """What the library's own tapes share: a value in a slot, and a serial number to go back by."""

    __slots__ = ("__weakref__", "_used", "is_active", "is_trainable", "serial", "upstream", "value")

    value: Data_co
    is_trainable: bool
    is_active: bool
    upstream: tuple[Tape[Any, Any], ...]
    serial: int
    has_effect = False

    def __getattr__(self, name: str) -> Any:
        # Reached only where a slot is empty, so an open tape pays nothing for the check.
        if name in ("value", "upstream"):
            raise ClosedTapeError(f"this tape is {self._state()}: its {name} is gone. Run forward again")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def pullbacks(self, delta: Any) -> Any:
        """One closure an upstream tape, which computes its delta; None where there is none."""
        return ()

    def deltas(self, delta: Any) -> tuple[Any, ...]:
        return tuple(pullback() if pullback else None for pullback in self.pullbacks(delta))

    def _state(self) -> str:
        used = hasattr(self, "_used")
        return "used up by a backward pass (retain=True in gradients or backward keeps it)" if used else "closed"

    def use_up(self) -> None:
        """After a backward pass from here: the way back is gone, the value stays."""
        self._used = True
        del self.upstream

    def close(self) -> None:
        for name in ("value", "upstream"):
            if hasattr_slot(self, name):
                delattr(self, name)

    def __repr__(self) -> str:
        if not hasattr_slot(self, "value"):
            return f"<{type(self).__name__} {self._state()}>"
        return f"<{type(self).__name__} of {describe(self.value)}>"


def hasattr_slot(tape: Tape[Any, Any], name: str) -> bool:
    """Whether a slot is filled, without the error that reading an empty one raises."""
    try:
        getattr(tape, name)
    except ClosedTapeError:
        return False
    return True


class LeafTape(KeptTape[Data_co, Delta_contra]):
    """A tape with nothing upstream: it has nothing to give up, and any number of backward passes may reach it."""

    __slots__ = ()

    def use_up(self) -> None:
        """A leaf is not used up."""

    def close(self) -> None:
        """A leaf has nothing to give up."""


class Constant(LeafTape[Data_co, Delta_contra]):
    """Plain data as a tape: what ``forward`` makes of it. No delta goes there."""

    __slots__ = ()

    def __init__(self, data: Any) -> None:
        self.value = as_data(data)
        self.is_trainable = self.is_active = False
        self.upstream = ()


class Input(LeafTape[Data_co, Delta_contra]):
    """A leaf that deltas go to: ``gradients`` gives its delta under this tape as key.

    It keeps a read-only view of the data, not a copy: do not write into the array before going backward.

    Raises DTypeError for data without a float part, since integers and booleans have no gradient.
    """

    __slots__ = ()

    def __init__(self, data: Data_co) -> None:
        value: Any = as_data(data)
        if not is_differentiable(value):
            raise DTypeError(
                f"Input of {describe(value)}: only floats have a gradient, so cast to float "
                "(float(data), data.astype(float)), or give forward the plain data"
            )
        self.value = value
        self.is_trainable = self.is_active = True
        self.upstream: tuple[Tape[Any, Any], ...] = ()
        self.serial = next_serial()

    @property
    def key(self) -> Input[Data_co, Delta_contra]:
        """What its delta is found under: the tape itself."""
        return self


class CellTape(LeafTape[Any, Any]):
    """The value of a cell as one run saw it."""

    __slots__ = ("cell", "key")

    def __init__(self, layer: Any, value: Any) -> None:
        self.value = value
        self.is_trainable = layer.is_trainable
        self.is_active = True
        self.upstream = ()
        self.cell = layer.cell
        self.key = layer
        self.serial = next_serial()


class OperationTape(KeptTape[Data_co, Delta_contra]):
    """The tape of a layer that has ``compute`` and ``gradient``: their values, and the namespace they ran in.

    Two values, as most operations have, are kept without a tuple: the collector has one thing less to walk over.
    """

    __slots__ = ("_first", "_layer", "_second", "_values", "_xp", "has_effect")

    has_effect: bool
    _values: tuple[Any, ...] | None

    def __init__(self, layer: Any, xp: Any, value: Any, values: tuple[Any, ...], upstream: tuple[Any, ...]) -> None:
        self.value = value
        self.upstream = upstream
        self._layer = layer
        self._xp = xp
        if len(values) == 2:
            self._first, self._second = values
            self._values = None
        else:
            self._values = values
        self.has_effect = layer.__has_effect__
        trainable = active = False
        for tape in upstream:
            if tape.is_trainable:
                trainable = active = True
                break
            if tape.is_active:
                active = True
        # A comparison cuts the deltas, not the words for the cells behind it.
        self.is_trainable = trainable and layer.__has_gradient__ and (type(value) is float or is_differentiable(value))
        self.is_active = active
        self.serial = next_serial()

    @property
    def layer(self) -> Any:
        """The layer that this is a run of."""
        return self._layer

    def contributions(self) -> Any:
        """What the layer has to say to the cells among its operands; None for the others."""
        values = (self._first, self._second) if self._values is None else self._values
        return self._layer.contribute(self._xp, self.value, *values)

    def pullbacks(self, delta: Any) -> Any:
        """One closure an operand, which computes its delta."""
        values = self._values
        if values is None:
            return self._layer.gradient(self._xp, delta, self.value, self._first, self._second)
        if len(values) == 1:  # as in ``compute``: an argument by itself is quicker than a tuple of them
            return self._layer.gradient(self._xp, delta, self.value, values[0])
        return self._layer.gradient(self._xp, delta, self.value, *values)

    def use_up(self) -> None:
        super().use_up()
        self._let_go()

    def close(self) -> None:
        super().close()
        self._let_go()

    def _let_go(self) -> None:
        self._values = ()
        self._first = self._second = None
