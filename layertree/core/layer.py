"""Layer: an immutable formula from input tapes to output tapes, with the methods that read it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Protocol, TypeAlias, TypeVar, overload

from typing_extensions import TypeVar as TypeVarWithDefault

from layertree.core import copying, structure
from layertree.core.deltas import Parts
from layertree.core.facade import FACADE
from layertree.core.layout import Layout
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

if TYPE_CHECKING:
    from layertree.rewrite.selection import Where
    from layertree.rewrite.surgery import At, Rewritable

R = TypeVar("R")
In_contra = TypeVarWithDefault("In_contra", contravariant=True, default=Any)
Out_co = TypeVarWithDefault("Out_co", covariant=True, default=Any)
X = TypeVar("X")
Y = TypeVar("Y")
Delta = TypeVar("Delta")


class Rules(Protocol):
    """What a layer says of itself: how to compute it, and how its delta goes on to its operands."""

    def compute(self, xp: Namespace, *values: Value) -> Value:
        """The value, from the operands' values."""

    def gradient(self, xp: Namespace, delta: Value, output: Value, *values: Value) -> Pullbacks:
        """One closure an operand, run only where the operand is trainable."""
        ...


class _Undecorated:
    """The layout of a subclass that ``@layer`` did not make: reading it is a TypeError."""

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise TypeError(
            f"{owner.__name__} is no case class yet: write @layer above class {owner.__name__}(...), with "
            "'from layertree import layer'"
        )


class Layer(Generic[In_contra, Out_co]):
    """A formula: contravariant in its input tape, covariant in its output tape.

    >>> from layertree import Identity, Literal, Plus, Times, Weight
    >>> formula = Times(Plus(Literal(1.0), Identity()), Weight(2.0))
    >>> with formula.forward(3.0) as tape:
    ...     tape.value
    8.0
    """

    __slots__ = ()

    __layout__: ClassVar[Layout] = Layout()
    _is_case_class: ClassVar[bool] = False
    __function__: ClassVar[str | None] = None
    __operator__: ClassVar[str | None] = None
    __control__: ClassVar[str | None] = None
    __has_gradient__: ClassVar[bool] = False
    __has_effect__: ClassVar[bool] = False
    __acts__: ClassVar[bool] = False
    __has_tape__: ClassVar[bool] = False
    __specs_of_numbers__: ClassVar[dict[tuple[int, ...], Any]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._is_case_class = False
        if "__layout__" not in vars(cls):
            cls.__layout__ = _Undecorated()  # type: ignore[assignment]  # ``@layer`` replaces it
        cls.__has_gradient__ = hasattr(cls, "gradient") or hasattr(cls, "tape")
        cls.__has_effect__ = hasattr(cls, "contribute")
        cls.__has_tape__ = hasattr(cls, "tape")
        cls.__specs_of_numbers__ = {}

    @classmethod
    def __attrs_init_subclass__(cls) -> None:
        # attrs calls this method for each class that attrs makes.
        if not cls._is_case_class:
            raise TypeError(f"{cls.__name__} is a layer, so decorate it with @layer of layertree, not with attrs")

    def __layer__(self) -> Layer[In_contra, Out_co]:
        """The layer itself; what wraps a layer gives the wrapped one."""
        return self

    def check_input(self, data: Any) -> None:
        """Raise unless data can be the input. A bare layer knows nothing of its input; a Symbolic has its spec."""

    def with_layer(self, layer: Any, given: Sequence[Any] = (), /) -> Layer[In_contra, Out_co]:
        """What wraps this layer, around another one that was made with some given formulas; here nothing does."""
        return layer  # type: ignore[no-any-return]  # a rewrite keeps input and output

    def surroundings(self) -> Any:
        """A context for each node that a rewriting function gets; here there is none to give."""
        return nullcontext

    def at(self: Rewritable[R], where: Where, /) -> At[R]:
        """The nodes that are meant, as ``find`` finds them, to look at or to change.

        The result of a change is a formula of the same input; this one stays as it is.

        >>> from layertree import Identity, Plus
        >>> Plus(Identity(), 1.0).at("operand2").set(2.0)
        Plus(Identity(), Literal(2.0))
        """
        return FACADE.at(self, where)  # type: ignore[no-any-return]  # of the type that the room registers

    @overload
    def forward(self, input: In_contra, /) -> Out_co: ...
    @overload
    def forward(self: Layer[object, Tape[Y, Any]], input: object, /) -> Out_co: ...
    @overload
    def forward(self: Layer[Tape[X, Any], Tape[Y, Any]], input: X, /) -> Out_co: ...
    def forward(self, input: Any, /) -> Any:
        """Run the formula on a tape, or on plain data, which becomes a constant.

        Returns the tape of the output; nothing changes. Final.
        """
        return FACADE.forward(self, input)

    @overload
    def predict(self: Layer[object, Tape[Y, Any]], input: object = ..., /) -> Y: ...
    @overload
    def predict(self: Layer[Tape[X, Any], Tape[Y, Any]], input: X, /) -> Y: ...
    def predict(self, input: Any = None, /) -> Any:
        """The value for some data, in inference mode: no dropout, running averages instead of the batch's.

        Intermediate values are let go at their last use.

        >>> from layertree import Identity, Plus
        >>> Plus(Identity(), 1.0).predict(2.0)
        3.0
        """
        return FACADE.predict(self, input)

    @overload
    def train(
        self: Layer[object, Tape[Y, Delta]], input: object = ..., /, delta: Delta | Parts | float | None = ...
    ) -> Y: ...
    @overload
    def train(
        self: Layer[Tape[X, Any], Tape[Y, Delta]], input: X, /, delta: Delta | Parts | float | None = ...
    ) -> Y: ...
    def train(self, input: Any = None, /, delta: Any = None) -> Any:
        """One step: forward, backward from ``delta`` (1 for a number), update. Returns the value before it.

        >>> from layertree import SGD, Weight
        >>> w = Weight(5.0, optimizer=SGD(0.5))
        >>> w.train(), w.value
        (5.0, 4.5)
        """
        return FACADE.train(self, input, delta)

    def __eq__(self, other: object) -> bool:
        # A formula's own == builds a formula, on whichever side it stands.
        if not isinstance(other, Layer) or other.__layer__() is not other:
            return NotImplemented
        return structure.tree_equal(self, other.__layer__())

    def __hash__(self) -> int:
        return structure.tree_hash(self)

    def __repr__(self) -> str:
        return FACADE.code(self)

    def __format__(self, style: str) -> str:
        """The layer in a style; all but ``"full"`` are shortened above 200 nodes.

        ``"code"`` rebuilds the layer, and ``"full"`` tells all of it: ``symbolic.parse`` reads it. ``"formula"`` reads
        as it was written, ``"unicode"`` and ``"latex"`` as mathematics. ``"tree"`` draws an indented tree for the
        terminal, ``"tree:60"`` for one of 60 columns.
        """
        return FACADE.styled(self, style)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copying.deep_copy(self, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return copying.reduce(self)

    def __label__(self) -> tuple[Any, ...]:
        """What the node says apart from its children: its attributes."""
        return tuple([getattr(self, name) for name in self.__layout__.attributes])

    def __label_hash__(self) -> Any:
        label = self.__label__()
        # The text, since NaN has another hash each time it is made.
        return (repr(label) if label else None, *[id(getattr(self, name)) for name in self.__layout__.identities])

    def __same_label__(self, other: Any) -> bool:
        """Whether another node of this class has the same label; True and 1 are not the same."""
        # JSON values and dtypes are the same when their texts are: 1, 1.0 and True differ, and NaN is itself.
        return repr(self.__label__()) == repr(other.__label__()) and all(
            getattr(self, name) is getattr(other, name) for name in self.__layout__.identities
        )


AnyLayer: TypeAlias = Layer[Any, Any]
"""A layer of any input and output."""
