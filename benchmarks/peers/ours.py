"""layertree: formulas of ``symbolic``, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import layertree
import symbolic as sy
from benchmarks.peers import Case, elements, loss, value_and_gradients
from benchmarks.problems import (
    AVERAGE_MOMENTUM,
    NORM_EPSILON,
    TINY_RATE,
    Attention,
    Chain,
    Classification,
    Residual,
    Scalar,
)
from layertree import SGD
from layertree.typing import ArraySpec
from symbolic import placeholder, weight

__all__ = ["workloads"]


def workloads(compiled: bool = False) -> dict[str, Callable[[Any], Case]]:
    """Each workload by its name."""
    from benchmarks.peers import ours_gpt, ours_lstm, ours_matrices

    own = (
        scalar_step,
        scalar_chain,
        small_chain,
        elementwise_1m,
        softmax_regression,
        mlp,
        cold_start,
        mlp_predict,
        lenet,
        cnn,
        resblock,
        attention,
        deep_chain,
        first_step,
        first_chain,
    )
    more = (ours_gpt.gpt, ours_lstm.lstm, ours_matrices.hessian, ours_matrices.jacobian)
    return {function.__name__: function for function in own + more}


def scalar_step(problem: Scalar) -> Case:
    x = placeholder(float)
    return _training((1.0 + x) * weight(problem.w), problem.x, problem.rate)


def scalar_chain(problem: Chain) -> Case:
    x = placeholder(float)
    w, b = weight(problem.w), weight(problem.b)
    return _gradients(_chain(x, w, b, problem.steps), [w, b], problem.x)


def small_chain(problem: Chain) -> Case:
    x = placeholder(_like(problem.x))
    w, b = weight(problem.w), weight(problem.b)
    return _gradients(sy.sum(_chain(x, w, b, problem.steps)), [w, b], problem.x)


def _chain(h: Any, w: Any, b: Any, steps: int) -> Any:
    for _ in range(steps):
        h = sy.tanh(h * w + b)
    return h


def elementwise_1m(problem: np.ndarray[Any, Any]) -> Case:
    a = placeholder(_like(problem))
    return _gradients(sy.sum(sy.tanh(a) * sy.sigmoid(a) + sy.exp(-a * a)), a, problem)


def attention(problem: Attention) -> Case:
    *data, direction = problem
    query, key, value = placeholder(tuple(_like(array) for array in data))
    attended = sy.scaled_dot_product_attention(query, key, value, causal=True)
    return _gradients(sy.sum(attended * direction), [query, key, value], tuple(data))


def cold_start(problem: Classification) -> Case:
    """One step and no more: by the tape, for which nothing is compiled."""
    inputs, labels = placeholder(_specs(problem))
    objective = sy.cross_entropy(_dense(inputs, problem.weights), labels)

    def call() -> Any:
        tape = objective.forward((problem.inputs, problem.labels))
        tape.backward(optimizer=SGD(problem.rate))
        return tape.value

    return Case(call, loss)


def softmax_regression(problem: Classification) -> Case:
    return mlp(problem)


def mlp(problem: Classification) -> Case:
    inputs, labels = placeholder(_specs(problem))
    logits = _dense(inputs, problem.weights)
    return _training(sy.cross_entropy(logits, labels), (problem.inputs, problem.labels), problem.rate)


def mlp_predict(problem: Classification) -> Case:
    network = layertree.compile(_dense(placeholder(_specs(problem)[0]), problem.weights))
    return Case(lambda: network.predict(problem.inputs), elements)


def lenet(problem: Classification) -> Case:
    return _convolutional(problem, paddings=(2, 0))


def cnn(problem: Classification) -> Case:
    return _convolutional(problem, paddings=(1, 1))


def resblock(problem: Residual) -> Case:
    """A residual block; the images are data, so no delta goes on to them."""
    images, target = placeholder((_like(problem.inputs), _like(problem.target)))
    h: Any = images
    for position, kernel in enumerate(problem.kernels):
        h = sy.conv2d(sy.relu(h) if position else h, kernel.shape[-1], 3, padding=1, bias=False, kernel=_given(kernel))
        h = sy.batch_norm(h, momentum=AVERAGE_MOMENTUM, epsilon=NORM_EPSILON)
    objective = sy.mean_squared_error(sy.relu(h + images), target)
    return _training(objective, (problem.inputs, problem.target), problem.rate)


def deep_chain(problem: Chain) -> Case:
    """Every call writes the formula anew, runs it and goes back."""

    def call() -> Any:
        h = placeholder(float)
        w, b = weight(problem.w), weight(problem.b)
        for _ in range(problem.steps):
            h = h * w + b
        tape = h.forward(problem.x)
        value, found = tape.value, tape.gradients()
        return value, (found[w], found[b])

    return Case(call, value_and_gradients)


def first_step(problem: Classification) -> Case:
    """Every call compiles a training step and takes it."""
    inputs, labels = placeholder(_specs(problem))
    objective = sy.cross_entropy(_dense(inputs, problem.weights), labels)

    def call() -> Any:
        step = layertree.compile(objective, train=True, optimizer=SGD(TINY_RATE))
        return step((problem.inputs, problem.labels))

    return Case(call, loss)


def first_chain(problem: Chain) -> Case:
    """Every call compiles value and gradients of a chain, and runs them."""
    h: Any = placeholder(float)
    w, b = weight(problem.w), weight(problem.b)
    for _ in range(problem.steps):
        h = h * w + b
    return Case(lambda: layertree.compile(sy.value_and_grad(h, [w, b])).predict(problem.x), value_and_gradients)


def _convolutional(problem: Classification, paddings: tuple[int, ...]) -> Case:
    """Convolution, relu and pooling, as often as there are paddings, then dense layers."""
    h, labels = placeholder(_specs(problem))
    weights = problem.weights
    for padding in paddings:
        kernel, _, *weights = weights
        window, filters = kernel.shape[:2], kernel.shape[-1]
        h = sy.max_pool2d(sy.relu(sy.conv2d(h, filters, window, padding=padding, kernel=_given(kernel))))
    h = sy.reshape(h, (-1, weights[0].shape[0]))
    return _training(sy.cross_entropy(_dense(h, weights), labels), (problem.inputs, problem.labels), problem.rate)


def _dense(h: Any, weights: list[np.ndarray[Any, Any]]) -> Any:
    """Dense layers with relu between them; their biases start at 0."""
    for position, kernel in enumerate(weights[::2]):
        h = sy.dense(sy.relu(h) if position else h, kernel.shape[1], kernel=_given(kernel))
    return h


def _given(array: np.ndarray[Any, Any]) -> Callable[..., Any]:
    """An initialiser that gives a certain array."""
    return lambda *shape, dtype: array


def _training(objective: Any, batch: Any, rate: float) -> Case:
    step = layertree.compile(objective, train=True, optimizer=SGD(rate))
    return Case(lambda: step(batch), loss)


def _gradients(formula: Any, wrt: Any, data: Any) -> Case:
    program = layertree.compile(sy.value_and_grad(formula, wrt))
    return Case(lambda: program.predict(data), value_and_gradients)


def _like(array: np.ndarray[Any, Any]) -> ArraySpec[Any]:
    return ArraySpec(array.shape, array.dtype)


def _specs(problem: Classification) -> tuple[ArraySpec[Any], ArraySpec[Any]]:
    """The specs of a batch of any number of rows."""
    inputs = problem.inputs
    return ArraySpec(("Batch", *inputs.shape[1:]), inputs.dtype), ArraySpec(("Batch",), problem.labels.dtype)
