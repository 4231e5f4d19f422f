"""Pooled convolutions in the order of places: the same values, ties and deltas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import layertree
import symbolic as sy
from layertree import SGD, parameters
from layertree.typing import ArraySpec
from symbolic import placeholder, value_and_grad, weight

KERNEL = (3, 3, 2, 4)


def _kernel() -> Any:
    return weight(0.2 * np.random.default_rng(1).standard_normal(KERNEL))


def _images(rows: int = 3, size: int = 8, whole: bool = False) -> Any:
    """Images; of ``whole`` numbers many windows tie."""
    generator = np.random.default_rng(0)
    if whole:
        return generator.integers(-1, 2, (rows, size, size, 2)).astype(float)
    return generator.standard_normal((rows, size, size, 2))


def _pooled(x: Any, kernel: Any, window: int = 2) -> Any:
    made = sy.conv2d(x, KERNEL[-1], 3, padding=1, bias=False, kernel=lambda *shape, dtype: kernel.value)
    return sy.max_pool2d(made, window)


def _objective(images: Any, window: int = 2) -> Any:
    x = placeholder(ArraySpec(images.shape))
    with sy.seed(0):
        pooled: Any = _pooled(x, _kernel(), window)
        scale = np.random.default_rng(2).standard_normal(pooled.spec.shape)
        return x, sy.sum(sy.tanh(pooled) * scale)


@pytest.mark.parametrize("window", [2, 4])
@pytest.mark.parametrize("whole", [False, True])
def test_value_and_gradient(window: int, whole: bool) -> None:
    images = _images(whole=whole)
    _, objective = _objective(images, window)
    program = layertree.compile(value_and_grad(objective, parameters(objective)))
    value, (slope,) = program.predict(images)
    wanted, (expected,) = program.formula.predict(images)
    np.testing.assert_allclose(value, wanted, rtol=1e-12)
    assert np.abs(expected).max() > 0.1
    np.testing.assert_allclose(slope, expected, rtol=1e-10)
    source = str(program.source)
    assert "np.maximum.reduce(" in source
    assert "kernels.max_unpool(" in source
    assert "pool2d(" not in source


def test_what_is_not_a_number_stays_in_its_window() -> None:
    images = _images()
    images[1, 5, 2, 0] = np.nan
    x = placeholder(ArraySpec(images.shape))
    program = layertree.compile(_pooled(x, _kernel()))
    found, wanted = program.predict(images), program.formula.predict(images)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert 0 < np.isnan(found).sum() < found.size // 4
    assert "np.maximum.reduce(" in str(program.source)


def test_training_steps() -> None:
    images = _images(whole=True)
    objectives = [_objective(images)[1] for _ in range(2)]
    step = layertree.compile(objectives[0], train=True, optimizer=SGD(0.01))
    for _ in range(3):
        tape = objectives[1].forward(images)
        np.testing.assert_allclose(step(images), tape.value, rtol=1e-10)
        tape.backward(optimizer=SGD(0.01))
    found, wanted = [parameters(one)[0].value for one in objectives]
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    assert "kernels.max_unpool(" in str(step.source)


def _is_left_alone(formula: Any, data: Any) -> None:
    program = layertree.compile(formula)
    for found, wanted in zip(program.predict(data), program.formula.predict(data), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10)
    assert "kernels.max_pool2d(" in str(program.source)


def test_images_that_want_a_delta_keep_their_order() -> None:
    images = _images()
    x, objective = _objective(images)
    _is_left_alone(value_and_grad(objective, [x]), images)


def test_a_convolution_that_is_read_by_others_keeps_its_order() -> None:
    images = _images()
    x = placeholder(ArraySpec(images.shape))
    made: Any = sy.conv2d(x, 4, 3, padding=1, bias=False, kernel=lambda *shape, dtype: _kernel().value)
    pooled: Any = sy.max_pool2d(made, 2)
    _is_left_alone(layertree.Tuple((pooled.layer, made.layer)), images)


@pytest.mark.parametrize(("size", "options"), [(7, {}), (8, {"stride": 1}), (8, {"padding": 1})])
def test_windows_that_do_not_lie_side_by_side(size: int, options: dict[str, int]) -> None:
    images = _images(size=size)
    x = placeholder(ArraySpec(images.shape))
    made: Any = sy.conv2d(x, 4, 3, padding=1, bias=False, kernel=lambda *shape, dtype: _kernel().value)
    _is_left_alone(layertree.Tuple((sy.max_pool2d(made, 2, **options).layer,)), images)
