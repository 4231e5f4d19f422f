"""Brackets after a formula: an index, or the formulas that it is composed with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from layertree import Compose, GetItem, Identity, Item, Layer, Literal, Power, Tape, Tuple, attribute, layer, operand
from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.spec import WEAK
from layertree.core.structure import own_children, post_order, rebuild, transform
from layertree.namespaces.spec import Inferring
from layertree.sweep.sweep import sweep
from symbolic.building.powers import exponent_of
from symbolic.parsing import _data
from symbolic.parsing._calls import Arguments, Callee
from symbolic.parsing._operands import OperandError, as_layer

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Spec

    Decision: TypeAlias = tuple[Callable[[AnyLayer, Any], AnyLayer], object]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")


@layer
class Part(Layer[In, Tape[Any, Any]], Generic[In, D]):
    """``operand[position]`` of an operand that may be a tuple or an array."""

    operand: Layer[In, Tape[D, D]] = operand()
    position: int = attribute(help="the integer in the brackets")
    place: int = attribute(help="the position of the brackets in the text")


def composed(value: object) -> Callee:
    """A formula as a function of one argument, or of a tuple of several."""
    outer = as_layer(value)

    def compose(arguments: Arguments) -> AnyLayer:
        operands = list(map(as_layer, arguments.positional))
        if arguments.keywords or not operands:
            raise OperandError("a formula is composed with others by position: f(g)")
        return Compose(outer, operands[0] if len(operands) == 1 else Tuple(tuple(operands)))

    return compose


def indexed(value: object, text: str, place: int) -> AnyLayer:
    """A formula at a static index, whose text is that between the brackets."""
    source = as_layer(value)
    index = _data.index(text)
    if len(index) != 1 or type(index[0]) is not int or "," in text:
        return GetItem(source, index)
    count = _count(source)
    return Part(source, index[0], place) if count is None else Item(source, _position(index[0], count))


def _count(source: Any) -> int | None:
    """The number of parts of a tuple layer or a tuple constant; None for any other layer."""
    if is_a(source, Tuple):
        return len(source.operands)
    return len(source.data) if is_a(source, Literal) and is_a(source.data, tuple) else None


def _position(position: int, count: int) -> int:
    return position + count if -count <= position < 0 else position


def undecided(root: AnyLayer) -> Part[Any, Any] | None:
    """An index of an operand that may be a tuple or an array, if there is one."""
    return next((node for node in post_order(root) if is_a(node, Part)), None)


def has_input(root: AnyLayer) -> bool:
    """Whether a formula uses its input. The outer part of a composition has an input of its own."""
    return any(is_a(node, Identity) for node in post_order(root, own_children))


def decided(root: AnyLayer, source: Spec | None) -> tuple[AnyLayer, Spec]:
    """The formula with each Part as an Item or a GetItem, by the spec of the input; and the spec of its output.

    Raises DTypeError, as the operators do, for an operation that the specs rule out.
    """
    reading = _Deciding()
    given: Any = source  # None for a formula that does not use its input
    spec: Spec = sweep(root, given, reading)
    if not reading.found:
        return root, spec

    def change(node: AnyLayer, children: tuple[AnyLayer, ...]) -> AnyLayer:
        decision = reading.found.get(id(node))
        if decision is None:
            rebuilt: AnyLayer = rebuild(node, children)
            return rebuilt
        build, argument = decision
        return build(children[0], argument)

    return transform(root, change), spec


def _decision(position: int, source: Spec) -> Decision:
    """The class of an index into an operand of a spec, and its argument."""
    if isinstance(source, tuple):
        return Item, _position(position, len(source))
    return GetItem, (position,)


class _Deciding(Inferring):
    """The inference of specs, which records for each Part whether its operand is a tuple or an array.

    It also records the powers of Python integers whose exponent becomes a float.
    """

    def __init__(self) -> None:
        self.found: dict[int, Decision] = {}

    def apply(self, node: Any, inputs: list[Spec]) -> Any:
        if is_a(node, Power):
            return self._power(node, inputs)
        if not is_a(node, Part):
            return super().apply(node, inputs)
        decision = _decision(node.position, inputs[0])
        if self.found.setdefault(id(node), decision) != decision:
            raise OperandError("an index cannot be a part of a tuple in one place, and of an array in another")
        build, argument = decision
        return super().apply(build(node.operand, argument), inputs)

    def _power(self, node: Power[Any, Any], inputs: list[Spec]) -> Any:
        """A power of a Python integer with a negative constant exponent has that exponent as a float."""
        exponent = exponent_of(inputs[0], node.operand2, brief_formula(node.operand1))
        if exponent is node.operand2:
            return super().apply(node, inputs)
        self.found[id(node)] = Power, exponent
        return super().apply(Power(node.operand1, exponent), [inputs[0], WEAK[float]])
