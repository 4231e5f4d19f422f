"""A residual block and an LSTM in JAX: one jitted step each; the recurrence is a scan."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from benchmarks.peers import Case, loss
from benchmarks.peers.jax import Array, cross_entropy
from benchmarks.problems import (
    ADAM_BETAS,
    ADAM_EPSILON,
    ADAM_RATE,
    AVERAGE_MOMENTUM,
    NORM_EPSILON,
    Recurrent,
    Residual,
)

__all__ = ["lstm", "resblock"]

Pairs = list[tuple[Array, Array]]


def resblock(problem: Residual) -> Case:
    """The workload."""

    def objective(weights: Any, averages: Pairs, x: Array, target: Array) -> tuple[Array, Pairs]:
        h, found = x, []
        for (kernel, gain, offset), before in zip(weights, averages, strict=True):
            h, after = _norm(_conv(jax.nn.relu(h) if found else h, kernel), before)
            h = h * gain + offset
            found.append(after)
        return jnp.mean((jax.nn.relu(h + x) - target) ** 2), found

    @partial(jax.jit, donate_argnums=0)
    def step(state: Any, x: Array, target: Array) -> tuple[Any, Array]:
        weights, averages = state
        (value, averages), gradients = jax.value_and_grad(objective, has_aux=True)(weights, averages, x, target)
        return (jax.tree.map(lambda weight, slope: weight - problem.rate * slope, weights, gradients), averages), value

    channels = problem.inputs.shape[-1]
    weights = [(jnp.array(kernel), jnp.ones(channels), jnp.zeros(channels)) for kernel in problem.kernels]
    averages = [(jnp.zeros(channels), jnp.ones(channels)) for _ in problem.kernels]
    return _training(step, (weights, averages), problem.inputs, problem.target)


def _conv(h: Array, kernel: Array) -> Array:
    return lax.conv_general_dilated(h, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def _norm(h: Array, averages: tuple[Array, Array]) -> tuple[Array, tuple[Array, Array]]:
    """Each channel with mean 0 and variance 1, and the running averages of both."""
    mean, variance = h.mean((0, 1, 2)), h.var((0, 1, 2))
    share = AVERAGE_MOMENTUM
    after = share * averages[0] + (1.0 - share) * mean, share * averages[1] + (1.0 - share) * variance
    return (h - mean) * lax.rsqrt(variance + NORM_EPSILON), after


def lstm(problem: Recurrent) -> Case:
    """The workload."""
    rows, units = len(problem.tokens), len(problem.head)

    def objective(weights: list[Array], tokens: Array, targets: Array) -> Array:
        inputs, recurrent, bias, head, head_bias = weights

        def one(state: tuple[Array, Array], given: Array) -> tuple[tuple[Array, Array], Array]:
            hidden, cell = state
            into, keep, candidate, out = jnp.split(given + hidden @ recurrent, 4, axis=-1)
            cell = jax.nn.sigmoid(keep) * cell + jax.nn.sigmoid(into) * jnp.tanh(candidate)
            hidden = jax.nn.sigmoid(out) * jnp.tanh(cell)
            return (hidden, cell), hidden

        start = jnp.zeros((rows, units))
        _, hidden = lax.scan(one, (start, start), inputs[tokens] + bias)
        return cross_entropy(hidden @ head + head_bias, targets)

    @partial(jax.jit, donate_argnums=0)
    def step(state: Any, tokens: Array, targets: Array) -> tuple[Any, Array]:
        value, gradients = jax.value_and_grad(objective)(state[0], tokens, targets)
        return _adam(state, gradients), value

    weights = [jnp.array(array) for array in problem.weights]
    state = weights, jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights), jnp.zeros((), int)
    return _training(step, state, problem.tokens.T, problem.targets.T)


def _adam(state: Any, gradients: list[Array]) -> Any:
    weights, first, second, step = state
    beta1, beta2 = ADAM_BETAS
    step = step + 1
    first = jax.tree.map(lambda mean, gradient: beta1 * mean + (1 - beta1) * gradient, first, gradients)
    second = jax.tree.map(lambda mean, gradient: beta2 * mean + (1 - beta2) * gradient**2, second, gradients)
    rate, root = ADAM_RATE / (1 - beta1**step), jnp.sqrt(1 - beta2**step)

    def updated(weight: Array, first: Array, second: Array) -> Array:
        return weight - rate * first / (jnp.sqrt(second) / root + ADAM_EPSILON)

    return jax.tree.map(updated, weights, first, second), first, second, step


def _training(step: Any, state: Any, *data: Any) -> Case:
    """A jitted step that takes over the buffers of its state."""
    arrays = [jnp.asarray(array) for array in data]

    def call() -> Array:
        nonlocal state
        state, value = step(state, *arrays)
        jax.block_until_ready(state)
        return value

    return Case(call, loss)
