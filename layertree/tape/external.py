"""External tapes: made by the ``tape`` method of a user's layer, or by a user as an input."""

from __future__ import annotations

from typing import Any

from layertree.core.deltas import Delta
from layertree.core.structure import post_order
from layertree.core.tape import AnyTape, Tape
from layertree.core.value import Pullbacks
from layertree.tape.tapes import AnyKept, KeptTape, next_serial


class ExternalTape(KeptTape[Any, Any]):
    """An adapter: value and deltas are those of an external tape, serial number and flags the library's."""

    __slots__ = ("has_effect", "key", "layer", "made")

    key: Any
    layer: Any
    made: AnyTape
    value: Any
    is_trainable: bool
    is_active: bool
    serial: int
    has_effect: bool

    def __init__(self, made: AnyTape, upstream: tuple[AnyKept, ...], layer: Any = None) -> None:
        self.made = made
        self.key = made
        self.layer = layer
        self.value = made.value
        self.upstream = upstream
        self.is_trainable = made.is_trainable and (not upstream or any(tape.is_trainable for tape in upstream))
        self.is_active = self.is_trainable or any(tape.is_active for tape in upstream)
        self.serial = next_serial()
        self.has_effect = type(made).contributions is not Tape.contributions

    def contributions(self) -> tuple[Any, ...]:
        """The contributions of the external tape."""
        return self.made.contributions()

    def pullbacks(self, delta: Delta) -> Pullbacks:
        """The deltas of the external tape, as closures."""
        deltas = self.made.deltas(delta)
        if len(deltas) != len(self.upstream):
            raise ValueError(f"{self.made!r} gave {len(deltas)} deltas for {len(self.upstream)} upstream tapes")
        return tuple([None if part is None else (lambda part=part: part) for part in deltas])

    def close(self) -> None:
        super().close()
        self.made.close()


def kept(tape: Any) -> Any:
    """A tape that a backward pass can visit: the tape itself, or the adapter of an external one."""
    if _is_known(tape):
        return tape
    upstream: dict[int, tuple[Any, ...]] = {}

    def below(one: Any) -> tuple[Any, ...]:
        found = upstream[id(one)] = () if _is_known(one) else tuple(one.upstream)
        return found

    places: dict[int, Any] = {}
    for one in post_order(tape, below):
        found = tuple([places[id(each)] for each in upstream[id(one)]])
        places[id(one)] = one if _is_known(one) else ExternalTape(one, found)
    return places[id(tape)]


def _is_known(tape: Any) -> bool:
    return isinstance(tape, KeptTape) or not tape.is_active
