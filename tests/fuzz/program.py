"""Program: a formula, the data of its input, and the seed of all that is random about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from layertree import Input, parameters
from layertree.core.spec import spec_of
from layertree.rewrite.reverse_mode import INPUT, derivatives
from tests.layers.checks import leaves, mapped
from tests.layers.sample import is_float


@dataclass(frozen=True, eq=False)
class Program:
    """A formula with data for its input: a number, an array, or a tuple of these.

    ``is_tame`` programs have finite values of moderate size everywhere, and leaves that keep away from kinks.
    """

    layer: Any
    data: Any
    seed: int
    is_tame: bool = False

    def random(self, purpose: int) -> np.random.Generator:
        """Random numbers for one purpose, the same for each program of this seed."""
        return np.random.default_rng([self.seed, purpose])

    @cached_property
    def spec(self) -> Any:
        """The spec of the input."""
        return spec_of(self.data)

    @cached_property
    def value(self) -> Any:
        """The value by tape."""
        return self.layer.forward(self.data).value

    @cached_property
    def weights(self) -> tuple[Any, ...]:
        """The distinct weights, in the order of their first visit."""
        return parameters(self.layer)

    @cached_property
    def delta(self) -> Any:
        """A delta of the value; None for a part that has none."""
        generator = self.random(1)
        return mapped(self.value, lambda leaf: _delta(generator, leaf))

    @property
    def has_delta(self) -> bool:
        """Whether the value has a float part, which a backward pass can start from."""
        return any(is_float(leaf) for leaf in leaves(self.value))

    @cached_property
    def trees(self) -> dict[Any, Any]:
        """The derivatives as formulas: by weight, and by position for the input (0 where it is no tuple)."""
        if not self.has_delta:
            return {}
        found = dict(derivatives(self.layer, self.spec, self.delta))
        of_input = found.pop(INPUT, {})
        positions = of_input if isinstance(of_input, dict) else {0: of_input}
        return {**found, **positions}

    @cached_property
    def deltas(self) -> dict[Any, Any]:
        """The deltas by tape, with the same keys."""
        return deltas_of(self.layer, self.data, self.delta)


def _delta(generator: np.random.Generator, leaf: Any) -> Any:
    if not is_float(leaf):
        return None
    drawn = generator.integers(2, 7, np.shape(leaf)) / 4.0 * generator.choice([-1.0, 1.0], np.shape(leaf))
    return drawn.astype(leaf.dtype)[()] if isinstance(leaf, (np.ndarray, np.generic)) else float(drawn)


def deltas_of(layer: Any, data: Any, delta: Any) -> dict[Any, Any]:
    """The deltas of one backward pass of a layer, by weight and by position of the input (0 where it is no tuple)."""
    has_floats = any(is_float(leaf) for leaf in leaves(data))
    x = Input(data) if has_floats else data
    tape = layer.forward(x)
    if not tape.is_trainable:
        return {}
    found = dict(tape.gradients(delta))
    of_input = found.pop(x, {}) if has_floats else {}
    positions = dict(of_input) if isinstance(data, tuple) else ({0: of_input} if is_float(of_input) else {})
    return {**found, **positions}
