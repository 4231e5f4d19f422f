"""Frozen classes of named fields: what ``attrs.frozen`` makes, made when it is first used.

A formula touches a few of more than a hundred classes, so a class that is only declared costs next to nothing: its
constructor is written when the first object is made, and attrs, whose functions (``fields``, ``evolve``, ``asdict``)
know these classes, loads when it first asks for their fields.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count, pairwise
from operator import attrgetter
from types import CodeType
from typing import Any, ClassVar, NoReturn, TypeVar, dataclass_transform, overload

__all__ = ["NOTHING", "Field", "declare", "evolve", "field", "picking", "record"]

T = TypeVar("T")


class _Nothing:
    """Stands where a field has no default."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING: Any = _Nothing()


class Field:
    """One field of a class: how it was declared, and from then on its name and its annotation.

    ``converter`` makes the value of what the constructor is given; with ``takes_owner`` it gets the object and this
    field, too.
    """

    __slots__ = ("converter", "default", "eq", "init", "metadata", "name", "repr", "takes_owner", "type")

    def __init__(
        self,
        default: Any = NOTHING,
        converter: Callable[..., Any] | None = None,
        *,
        takes_owner: bool = False,
        metadata: Mapping[str, Any] | None = None,
        init: bool = True,
        repr: bool = True,
        eq: bool = True,
    ) -> None:
        self.name = ""
        self.type: Any = None
        self.default = default
        self.converter = converter
        self.takes_owner = takes_owner
        self.metadata: Mapping[str, Any] = {} if metadata is None else metadata
        self.init = init
        self.repr = repr
        self.eq = eq

    @property
    def parameter(self) -> str:
        """Its name in the constructor."""
        return self.name.lstrip("_")


def field(
    *,
    default: Any = NOTHING,
    converter: Callable[[Any], Any] | None = None,
    init: bool = True,
    repr: bool = True,
    eq: bool = True,
) -> Any:
    """A field that says more than its annotation: ``init``, ``repr`` and ``eq`` tell where it takes part."""
    return Field(default, converter, init=init, repr=repr, eq=eq)


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, eq: bool = True, repr: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: Any = None, /, *, eq: bool = True, repr: bool = True) -> Any:
    """Make a class one of named fields that never change, compared and hashed by them where ``eq`` says so.

    >>> @record
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    >>> Point(1.0), Point(1.0) == Point(1.0, 0.0)
    (Point(x=1.0, y=0.0), True)
    """

    def decorate(cls: Any) -> Any:
        declare(cls)
        own = cls.__dict__
        if eq and "__eq__" not in own:
            cls.__eq__ = _Written(cls, "__eq__", _equality)
            cls.__hash__ = _Written(cls, "__hash__", _hash)
        if repr and "__repr__" not in own:
            cls.__repr__ = _text
        cls.__setattr__ = cls.__delattr__ = _refuse
        return cls

    return decorate if cls is None else decorate(cls)


def evolve(record: T, /, **changes: Any) -> T:
    """A copy with some fields changed."""
    made: Any = record
    given = {field.parameter: getattr(made, field.name) for field in made._fields if field.init}
    return type(made)(**(given | changes))  # type: ignore[no-any-return]  # of the same class


def declare(cls: Any) -> None:
    """Read the fields of a class, its own behind those of its bases, and give it a constructor."""
    cls._fields = _read(cls)
    if "__match_args__" not in cls.__dict__:
        type.__setattr__(cls, "__match_args__", tuple([field.name for field in cls._fields if field.init]))
    cls.__attrs_attrs__ = _AttrsFields()
    cls.__replace__ = evolve  # for copy.replace, which Python has from 3.13 on
    name = "__attrs_init__" if "__init__" in cls.__dict__ else "__init__"
    setattr(cls, name, _Written(cls, name, _constructor))


def _read(cls: Any) -> tuple[Field, ...]:
    found: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        for field in base.__dict__.get("_fields", ()):
            found.pop(field.name, None)  # what a class declares anew stands among its own
            found[field.name] = field
    for field in _own_fields(cls):
        found.pop(field.name, None)
        found[field.name] = field
    fields = tuple(found.values())
    for field, after in pairwise([field for field in fields if field.init]):
        if field.default is not NOTHING and after.default is NOTHING:
            raise ValueError(f"{cls.__name__}.{after.name} has no default, but {field.name} before it has one")
    return fields


def _own_fields(cls: Any) -> list[Field]:
    """The fields in the body of a class, which are taken out of it: where all have annotations, whatever has one."""
    body = dict(cls.__dict__)
    types = {name: kind for name, kind in annotations_of(cls).items() if not _is_of_class(kind)}
    declared = [name for name, value in body.items() if isinstance(value, Field)]
    fields: list[Field] = []
    for name in types if types.keys() >= set(declared) else declared:
        value = body.get(name, NOTHING)
        field = value if isinstance(value, Field) else Field(value)
        field.name, field.type = name, types.get(name)
        fields.append(field)
        if name in body:
            delattr(cls, name)
    return fields


def annotations_of(cls: Any) -> dict[str, Any]:
    """The annotations in the body of a class, which may be text."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, get_annotations

        return get_annotations(cls, format=Format.FORWARDREF)
    return cls.__annotations__  # type: ignore[no-any-return]  # of any class, its own alone


def _is_of_class(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.startswith(("ClassVar", "typing.ClassVar"))
    return getattr(annotation, "__origin__", annotation) is ClassVar


class _Written:
    """A method of a class that is written when it is first asked for."""

    __slots__ = ("_cls", "_name", "_write")

    def __init__(self, cls: Any, name: str, write: Callable[[Any], tuple[str, dict[str, Any]]]) -> None:
        self._cls = cls
        self._name = name
        self._write = write

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        cls, name = self._cls, self._name
        text, names = self._write(cls)
        exec(_compiled(f"def {name}{text}"), names)
        made = names[name]
        made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
        setattr(cls, name, made)
        return made if instance is None else made.__get__(instance)


_numbers = count(1)


@cache
def _compiled(text: str) -> CodeType:
    """A method as code. Classes of like fields share it, as most of those with one operand do, or with two."""
    place = f"<{text.partition(':')[0]}, {next(_numbers)}>"
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)  # for tracebacks
    return compile(text, place, "exec")


def _constructor(cls: Any) -> tuple[str, dict[str, Any]]:
    """The text of a constructor from its parameters on, and what the names in it mean."""
    # Names have underscores, which no parameter starts with. A ``__dict__`` that nobody asks for makes reading faster.
    names: dict[str, Any] = {"_set": object.__setattr__}
    parameters, lines = ["self"], ["self.__attrs_pre_init__()"] if hasattr(cls, "__attrs_pre_init__") else []
    for i, field in enumerate(cls._fields):
        has_default = field.default is not NOTHING
        value = field.parameter if field.init else f"_default{i}"
        if has_default:
            names[f"_default{i}"] = field.default
        if field.init:
            parameters.append(f"{value}=_default{i}" if has_default else value)
        elif not has_default:
            continue
        if field.converter is not None:
            names[f"_convert{i}"], names[f"_field{i}"] = field.converter, field
            value = f"_convert{i}({value}, self, _field{i})" if field.takes_owner else f"_convert{i}({value})"
        lines.append(f"_set(self, {field.name!r}, {value})")
    if hasattr(cls, "__attrs_post_init__"):
        lines.append("self.__attrs_post_init__()")
    return f"({', '.join(parameters)}):\n    " + "\n    ".join(lines or ["pass"]) + "\n", names


def _equality(cls: Any) -> tuple[str, dict[str, Any]]:
    same = [f"self.{field.name} == other.{field.name}" for field in cls._fields if field.eq]
    return (
        "(self, other):\n"
        "    if other.__class__ is not self.__class__:\n"
        "        return NotImplemented\n"
        f"    return {' and '.join(same) or True}\n"
    ), {}


def _hash(cls: Any) -> tuple[str, dict[str, Any]]:
    parts = [f"self.{field.name}, " for field in cls._fields if field.eq]
    return f"(self):\n    return hash((self.__class__, {''.join(parts)}))\n", {}


class _AttrsFields:
    """What attrs knows a class's fields by, made when it first asks."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        import attrs

        described = {field.name: _as_attrs(field) for field in owner._fields}
        found = attrs.fields(attrs.make_class(owner.__name__, described))
        owner.__attrs_attrs__ = found
        return found


def _as_attrs(field: Field) -> Any:
    import attrs

    convert: Any = field.converter

    def of_owner(value: Any, owner: Any) -> Any:
        return convert(value, owner, field)

    make: Callable[..., Any] = attrs.field
    return make(
        default=attrs.NOTHING if field.default is NOTHING else field.default,
        converter=attrs.Converter(of_owner, takes_self=True) if field.takes_owner else convert,
        metadata=field.metadata,
        type=field.type,
        init=field.init,
        repr=field.repr,
        eq=field.eq,
    )


def picking(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The function that takes the values of some attributes."""
    if not names:
        return _nothing
    take = attrgetter(*names)
    if len(names) > 1:
        return take
    return lambda node: (take(node),)


def _nothing(node: Any) -> tuple[Any, ...]:
    return ()


def _text(self: Any) -> str:
    parts = [f"{field.name}={getattr(self, field.name)!r}" for field in self._fields if field.repr]
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(parts)})"


def _refuse(self: Any, name: str, *_: Any) -> NoReturn:
    from attrs.exceptions import FrozenInstanceError  # attrs loads with it

    raise FrozenInstanceError
