"""Tape: the interface of one forward result, with the way back. ``layertree/tape`` has the tapes of a run."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias

from typing_extensions import TypeVar

from layertree.core.facade import FACADE

if TYPE_CHECKING:
    from layertree.core.deltas import Parts
    from layertree.drawing.drawing import Drawing
    from layertree.tape.gradients import Gradients

Data_co = TypeVar("Data_co", covariant=True, default=Any)
Delta_contra = TypeVar("Delta_contra", contravariant=True, default=Any)


class Tape(Generic[Data_co, Delta_contra]):
    """The result of one forward pass: covariant in its data, contravariant in its delta.

    >>> from layertree import Input
    >>> with Input(3.0) as tape:
    ...     tape.value
    3.0
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if cls.value is Tape.value:
            raise TypeError(f"{cls.__name__} is a tape without a value: define the property value")

    # Tape is no abstract base class: ``isinstance`` with such a metaclass takes a call in Python, in each operation.
    @property
    def value(self) -> Data_co:
        """The data; arrays are read-only views. Each subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__} defines no value")

    @property
    def is_trainable(self) -> bool:
        """Whether a delta of this tape reaches an input or a weight."""
        return True

    @property
    def is_active(self) -> bool:
        """Whether a backward pass visits this tape: for a delta, or for a contribution to a cell."""
        return self.is_trainable

    @property
    def upstream(self) -> tuple[Tape[Any, Any], ...]:
        """The tapes that the value was computed from; the tree of tapes mirrors the layer tree."""
        return ()

    def deltas(self, delta: Any) -> tuple[Any, ...]:
        """The delta of each upstream tape, or None where there is none."""
        return (None,) * len(self.upstream)

    def contributions(self) -> tuple[Any, ...]:
        """The contribution to each cell among the upstream tapes (a batch mean, a tick), or None."""
        return (None,) * len(self.upstream)

    def gradients(self, delta: Delta_contra | Parts | float | None = None, *, retain: bool = False) -> Gradients:
        """The deltas of all inputs and weights upstream; nothing changes.

        ``delta`` is the delta of the output: of its shape and kind, or None for 1 where the output is one number.
        The tape is used up unless ``retain=True``.

        >>> from layertree import Input, Times, Identity
        >>> x = Input(3.0)
        >>> Times(Identity(), Identity()).forward(x).gradients()[x]
        6.0
        """
        return FACADE.gradients(self, delta, retain)

    def backward(
        self, delta: Delta_contra | Parts | float | None = None, *, retain: bool = False, optimizer: Any = None
    ) -> None:
        """Commit the gradients: every weight that a delta reaches, and every other cell, takes one step.

        All new values are computed before the first one is stored: if anything raises, nothing has changed.
        """
        FACADE.backward(self, delta, retain, optimizer)

    def __format__(self, style: str) -> str:
        """The tape in a style: ``""`` is its ``repr``, ``"tree"`` the run as an indented tree as wide as the terminal.

        The tree has a row for each tape, with its value; ``"tree:60"`` is one of 60 columns. A tape with several users
        is drawn once, and runs of more than 200 tapes are shortened.

        >>> from layertree import Identity, Input, Literal, Plus, Times, Weight
        >>> with Times(Plus(Literal(1.0), Identity()), Weight(2.0)).forward(Input(3.0)) as tape:
        ...     print(format(tape, "tree:60"))
        Times          8.0
        ├─ Plus        4.0
        │  ├─ Literal  1.0
        │  └─ Input    3.0
        └─ Weight      2.0

        Raises ValueError for another style, ClosedTapeError for the tree of a tape that is used up or closed.
        """
        return FACADE.styled_run(self, style)

    def draw(self) -> Drawing:
        """The picture of the run: ``layertree.draw(self)``. Notebooks show it, ``save`` writes it to a file.

        Raises ClosedTapeError for a tape that is used up or closed.
        """
        return FACADE.draw(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return FACADE.bundle(self)

    def close(self) -> None:
        """Release the value and the upstream tapes. A second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a tape does not pickle: it belongs to one run. Pickle its layer and its value")


AnyTape: TypeAlias = Tape[Any, Any]
"""A tape of any data."""
