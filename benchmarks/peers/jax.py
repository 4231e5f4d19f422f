"""JAX: the whole step is one jitted function, which takes over the buffers of the weights; every call waits for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from benchmarks.peers import Case, elements, loss, matrix, value_and_gradients
from benchmarks.problems import TINY_RATE, Attention, Chain, Classification, Scalar

__all__ = ["cross_entropy", "workloads"]

Array = jax.Array


def workloads(compiled: bool = False) -> dict[str, Callable[[Any], Case]]:
    """Each workload by its name."""
    from benchmarks.peers import jax_gpt, jax_networks

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
        "resblock": jax_networks.resblock,
        "lstm": jax_networks.lstm,
        "gpt": jax_gpt.gpt,
        "attention": attention,
        "hessian": hessian,
        "jacobian": jacobian,
        "first_step": first_step,
    }


def training(objective: Callable[..., Array], weights: Any, rate: float, *data: Any) -> Case:
    """A step of SGD on the weights."""

    @partial(jax.jit, donate_argnums=0)
    def step(weights: Any, *data: Array) -> tuple[Any, Array]:
        value, gradients = jax.value_and_grad(objective)(weights, *data)
        return jax.tree.map(lambda weight, gradient: weight - rate * gradient, weights, gradients), value

    arrays = [jnp.asarray(array) for array in data]
    state = jax.tree.map(jnp.array, weights)

    def call() -> Array:
        nonlocal state
        state, value = step(state, *arrays)
        jax.block_until_ready(state)
        return value

    return Case(call, loss)


def gradients(function: Callable[..., Array], *arguments: Any) -> Case:
    """The value of a function, and its gradients by all arguments."""
    both = jax.jit(jax.value_and_grad(function, tuple(range(len(arguments)))))
    arrays = [jnp.asarray(argument) for argument in arguments]
    return Case(lambda: jax.block_until_ready(both(*arrays)), value_and_gradients)


def function_of(function: Callable[..., Array], *arguments: Any) -> Callable[[], Array]:
    """A function on certain arguments."""
    compiled, arrays = jax.jit(function), jax.tree.map(jnp.asarray, arguments)
    return lambda: compiled(*arrays).block_until_ready()  # type: ignore[no-any-return]  # an array


def scalar_step(problem: Scalar) -> Case:
    return training(lambda w, x: (1.0 + x) * w, problem.w, problem.rate, problem.x)


def chain(problem: Chain) -> Case:
    x = jnp.asarray(problem.x)

    def function(w: Array, b: Array) -> Array:
        h = x
        for _ in range(problem.steps):
            h = jnp.tanh(h * w + b)
        return h.sum()

    return gradients(function, problem.w, problem.b)


def elementwise_1m(problem: Any) -> Case:
    return gradients(lambda a: (jnp.tanh(a) * jax.nn.sigmoid(a) + jnp.exp(-a * a)).sum(), problem)


def attention(problem: Attention) -> Case:
    *data, direction = problem

    def function(query: Array, key: Array, value: Array) -> Array:
        return (causal_attention(query, key, value) * direction).sum()

    return gradients(function, *data)


def causal_attention(query: Array, key: Array, value: Array) -> Array:
    """Attention of (batch, heads, steps, width) to the steps before; XLA has no fused one for processors."""
    steps, width = query.shape[-2:]
    scores = jnp.einsum("bhqd,bhkd->bhqk", query, key) / width**0.5
    scores = jnp.where(jnp.tri(steps, dtype=bool), scores, -jnp.inf)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), value)


def mlp(problem: Classification) -> Case:
    return training(_objective, problem.weights, problem.rate, problem.inputs, problem.labels)


def _objective(weights: list[Array], inputs: Array, labels: Array) -> Array:
    return cross_entropy(_dense(inputs, weights), labels)


def mlp_predict(problem: Classification) -> Case:
    call = function_of(_dense, problem.inputs, [jnp.asarray(array) for array in problem.weights])
    return Case(call, elements)


def _dense(h: Array, weights: list[Array]) -> Array:
    for position in range(0, len(weights), 2):
        h = (jax.nn.relu(h) if position else h) @ weights[position] + weights[position + 1]
    return h


def cross_entropy(logits: Array, labels: Array) -> Array:
    """The mean over all rows."""
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], axis=-1).mean()


def convolutional(problem: Classification, paddings: tuple[int, ...]) -> Case:
    """Convolution, relu and pooling, as often as there are paddings, then dense layers."""

    def objective(weights: list[Array], inputs: Array, labels: Array) -> Array:
        h, rest = inputs, weights
        for padding in paddings:
            kernel, bias, *rest = rest
            h = _pool(jax.nn.relu(_conv(h, kernel, padding) + bias))
        return cross_entropy(_dense(h.reshape(h.shape[0], -1), rest), labels)

    return training(objective, problem.weights, problem.rate, problem.inputs, problem.labels)


def _conv(h: Array, kernel: Array, padding: int) -> Array:
    around = [(padding, padding)] * 2
    return lax.conv_general_dilated(h, kernel, (1, 1), around, dimension_numbers=("NHWC", "HWIO", "NHWC"))


def _pool(h: Array) -> Array:
    """Windows of 2x2; by a reshape, whose gradient is quicker on a processor than that of ``reduce_window``."""
    rows, height, width, channels = h.shape
    return h.reshape(rows, height // 2, 2, width // 2, 2, channels).max((2, 4))


def hessian(problem: Any) -> Case:
    jax.config.update("jax_enable_x64", True)

    def rosenbrock(x: Array) -> Array:
        head, tail = x[:-1], x[1:]
        return (100.0 * (tail - head**2) ** 2 + (1.0 - head) ** 2).sum()

    return Case(function_of(jax.hessian(rosenbrock), problem), matrix)


def jacobian(problem: Any) -> Case:
    data, first, second = [jnp.asarray(array) for array in problem]
    return Case(function_of(jax.jacrev(lambda x: jnp.tanh(jnp.tanh(x @ first) @ second)), data), matrix)


def first_step(problem: Classification) -> Case:
    """Every call jits a training step and takes it."""

    def call() -> Array:
        return training(lambda *arguments: _objective(*arguments), problem.weights, TINY_RATE, *data).call()

    data = [jnp.asarray(problem.inputs), jnp.asarray(problem.labels)]
    return Case(call, loss)
