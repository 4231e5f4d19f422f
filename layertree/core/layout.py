"""Layout: the names of a layer class's fields, by kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import attrs

from layertree.core.errors import FrozenLayerError

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


__all__ = ["Layout", "constructed_from", "getter", "refuse", "refuse_deletion"]

T = TypeVar("T")


def getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The function that gives the values of some attributes as a tuple.

    >>> getter(["real", "imag"])(3.0)
    (3.0, 0.0)
    """
    if not names:
        return _empty
    get = attrgetter(*names)
    if len(names) > 1:
        return get

    def one(node: object) -> tuple[Any, ...]:
        return (get(node),)

    return one


def _empty(node: object) -> tuple[Any, ...]:
    return ()


@attrs.frozen(eq=False)
class Layout:
    """The fields of a layer class by kind, in the order of the class body.

    A ``plain`` class has operands alone, one a field, and a constructor that does nothing but set them.
    """

    operands: tuple[str, ...] = ()
    variadic: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    identities: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    plain: bool = True
    pick: Callable[[Any], tuple[Any, ...]] = _empty
    """The operands of a node of a class without variadic fields; ``operands_of`` serves all classes."""


def refuse(layer: AnyLayer, name: str, *_: Any) -> NoReturn:
    """``__setattr__`` of layers: a FrozenLayerError that says how to make a changed copy."""
    kind: Any = type(layer)
    fields = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else []
    changed = ", ".join([f"{field}=..." for field in ([name] if name in fields else fields)])
    advice = f". attrs.evolve(layer, {changed}) makes a changed copy" if changed else ""
    raise FrozenLayerError(f"{kind.__name__}.{name} cannot be set: a layer never changes{advice}")


def refuse_deletion(layer: AnyLayer, name: str) -> NoReturn:
    """``__delattr__`` of layers: FrozenLayerError."""
    raise FrozenLayerError(f"{type(layer).__name__}.{name} cannot be deleted: a layer never changes")


def constructed_from(**fields: Any) -> Callable[[type[T]], type[T]]:
    """Tell attrs the parameters of a class with a constructor of its own, each of which is an attribute, too.

    So ``attrs.fields``, ``evolve`` and ``asdict`` work on the class; attrs adds no method.
    """

    def decorate(cls: Any) -> Any:
        cls._is_case_class = True
        return attrs.define(
            cls, these=fields, init=False, repr=False, eq=False, slots=False, on_setattr=attrs.setters.NO_OP
        )

    return decorate
