"""Weight and State: leaves whose value is the content of a cell."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar, Generic, NoReturn, TypeVar

import attrs
import numpy as np

from layertree.core.brief import brief_formula
from layertree.core.cell import Cell, RuleState, UpdateRule, first_given, require_rule, scoped_optimizer
from layertree.core.data import Data, as_data, described
from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import DTypeError, FrozenLayerError
from layertree.core.layer import Layer
from layertree.core.layout import Layout, constructed_from, refuse_deletion
from layertree.core.literal import Literal
from layertree.core.tape import Tape

D = TypeVar("D")


_OF_A_SHAPE = "; zeros(3, 4) and normal(3, 4) of symbolic.initializers give arrays of a shape"


def _is_shape(given: Any) -> bool:
    """Whether the sizes of an array are given in the place of the array."""
    return is_a(given, tuple) and bool(given) and all(type_of(size) is int for size in given)


class CellLayer(Layer[object, Tape[D, D]], Generic[D]):
    """A leaf whose value is in a cell; two are equal when they share the cell."""

    cell: Cell
    __layout__: ClassVar[Layout] = Layout()
    __control__: ClassVar[str | None] = "cell"
    is_trainable: ClassVar[bool] = False

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenLayerError(f"{type(self).__name__}.{name} cannot be set: {way_to_change(self, name)}")

    def __delattr__(self, name: str) -> None:
        refuse_deletion(self, name)

    def _own(self, value: Data, rule: UpdateRule | None, name: str | None) -> None:
        if name is not None and (not is_a(name, str) or not name):
            raise TypeError(f"{type(self).__name__}.name = {name!r} is not allowed: give a string or None")
        value = as_data(value)
        if value is None or isinstance(value, tuple):
            what = f"a {type(self).__name__} holds a number or an array: got {value!r}"
            raise DTypeError(what + (_OF_A_SHAPE if _is_shape(value) else ""))
        if rule is not None:
            require_rule(rule)
        self.__dict__["cell"] = Cell(value, rule, scoped_optimizer(), name)

    @property
    def value(self) -> D:
        """The value after the last commit; arrays are read-only."""
        return self.cell.value  # type: ignore[no-any-return]  # cells hold any kind of data

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value; () for a number."""
        value: Data = self.value
        return tuple(np.shape(value))

    @property
    def ndim(self) -> int:
        """The number of axes of the value; 0 for a number."""
        return len(self.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the value; of a Python number the one that NumPy gives it."""
        return np.asarray(self.value).dtype

    @property
    def name(self) -> str | None:
        """The name that was given, without the scopes around it."""
        return self.cell.name

    @property
    def path(self) -> str | None:
        """The name with the scopes around it: ``encoder/kernel``."""
        return self.cell.path

    def set(self, value: D) -> None:
        """Rebind the value by hand, to one of the same kind, dtype and shape; the rule's state stays."""
        self.cell.set(value)

    def __label__(self) -> tuple[object, ...]:
        return (id(self.cell),)

    def __label_hash__(self) -> Hashable:
        return id(self.cell)

    def __same_label__(self, other: Any) -> bool:
        return self.cell is other.cell


def way_to_change(layer: CellLayer[Any], name: str) -> str:
    """What takes the place of the assignment of an attribute of a weight or state, for messages."""
    if name == "value":
        return "its method set(value) rebinds the value"
    if name == "optimizer" and layer.is_trainable:
        return "set_optimizers(layer, {'**': ...}) gives a weight another optimizer"
    kind = type(layer)
    fields = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else []
    if name in fields:
        return f"attrs.evolve(layer, {name}=...) makes another {kind.__name__}, with the same value"
    return f"it is none of {', '.join(fields)}, and set(value) rebinds the value"


@constructed_from(value=attrs.field(), name=attrs.field(default=None), optimizer=attrs.field(default=None))
class Weight(CellLayer[D], Generic[D]):
    """A trainable value: a leaf that ignores its input and takes one optimizer step a commit.

    ``value`` is a float or a float array; it keeps its kind, dtype and shape. The optimizer is the one given here,
    else that of ``fit`` or ``commit``, else the one of the ``with optimizer(...)`` around, else SGD(0.01).

    >>> from layertree import SGD
    >>> w = Weight(2.0, name="slope", optimizer=SGD(0.1))
    >>> w.train(), w.value
    (2.0, 1.9)

    Raises DTypeError for integers and booleans, which have no gradient.
    """

    __layout__: ClassVar[Layout] = Layout()
    is_trainable: ClassVar[bool] = True
    __match_args__ = ("value",)

    def __init__(self, value: D, name: str | None = None, optimizer: UpdateRule | None = None) -> None:
        self._own(value, optimizer, name)
        kept = self.cell.value
        if isinstance(kept, bool) or np.asarray(kept).dtype.kind != "f":
            raise DTypeError(
                f"Weight({brief_formula(Literal(kept))}): {described(kept)} has no gradient, so cast to float: "
                "Weight(float(number)), Weight(array.astype(float))"
            )

    @property
    def optimizer(self) -> UpdateRule | None:
        """Its own optimizer, else the one in scope when it was made."""
        return first_given(self.cell.rule, self.cell.scoped_rule)

    @property
    def state(self) -> RuleState:
        """The state of its optimizer, or None before the first step."""
        kept = self.cell.state
        return None if kept is None else kept[1]


@constructed_from(value=attrs.field(), rule=attrs.field(), name=attrs.field(default=None))
class State(CellLayer[D], Generic[D]):
    """A value that contributions change instead of deltas: a running average, a counter, by ``rule``.

    >>> from layertree import Average
    >>> State(0.0, Average(0.9)).value
    0.0
    """

    __layout__: ClassVar[Layout] = Layout()
    __match_args__ = ("value", "rule")

    def __init__(self, value: D, rule: UpdateRule, name: str | None = None) -> None:
        require_rule(rule)
        self._own(value, rule, name)

    @property
    def rule(self) -> UpdateRule | None:
        """The update rule of the contributions."""
        return self.cell.rule
