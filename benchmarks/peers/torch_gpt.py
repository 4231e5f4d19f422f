"""The transformer in PyTorch: modules as in its tutorials, fused attention, fused AdamW."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from benchmarks.peers import Case, loss
from benchmarks.problems import ADAM_BETAS, ADAM_DECAY, ADAM_EPSILON, ADAM_RATE, NORM_EPSILON, Language

__all__ = ["gpt"]


class Block(nn.Module):
    """Attention and a perceptron, each with a layer norm before it and a way around it."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width, NORM_EPSILON), nn.LayerNorm(width, NORM_EPSILON)
        self.attention, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.expand, self.contract = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """The block."""
        rows, steps, width = h.shape
        joined = self.attention(self.norm1(h)).view(rows, steps, 3, self.heads, width // self.heads)
        query, key, value = joined.permute(2, 0, 3, 1, 4).unbind(0)
        attended = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        h = h + self.projection(attended.transpose(1, 2).reshape(rows, steps, width))
        expanded: torch.Tensor = functional.gelu(self.expand(self.norm2(h)), approximate="tanh")
        return h + self.contract(expanded)  # type: ignore[no-any-return]  # a tensor


class Transformer(nn.Module):
    """Embedding and positions, blocks, a norm, and the logits of the next token."""

    def __init__(self, problem: Language) -> None:
        super().__init__()
        vocabulary, width = problem.weights["embedding"].shape
        self.embedding = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(torch.zeros(problem.weights["positions"].shape))
        self.blocks = nn.ModuleList([Block(width, problem.heads) for _ in range(problem.blocks)])
        self.norm, self.head = nn.LayerNorm(width, NORM_EPSILON), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The loss."""
        h = self.embedding(tokens) + self.positions
        for block in self.blocks:
            h = block(h)
        return functional.cross_entropy(self.head(self.norm(h)).flatten(0, 1), targets.flatten())


def gpt(problem: Language, compiled: bool) -> Case:
    """The workload; ``compiled`` compiles the model, which is most of the step: the optimizer is one fused kernel."""
    model = Transformer(problem)
    model.load_state_dict(_state(problem.weights))
    optimizer = torch.optim.AdamW(
        model.parameters(), ADAM_RATE, ADAM_BETAS, ADAM_EPSILON, weight_decay=ADAM_DECAY, fused=True
    )
    tokens, targets = torch.from_numpy(problem.tokens), torch.from_numpy(problem.targets)
    objective: Any = torch.compile(model) if compiled else model

    def step() -> torch.Tensor:
        optimizer.zero_grad(set_to_none=True)
        value: torch.Tensor = objective(tokens, targets)
        value.backward()  # type: ignore[no-untyped-call]  # it has no annotations
        optimizer.step()
        return value

    return Case(step, lambda value: loss(value.item()))


def _state(weights: dict[str, np.ndarray[Any, Any]]) -> dict[str, torch.Tensor]:
    """The weights by the names of the modules; dense kernels are (outputs, inputs) there."""
    found = {}
    for name, array in weights.items():
        *path, last = name.replace("block", "blocks.").split("/")
        last = {"gain": "weight", "offset": "bias"}.get(last, last)
        if last in ("embedding", "head", "attention", "projection", "expand", "contract"):
            path, last = [*path, last], "weight"
        transposed = array.T if array.ndim == 2 and path[-1:] not in ([], ["embedding"]) else array
        found[".".join([*path, last])] = torch.from_numpy(transposed.copy())
    return found
