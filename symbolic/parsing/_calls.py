"""The functions that a text may call: they build layers, data, specs and update rules, and do nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

import attrs
import numpy as np

import layertree
from layertree import Layer, Literal, Negative
from layertree.core.brief import function_name
from layertree.core.dynamic import is_a
from layertree.core.spec import ArraySpec, as_spec
from layertree.layers import families
from layertree.text.names import shown_class, shown_function
from layertree.updates import optimizers, schedules
from symbolic.parsing import _data
from symbolic.parsing._error import nearest
from symbolic.parsing._operands import OperandError, as_layer, as_layers, as_plain

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Spec

Operation: TypeAlias = Callable[..., object]
"""The function of an operator, from the values of its operands."""


class Arguments(NamedTuple):
    """The arguments of a call."""

    positional: list[object]
    keywords: Mapping[str, object]

    def by_name(self, names: tuple[str, ...], what: str) -> dict[str, Any]:
        """The arguments by the names of the parameters. Raises OperandError for arguments that do not fit."""
        if len(self.positional) > len(names):
            raise OperandError(f"{what} takes {len(names)} arguments, not {len(self.positional)}: {', '.join(names)}")
        found = dict(zip(names, self.positional, strict=False))
        for name, value in self.keywords.items():
            if name not in names:
                advice = nearest(name, names) or f": it takes {', '.join(names)}"
                raise OperandError(f"{what} has no {name!r}{advice}", name)
            if name in found:
                raise OperandError(f"{what} is given {name!r} twice", name)
            found[name] = value
        return found


Callee: TypeAlias = Callable[[Arguments], object]
"""A function that a text may call."""


@attrs.frozen
class Elements:
    """The elements of an array as they are written, and its shape."""

    shape: tuple[int, ...]
    texts: list[str]


@attrs.frozen
class Input:
    """The value of ``placeholder(spec)``: the input, with its spec."""

    spec: Spec


class LayerClass:
    """A layer class as the function that builds its layers."""

    def __init__(self, cls: Any, objects: Mapping[str, object]) -> None:
        layout = cls.__layout__
        self.cls = cls
        self.names: tuple[str, ...] = layout.names
        self.required = [field.name for field in attrs.fields(cls) if field.default is attrs.NOTHING]
        kinds: list[tuple[tuple[str, ...], Callable[[object], object]]] = [
            ((*layout.operands, *layout.regions), as_layer),
            (layout.variadic, as_layers),
            (layout.attributes, as_plain),
            (layout.identities, lambda value: _object(value, objects)),
        ]
        self.conversions = {name: convert for names, convert in kinds for name in names}

    def __call__(self, arguments: Arguments) -> AnyLayer:
        given = arguments.by_name(self.names, self.cls.__name__)
        missing = [name for name in self.required if name not in given]
        if missing:
            raise OperandError(f"{self.cls.__name__} takes {', '.join(self.names)}: {missing[0]} is missing")
        made: AnyLayer = self.cls(**{name: self.conversions[name](value) for name, value in given.items()})
        return made


def _object(value: object, objects: Mapping[str, object]) -> object:
    """The object of the user that a string names; any other value as an attribute."""
    if isinstance(value, str):
        if value not in objects:
            raise OperandError(f"{value!r} names an object of yours: hand it to parse(..., known=[...])")
        return objects[value]
    plain: object = as_plain(value)
    return plain


def rule(cls: Callable[..., object]) -> Callee:
    """An update rule of this class, from plain arguments and other rules."""

    def build(arguments: Arguments) -> object:
        return cls(*map(as_plain, arguments.positional), **{k: as_plain(v) for k, v in arguments.keywords.items()})

    return build


def _literal(arguments: Arguments) -> AnyLayer:
    value = arguments.by_name(("data",), "Literal").get("data")
    return Literal(None) if value is None else as_layer(value)


def _free(arguments: Arguments) -> NoReturn:
    raise OperandError("a free variable is equal to itself alone, and cannot be read from a text")


def _float(arguments: Arguments) -> float:
    return _data.python_float(arguments.by_name(("value",), "float").get("value"))


def _scalar(kind: type[np.generic]) -> Callee:
    def build(arguments: Arguments) -> object:
        return _data.scalar(kind, arguments.by_name(("value",), kind.__name__).get("value"))

    return build


def _array(arguments: Arguments) -> np.ndarray[Any, Any]:
    given = arguments.by_name(("elements", "dtype"), "array")
    elements: Elements = given["elements"]
    dtype = _dtype(given["dtype"]) if "dtype" in given else None
    made: np.ndarray[Any, Any] = _data.array(elements.shape, elements.texts, dtype)
    return made


def _empty(arguments: Arguments) -> np.ndarray[Any, Any]:
    given = arguments.by_name(("shape", "dtype"), "empty")
    shape: Any = given.get("shape")
    if not is_a(shape, tuple) or not all(type(size) is int and 0 <= size < 2**40 for size in shape) or 0 not in shape:
        raise OperandError("empty takes the shape of an array without elements, such as (0, 3)")
    return np.empty(shape, _dtype(given.get("dtype", "float64")))


def _dtype(value: Any) -> np.dtype[Any]:
    """The dtype that a text names. Raises OperandError unless it is one of real numbers."""
    try:
        dtype: np.dtype[Any] = np.dtype(value)
    except TypeError:
        dtype = np.dtype(object)
    if dtype.kind not in "biuf":
        raise OperandError(f"a dtype of real numbers is wanted here{nearest(str(value), _data.DTYPES)}")
    return dtype


def _placeholder(arguments: Arguments) -> Input:
    return Input(as_spec(as_plain(arguments.by_name(("spec",), "placeholder").get("spec"))))


def _array_spec(arguments: Arguments) -> ArraySpec[Any]:
    given = arguments.by_name(("shape", "dtype"), "ArraySpec")
    shape = as_plain(given.get("shape"))
    dims = shape if is_a(shape, tuple) else (shape,)
    if not all(dim is None or (is_a(dim, (int, str)) and not is_a(dim, bool)) for dim in dims):
        raise OperandError("a shape is a tuple of sizes, of names, and of None where nothing is known")
    return ArraySpec(dims, _dtype(given.get("dtype", "float64")))


@cache
def catalogue() -> dict[str, Callee]:
    """The functions that every text may call, except those of weights: by the name of the class and of the function."""
    core = [layertree.Compose, *[getattr(family, name) for family in families() for name in family.__all__]]
    found: dict[str, Callee] = {}
    for cls in core:
        found[cls.__name__] = found[function_name(cls)] = LayerClass(cls, {})
    rules = {name: getattr(module, name) for module in (optimizers, schedules) for name in module.__all__}
    found |= {name: rule(cls) for name, cls in rules.items() if attrs.has(cls)}
    found |= {name: _scalar(kind) for name, kind in _data.SCALARS.items()}
    found |= {"Literal": _literal, "literal": _literal, "Free": _free, "float": _float}
    return found | {"array": _array, "empty": _empty, "placeholder": _placeholder, "ArraySpec": _array_spec}


def of_user(thing: Any, objects: Mapping[str, object]) -> dict[str, Callee]:
    """The functions that a class of the user adds: a layer class, an update rule, or a schedule."""
    if not is_a(thing, type):
        return {}
    if issubclass(thing, Layer):
        return dict.fromkeys((shown_class(thing), shown_function(thing)), LayerClass(thing, objects))
    is_rule = callable(getattr(thing, "update", None)) or issubclass(thing, schedules.Schedule)
    return {thing.__name__: rule(thing)} if is_rule else {}


@cache
def signs() -> dict[tuple[str, int], Operation]:
    """The functions of the operators, by the sign and the number of operands."""
    classes = [getattr(family, name) for family in families() for name in family.__all__]
    found = {(cls.__operator__, len(cls.__layout__.operands)): _operation(cls) for cls in classes if cls.__operator__}
    return found | {("-", 1): _negative, ("+", 1): _positive}


def _operation(cls: type[AnyLayer]) -> Operation:
    def build(*operands: object) -> object:
        return cls(*map(as_layer, operands))

    return build


def _negative(value: Any) -> object:
    """The negative of a number as a number, that of a formula as a layer."""
    return -value if type(value) in (int, float) else Negative(as_layer(value))


def _positive(value: object) -> object:
    """The operand itself: ``+x`` is ``x``. Raises OperandError for a value that is no operand."""
    return value if type(value) in (int, float) else as_layer(value)
