"""The transformer in JAX: pure functions of a dictionary of weights, one jitted step with AdamW."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
from jax import numpy as jnp

from benchmarks.peers import Case, loss
from benchmarks.peers.jax import Array, causal_attention, cross_entropy
from benchmarks.problems import ADAM_BETAS, ADAM_DECAY, ADAM_EPSILON, ADAM_RATE, NORM_EPSILON, Language

__all__ = ["gpt"]

Weights = dict[str, Array]


def gpt(problem: Language) -> Case:
    """The workload."""

    @partial(jax.jit, donate_argnums=0)
    def step(state: Any, tokens: Array, targets: Array) -> tuple[Any, Array]:
        value, gradients = jax.value_and_grad(objective)(state[0], tokens, targets)
        return _adamw(state, gradients), value

    def objective(weights: Weights, tokens: Array, targets: Array) -> Array:
        h = weights["embedding"][tokens] + weights["positions"]
        for block in range(problem.blocks):
            h = _block(h, f"block{block}", weights, problem.heads)
        return cross_entropy(_norm(h, "norm", weights) @ weights["head"], targets)

    weights = jax.tree.map(jnp.array, problem.weights)
    state = weights, jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights), jnp.zeros((), int)
    tokens, targets = jnp.asarray(problem.tokens), jnp.asarray(problem.targets)

    def call() -> Array:
        nonlocal state
        state, value = step(state, tokens, targets)
        jax.block_until_ready(state)
        return value

    return Case(call, loss)


def _block(h: Array, name: str, weights: Weights, heads: int) -> Array:
    rows, steps, width = h.shape
    joined = _linear(_norm(h, f"{name}/norm1", weights), f"{name}/attention", weights)
    query, key, value = joined.reshape(rows, steps, 3, heads, width // heads).transpose(2, 0, 3, 1, 4)
    attended = causal_attention(query, key, value).transpose(0, 2, 1, 3).reshape(rows, steps, width)
    h = h + _linear(attended, f"{name}/projection", weights)
    expanded = jax.nn.gelu(_linear(_norm(h, f"{name}/norm2", weights), f"{name}/expand", weights), approximate=True)
    return h + _linear(expanded, f"{name}/contract", weights)


def _linear(h: Array, name: str, weights: Weights) -> Array:
    return h @ weights[name] + weights[f"{name}/bias"]


def _norm(h: Array, name: str, weights: Weights) -> Array:
    scale = jax.lax.rsqrt(h.var(-1, keepdims=True) + NORM_EPSILON)
    return (h - h.mean(-1, keepdims=True)) * scale * weights[f"{name}/gain"] + weights[f"{name}/offset"]


def _adamw(state: Any, gradients: Weights) -> Any:
    weights, first, second, step = state
    beta1, beta2 = ADAM_BETAS
    step = step + 1
    first = jax.tree.map(lambda mean, gradient: beta1 * mean + (1 - beta1) * gradient, first, gradients)
    second = jax.tree.map(lambda mean, gradient: beta2 * mean + (1 - beta2) * gradient**2, second, gradients)
    rate, root = ADAM_RATE / (1 - beta1**step), jnp.sqrt(1 - beta2**step)

    def updated(weight: Array, first: Array, second: Array) -> Array:
        return weight * (1 - ADAM_RATE * ADAM_DECAY) - rate * first / (jnp.sqrt(second) / root + ADAM_EPSILON)

    return jax.tree.map(updated, weights, first, second), first, second, step
