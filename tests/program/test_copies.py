"""Copies of training steps: a deep copy and a pickle have cells of their own, a copy has the same."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layertree import Adam, compile, parameters
from tests.program.networks import batch, mlp


def _pickled(step: Any) -> Any:
    return pickle.loads(pickle.dumps(step))


@pytest.mark.parametrize("copied", [copy.deepcopy, _pickled])
def test_a_deep_copy_goes_on_by_itself(copied: Callable[[Any], Any]) -> None:
    step = compile(mlp((5, 4, 3)), train=True, optimizer=Adam(0.05), check_finite=True)
    data = batch(8, 5)
    step(data)
    twin = copied(step)
    before = [np.array(one.value) for one in parameters(step.objective)]
    losses = [twin(data) for _ in range(3)]
    for one, value in zip(parameters(step.objective), before, strict=True):
        np.testing.assert_array_equal(one.value, value)
    assert [step(data) for _ in range(3)] == losses  # with the state of its optimizer
    assert losses[-1] < losses[0]
    data[0][0, 0] = np.nan
    with pytest.raises(FloatingPointError):
        twin(data)


def test_a_copy_shares_the_cells() -> None:
    step = compile(mlp((5, 4, 3)), train=True, optimizer=Adam(0.05))
    data = batch(8, 5)
    first = step(data)
    assert copy.copy(step)(data) < first
    assert parameters(copy.copy(step).objective)[0].cell is parameters(step.objective)[0].cell
