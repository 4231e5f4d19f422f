"""Tape: the interface of one forward result, with the way back. ``layertree/tape`` has the tapes of a run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self

from typing_extensions import TypeVar

from layertree.core.facade import FACADE

if TYPE_CHECKING:
    from layertree.core.deltas import Parts
    from layertree.tape.gradients import Gradients

Data_co = TypeVar("Data_co", covariant=True, default=Any)
Delta_contra = TypeVar("Delta_contra", contravariant=True, default=Any)


class Tape(ABC, Generic[Data_co, Delta_contra]):
    """One forward result: covariant in its data, contravariant in its delta.

    >>> from layertree import Input
    >>> with Input(3.0) as tape:
    ...     tape.value
    3.0
    """

    __slots__ = ()

    @property
    @abstractmethod
    def value(self) -> Data_co:
        """The data; arrays are read-only views."""

    @property
    def is_trainable(self) -> bool:
        """Whether a delta that arrives here goes anywhere."""
        return True

    @property
    def is_active(self) -> bool:
        """Whether a backward pass has to come by: for a delta, or for what a cell is to be told."""
        return self.is_trainable

    @property
    def upstream(self) -> tuple[Tape[Any, Any], ...]:
        """The tapes this one was computed from; together they mirror the layer tree."""
        return ()

    def deltas(self, delta: Any) -> tuple[Any, ...]:
        """The delta of each upstream tape, or None where there is none."""
        return (None,) * len(self.upstream)

    def contributions(self) -> tuple[Any, ...]:
        """What each cell among the upstream tapes is told, or None where that is nothing."""
        return (None,) * len(self.upstream)

    def gradients(self, delta: Delta_contra | Parts | float | None = None, *, retain: bool = False) -> Gradients:
        """The deltas of all that is trainable upstream, changing nothing.

        ``delta`` is the delta of the output: of its shape and kind, or None for 1 where the output is one number.
        The tape is used up unless ``retain=True``.

        >>> from layertree import Input, Times, Identity
        >>> x = Input(3.0)
        >>> Times(Identity(), Identity()).forward(x).gradients()[x]
        6.0
        """
        return FACADE.gradients({self: delta}, retain=retain)

    def backward(
        self, delta: Delta_contra | Parts | float | None = None, *, retain: bool = False, optimizer: Any = None
    ) -> None:
        """Send ``delta`` upstream: every weight and every other cell that it reaches updates itself.

        All new values are computed before the first one is kept: if anything raises, nothing has changed.
        """
        FACADE.backward({self: delta}, retain=retain, optimizer=optimizer)

    def close(self) -> None:
        """Give up the value and the upstream tapes. Closing twice does nothing more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a tape does not pickle: it belongs to one run. Pickle its layer and its value")
