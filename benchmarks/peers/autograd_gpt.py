"""The transformer in plain NumPy, differentiated by autograd, with AdamW in place."""

from __future__ import annotations

from typing import Any

from autograd import numpy as np
from autograd import value_and_grad

from benchmarks.peers import Case, loss
from benchmarks.peers.autograd import causal_attention, cross_entropy
from benchmarks.problems import ADAM_BETAS, ADAM_DECAY, ADAM_EPSILON, ADAM_RATE, NORM_EPSILON, Language

__all__ = ["gpt"]

_ROOT = float(np.sqrt(2.0 / np.pi))


def gpt(problem: Language) -> Case:
    """The workload."""

    def objective(weights: Any) -> Any:
        h = weights["embedding"][problem.tokens] + weights["positions"]
        for block in range(problem.blocks):
            h = _block(h, f"block{block}", weights, problem.heads)
        logits = np.matmul(_norm(h, "norm", weights), weights["head"])
        return cross_entropy(np.reshape(logits, (problem.targets.size, -1)), problem.targets.ravel())

    both = value_and_grad(objective)
    weights = {name: array.copy() for name, array in problem.weights.items()}
    first, second = ({name: np.zeros_like(array) for name, array in weights.items()} for _ in range(2))
    step = 0

    def call() -> Any:
        nonlocal step
        value, gradients = both(weights)
        step += 1
        for name, gradient in gradients.items():
            _adamw(weights[name], gradient, first[name], second[name], step)
        return value

    return Case(call, loss)


def _block(h: Any, name: str, weights: Any, heads: int) -> Any:
    rows, steps, width = h.shape
    joined = _linear(_norm(h, f"{name}/norm1", weights), f"{name}/attention", weights)
    parts = np.transpose(np.reshape(joined, (rows, steps, 3, heads, width // heads)), (2, 0, 3, 1, 4))
    attended = np.transpose(causal_attention(parts[0], parts[1], parts[2]), (0, 2, 1, 3))
    h = h + _linear(np.reshape(attended, (rows, steps, width)), f"{name}/projection", weights)
    expanded = _gelu(_linear(_norm(h, f"{name}/norm2", weights), f"{name}/expand", weights))
    return h + _linear(expanded, f"{name}/contract", weights)


def _linear(h: Any, name: str, weights: Any) -> Any:
    return np.dot(h, weights[name]) + weights[f"{name}/bias"]


def _norm(h: Any, name: str, weights: Any) -> Any:
    centred = h - np.mean(h, axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    return centred / np.sqrt(variance + NORM_EPSILON) * weights[f"{name}/gain"] + weights[f"{name}/offset"]


def _gelu(h: Any) -> Any:
    return 0.5 * h * (1.0 + np.tanh(_ROOT * (h + 0.044715 * h * h * h)))


def _adamw(weight: Any, gradient: Any, first: Any, second: Any, step: int) -> None:
    beta1, beta2 = ADAM_BETAS
    first *= beta1
    first += (1.0 - beta1) * gradient
    second *= beta2
    second += (1.0 - beta2) * gradient * gradient
    weight *= 1.0 - ADAM_RATE * ADAM_DECAY
    rate, root = ADAM_RATE / (1.0 - beta1**step), (1.0 - beta2**step) ** 0.5
    weight -= rate * first / (np.sqrt(second) / root + ADAM_EPSILON)
