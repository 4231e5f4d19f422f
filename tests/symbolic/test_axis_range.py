"""An axis out of range is one error, a ShapeError and an IndexError, wherever an axis is checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import AxisRangeError, ShapeError
from layertree.core.spec import ArraySpec


def _double(v: Any) -> Any:
    return v * 2.0


USES: dict[str, Callable[[Any], Any]] = {
    "log_softmax": lambda x: sy.log_softmax(x, axis=5),
    "softmax": lambda x: sy.softmax(x, axis=5),
    "cumulative_sum": lambda x: sy.cumulative_sum(x, axis=5),
    "expand_dims": lambda x: sy.expand_dims(x, axis=5),
    "permute_dims": lambda x: sy.permute_dims(x, axes=(0, 5)),
    "squeeze": lambda x: sy.squeeze(x, axis=5),
    "concat": lambda x: sy.concat([x, x], axis=5),
    "stack": lambda x: sy.stack([x, x], axis=5),
    "take": lambda x: sy.take(x, np.array([0]), axis=5),
    "in_axes": lambda x: sy.vmap(_double, in_axes=5)(np.ones(3)),
}


@pytest.mark.parametrize("name", USES)
def test_an_axis_out_of_range(name: str) -> None:
    x: Any = sy.placeholder(ArraySpec((2, 3), float))
    with pytest.raises(AxisRangeError, match=f"{name}.*5 is out of range") as caught:
        USES[name](x)
    assert isinstance(caught.value, ShapeError)
    assert isinstance(caught.value, IndexError)
