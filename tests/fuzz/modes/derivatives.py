"""Inferred specs, derivatives as formulas, and differences: what the tape's values and deltas are held against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree import StopGradient, nodes
from layertree.core.spec import spec_of
from layertree.namespaces.spec import infer_spec
from layertree.sweep.sweep import sweep
from layertree.tape.run import Evaluating
from tests.fuzz.agreement import Pair
from tests.fuzz.code import SPEC, code_of, data_of, name_of, slope_code, tape_code, zeros_like
from tests.fuzz.noise import noisy
from tests.fuzz.program import Program
from tests.layers.checks import inner, leaves, mapped
from tests.layers.sample import is_float


def spec(program: Program) -> Iterator[Pair]:
    """The inferred spec against that of the value."""
    wanted, given = spec_of(program.value), infer_spec(program.layer, program.spec)
    code = SPEC + "from layertree.namespaces.spec import infer_spec\n"
    code += "wanted, given = spec_of(formula.forward(data).value), infer_spec(formula, spec_of(data))\n"
    yield Pair(f"the inferred spec, {given!r}, and that of the value, {wanted!r}", True, wanted == given, code)


def tree(program: Program) -> Iterator[Pair]:
    """The derivatives as formulas against the tape's deltas."""
    deltas, data = program.deltas, program.data
    for key, layer in program.trees.items():
        code = tape_code(program, key) + slope_code(program, key, "slope") + "given = slope.forward(data).value\n"
        wanted = deltas[key] if key in deltas else zeros_like(data_of(program, key))

        def run(seed: int, layer: Any = layer) -> Any:
            return noisy(layer, data, seed)

        given = layer.forward(data).value
        yield Pair(f"the derivative by {name_of(program, key)}", wanted, given, code, run=run, of="delta")
    for key in deltas:
        code = slope_code(program, key, "slope") + "wanted = given = None\n"
        what = f"whether there is a derivative by {name_of(program, key)}"
        yield Pair(what, True, key in program.trees, code)


def differences(program: Program) -> Iterator[Pair]:
    """The deltas along a random direction against central differences, where the program is smooth."""
    if (
        not program.is_tame
        or not program.has_delta
        or any(isinstance(node, StopGradient) for node in nodes(program.layer))
    ):
        return
    line = Line(program)
    found = line.slope() if line.is_double and line.is_inside() else None
    if found is None:
        return
    slope, error = found
    given = line.slope_by_deltas()
    if not np.isfinite(given):  # the slope of a root at 0, which differences do not find
        return
    agree = abs(given - slope) <= error + 1e-6 * (abs(slope) + line.scale)
    code = f"t = 1e-4\n{line.code()}wanted = (at(t) - at(-t)) / (2 * t)\ngiven = slope\n"
    yield Pair(f"the slope along a direction by differences, {slope!r}, by deltas {given!r}", True, bool(agree), code)


class Line:
    """A program along a line through its data and weights: a function of one number."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.generator = program.random(4)
        self.direction = mapped(program.data, self._draw)
        self.of_weights = [self._draw(weight.value) for weight in program.weights]
        given = [*leaves(program.data), *[weight.value for weight in program.weights]]
        self.is_double = all(np.asarray(leaf).dtype == np.float64 for leaf in given if is_float(leaf))
        self.start = self._at(0.0)
        self.scale = max([1e-3, *[float(np.max(np.abs(leaf), initial=0.0)) for leaf in leaves(self.start)]])

    def _draw(self, leaf: Any) -> Any:
        if not is_float(leaf):
            return None
        drawn = self.generator.uniform(-1.0, 1.0, np.shape(leaf))
        return drawn[()] if isinstance(leaf, (np.ndarray, np.generic)) else float(drawn)

    def _at(self, amount: float) -> Any:
        """The value at a point of the line."""
        moved = [weight.value + amount * way for weight, way in zip(self.program.weights, self.of_weights, strict=True)]
        reading = Moved(self.program, moved)
        with np.errstate(all="ignore"):
            value = sweep(self.program.layer, along(self.program.data, self.direction, amount), reading)
        self.is_double = self.is_double and reading.is_double
        return value

    def is_inside(self) -> bool:
        """Whether rounding errors leave the value finite: at the end of a domain they do not."""
        runs = [noisy(self.program.layer, self.program.data, seed) for seed in range(4)]
        return all(np.isfinite(leaf).all() for run in runs for leaf in leaves(run) if is_float(leaf))

    def _product(self, amount: float) -> float:
        """The product of the delta with the change of the value from the start."""
        parts = zip(leaves(self._at(amount)), leaves(self.start), strict=True)
        return inner(self.program.delta, tuple([a - b if is_float(a) else 0.0 for a, b in parts]))

    def slope(self) -> tuple[float, float] | None:
        """The derivative by differences of order 4, and how far it may be off; None next to a kink or a pole."""
        found = []
        for reach in (1e-3, 5e-4):
            near, far = [self._product(reach * i) - self._product(-reach * i) for i in (1, 2)]
            found.append((8 * near - far) / (12 * reach))
            sides = self._product(reach) + self._product(-reach)
            if not np.isfinite(sides) or abs(sides) > 0.05 * reach * (abs(found[-1]) + self.scale):
                return None
        error = abs(found[0] - found[1])
        return None if not error <= 1e-5 * (abs(found[1]) + self.scale) else (found[1], 4 * error)

    def slope_by_deltas(self) -> float:
        """The derivative by the tape's deltas."""
        total = 0.0
        for key, delta in self.program.deltas.items():
            total += float(np.sum(np.multiply(delta, self._way(key))))
        return total

    def _way(self, key: Any) -> Any:
        if key in self.program.weights:
            return self.of_weights[self.program.weights.index(key)]
        return self.direction[key] if isinstance(self.program.data, tuple) else self.direction

    def code(self) -> str:
        """The code of ``at``, the product of the delta with the value along the line, and of the slope by deltas."""
        lines = [
            f"way, ways = {code_of(filled(self.direction))}, {code_of(tuple(self.of_weights))}",
            "weights, starts = parameters(formula), [weight.value for weight in parameters(formula)]",
            "def moved(data, way, t):",
            "    return tuple(moved(*pair, t) for pair in zip(data, way)) if isinstance(data, tuple) else (",
            "        data if np.asarray(data).dtype.kind != 'f' else data + t * way)",
            "def product(a, b):",
            "    return sum(map(product, a, b)) if isinstance(a, tuple) else 0.0 if a is None else np.sum(a * b)",
            "def at(t):",
            "    for weight, start, one in zip(weights, starts, ways):",
            "        weight.set(start + t * one)",
            "    return product(delta, formula.forward(moved(data, way, t)).value)",
            "at(0.0)",
        ]
        slopes = [
            tape_code(self.program, key, "one") + f"slope += np.sum(one * {self._way_code(key)})"
            for key in self.program.deltas
        ]
        return "\n".join([*lines, "slope = 0.0", *slopes]) + "\n"

    def _way_code(self, key: Any) -> str:
        if key in self.program.weights:
            return f"ways[{self.program.weights.index(key)}]"
        return f"way[{key}]" if isinstance(self.program.data, tuple) else "way"


class Moved(Evaluating):
    """The evaluating reading with other values of the weights; it notes results of less than double precision."""

    def __init__(self, program: Program, values: list[Any]) -> None:
        super().__init__(program.layer)
        self.values = {weight.cell: value for weight, value in zip(program.weights, values, strict=True)}
        self.is_double = True

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        value = super().apply(node, inputs)
        of_floats = [leaf for one in (value, *inputs) for leaf in leaves(one) if is_float(leaf)]
        self.is_double = self.is_double and all(np.asarray(leaf).dtype == np.float64 for leaf in of_floats)
        return value

    def cell(self, node: Any, context: object) -> Any:
        return self.values[node.cell] if node.cell in self.values else super().cell(node, context)


def along(data: Any, direction: Any, amount: float) -> Any:
    """Data moved in a direction; integers and booleans stay."""
    if isinstance(data, tuple):
        return tuple([along(*pair, amount) for pair in zip(data, direction, strict=True)])
    return data if direction is None else data + amount * direction


def filled(direction: Any) -> Any:
    """A direction with 0 where data do not move."""
    if isinstance(direction, tuple):
        return tuple(map(filled, direction))
    return 0.0 if direction is None else direction
