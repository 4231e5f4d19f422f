"""Batch normalisation: the batch's statistics while training, the running ones in predict."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symbolic as sy
from layertree import DTypeError, Input, ShapeError, check_gradient, named_cells, parameters
from tests.symbolic.support import array_of

DATA = np.random.default_rng(0).normal(3.0, 2.0, (5, 4, 3, 2))
AXES = (0, 1, 2)


def normal(x: Any, mean: Any, variance: Any, epsilon: float = 1e-5) -> Any:
    return (x - mean) / np.sqrt(variance + epsilon)


def images(dtype: Any = np.float64) -> Any:
    return array_of(None, 4, 3, 2, dtype=dtype)


def test_each_channel_gets_mean_0_and_variance_1() -> None:
    value = sy.batch_norm(images()).forward(DATA).value
    assert_allclose(value, normal(DATA, DATA.mean(AXES), DATA.var(AXES)), rtol=1e-12)
    assert_allclose(value.mean(AXES), 0.0, atol=1e-12)
    assert_allclose(value.var(AXES), 1.0, rtol=1e-5)
    rows = sy.batch_norm(array_of(None, 2, dtype=np.float64), epsilon=0.5).forward(DATA[:, 0, 0]).value
    assert_allclose(rows, normal(DATA[:, 0, 0], DATA[:, 0, 0].mean(0), DATA[:, 0, 0].var(0), 0.5), rtol=1e-12)


def test_running_averages_are_what_predict_uses() -> None:
    formula = sy.batch_norm(images(), momentum=0.75)
    assert_allclose(formula.predict(DATA), normal(DATA, 0.0, 1.0), rtol=1e-12)
    mean, variance = np.zeros(2), np.ones(2)
    for step in (1.0, 2.0):
        with formula.forward(DATA * step) as tape:
            tape.backward(np.ones_like(DATA))
        # Biased variances, also those that are kept.
        mean = 0.75 * mean + 0.25 * (DATA * step).mean(AXES)
        variance = 0.75 * variance + 0.25 * (DATA * step).var(AXES)
    cells = {name: cell.value for name, cell in named_cells(formula).items()}
    assert sorted(cells) == [
        "batch_norm/gain",
        "batch_norm/mean",
        "batch_norm/offset",
        "batch_norm/variance",
    ]
    assert_allclose(cells["batch_norm/mean"], mean, rtol=1e-12)
    assert_allclose(cells["batch_norm/variance"], variance, rtol=1e-12)
    gain, offset = cells["batch_norm/gain"], cells["batch_norm/offset"]
    assert_allclose(formula.predict(DATA), normal(DATA, mean, variance) * gain + offset, rtol=1e-12)
    assert_allclose(pickle.loads(pickle.dumps(formula)).predict(DATA), formula.predict(DATA), rtol=0.0)


def test_momentum_is_9_tenths_unless_given() -> None:
    formula = sy.batch_norm(images())
    with formula.forward(DATA) as tape:
        tape.backward(np.ones_like(DATA))
    cells = named_cells(formula)
    assert_allclose(cells["batch_norm/mean"].value, 0.1 * DATA.mean(AXES), rtol=1e-12)
    assert_allclose(cells["batch_norm/variance"].value, 0.9 + 0.1 * DATA.var(AXES), rtol=1e-12)


def test_gradients_go_through_the_statistics() -> None:
    formula = sy.batch_norm(images())
    check_gradient(formula, DATA[:2])
    x = Input(DATA)
    delta = np.random.default_rng(1).normal(size=DATA.shape)
    with formula.forward(x) as tape:
        value = tape.value
        found = tape.gradients(delta)
    # Ioffe and Szegedy, 2015, with all three sums in one.
    centred = delta - delta.mean(AXES) - value * (delta * value).mean(AXES)
    assert_allclose(found[x], centred / np.sqrt(DATA.var(AXES) + 1e-5), rtol=1e-4, atol=1e-6)
    gain, offset = parameters(formula)
    assert_allclose(found[gain], (delta * value).sum(AXES), rtol=1e-10)
    assert_allclose(found[offset], delta.sum(AXES), rtol=1e-10)


def test_channels_first() -> None:
    last, first = sy.batch_norm(images()), sy.batch_norm(array_of(None, 2, 4, 3), data_format="NCHW")
    assert first.shape == (None, 2, 4, 3)
    given = DATA.transpose(0, 3, 1, 2)
    assert_allclose(first.forward(given).value, last.forward(DATA).value.transpose(0, 3, 1, 2), rtol=1e-5, atol=1e-6)


def test_float32_stays() -> None:
    formula = sy.batch_norm(images(np.float32))
    x = Input(DATA.astype(np.float32))
    with formula.forward(x) as tape:
        assert tape.value.dtype == np.float32
        assert tape.gradients(np.ones(DATA.shape, np.float32))[x].dtype == np.float32
        tape.close()
    assert {cell.value.dtype for cell in named_cells(formula).values()} == {np.dtype(np.float32)}


def test_equal_elements_have_no_variance() -> None:
    x = Input(np.full((4, 2), 7.0))
    with sy.batch_norm(array_of(None, 2, dtype=np.float64)).forward(x) as tape:
        assert_array_equal(tape.value, np.zeros((4, 2)))
        assert np.isfinite(tape.gradients(np.eye(4, 2))[x]).all()


def test_what_cannot_be_normalised() -> None:
    with pytest.raises(
        ShapeError, match=r"batch_norm\(x: float32 \(2,\)\): a batch axis and one of channels are wanted"
    ):
        sy.batch_norm(array_of(2))
    with pytest.raises(ShapeError, match="the size of the last axis is not known"):
        sy.batch_norm(array_of(2, None))
    with pytest.raises(DTypeError, match="floats are wanted"):
        sy.batch_norm(array_of(2, 2, dtype=np.int64))
    with pytest.raises(ValueError, match=r"batch_norm: epsilon = -1.0 is not allowed"):
        sy.batch_norm(array_of(2, 2), epsilon=-1.0)
    with pytest.raises(ValueError, match=r"data_format = 'CHW' is not allowed"):
        sy.batch_norm(array_of(2, 2), data_format="CHW")
