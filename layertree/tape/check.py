"""check_gradient: the rules of a formula against central differences, node by node.

Each node is checked by itself, at the values it had in a run: its ``compute`` moved in one element of one operand,
against its ``gradient`` for a random delta. So a mistake is found where it is, and nothing is blamed for another's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from layertree.core import deltas as _deltas
from layertree.core.brief import brief_formula, counted
from layertree.core.data import describe, described, is_differentiable, with_article
from layertree.core.diagnostics import written_at
from layertree.core.dynamic import is_a
from layertree.core.errors import GradientError
from layertree.core.nested import Path, at_path, mapped, nested, paths
from layertree.tape.run import Taping, forward
from layertree.tape.tapes import Constant, Input

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


__all__ = ["GradientCheck", "check_gradient"]

_WEIGHTS = {
    2: (1 / 2,),
    4: (2 / 3, -1 / 12),
    8: (4 / 5, -1 / 5, 4 / 105, -1 / 280),
}
"""Of f(x + k h) - f(x - k h) for k = 1, 2, ..., by the order of the error (Fornberg, 1988)."""

_SMALLEST = 1e-2  # below this, steps no longer shrink with the element that is moved
_FLOAT64 = float(np.finfo(np.float64).eps)


class GradientCheck(NamedTuple):
    """What a check found: the largest error, relative to 1 + the derivative, and how many nodes it looked at."""

    largest_error: float
    nodes: int


def check_gradient(
    layer: AnyLayer, input: Any = None, *, order: int = 4, step: float | None = None, tolerance: float = 1e-6
) -> GradientCheck:
    """Check the rule of every node of a formula, at the values it has for some input, against central differences.

    ``order`` is that of the differences' error: 2, 4 or 8. ``step`` is how far an element of 1 or above is moved,
    smaller ones by less; the default balances truncation and rounding. ``tolerance`` is relative to 1 + the
    derivative. Each element of each operand is moved, in float64, so give a small input; at a kink, or outside of a
    domain, rules and differences disagree by right, so give another one.

    Raises GradientError, which names the node, the operand and the element, and where there is nothing to check;
    ValueError for another order; DTypeError for an input without a float part.

    >>> from layertree import Identity, Sin, Times
    >>> check_gradient(Times(Sin(Identity()), Identity()), 1.5).nodes
    2
    """
    if order not in _WEIGHTS:
        raise ValueError(f"order = {order!r} is not allowed: give 2, 4 or 8")
    root = layer.__layer__()
    reading = Taping(root)
    largest, count = 0.0, 0
    with forward(layer, input if input is None else Input(input)) as tape, np.errstate(all="ignore"):
        if not tape.is_trainable:
            raise GradientError(
                f"nothing was checked: no delta goes from the output of {brief_formula(root)} to the input or to a "
                "weight; a layer with differentiable=False lets none through"
            )
        for one in _operations(tape):
            checked = _Node(reading, one, _WEIGHTS[order], step)
            checked.check_kinds()
            largest = max(largest, checked.check_values(tolerance))
            count += 1
    return GradientCheck(largest, count)


def _operations(tape: Any) -> Iterator[Any]:
    """The trainable tapes of operations below and including a tape, each once, from the input on."""
    found: dict[int, Any] = {}
    stack = [tape]
    while stack:
        one = stack.pop()
        if one.is_trainable and one.serial not in found:
            found[one.serial] = one
            stack.extend(one.upstream)
    for serial in sorted(found):
        layer = getattr(found[serial], "layer", None)
        if layer is not None and layer.__control__ is None:
            yield found[serial]


class _Node:
    """One node with what it computed."""

    def __init__(self, reading: Taping, tape: Any, weights: tuple[float, ...], step: float | None) -> None:
        self.reading = reading
        self.tape = tape
        self.layer = tape.layer
        self.weights = weights
        self.trainable = [upstream.is_trainable for upstream in tape.upstream]
        self.values = [mapped(_widened, upstream.value) for upstream in tape.upstream]
        self.wide = self.run(self.values)
        self.delta = _random_delta(self.wide.value)
        # A node that computes in less than float64, such as a cast, is moved further and held to less.
        self.precision = max(float(np.finfo(leaf.dtype).eps) for _, leaf in _float_leaves(self.wide.value))
        self.step = step if step is not None else self.precision ** (1 / (2 * len(weights) + 1))

    def run(self, values: list[Any]) -> Any:
        """The tape of the node alone, over some values of its operands."""
        inputs: list[Any] = [
            Input(value) if trainable else Constant(value)
            for value, trainable in zip(values, self.trainable, strict=True)
        ]
        return self.reading.apply(self.layer, inputs)

    def deltas(self, tape: Any, delta: Any) -> list[Any]:
        """The delta of each operand by the node's rule; None where it is not asked for, or has none."""
        pullbacks = tuple(tape.pullbacks(_deltas.seed(tape.value, delta)))
        if len(pullbacks) != len(self.trainable):
            raise self.error(
                f"its rule gives {counted(len(pullbacks), 'delta')} for {counted(len(self.trainable), 'operand')}"
            )
        return [
            pullback() if pullback is not None and trainable else None
            for pullback, trainable in zip(pullbacks, self.trainable, strict=True)
        ]

    def check_kinds(self) -> None:
        """Each delta has the shape and dtype of its operand."""
        deltas = self.deltas(self.tape, _random_delta(self.tape.value))
        for position, (delta, upstream) in enumerate(zip(deltas, self.tape.upstream, strict=True)):
            for path, _ in _float_leaves(upstream.value):
                part = at_path(delta, path)
                kind = describe(at_path(upstream.value, path))
                if part is not None and describe(part) != kind:
                    raise self.error(
                        f"the delta of {self.place(position, path)} is {described(part)}, "
                        f"but the operand is {with_article(kind)}"
                    )

    def check_values(self, tolerance: float) -> float:
        """Each delta is what differences say; the largest error."""
        allowed = tolerance * (self.precision / _FLOAT64) ** 0.5
        largest = 0.0
        deltas = self.deltas(self.wide, self.delta)
        for position in [i for i, trainable in enumerate(self.trainable) if trainable]:
            for path, leaf in _float_leaves(self.values[position]):
                part = at_path(deltas[position], path)
                given = np.zeros(leaf.shape) if part is None else np.asarray(part)
                for element in np.ndindex(leaf.shape):
                    expected = self.quotient(position, path, element, float(leaf[element]))
                    error = abs(float(given[element]) - expected) / (1.0 + abs(expected))
                    if not error <= allowed:
                        raise self.error(
                            f"the delta of {self.place(position, path, element)} is {float(given[element])!r}, "
                            f"but central differences of order {2 * len(self.weights)} give {expected!r}"
                        )
                    largest = max(largest, error)
        return largest

    def quotient(self, position: int, path: Path, element: Path, at: float) -> float:
        """The derivative of <delta, value> for one element of one operand."""
        scaled = self.step * min(max(abs(at), _SMALLEST), 1.0)
        step = 2.0 ** round(math.log2(scaled))  # a power of two, so that moving by it does not round
        total = 0.0
        for reach, weight in enumerate(self.weights, 1):
            up, down = (self.moved(position, path, element, sign * reach * step) for sign in (1.0, -1.0))
            for place, ahead in _float_leaves(up):
                change = np.subtract(ahead, at_path(down, place), dtype=np.float64)
                total += weight * float(np.sum(np.asarray(at_path(self.delta, place), np.float64) * change))
        return total / step

    def moved(self, position: int, path: Path, element: Path, amount: float) -> Any:
        """The value with one element of one operand moved."""
        values = list(self.values)
        values[position] = _moved(values[position], path, element, amount)
        return self.run(values).value

    def place(self, position: int, path: Path, element: Path = ()) -> str:
        """Which operand, which part of it, which element, as an expression."""
        indices = [f"[{i}]" for i in path] + ([f"[{', '.join(map(str, element))}]"] if element else [])
        return _operand_names(self.layer)[position] + "".join(indices)

    def error(self, reason: str) -> GradientError:
        """The error that names the node."""
        return GradientError(f"{brief_formula(self.layer)}: {reason}{written_at(self.layer)}")


def _operand_names(layer: AnyLayer) -> list[str]:
    """The field of each operand; one of several in a field by its position."""
    layout = layer.__layout__
    names: list[str] = []
    for name in layout.names:
        if name in layout.operands:
            names.append(name)
        elif name in layout.variadic:
            names.extend(f"{name}[{i}]" for i in range(len(getattr(layer, name))))
    return names


def _float_leaves(data: Any) -> list[tuple[Path, Any]]:
    """The float parts of some data as arrays, with their positions in its tuples."""
    return [(path, np.asarray(part)) for path, part in paths(data) if is_differentiable(part)]


def _widened(part: Any) -> Any:
    """A float array in float64; anything else as it is."""
    if is_a(part, (np.ndarray, np.generic)) and is_differentiable(part):
        return part.astype(np.float64)
    return part


def _moved(data: Any, path: Path, element: Path, amount: float) -> Any:
    """Data with one element of one part moved."""
    return nested(data, [_shifted(part, element, amount) if way == path else part for way, part in paths(data)])


def _shifted(part: Any, element: Path, amount: float) -> Any:
    if not is_a(part, np.ndarray):
        return part + amount
    copy = part.copy()
    copy[element] += amount
    return copy


def _random_delta(value: Any) -> Any:
    """The same random delta each time, in the kind of a value; no element is small."""
    generator = np.random.default_rng(0)

    def drawn(part: Any) -> Any:
        if not is_differentiable(part):
            return None
        numbers = generator.uniform(0.5, 1.5, np.shape(part)) * generator.choice((-1.0, 1.0), np.shape(part))
        return numbers if is_a(part, np.ndarray) else float(numbers)

    return mapped(drawn, value)
