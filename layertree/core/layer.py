"""Layer: an immutable formula from input tapes to output tapes, with the methods that read it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NoReturn,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    overload,
)

from typing_extensions import TypeVar as TypeVarWithDefault

from layertree.core import copying, structure
from layertree.core.data import Data
from layertree.core.deltas import Parts
from layertree.core.dynamic import is_a
from layertree.core.facade import FACADE
from layertree.core.layout import Layout
from layertree.core.namespace import Namespace
from layertree.core.spec import Spec, SpecTree
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

if TYPE_CHECKING:
    from layertree.drawing.drawing import Drawing
    from layertree.rewrite.selection import Selector
    from layertree.rewrite.surgery import At, Rewritable

R = TypeVar("R")
In_contra = TypeVarWithDefault("In_contra", contravariant=True, default=Any)
Out_co = TypeVarWithDefault("Out_co", covariant=True, default=Any)
X = TypeVar("X")
Y = TypeVar("Y")
Delta = TypeVar("Delta")


class Rules(Protocol):
    """The two rules of a layer: its value, and the deltas of its operands."""

    def compute(self, xp: Namespace, *values: Value) -> Value:
        """The value, from the operands' values."""

    def gradient(self, xp: Namespace, delta: Value, output: Value, *values: Value) -> Pullbacks:
        """One closure an operand, run only where the operand is trainable."""
        ...


class UndecoratedLayerError(TypeError, AttributeError):
    """The use of a subclass of Layer that ``@layer`` has not made a case class."""

    def __init__(self, cls: type) -> None:
        super().__init__(
            f"{cls.__name__} is no case class yet: write @layer above class {cls.__name__}(...), with "
            "'from layertree import layer'"
        )


class _Undecorated:
    """The layout of a subclass that ``@layer`` did not make. A dataclass has a constructor, but no layout."""

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise UndecoratedLayerError(owner)


def _refuse_construction(self: object, *_: object, **__: object) -> NoReturn:
    raise UndecoratedLayerError(type(self))


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
    """The fields by kind. A class with a constructor of its own, such as Literal, defines an empty layout."""
    __function__: ClassVar[str | None] = None
    """The function of the namespaces that ``compute`` calls."""
    __operator__: ClassVar[str | None] = None
    """The operator that the text of a formula shows."""
    __control__: ClassVar[str | None] = None
    """The sort of node for the sweep: None for an operation, else source, constant, cell, free, cond or call."""
    __has_gradient__: ClassVar[bool] = False
    """Whether a delta of the layer gives deltas of its operands."""
    __is_constant__: ClassVar[bool] = False
    """Whether ``@layer(differentiable=False)`` says that the derivative is 0 by right."""
    __has_effect__: ClassVar[bool] = False
    """Whether the layer contributes to cells, by its method ``contribute``."""
    __acts__: ClassVar[bool] = False
    """Whether a run of the layer has a side effect outside of the library, as a hook has."""
    __has_tape__: ClassVar[bool] = False
    """Whether the layer makes its own tape, by its method ``tape``."""
    __specs_of_numbers__: ClassVar[dict[tuple[int, ...], Spec]] = {}
    """A memo: the specs of the results of Python numbers, by the ids of the operands' specs."""
    _is_by_hand: ClassVar[bool] = True
    """Whether the class, or the base that it extends, was written without ``@layer`` on purpose."""
    _is_case_class: ClassVar[bool] = False
    """Whether ``@layer`` is making this very class."""
    _own_constructor: ClassVar[Callable[..., None] | None] = None
    """The ``__init__`` in the body of a class, until ``@layer`` makes the class."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        cls._is_case_class = False
        if "__layout__" in vars(cls):
            cls._is_by_hand = True
        elif Layer in cls.__bases__ or not cls._is_by_hand:
            cls._is_by_hand = False
            cls._own_constructor = vars(cls).get("__init__")
            cls.__layout__ = _Undecorated()  # type: ignore[assignment]  # ``@layer`` replaces both
            # By a call, since checkers refuse the assignment of an ``__init__`` with other parameters to a class.
            type.__setattr__(cls, "__init__", _refuse_construction)
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
        """The layer itself; a wrapper, such as a Symbolic, returns the wrapped layer."""
        return self

    def check_input(self, data: Data) -> None:
        """Raise unless data, or the spec of some, fits the spec of the input, which a Symbolic has."""

    def __source__(self) -> SpecTree | None:
        """The spec of the input where it is known, as a Symbolic knows it."""
        return None

    def with_layer(self, layer: Any, given: Sequence[AnyLayer] = (), /) -> Layer[In_contra, Out_co]:
        """The wrapper of this layer around a rewritten layer that contains ``given`` formulas; here no wrapper."""
        return layer  # type: ignore[no-any-return]  # a rewrite keeps input and output

    def surroundings(self) -> Callable[[Any], AbstractContextManager[object]]:
        """A function from a node to the context in which a rewriting function sees that node; here an empty one."""
        return nullcontext

    def at(self: Rewritable[R], where: Selector, /) -> At[R]:
        """The nodes that ``find(self, where)`` finds, to read or to replace.

        A replacement returns a formula of the same input; this formula does not change.

        >>> from layertree import Identity, Plus
        >>> Plus(Identity(), 1.0).at("operand2").set(2.0)
        Plus(Identity(), Literal(2.0))
        """
        return FACADE.at(self, where)

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

        Intermediate values are freed at their last use.

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
        """One step: forward, backward from ``delta`` (1 for a number), update. Returns the value before the update.

        >>> from layertree import SGD, Weight
        >>> w = Weight(5.0, optimizer=SGD(0.5))
        >>> w.train(), w.value
        (5.0, 4.5)
        """
        return FACADE.train(self, input, delta)

    def __eq__(self, other: object) -> bool:
        # ``==`` of a Symbolic builds a formula, as the left or the right operand.
        given: Any = other
        if not is_a(given, Layer) or given.__layer__() is not given:
            return NotImplemented
        return structure.tree_equal(self, given)

    def __hash__(self) -> int:
        return structure.tree_hash(self)

    def __repr__(self) -> str:
        return FACADE.code(self)

    def __format__(self, style: str) -> str:
        """The layer in a style; all but ``"full"`` are shortened above 200 nodes.

        ``"code"`` is Python that rebuilds the layer, ``"full"`` the same without shortening, which ``symbolic.parse``
        reads. ``"formula"`` is the formula as it was written, ``"unicode"`` and ``"latex"`` are mathematics. ``"tree"``
        is an indented tree as wide as the terminal, ``"tree:60"`` of 60 columns.
        """
        return FACADE.styled(self, style)

    def draw(self) -> Drawing:
        """The picture of the formula: ``layertree.draw(self)``. Notebooks show it, ``save`` writes it to a file.

        >>> from layertree import Identity, Plus
        >>> Plus(Identity(), 1.0).draw()
        <Drawing of 3 nodes: x + 1.0>
        """
        return FACADE.draw(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return FACADE.bundle(self)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copying.deep_copy(self, memo)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return copying.reduce(self)

    def __label__(self) -> tuple[object, ...]:
        """The content of the node apart from its children: its attributes."""
        return tuple([getattr(self, name) for name in self.__layout__.attributes])

    def __label_hash__(self) -> Hashable:
        label = self.__label__()
        # The hash of the text, since each NaN object has a hash of its own.
        return (repr(label) if label else None, *[id(getattr(self, name)) for name in self.__layout__.identities])

    def __same_label__(self, other: Any) -> bool:
        """Whether another node of this class has an equal label; True and 1 differ."""
        # JSON values and dtypes are equal when their texts are: 1, 1.0 and True differ, and NaN equals NaN.
        return repr(self.__label__()) == repr(other.__label__()) and all(
            getattr(self, name) is getattr(other, name) for name in self.__layout__.identities
        )


AnyLayer: TypeAlias = Layer[Any, Any]
"""A layer of any input and output."""
