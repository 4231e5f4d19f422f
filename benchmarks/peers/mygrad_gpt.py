"""The transformer in MyGrad, with AdamW in place."""

from __future__ import annotations

from typing import Any

import mygrad as mg
import numpy as np
from mygrad.nnet.losses import softmax_crossentropy

from benchmarks.peers import Case, loss
from benchmarks.peers.mygrad import causal_attention
from benchmarks.problems import ADAM_BETAS, ADAM_DECAY, ADAM_EPSILON, ADAM_RATE, NORM_EPSILON, Language

__all__ = ["gpt"]

# A Python number would be a float64 array to MyGrad, and all that follows float64, too.
_HALF, _ONE, _CUBIC = np.float32(0.5), np.float32(1.0), np.float32(0.044715)
_ROOT, _EPSILON = np.float32(np.sqrt(2.0 / np.pi)), np.float32(NORM_EPSILON)


def gpt(problem: Language) -> Case:
    """The workload."""
    weights = {name: mg.tensor(array, copy=True) for name, array in problem.weights.items()}
    first, second = ({name: np.zeros_like(array) for name, array in problem.weights.items()} for _ in range(2))
    step = 0

    def objective() -> Any:
        h = weights["embedding"][problem.tokens] + weights["positions"]
        for block in range(problem.blocks):
            h = _block(h, f"block{block}", weights, problem.heads)
        logits = mg.matmul(_norm(h, "norm", weights), weights["head"])
        return softmax_crossentropy(logits.reshape(problem.targets.size, -1), problem.targets.ravel())

    def call() -> Any:
        nonlocal step
        value = objective()
        value.backward()
        step += 1
        for name, weight in weights.items():
            _adamw(weight.data, weight.grad, first[name], second[name], step)
        return value

    return Case(call, lambda value: loss(value.item()))


def _block(h: Any, name: str, weights: Any, heads: int) -> Any:
    rows, steps, width = h.shape
    joined = _linear(_norm(h, f"{name}/norm1", weights), f"{name}/attention", weights)
    parts = mg.transpose(joined.reshape(rows, steps, 3, heads, width // heads), 2, 0, 3, 1, 4)
    attended = mg.transpose(causal_attention(parts[0], parts[1], parts[2]), 0, 2, 1, 3)
    h = h + _linear(attended.reshape(rows, steps, width), f"{name}/projection", weights)
    expanded = _gelu(_linear(_norm(h, f"{name}/norm2", weights), f"{name}/expand", weights))
    return h + _linear(expanded, f"{name}/contract", weights)


def _linear(h: Any, name: str, weights: Any) -> Any:
    return mg.matmul(h, weights[name]) + weights[f"{name}/bias"]


def _norm(h: Any, name: str, weights: Any) -> Any:
    centred = h - mg.mean(h, axis=-1, keepdims=True)
    variance = mg.mean(centred * centred, axis=-1, keepdims=True)
    return centred / mg.sqrt(variance + _EPSILON) * weights[f"{name}/gain"] + weights[f"{name}/offset"]


def _gelu(h: Any) -> Any:
    return _HALF * h * (_ONE + mg.tanh(_ROOT * (h + _CUBIC * h * h * h)))


def _adamw(weight: Any, gradient: Any, first: Any, second: Any, step: int) -> None:
    beta1, beta2 = ADAM_BETAS
    first *= beta1
    first += (1.0 - beta1) * gradient
    second *= beta2
    second += (1.0 - beta2) * gradient * gradient
    weight *= 1.0 - ADAM_RATE * ADAM_DECAY
    rate, root = ADAM_RATE / (1.0 - beta1**step), (1.0 - beta2**step) ** 0.5
    weight -= rate * first / (np.sqrt(second) / root + ADAM_EPSILON)
