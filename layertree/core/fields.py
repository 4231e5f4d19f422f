"""The fields of a layer class (operands, regions, attributes), and ``@layer``, which makes a case class of them."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform, overload

import attrs

from layertree.core.attribute import Rule
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, GradientError
from layertree.core.facade import FACADE
from layertree.core.layer import Layer
from layertree.core.layout import Layout, getter, refuse, refuse_deletion
from layertree.core.literal import Literal

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


__all__ = ["attribute", "identity", "layer", "lift", "operand", "operands", "region"]

T = TypeVar("T")
_field: Callable[..., Any] = attrs.field  # the type of a field is its annotation, not that of the default
_KIND = "layertree.kind"
_KINDS = ("operand", "variadic", "region", "attribute", "identity")


def operand() -> Any:
    """A field that holds a sub-layer; the constructor converts a plain value to a Literal.

    >>> from layertree import Times, Identity
    >>> Times(Identity(), 2.0)
    Times(Identity(), Literal(2.0))
    """
    return _field(converter=lift, metadata={_KIND: "operand"})


def operands() -> Any:
    """A field that holds any number of sub-layers, as a tuple."""
    return _field(converter=_lift_all, metadata={_KIND: "variadic"})


def region() -> Any:
    """A field that holds a formula which the layer runs itself, such as the branch of an If."""
    return _field(converter=lift, metadata={_KIND: "region"})


def attribute(
    *, default: Any = attrs.NOTHING, minimum: Any = None, maximum: Any = None, choices: Any = None, help: str
) -> Any:
    """A field that holds a JSON value (None, bool, int, float, str, dtype, tuples of these), checked when built.

    The annotation gives the type; ``minimum`` and ``maximum`` are inclusive bounds, in a tuple those of each item.
    """
    rule = Rule(minimum, maximum, choices)

    def conform(value: Any, owner: Any, field: attrs.Attribute[Any]) -> Any:
        return rule.conform(value, field.type, f"{type(owner).__name__}.{field.name}")

    return _field(
        default=default,
        converter=attrs.Converter(conform, takes_self=True, takes_field=True),
        metadata={_KIND: "attribute", "rule": rule, "help": help},
    )


def identity(*, default: Any = attrs.NOTHING) -> Any:
    """A field that holds any Python object, such as a function, and is compared by identity.

    A layer with such a field cannot be saved to a file.
    """
    return _field(default=default, metadata={_KIND: "identity"})


def lift(value: Any) -> Any:
    """The layer of a value: the result of ``value.__layer__()`` where there is one, else a Literal."""
    unwrap = getattr(value, "__layer__", None)
    if unwrap is not None and not isinstance(value, type):
        return unwrap()
    return Literal(value)


def _lift_all(values: Any) -> tuple[Any, ...]:
    if not is_a(values, (tuple, list)):
        raise DTypeError(f"a tuple of operands is wanted here: got {values!r}")
    return tuple(map(lift, values))


@overload
def layer(cls: type[T], /) -> type[T]: ...
@overload
def layer(
    *, name: str | None = None, operator: str | None = None, differentiable: bool | None = None
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(
    frozen_default=True, eq_default=False, field_specifiers=(operand, operands, region, attribute, identity)
)
def layer(
    cls: Any = None, /, *, name: str | None = None, operator: str | None = None, differentiable: bool | None = None
) -> Any:
    """Make a case class of a subclass of Layer: frozen, with the constructor that its fields ask for.

    ``name`` is the function of the namespaces that ``compute`` calls, and the name by which the gradients of other
    layers, and the functions of ``symbolic``, build this one. ``operator`` is how formulas show it.
    ``differentiable=False`` makes the layer a constant for derivatives: its operands get no delta, as those of
    StopGradient. Without it, a layer that has ``compute`` and no ``gradient`` runs, and asking for a gradient through
    it is a GradientError. A subclass without a ``gradient`` of its own is as differentiable as its base class.
    """

    def decorate(cls: Any) -> Any:
        if not (is_a(cls, type) and Layer in cls.__mro__):
            raise TypeError(f"@layer makes a case class of a subclass of Layer: got {cls!r}")
        if "__dataclass_fields__" in vars(cls):
            raise TypeError(f"{cls.__name__} is a layer, so decorate it with @layer alone, not with @dataclass")
        _require_new_name(cls, name)
        _restore_constructor(cls)
        cls._is_case_class = True
        # on_setattr rather than frozen: the constructor of a frozen class writes to __dict__, and reading a field
        # of an object whose __dict__ exists takes three times as long.
        attrs.define(cls, slots=False, eq=False, repr=False, on_setattr=_refuse_to_set, field_transformer=_with_types)
        cls.__setattr__ = refuse
        cls.__delattr__ = refuse_deletion
        _annotate_constructor(cls)
        cls.__layout__ = _layout(cls)
        cls.__function__ = name
        cls.__operator__ = operator
        _set_differentiability(cls, differentiable)
        return cls

    return decorate if cls is None else decorate(cls)


def _require_new_name(cls: Any, name: str | None) -> None:
    """Raise TypeError for the function of a class of the library as the name of another class."""
    if name is None or cls.__module__.startswith("layertree."):
        return  # the families hold one class a function
    owner = FACADE.layer_of(name)
    if owner is not None:
        raise TypeError(
            f"@layer(name={name!r}) of {cls.__module__}.{cls.__name__}: {owner.__module__}.{owner.__name__} computes "
            f"the function {name!r}, and a function has one class: leave name out, or give another name"
        )


def _restore_constructor(cls: Any) -> None:
    """Remove the ``__init__`` of undecorated classes, or put the one of the class body in its place."""
    if "_own_constructor" in vars(cls):
        written = cls._own_constructor
        del cls._own_constructor, cls.__init__
        if written is not None:
            cls.__init__ = written


def _annotate_constructor(cls: Any) -> None:
    """Give the constructor the annotations of the fields; attrs takes those of the converters.

    Of an annotation that is text, whose names the constructor's module does not have, the kind of the field is left.
    """
    if "__attrs_init__" not in vars(cls):
        types: dict[str, Any] = {
            field.alias: _TYPES[field.metadata[_KIND]] if is_a(field.type, str) else field.type
            for field in attrs.fields(cls)
        }
        cls.__init__.__annotations__ = {**types, "return": None}


_TYPES = {"operand": Layer, "variadic": tuple[Layer, ...], "region": Layer, "attribute": object, "identity": object}


def _set_differentiability(cls: Any, differentiable: bool | None) -> None:
    """Mark a class as a constant for derivatives, or complete it with a ``gradient`` that raises."""
    own = "gradient" in vars(cls)
    if differentiable is False and own:
        raise TypeError(f"{cls.__name__} has a gradient, so it is no constant: drop differentiable=False or the method")
    if differentiable is not None or own:
        cls.__is_constant__ = differentiable is False
    if cls.__is_constant__:
        cls.__has_gradient__ = False
    elif hasattr(cls, "compute") and not cls.__has_gradient__:
        cls.gradient = missing_gradient
        cls.__has_gradient__ = True


def missing_gradient(node: AnyLayer, *values: object) -> NoReturn:
    """The ``gradient`` of a class that defines none: a GradientError that names the class and the ways out."""
    cls = type(node)
    names = {name for one in cls.__mro__[:-1] for name in vars(one)} - {"gradient"}
    similar = difflib.get_close_matches("gradient", names, 1, 0.75)
    raise GradientError(
        f"{cls.__name__} has compute but no gradient"
        + (f" (is {similar[0]!r} misspelt?)" if similar else "")
        + ": give the class a method gradient, write @layer(differentiable=False) above it if its derivative is 0 "
        "by right, or pass its operands or its result through stop_gradient"
    )


def _refuse_to_set(layer: AnyLayer, field: attrs.Attribute[Any], value: Any) -> Any:
    refuse(layer, field.name)


def _with_types(cls: type, fields: list[attrs.Attribute[Any]]) -> list[attrs.Attribute[Any]]:
    """The fields, each with its kind checked; annotations of attributes that are text become types."""
    typed: list[attrs.Attribute[Any]] = []
    for field in fields:
        kind = field.metadata.get(_KIND)
        if kind is None:
            raise TypeError(
                f"{cls.__name__}.{field.name} is declared without its kind: write "
                f"'{field.name}: ... = operand()', operands(), region() or attribute(help=...)"
            )
        text = field.type
        if field.default is attrs.NOTHING and typed and typed[-1].default is not attrs.NOTHING:
            raise ValueError(f"{cls.__name__}.{field.name} has no default, but {typed[-1].name} before it has one")
        typed.append(field.evolve(type=_evaluated(cls, field.name, text)) if _is_text(kind, text) else field)
    return typed


def _is_text(kind: str, annotation: Any) -> bool:
    return kind == "attribute" and is_a(annotation, str)


def _evaluated(cls: type, name: str, annotation: Any) -> Any:
    """The type of an attribute in a module with ``from __future__ import annotations``."""
    try:
        return eval(annotation, vars(sys.modules[cls.__module__]))
    except NameError as error:
        raise TypeError(f"{cls.__name__}.{name} has the type {annotation!r}: {error}") from None


def _layout(cls: Any) -> Layout:
    by_kind: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    fields = attrs.fields(cls)
    for field in fields:
        by_kind[field.metadata[_KIND]].append(field.name)
    operands, variadic, regions, attributes, identities = map(tuple, by_kind.values())
    return Layout(
        operands,
        variadic,
        regions,
        attributes,
        identities,
        names=tuple([field.name for field in fields]),
        plain=len(operands) == len(fields) and not _has_constructor(cls),
        pick=getter(operands),
    )


def _has_constructor(cls: Any) -> bool:
    """Whether the constructor of a class does more than set the fields."""
    return "__attrs_init__" in vars(cls) or hasattr(cls, "__attrs_pre_init__") or hasattr(cls, "__attrs_post_init__")
