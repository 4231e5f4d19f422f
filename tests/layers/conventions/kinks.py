"""Second derivatives where differences say nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from layertree import Concat, ExpandDims, GELUTanh, Hypot, Item, Layer, LogAddExp, Plus, Power, SiLU, VectorNorm, nodes
from layertree.core.spec import spec_of
from layertree.rewrite.reverse_mode import INPUT, derivatives
from tests.layers.conventions.case import INF, X

_SELECTED = Item(X, 0)
_OTHER = Item(X, 1)


@dataclass(frozen=True)
class Kink:
    """A layer of a pair of numbers, a point, and the matrix of its second derivatives there."""

    id: str
    layer: Layer[Any, Any]
    point: tuple[float, float]
    hessian: list[list[float]]

    @property
    def classes(self) -> set[type]:
        return set(map(type, nodes(self.layer)))


_PAIR: Layer[Any, Any] = Concat((ExpandDims(_SELECTED, axis=0), ExpandDims(_OTHER, axis=0)), axis=0)
_FLAT = [[0.0, 0.0], [0.0, 0.0]]
_POWER: Layer[Any, Any] = Power(_SELECTED, _OTHER)
_GATES: Layer[Any, Any] = Plus(SiLU(_SELECTED), GELUTanh(_OTHER))

KINKS = [
    Kink("hypot", Hypot(_SELECTED, _OTHER), (0.0, 0.0), _FLAT),
    Kink("norm", VectorNorm(_PAIR), (0.0, 0.0), _FLAT),
    Kink("logaddexp", LogAddExp(_SELECTED, _OTHER), (-INF, -INF), _FLAT),
    Kink("power-at-base-0", _POWER, (0.0, 2.0), [[2.0, 0.0], [0.0, 0.0]]),
    Kink("power-at-exponent-0", _POWER, (2.0, 0.0), [[0.0, 0.5], [0.5, np.log(2.0) ** 2]]),
    Kink("gates-at-inf", _GATES, (INF, INF), _FLAT),
    Kink("gates-at-minus-inf", _GATES, (-INF, -INF), _FLAT),
]


def check_kink(kink: Kink) -> None:
    """The derivative of the derivative is the convention's."""
    first = derivatives(kink.layer, spec_of(kink.point))[INPUT]
    for i, row in enumerate(kink.hessian):
        second = derivatives(first[i], spec_of(kink.point)).get(INPUT, {})
        for j, wanted in enumerate(row):
            found = second[j].forward(kink.point).value if j in second else 0.0
            np.testing.assert_allclose(found, wanted, rtol=1e-14)
