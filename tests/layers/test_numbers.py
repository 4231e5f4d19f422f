"""Python floats give what NumPy's float64 gives, at the edges of IEEE arithmetic too, and never an exception."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import layertree
from layertree import Identity, Input, Item
from layertree.layers import arithmetic, comparison, elementwise, gates, rounding, trigonometric
from tests.layers.sample import layer_classes
from tests.layers.samples import SAMPLES

EDGES = [
    *(0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 2.0, -3.0, 7.25, 1e-310, -5e-324, 1e16, -1e16),
    *(709.0, 710.0, -745.0, 1e308, -1.7e308, math.inf, -math.inf, math.nan),
]
TRANSCENDENTAL = {
    *(
        "exp",
        "expm1",
        "log",
        "log1p",
        "log2",
        "log10",
        "pow",
        "cbrt",
        "sigmoid",
        "silu",
        "gelu_tanh",
        "gelu_tanh_gate",
        "softplus",
        "logaddexp",
        "log_softmax",
    ),
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "hypot"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
}
"""Functions that libraries round in their own ways: these agree to the last two bits."""


def operand_count(cls: Any) -> int:
    return len(cls.__layout__.operands)


FAMILIES = (arithmetic, comparison, elementwise, gates, rounding, trigonometric)
FLOATS = [
    cls
    for cls in layer_classes()
    if cls.__module__ in {module.__name__ for module in FAMILIES}
    and not cls.__name__.startswith("Bitwise")
    and cls is not layertree.Where
]


def test_the_samples_name_these_classes_too() -> None:
    numbers = {s.cls for s in SAMPLES if all(type(data) is float for data in s.operands)}
    assert set(FLOATS) <= numbers


def formula(cls: Any) -> Any:
    count = operand_count(cls)
    return cls(Identity()) if count == 1 else cls(*[Item(Identity(), i) for i in range(count)])


def points(cls: Any) -> list[tuple[float, ...]]:
    found = list(itertools.product(EDGES, repeat=operand_count(cls)))
    if cls is layertree.Power:
        # NumPy takes a shortcut by sqrt here, which differs from IEEE 754: pow(-inf, 0.5) is inf, pow(-0.0, 0.5) is 0.
        found = [(a, b) for a, b in found if not (b == 0.5 and (a == -math.inf or a == 0.0))]
    return found


def packed(point: tuple[Any, ...]) -> Any:
    return point[0] if len(point) == 1 else point


def agree(ours: Any, theirs: Any, name: str) -> bool:
    if ours != ours or theirs != theirs:
        return bool(ours != ours and theirs != theirs)
    if name in TRANSCENDENTAL and math.isfinite(ours) and math.isfinite(theirs):
        return abs(ours - theirs) <= 2 * math.ulp(max(abs(ours), abs(theirs)))
    return bool(ours == theirs) and math.copysign(1.0, ours) == math.copysign(1.0, theirs)


@pytest.mark.parametrize("cls", FLOATS, ids=lambda cls: cls.__name__)
def test_values(cls: Any) -> None:
    layer = formula(cls)
    for point in points(cls):
        ours = layer.forward(packed(point)).value
        theirs = layer.forward(packed(tuple(map(np.float64, point)))).value
        wide = layer.forward(packed(tuple(np.array([number]) for number in point))).value
        assert type(ours) in (float, bool)
        assert isinstance(theirs, np.generic)
        assert agree(ours, theirs.item(), cls.__function__), (point, ours, theirs)
        assert agree(ours, wide[0].item(), cls.__function__), (point, ours, wide)


@pytest.mark.parametrize("cls", [cls for cls in FLOATS if hasattr(cls, "gradient")], ids=lambda cls: cls.__name__)
def test_deltas(cls: Any) -> None:
    layer = formula(cls)
    for point in points(cls):
        ours = deltas(layer, point, 1.75)
        theirs = deltas(layer, tuple(map(np.float64, point)), 1.75)
        assert ours.keys() == theirs.keys()
        assert len(ours) > 0
        for i, delta in ours.items():
            assert type(delta) is float
            assert isinstance(theirs[i], np.float64)
            close = math.isclose(delta, theirs[i], rel_tol=1e-14, abs_tol=1e-15)
            assert close or agree(delta, theirs[i].item(), "exp"), (point, i, delta, theirs[i])


def deltas(layer: Any, point: tuple[Any, ...], delta: float) -> dict[int, Any]:
    x = Input(packed(point))
    found = layer.forward(x).gradients(delta)[x]
    return {0: found} if len(point) == 1 else dict(found)


INTEGERS = [0, 1, -1, 2, 3, -7, 12]


@pytest.mark.parametrize("cls", FLOATS, ids=lambda cls: cls.__name__)
def test_integers_and_mixtures_have_the_kind_that_inference_says(cls: Any) -> None:
    from layertree.core.spec import spec_of
    from layertree.namespaces.spec import infer_spec

    layer = formula(cls)
    count = operand_count(cls)
    for point in itertools.product(INTEGERS if count == 1 else [*INTEGERS[:4], 0.5, -1.5], repeat=count):
        if cls is layertree.Power and all(type(number) is int for number in point) and point[1] < 0:
            continue  # an error in NumPy, and a float here
        value = layer.forward(packed(point)).value
        assert spec_of(value) == infer_spec(layer, spec_of(packed(point))), (point, value)
