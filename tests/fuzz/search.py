"""The search: the differences of programs, those that are known and mended elsewhere left out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from layertree import Where, nodes
from tests.fuzz.agreement import Difference, Pair, difference
from tests.fuzz.modes import MODES, Mode
from tests.fuzz.program import Program, leaves_of
from tests.layers.sample import is_float


def first_difference(program: Program, mode: Mode) -> Difference | None:
    """The first difference in a mode; an error that the mode raises is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            for pair in mode(program):
                found = difference(pair)
                if found is not None and not is_about_unselected_sides(program, pair):
                    return found
        except Exception as error:
            name = type(error).__name__
            return Difference("error", name, f"{name}: {error}", getattr(error, "code", ""))
    return None


def is_about_unselected_sides(program: Program, pair: Pair) -> bool:
    """Whether a difference is that of NaN in a delta behind a ``where``: 0 times an infinite slope, in one reading.

    The rule for sides that are not selected changes; then this function goes.
    """
    if "delta" not in pair.what and "derivative" not in pair.what and "step" not in pair.what:
        return False
    if not any(isinstance(node, Where) for node in nodes(program.layer)):
        return False
    return any(
        is_float(leaf) and bool(np.isnan(leaf).any()) for one in (pair.wanted, pair.given) for leaf in leaves_of(one)
    )


def all_differences(program: Program, names: Iterable[str]) -> list[tuple[str, Difference]]:
    """The first difference in each of some modes."""
    found: list[tuple[str, Difference]] = []
    for name in names:
        one: Any = first_difference(program, MODES[name])
        if one is not None:
            found.append((name, one))
    return found
