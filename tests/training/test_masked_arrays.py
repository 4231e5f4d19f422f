"""Masked arrays: every door for data refuses them, since a mask is dropped by NumPy's conversion to an array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import layertree
import symbolic as sy
from layertree.typing import ArraySpec

MASKED: Any = np.ma.array(np.ones((4, 3)), mask=np.eye(4, 3))
ROW: Any = MASKED[0]


def _rows() -> Any:
    return sy.placeholder(ArraySpec(("N", 3), np.float64)) * sy.weight(np.ones(3))


def _row() -> Any:
    return sy.placeholder(ArraySpec((3,), np.float64)) * sy.weight(1.0)


DOORS: dict[str, Callable[[], object]] = {
    "predict": lambda: _rows().predict(MASKED),
    "compiled step": lambda: layertree.compile(sy.mean(_rows()), train=True)(MASKED),
    "fit": lambda: layertree.fit(sy.mean(_rows()), MASKED),
    "fit, validation": lambda: layertree.fit(sy.mean(_rows()), np.ones((4, 3)), validation=MASKED),
    "gradients": lambda: _row().forward(np.ones(3)).gradients(ROW),
    "backward": lambda: _row().forward(np.ones(3)).backward(ROW),
    "compiled backward": lambda: layertree.compile(_row()).forward(np.ones(3)).backward(ROW),
    "commit": lambda: layertree.commit({sy.weight(np.ones(3)).layer: ROW}),
    "weight": lambda: sy.weight(ROW),
    "literal": lambda: _row() + ROW,
    "vjp": lambda: sy.vjp(sy.sin)(np.ones(3), ROW),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_masked_array_is_refused(door: str) -> None:
    with pytest.raises(layertree.DTypeError, match=r"a MaskedArray computes .*masked\.compressed\(\)"):
        DOORS[door]()
