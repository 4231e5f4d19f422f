"""The search: the differences of programs, but for those about NaN of which nothing is promised."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from layertree.sweep.sweep import sweep
from layertree.tape.run import Evaluating
from tests.fuzz.agreement import Difference, Pair, difference
from tests.fuzz.modes import MODES, Mode
from tests.fuzz.program import Program
from tests.layers.checks import leaves
from tests.layers.sample import is_float


def first_difference(program: Program, mode: Mode) -> Difference | None:
    """The first difference in a mode; an error that the mode raises is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            for pair in mode(program):
                found = difference(pair)
                if found is not None and not is_about_nan(program, pair):
                    return found
        except Exception as error:
            name = type(error).__name__
            return Difference("error", name, f"{name}: {error}")
    return None


def is_about_nan(program: Program, pair: Pair) -> bool:
    """Whether a difference is about NaN in a delta of a program whose values are not finite.

    What is promised of NaN and infinities is promised of values, and of deltas at the points in docs/conventions.md:
    two readings may reach 0 times infinity in other places.
    """
    if pair.of == "value":
        return False
    floats = [leaf for one in (pair.wanted, pair.given) for leaf in leaves(one) if is_float(leaf)]
    if not any(bool(np.isnan(leaf).any()) for leaf in floats):
        return False
    return pair.of == "step" or not Finite.holds_for(program)


class Finite(Evaluating):
    """The evaluating reading, which notes whether all results are finite."""

    is_finite = True

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        value = super().apply(node, inputs)
        floats = [leaf for one in (value, *inputs) for leaf in leaves(one) if is_float(leaf)]
        self.is_finite = self.is_finite and all(bool(np.isfinite(leaf).all()) for leaf in floats)
        return value

    @classmethod
    def holds_for(cls, program: Program) -> bool:
        """Whether all values of a program and of its derivatives are finite."""
        for layer in (program.layer, *program.trees.values()):
            reading = cls(layer)
            with np.errstate(all="ignore"):
                sweep(layer, program.data, reading)
            if not reading.is_finite:
                return False
        return True


def all_differences(program: Program, names: Iterable[str]) -> list[tuple[str, Difference]]:
    """The first difference in each of some modes."""
    found: list[tuple[str, Difference]] = []
    for name in names:
        one: Any = first_difference(program, MODES[name])
        if one is not None:
            found.append((name, one))
    return found
