"""A residual block and an LSTM in PyTorch: its modules, channels last in memory, its fused recurrence and Adam."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from benchmarks.peers import Case, loss
from benchmarks.problems import (
    ADAM_BETAS,
    ADAM_EPSILON,
    ADAM_RATE,
    AVERAGE_MOMENTUM,
    NORM_EPSILON,
    Array,
    Recurrent,
    Residual,
)

__all__ = ["lstm", "resblock"]


class Block(nn.Module):
    """Two convolutions, each with batch norm, and a way around both."""

    def __init__(self, kernels: tuple[Array, Array]) -> None:
        super().__init__()
        self.conv1, self.conv2 = [_convolution(kernel) for kernel in kernels]
        channels, momentum = kernels[0].shape[-1], 1.0 - AVERAGE_MOMENTUM
        self.norm1, self.norm2 = [nn.BatchNorm2d(channels, NORM_EPSILON, momentum) for _ in kernels]

    def forward(self, x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        """The loss."""
        h = functional.relu(self.norm1(self.conv1(x)))
        return functional.mse_loss(functional.relu(self.norm2(self.conv2(h)) + x), target)


def _convolution(kernel: Array) -> nn.Conv2d:
    height, width, inputs, outputs = kernel.shape
    found = nn.Conv2d(inputs, outputs, (height, width), padding=1, bias=False)
    found.weight = nn.Parameter(_channels_last(kernel, 3, 2, 0, 1))
    return found


def _channels_last(array: Array, *axes: int) -> torch.Tensor:
    """With axes as PyTorch has them, and the layout in memory that its convolutions are quickest with."""
    return torch.from_numpy(array).permute(axes).contiguous(memory_format=torch.channels_last)


def resblock(problem: Residual, compiled: bool) -> Case:
    """The workload; ``compiled`` compiles the block, which is nearly all of the step."""
    model = Block(problem.kernels)
    optimizer = torch.optim.SGD(model.parameters(), problem.rate, foreach=True)
    data = [_channels_last(array, 0, 3, 1, 2) for array in (problem.inputs, problem.target)]
    return _training(torch.compile(model) if compiled else model, optimizer, *data)


class Recurrence(nn.Module):
    """An LSTM over tokens, and the logits of the next token."""

    def __init__(self, vocabulary: int, units: int) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.recurrence, self.head = nn.LSTM(vocabulary, units), nn.Linear(units, vocabulary)
        self.recurrence.bias_hh_l0.requires_grad_(False)  # a second bias, which adds to the first

    def forward(self, tokens: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The loss; tokens are (steps, batch)."""
        hidden, _ = self.recurrence(functional.one_hot(tokens, self.vocabulary).float())
        return functional.cross_entropy(self.head(hidden).flatten(0, 1), targets.flatten())


def lstm(problem: Recurrent, compiled: bool) -> Case:
    """The workload; ``compiled`` compiles the model."""
    units, vocabulary = problem.head.shape
    model = Recurrence(vocabulary, units)
    kernels = {"recurrence.weight_ih_l0": problem.inputs, "recurrence.weight_hh_l0": problem.recurrent}
    state = {name: array.T for name, array in kernels.items()} | {
        "recurrence.bias_ih_l0": problem.bias,
        "recurrence.bias_hh_l0": 0.0 * problem.bias,
        "head.weight": problem.head.T,
        "head.bias": problem.head_bias,
    }
    model.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in state.items()})
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.Adam(weights, ADAM_RATE, ADAM_BETAS, ADAM_EPSILON, fused=True)
    data = [torch.from_numpy(array.T.copy()) for array in (problem.tokens, problem.targets)]
    return _training(torch.compile(model) if compiled else model, optimizer, *data)


def _training(objective: Callable[..., Any], optimizer: torch.optim.Optimizer, *data: torch.Tensor) -> Case:
    """A step on the parameters of an optimizer."""

    def step() -> torch.Tensor:
        optimizer.zero_grad(set_to_none=True)
        value: torch.Tensor = objective(*data)
        value.backward()  # type: ignore[no-untyped-call]  # it has no annotations
        optimizer.step()
        return value

    return Case(step, lambda value: loss(value.item()))
