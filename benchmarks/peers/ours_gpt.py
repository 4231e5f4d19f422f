"""The transformer, as formulas of ``symbolic``."""

from __future__ import annotations

from typing import Any

import layertree
import symbolic as sy
from benchmarks.peers import Case, loss
from benchmarks.problems import ADAM_BETAS, ADAM_DECAY, ADAM_EPSILON, ADAM_RATE, NORM_EPSILON, Language
from layertree import AdamW
from layertree.typing import ArraySpec
from symbolic import placeholder, weight

__all__ = ["gpt"]


def gpt(problem: Language) -> Case:
    """The workload."""
    spec = ArraySpec(problem.tokens.shape, problem.tokens.dtype)
    tokens, targets = placeholder((spec, spec))
    weights = problem.weights
    h: Any = sy.take(weight(weights["embedding"]), tokens) + weight(weights["positions"])
    for block in range(problem.blocks):
        h = _block(h, f"block{block}", problem)
    logits = _dense(_norm(h), "head", weights, bias=False)
    step = layertree.compile(sy.cross_entropy(logits, targets), train=True, optimizer=_adam())
    batch = problem.tokens, problem.targets
    return Case(lambda: step(batch), loss)


def _adam() -> AdamW:
    return AdamW(rate=ADAM_RATE, beta1=ADAM_BETAS[0], beta2=ADAM_BETAS[1], epsilon=ADAM_EPSILON, decay=ADAM_DECAY)


def _block(h: Any, name: str, problem: Language) -> Any:
    weights = problem.weights
    attended = _attention(_dense(_norm(h), f"{name}/attention", weights), problem.heads)
    h = h + _dense(attended, f"{name}/projection", weights)
    expanded = sy.gelu_tanh(_dense(_norm(h), f"{name}/expand", weights))
    return h + _dense(expanded, f"{name}/contract", weights)


def _attention(joined: Any, heads: int) -> Any:
    """Causal attention of several heads; queries, keys and values of all of them come as one array."""
    rows, steps, width = joined.shape
    parts = sy.reshape(joined, (rows, steps, 3, heads, width // (3 * heads)))
    query, key, value = (sy.permute_dims(parts[:, :, i], (0, 2, 1, 3)) for i in range(3))
    attended = sy.scaled_dot_product_attention(query, key, value, causal=True)
    return sy.reshape(sy.permute_dims(attended, (0, 2, 1, 3)), (rows, steps, width // 3))


def _norm(h: Any) -> Any:
    return sy.layer_norm(h, epsilon=NORM_EPSILON)


def _dense(h: Any, name: str, weights: dict[str, Any], bias: bool = True) -> Any:
    kernel = weights[name]
    return sy.dense(h, kernel.shape[1], bias=bias, kernel=lambda *shape, dtype: kernel)
