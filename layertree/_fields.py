"""What the fields of a layer are: operands, regions and attributes; and the decorator that makes case classes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

from layertree import _attribute
from layertree._errors import DTypeError
from layertree._kinds import is_a
from layertree._record import NOTHING, Field, declare, picking, record

T = TypeVar("T")
_KIND = "layertree.kind"
_KINDS = ("operand", "variadic", "region", "attribute", "identity")
_OPERAND, _VARIADIC, _REGION, _, _IDENTITY = [{_KIND: kind} for kind in _KINDS]


@record(eq=False)
class Layout:
    """The fields of a layer class by kind, in the order of the class body.

    Nodes of a ``plain`` class are told apart by their operands alone, each a field of its own, which is all that its
    constructor sets.
    """

    operands: tuple[str, ...] = ()
    variadic: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    identities: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    plain: bool = True
    pick: Callable[[Any], tuple[Any, ...]] = picking([])
    """The operands of a node; of a class with a variable number of them, see ``operands_of``."""


def operand() -> Any:
    """A field that holds a sub-layer. A plain value is lifted to a Literal.

    >>> from layertree import Times, Identity
    >>> Times(Identity(), 2.0)
    Times(Identity(), Literal(2.0))
    """
    return Field(converter=lift, metadata=_OPERAND)


def operands() -> Any:
    """A field that holds any number of sub-layers, as a tuple."""
    return Field(converter=_lift_all, metadata=_VARIADIC)


def region() -> Any:
    """A field that holds a formula which the layer runs itself, such as the branch of an If."""
    return Field(converter=lift, metadata=_REGION)


def attribute(
    *, default: Any = NOTHING, minimum: Any = None, maximum: Any = None, choices: Any = None, help: str
) -> Any:
    """A field that holds a JSON value (None, bool, int, float, str, dtype, tuples of these), checked when built.

    The annotation gives the type; ``minimum`` and ``maximum`` are bounds within reach, of each item in a tuple.
    """
    rule = _attribute.Rule(minimum, maximum, choices)
    return Field(default, _conform, takes_owner=True, metadata={_KIND: "attribute", "rule": rule, "help": help})


def identity() -> Any:
    """A field that holds any Python object, such as a function, and is compared by identity.

    A layer with such a field cannot be saved to a file.
    """
    return Field(metadata=_IDENTITY)


def lift(value: Any) -> Any:
    """The layer of a value: what its ``__layer__()`` gives, or a Literal."""
    unwrap = getattr(value, "__layer__", None)
    if unwrap is not None and not isinstance(value, type):
        return unwrap()
    from layertree._literal import Literal

    return Literal(value)


def _lift_all(values: Any) -> tuple[Any, ...]:
    if not is_a(values, (tuple, list)):
        raise DTypeError(f"a tuple of operands is wanted here: got {values!r}")
    return tuple(map(lift, values))


def _conform(value: Any, layer: Any, field: Any) -> Any:
    return field.metadata["rule"].conform(value, field.type, f"{type(layer).__name__}.{field.name}")


@overload
def layer(cls: type[T], /) -> type[T]: ...
@overload
def layer(*, name: str | None = None, operator: str | None = None) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(
    frozen_default=True, eq_default=False, field_specifiers=(operand, operands, region, attribute, identity)
)
def layer(cls: Any = None, /, *, name: str | None = None, operator: str | None = None) -> Any:
    """Make a case class of a subclass of Layer: frozen, with the constructor that its fields ask for.

    ``name`` is the function of the namespaces that ``compute`` calls, and the name by which the gradients of other
    layers, and the functions of ``symbolic``, build this one. ``operator`` is how formulas show it.
    """

    def decorate(cls: Any) -> Any:
        declare(cls)
        cls.__setattr__ = cls.__delattr__ = refuse
        cls._layout = _layout(cls)
        cls._function = name
        cls._operator = operator
        return cls

    return decorate if cls is None else decorate(cls)


def _layout(cls: Any) -> Layout:
    by_kind: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for field in cls._fields:
        kind = field.metadata.get(_KIND)
        if kind is None:
            raise TypeError(
                f"{cls.__name__}.{field.name} is declared without its kind: write "
                f"'{field.name}: ... = operand()', operands(), region() or attribute(help=...)"
            )
        if kind == "attribute":
            _resolve(cls, field)
        by_kind[kind].append(field.name)
    operands, variadic, regions, attributes, identities = map(tuple, by_kind.values())
    return Layout(
        operands,
        variadic,
        regions,
        attributes,
        identities,
        names=tuple([field.name for field in cls._fields]),
        plain=len(operands) == len(cls._fields) and not _has_constructor(cls),
        pick=picking(operands),
    )


def _resolve(cls: Any, field: Field) -> None:
    """Find the type of an attribute whose annotation is text: ``from __future__ import annotations``."""
    if isinstance(field.type, str):
        try:
            field.type = eval(field.type, vars(sys.modules[cls.__module__]))
        except NameError as error:
            raise TypeError(f"{cls.__name__}.{field.name} has the type {field.type!r}: {error}") from None


def _has_constructor(cls: Any) -> bool:
    """Whether a class does more than keep its fields when it is constructed."""
    return "__attrs_init__" in vars(cls) or hasattr(cls, "__attrs_pre_init__") or hasattr(cls, "__attrs_post_init__")


def refuse(layer: Any, name: str, *_: Any) -> NoReturn:
    """What setting or deleting a field of a layer does."""
    from layertree._frozen import FrozenLayerError  # attrs loads with it

    advice = f". attrs.evolve(layer, {name}=...) makes a changed copy" if hasattr(layer, "_fields") else ""
    raise FrozenLayerError(f"{type(layer).__name__}.{name} cannot be set: a layer never changes{advice}")
