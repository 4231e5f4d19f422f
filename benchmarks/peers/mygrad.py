"""MyGrad: tensors over NumPy, with its own layers for convolution, pooling and the loss."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mygrad as mg
import numpy as np
from mygrad.nnet.activations import relu, sigmoid, softmax
from mygrad.nnet.layers import conv_nd, max_pool
from mygrad.nnet.losses import softmax_crossentropy

from benchmarks.peers import Case, elements, loss, value_and_gradients
from benchmarks.problems import Attention, Chain, Classification, Scalar

__all__ = ["workloads"]


def workloads(compiled: bool = False) -> dict[str, Callable[[Any], Case]]:
    """Each workload by its name; it has no second derivatives, and no gradients of single outputs at once."""
    from benchmarks.peers import mygrad_gpt

    mg.turn_memory_guarding_off()  # the first of its performance tips
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
        "gpt": mygrad_gpt.gpt,
        "attention": attention,
        "deep_chain": deep_chain,
    }


def training(objective: Callable[..., Any], weights: list[Any], rate: float) -> Case:
    """A step of SGD on the weights."""
    tensors = [mg.tensor(weight, copy=True) for weight in weights]

    def step() -> Any:
        value = objective(tensors)
        value.backward()
        for tensor in tensors:
            tensor.data -= rate * tensor.grad
        return value

    return Case(step, lambda value: loss(value.item()))


def gradients(function: Callable[..., Any], *arguments: Any) -> Case:
    """The value of a function, and its gradients by all arguments."""
    tensors = [mg.tensor(argument, copy=True) for argument in arguments]

    def call() -> Any:
        value = function(*tensors)
        value.backward()
        return value.item(), [tensor.grad for tensor in tensors]

    return Case(call, value_and_gradients)


def scalar_step(problem: Scalar) -> Case:
    return training(lambda weights: (1.0 + problem.x) * weights[0], [problem.w], problem.rate)


def chain(problem: Chain) -> Case:
    def function(w: Any, b: Any) -> Any:
        h = problem.x
        for _ in range(problem.steps):
            h = mg.tanh(h * w + b)
        return h.sum()

    return gradients(function, problem.w, problem.b)


def elementwise_1m(problem: Any) -> Case:
    return gradients(lambda a: (mg.tanh(a) * sigmoid(a) + mg.exp(-a * a)).sum(), problem)


def attention(problem: Attention) -> Case:
    *data, direction = problem
    return gradients(lambda query, key, value: (causal_attention(query, key, value) * direction).sum(), *data)


def causal_attention(query: Any, key: Any, value: Any) -> Any:
    """Attention of (batch, heads, steps, width) to the steps before."""
    steps, width = query.shape[-2:]
    scores = mg.matmul(query, mg.swapaxes(key, -1, -2)) * np.float32(width**-0.5)
    mask = np.where(np.tri(steps, dtype=bool), np.float32(0.0), np.float32(-1e30))
    return mg.matmul(softmax(scores + mask), value)


def mlp(problem: Classification) -> Case:
    def objective(weights: list[Any]) -> Any:
        return softmax_crossentropy(_dense(problem.inputs, weights), problem.labels)

    return training(objective, problem.weights, problem.rate)


def mlp_predict(problem: Classification) -> Case:
    weights = [mg.tensor(weight) for weight in problem.weights]
    call = mg.no_autodiff(lambda: _dense(problem.inputs, weights), to_numpy=True)
    return Case(call, elements)


def _dense(h: Any, weights: list[Any]) -> Any:
    for position in range(0, len(weights), 2):
        h = mg.matmul(relu(h) if position else h, weights[position]) + weights[position + 1]
    return h


def convolutional(problem: Classification, paddings: tuple[int, ...]) -> Case:
    """Convolution, relu and pooling, as often as there are paddings, then dense layers; channels come first."""
    count = 2 * len(paddings)

    def objective(weights: list[Any]) -> Any:
        h = inputs
        for position, padding in enumerate(paddings):
            kernel, bias = weights[2 * position : 2 * position + 2]
            h = conv_nd(h, kernel, stride=1, padding=padding) + bias.reshape(1, -1, 1, 1)
            h = max_pool(relu(h), (2, 2), 2)
        return softmax_crossentropy(_dense(h.reshape(len(problem.labels), -1), weights[count:]), problem.labels)

    inputs = np.ascontiguousarray(problem.inputs.transpose(0, 3, 1, 2))
    return training(objective, _channels_first(problem.weights, count), problem.rate)


def _channels_first(weights: list[Any], convolutional: int) -> list[Any]:
    """The weights for images with channels first: also the rows of the first dense kernel are in another order."""
    found = [array.transpose(3, 2, 0, 1) if array.ndim == 4 else array for array in weights[:convolutional]]
    first, *rest = weights[convolutional:]
    channels = weights[convolutional - 1].size
    side = round((first.shape[0] / channels) ** 0.5)
    reordered = first.reshape(side, side, channels, -1).transpose(2, 0, 1, 3).reshape(first.shape)
    return [*found, reordered, *rest]


def deep_chain(problem: Chain) -> Case:
    """Every call makes the chain anew."""

    def function(w: Any, b: Any) -> Any:
        h = problem.x
        for _ in range(problem.steps):
            h = h * w + b
        return h

    return gradients(function, problem.w, problem.b)
