"""Rewritten formulas: simplified, and over stacks of examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from layertree import nodes
from layertree import simplify as simplified
from layertree.core.spec import ArraySpec, spec_of
from layertree.rewrite.batch import batch
from tests.fuzz.agreement import Pair
from tests.fuzz.code import DERIVATIVES, SPEC, code_of, name_of, slope_code
from tests.fuzz.noise import noisy
from tests.fuzz.program import Program
from tests.layers.sample import is_float


def readings(program: Program) -> Iterator[tuple[str, str, Any]]:
    """The formula and its derivatives, each with what it is called and the code that assigns it to ``one``."""
    yield "value", "one = formula\n", program.layer
    for key, layer in program.trees.items():
        yield f"derivative by {name_of(program, key)}", slope_code(program, key, "one"), layer


def _kind(program: Program, layer: Any) -> str:
    """What the value of a reading is, for a pair."""
    return "value" if layer is program.layer else "delta"


def simplify(program: Program) -> Iterator[Pair]:
    """The simplified formula and its simplified derivatives against what they were."""
    data = program.data
    for what, made, layer in readings(program):
        code = f"{SPEC}{made}wanted = one.forward(data).value\n"
        code += "given = simplify(one, spec_of(data)).forward(data).value\n"

        def run(seed: int, layer: Any = layer) -> Any:
            return noisy(layer, data, seed)

        wanted, given = (one.forward(data).value for one in (layer, simplified(layer, program.spec)))
        yield Pair(f"the simplified {what}", wanted, given, code, is_signed=True, run=run, of=_kind(program, layer))


def vmap(program: Program) -> Iterator[Pair]:
    """The formula over a stack of examples, and its derivatives, against a loop.

    Signs of zeros are left out: NumPy's power of -0.0 to 0.5 has one sign for a scalar exponent and one for an array.
    """
    if any(node.__has_effect__ for node in nodes(program.layer)):
        return  # each example draws its own numbers, and statistics are those of a batch
    stack = Stack(program)
    for what, made, layer in readings(program):
        wanted, given = stacked([layer.forward(one).value for one in stack.ones]), stack.value(layer)

        def run(seed: int, layer: Any = layer) -> Any:
            return stacked([noisy(layer, one, seed) for one in stack.ones])

        yield Pair(f"the {what} over a stack", wanted, given, made + stack.code(), run=run, of=_kind(program, layer))


class Stack:
    """Three examples of a program's data, alone and stacked; some parts of a tuple are shared by all of them."""

    def __init__(self, program: Program) -> None:
        generator = program.random(2)
        self.is_tuple = isinstance(program.data, tuple)
        self.example = program.data
        self.size = 3 if generator.random() < 0.5 else None
        parts = program.data if self.is_tuple else (program.data,)
        first = int(generator.integers(len(parts)))
        axes = [0 if i == first or generator.random() < 0.5 else None for i in range(len(parts))]
        columns = [examples(part) if axis == 0 else [part] * 3 for part, axis in zip(parts, axes, strict=True)]
        whole = [np.stack(column) if axis == 0 else column[0] for column, axis in zip(columns, axes, strict=True)]
        specs = [self._spec(spec_of(one), axis) for one, axis in zip(whole, axes, strict=True)]
        self.ones: list[Any] = list(zip(*columns, strict=True)) if self.is_tuple else columns[0]
        self.whole, self.axes, self.spec = map(self._packed, (whole, axes, specs))

    def _spec(self, spec: Any, axis: int | None) -> Any:
        return spec if axis is None else ArraySpec((self.size, *spec.shape[1:]), spec.dtype)

    def _packed(self, parts: list[Any]) -> Any:
        return tuple(parts) if self.is_tuple else parts[0]

    def value(self, layer: Any) -> Any:
        """The value of the formula of a stack."""
        form = batch(layer, self.spec, (self.size,), axes=self.axes, example=spec_of(self.example))
        return form.forward(self.whole).value

    def code(self) -> str:
        """The code that compares ``one`` over the stack with a loop."""
        return (
            f"{DERIVATIVES}from layertree.rewrite.batch import batch\n"
            f"ones, whole, axes = {code_of(tuple(self.ones))}, {code_of(self.whole)}, {self.axes!r}\n"
            "def spec_over(spec, axis):\n"
            "    if isinstance(spec, tuple):\n"
            "        return tuple(map(spec_over, spec, axis))\n"
            f"    return spec if axis is None else ArraySpec(({self.size}, *spec.shape[1:]), spec.dtype)\n"
            "def stacked(values):\n"
            "    return tuple(map(stacked, zip(*values))) if isinstance(values[0], tuple) else np.stack(values)\n"
            "wanted = stacked([one.forward(example).value for example in ones])\n"
            f"stack = batch(one, spec_over(spec_of(whole), axes), ({self.size},), axes=axes, example=spec_of(data))\n"
            "given = stack.forward(whole).value\n"
        )


def examples(part: Any) -> list[Any]:
    """Three examples of the same kind: floats differ, by powers of 2, so that ties remain."""
    return [part, part * 0.5, part * 0.25] if is_float(part) else [part] * 3


def stacked(values: list[Any]) -> Any:
    """The values of several examples, part by part, in one array each."""
    if isinstance(values[0], tuple):
        return tuple(map(stacked, map(list, zip(*values, strict=True))))
    return np.stack(values)
