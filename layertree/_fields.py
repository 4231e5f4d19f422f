"""What the fields of a layer are: operands, regions and attributes; and the decorator that makes case classes."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, overload

import attrs
from typing_extensions import dataclass_transform

from layertree import _attribute
from layertree._errors import DTypeError, FrozenLayerError
from layertree._kinds import is_a, type_of

T = TypeVar("T")
Kind = str
_KIND = "layertree.kind"
_field: Callable[..., Any] = attrs.field


def _nothing(node: Any) -> tuple[Any, ...]:
    return ()


@dataclasses.dataclass(frozen=True, slots=True)
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
    pick: Callable[[Any], tuple[Any, ...]] = _nothing
    """The operands of a node; of a class with a variable number of them, see ``operands_of``."""


def operand() -> Any:
    """A field that holds a sub-layer. A plain value is lifted to a Literal.

    >>> from layertree import Times, Identity
    >>> Times(Identity(), 2.0)
    Times(Identity(), Literal(2.0))
    """
    return _field(converter=_LIFT, metadata={_KIND: "operand"})


def operands() -> Any:
    """A field that holds any number of sub-layers, as a tuple."""
    return _field(converter=_LIFT_ALL, metadata={_KIND: "variadic"})


def region() -> Any:
    """A field that holds a formula which the layer runs itself, such as the branch of an If."""
    return _field(converter=_LIFT, metadata={_KIND: "region"})


def attribute(
    *, default: Any = attrs.NOTHING, minimum: Any = None, maximum: Any = None, choices: Any = None, help: str
) -> Any:
    """A field that holds a JSON value (None, bool, int, float, str, dtype, tuples of these), checked when built.

    The annotation gives the type; ``minimum`` and ``maximum`` are bounds within reach, of each item in a tuple.
    """
    rule = _attribute.Rule(minimum, maximum, choices)
    return _field(
        default=default,
        converter=_CONFORM,
        metadata={_KIND: "attribute", "rule": rule, "help": help},
    )


def identity() -> Any:
    """A field that holds any Python object, such as a function, and is compared by identity.

    A layer with such a field cannot be saved to a file.
    """
    return _field(metadata={_KIND: "identity"})


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


# Made once: attrs reads the signature of each converter that it makes, which takes longer than all else of a field.
_LIFT, _LIFT_ALL = attrs.Converter(lift), attrs.Converter(_lift_all)
_CONFORM = attrs.Converter(_conform, takes_self=True, takes_field=True)


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
        frozen = attrs.frozen(eq=False, repr=False, slots=False, getstate_setstate=False, field_transformer=_resolved)
        made = frozen(cls)
        made.__setattr__ = made.__delattr__ = refuse
        made._layout = _layout(made)
        made._function = name
        made._operator = operator
        return made

    return decorate if cls is None else decorate(cls)


def _resolved(cls: Any, fields: list[Any]) -> list[Any]:
    """The fields, with types for attributes whose annotation is text: ``from __future__ import annotations``."""
    return [_with_type(cls, field) if field.metadata.get(_KIND) == "attribute" else field for field in fields]


def _with_type(cls: Any, field: Any) -> Any:
    if not isinstance(field.type, str):
        return field
    try:
        return field.evolve(type=eval(field.type, vars(sys.modules[cls.__module__])))
    except NameError as error:
        raise TypeError(f"{cls.__name__}.{field.name} has the type {field.type!r}: {error}") from None


def _layout(cls: Any) -> Layout:
    by_kind: dict[str, list[str]] = {}
    for field in attrs.fields(cls):
        if _KIND not in field.metadata:
            raise TypeError(
                f"{cls.__name__}.{field.name} is declared without its kind: write "
                f"'{field.name}: ... = operand()', operands(), region() or attribute(help=...)"
            )
        by_kind.setdefault(field.metadata[_KIND], []).append(field.name)
    kinds = {"operand": "operands", "variadic": "variadic", "region": "regions"}
    kinds |= {"attribute": "attributes", "identity": "identities"}
    return Layout(
        names=tuple(field.name for field in attrs.fields(cls)),
        plain=by_kind.keys() <= {"operand"} and not _has_constructor(cls),
        pick=_picking(by_kind.get("operand", [])),
        **{kinds[kind]: tuple(names) for kind, names in by_kind.items()},
    )


def _picking(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The function that takes the values of some fields. Every walk calls it at every node."""
    if not names:
        return _nothing
    take = attrgetter(*names)
    if len(names) > 1:
        return take
    return lambda node: (take(node),)


def _has_constructor(cls: Any) -> bool:
    """Whether a class does more than keep its fields when it is constructed."""
    return "__attrs_init__" in vars(cls) or hasattr(cls, "__attrs_pre_init__") or hasattr(cls, "__attrs_post_init__")


def refuse(layer: Any, name: str, *_: Any) -> None:
    """What setting or deleting a field of a layer does."""
    advice = f". attrs.evolve(layer, {name}=...) makes a changed copy" if attrs.has(type_of(layer)) else ""
    raise FrozenLayerError(f"{type(layer).__name__}.{name} cannot be set: a layer never changes{advice}")
