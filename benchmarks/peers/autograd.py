"""HIPS autograd: plain NumPy code, differentiated by ``value_and_grad``; weights are updated in place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
from autograd import hessian as hessian_of
from autograd import jacobian as jacobian_of
from autograd import numpy as np
from autograd import value_and_grad
from autograd.extend import defvjp, primitive
from autograd.scipy.special import logsumexp

from benchmarks.peers import Case, elements, loss, matrix, value_and_gradients
from benchmarks.problems import Attention, Chain, Classification, Scalar

__all__ = ["convolution", "cross_entropy", "training", "workloads"]


def workloads(compiled: bool = False) -> dict[str, Callable[[Any], Case]]:
    """Each workload by its name."""
    from benchmarks.peers import autograd_gpt, autograd_networks

    return {
        "scalar_step": scalar_step,
        "scalar_chain": chain,
        "small_chain": chain,
        "elementwise_1m": elementwise_1m,
        "softmax_regression": mlp,
        "mlp": mlp,
        "mlp_predict": mlp_predict,
        "lenet": partial(convolutional, paddings=(2, 0)),
        "cnn": partial(convolutional, paddings=(1, 1)),
        "resblock": autograd_networks.resblock,
        "lstm": autograd_networks.lstm,
        "gpt": autograd_gpt.gpt,
        "attention": attention,
        "hessian": hessian,
        "jacobian": jacobian,
        "deep_chain": deep_chain,
    }


def training(objective: Callable[..., Any], weights: list[Any], rate: float, *data: Any) -> Case:
    """A step of SGD on the weights."""
    both = value_and_grad(objective)
    weights = [weight.copy() for weight in weights]

    def step() -> Any:
        value, gradients = both(weights, *data)
        for weight, gradient in zip(weights, gradients, strict=True):
            weight -= rate * gradient
        return value

    return Case(step, loss)


def gradients(function: Callable[..., Any], *arguments: Any) -> Case:
    """The value of a function, and its gradients by all arguments."""
    both = value_and_grad(function, tuple(range(len(arguments))))
    return Case(lambda: both(*arguments), value_and_gradients)


def scalar_step(problem: Scalar) -> Case:
    both, w = value_and_grad(lambda w, x: (1.0 + x) * w), problem.w

    def step() -> Any:
        nonlocal w
        value, gradient = both(w, problem.x)
        w -= problem.rate * gradient
        return value

    return Case(step, loss)


def chain(problem: Chain) -> Case:
    def function(w: Any, b: Any) -> Any:
        h = problem.x
        for _ in range(problem.steps):
            h = np.tanh(h * w + b)
        return np.sum(h)

    return gradients(function, problem.w, problem.b)


def elementwise_1m(problem: Any) -> Case:
    def function(a: Any) -> Any:
        return np.sum(np.tanh(a) / (1.0 + np.exp(-a)) + np.exp(-a * a))

    return gradients(function, problem)


def attention(problem: Attention) -> Case:
    *data, direction = problem
    function = lambda query, key, value: np.sum(causal_attention(query, key, value) * direction)
    return gradients(function, *data)


def causal_attention(query: Any, key: Any, value: Any) -> Any:
    """Attention of (batch, heads, steps, width) to the steps before."""
    steps, width = query.shape[-2:]
    scores = np.matmul(query, np.swapaxes(key, -1, -2)) / np.float32(width**0.5)
    scores = np.where(np.tri(steps, dtype=bool), scores, np.float32(-1e30))
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return np.matmul(weights / np.sum(weights, axis=-1, keepdims=True), value)


def mlp(problem: Classification) -> Case:
    return training(_objective, problem.weights, problem.rate, problem.inputs, problem.labels)


def _objective(weights: list[Any], inputs: Any, labels: Any) -> Any:
    return cross_entropy(_dense(inputs, weights), labels)


def mlp_predict(problem: Classification) -> Case:
    call = lambda: _dense(problem.inputs, problem.weights)
    return Case(call, elements)


def _dense(h: Any, weights: list[Any]) -> Any:
    for position in range(0, len(weights), 2):
        h = np.dot(np.maximum(h, 0) if position else h, weights[position]) + weights[position + 1]
    return h


def cross_entropy(logits: Any, labels: Any) -> Any:
    """The mean over all rows."""
    picked = logits[np.arange(len(labels)), labels]
    return np.mean(logsumexp(logits, axis=-1) - picked)


def convolutional(problem: Classification, paddings: tuple[int, ...]) -> Case:
    """Convolution, relu and pooling, as often as there are paddings, then dense layers."""

    def objective(weights: list[Any], inputs: Any, labels: Any) -> Any:
        h, rest = inputs, weights
        for padding in paddings:
            kernel, bias, *rest = rest
            h = _pool(np.maximum(convolution(h, kernel, padding) + bias, 0))
        return cross_entropy(_dense(np.reshape(h, (len(labels), -1)), rest), labels)

    return training(objective, problem.weights, problem.rate, problem.inputs, problem.labels)


def convolution(h: Any, kernel: Any, padding: int) -> Any:
    """One matrix product with the columns of all windows. (``autograd.scipy.signal.convolve`` is slower.)"""
    height, width, channels, filters = kernel.shape
    columns = _columns(h, height, width, padding)
    return np.dot(columns, np.reshape(kernel, (height * width * channels, filters)))


@primitive
def _columns(h: Any, height: int, width: int, padding: int) -> Any:
    """(N, H, W, C) to (N, OH, OW, height * width * C)."""
    h = numpy.pad(h, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    windows = numpy.lib.stride_tricks.sliding_window_view(h, (height, width), axis=(1, 2))
    return windows.transpose(0, 1, 2, 4, 5, 3).reshape(*windows.shape[:3], -1)


def _columns_back(answer: Any, h: Any, height: int, width: int, padding: int) -> Any:
    rows, tall, wide, channels = h.shape

    def back(delta: Any) -> Any:
        high, across = delta.shape[1:3]
        parts = delta.reshape(rows, high, across, height, width, channels)
        found = numpy.zeros((rows, tall + 2 * padding, wide + 2 * padding, channels), delta.dtype)
        for i in range(height):
            for j in range(width):
                found[:, i : i + high, j : j + across] += parts[:, :, :, i, j]
        return found[:, padding : padding + tall, padding : padding + wide]

    return back


defvjp(_columns, _columns_back, argnums=(0,))


def _pool(h: Any) -> Any:
    rows, height, width, channels = h.shape
    return np.max(np.reshape(h, (rows, height // 2, 2, width // 2, 2, channels)), axis=(2, 4))


def hessian(problem: Any) -> Case:
    def rosenbrock(x: Any) -> Any:
        head, tail = x[:-1], x[1:]
        return np.sum(100.0 * (tail - head**2) ** 2 + (1.0 - head) ** 2)

    function = hessian_of(rosenbrock)
    return Case(lambda: function(problem), matrix)


def jacobian(problem: Any) -> Case:
    data, first, second = problem
    function = jacobian_of(lambda x: np.tanh(np.dot(np.tanh(np.dot(x, first)), second)))
    return Case(lambda: function(data), matrix)


def deep_chain(problem: Chain) -> Case:
    """Every call makes the chain anew."""

    def function(w: Any, b: Any) -> Any:
        h = problem.x
        for _ in range(problem.steps):
            h = h * w + b
        return h

    return gradients(function, problem.w, problem.b)
