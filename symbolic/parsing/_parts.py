"""What stands behind a formula in brackets: an index, or what the formula is composed with."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from layertree import Compose, GetItem, Identity, Item, Layer, Literal, Tape, Tuple, attribute, layer, operand
from layertree.core.dynamic import is_a
from layertree.core.structure import post_order, rebuild, transform
from layertree.namespaces.spec import Inferring
from layertree.sweep.sweep import sweep
from symbolic.parsing import _data
from symbolic.parsing._calls import Arguments, Callee
from symbolic.parsing._operands import OperandError, as_layer

In = TypeVar("In", contravariant=True)
D = TypeVar("D")


@layer
class Part(Layer[In, Tape[Any, Any]], Generic[In, D]):
    """``operand[position]`` until it is known whether the operand is a tuple or an array."""

    operand: Layer[In, Tape[D, D]] = operand()
    position: int = attribute(help="the integer in the brackets")
    place: int = attribute(help="where in the text they are")


def composed(value: Any) -> Callee:
    """A formula as a function: of one argument, or of a tuple of several."""
    outer = as_layer(value)

    def compose(arguments: Arguments) -> Any:
        operands = list(map(as_layer, arguments.positional))
        if arguments.keywords or not operands:
            raise OperandError("a formula is composed with others by position: f(g)")
        return Compose(outer, operands[0] if len(operands) == 1 else Tuple(tuple(operands)))

    return compose


def indexed(value: Any, text: str, place: int) -> Any:
    """A formula at a static index, of which the text between the brackets is given."""
    source = as_layer(value)
    index = _data.index(text)
    if len(index) != 1 or type(index[0]) is not int or "," in text:
        return GetItem(source, index)
    count = _count(source)
    return Part(source, index[0], place) if count is None else Item(source, _position(index[0], count))


def _count(source: Any) -> int | None:
    """How many parts a formula has, if it says so itself."""
    if is_a(source, Tuple):
        return len(source.operands)
    return len(source.data) if is_a(source, Literal) and is_a(source.data, tuple) else None


def _position(position: int, count: int) -> int:
    return position + count if -count <= position < 0 else position


def undecided(root: Any) -> Part[Any, Any] | None:
    """An index of which it is not known yet what it does."""
    return next((node for node in post_order(root) if is_a(node, Part)), None)


def has_input(root: Any) -> bool:
    """Whether a formula uses its input."""
    return any(is_a(node, Identity) for node in post_order(root))


def decided(root: Any, source: Any) -> tuple[Any, Any]:
    """The formula with each index decided by the spec of the input, and the spec of its output."""
    reading = _Deciding()
    spec = sweep(root, source, reading)
    if not reading.found:
        return root, spec

    def change(node: Any, children: tuple[Any, ...]) -> Any:
        kind, argument = reading.found.get(id(node), (None, None))
        return rebuild(node, children) if kind is None else kind(children[0], argument)

    return transform(root, change), spec


class _Deciding(Inferring):
    """The reading whose results are specs, and which remembers of what kind each index is."""

    def __init__(self) -> None:
        self.found: dict[int, tuple[Any, Any]] = {}

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        if not is_a(node, Part):
            return super().apply(node, inputs)
        source = inputs[0]
        decision: tuple[Any, Any] = (GetItem, (node.position,))
        if is_a(source, tuple):
            decision = (Item, _position(node.position, len(source)))
        if self.found.setdefault(id(node), decision) != decision:
            raise OperandError("an index cannot be a part of a tuple in one place, and of an array in another")
        return super().apply(decision[0](node.operand, decision[1]), inputs)
