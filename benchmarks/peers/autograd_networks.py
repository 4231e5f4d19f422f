"""A residual block and an LSTM in plain NumPy, differentiated by autograd; updates are in place."""

from __future__ import annotations

from typing import Any

import numpy
from autograd import numpy as np
from autograd import value_and_grad

from benchmarks.peers import Case, loss
from benchmarks.peers.autograd import convolution, cross_entropy
from benchmarks.problems import (
    ADAM_BETAS,
    ADAM_EPSILON,
    ADAM_RATE,
    AVERAGE_MOMENTUM,
    FLOAT,
    NORM_EPSILON,
    Recurrent,
    Residual,
)

__all__ = ["lstm", "resblock"]


def resblock(problem: Residual) -> Case:
    """The workload. The objective leaves the means and variances of its batch in ``seen``."""
    channels = problem.inputs.shape[-1]
    ones, zeros = numpy.ones(channels, FLOAT), numpy.zeros(channels, FLOAT)
    weights = [(kernel.copy(), ones.copy(), zeros.copy()) for kernel in problem.kernels]
    averages = [(zeros.copy(), ones.copy()) for _ in problem.kernels]
    seen: list[tuple[Any, Any]] = []

    def objective(weights: Any) -> Any:
        h = problem.inputs
        for position, (kernel, gain, offset) in enumerate(weights):
            h = convolution(np.maximum(h, 0) if position else h, kernel, 1)
            mean = np.mean(h, axis=(0, 1, 2))
            centred = h - mean
            variance = np.mean(centred * centred, axis=(0, 1, 2))
            seen.append((mean, variance))
            h = centred * (gain / np.sqrt(variance + NORM_EPSILON)) + offset
        difference = np.maximum(h + problem.inputs, 0) - problem.target
        return np.mean(difference * difference)

    both = value_and_grad(objective)

    def step() -> Any:
        seen.clear()
        value, gradients = both(weights)
        for arrays, slopes in zip(weights, gradients, strict=True):
            for array, slope in zip(arrays, slopes, strict=True):
                array -= problem.rate * slope
        for kept, found in zip(averages, seen, strict=True):
            for average, one in zip(kept, found, strict=True):
                average *= AVERAGE_MOMENTUM
                average += (1.0 - AVERAGE_MOMENTUM) * one._value
        return value

    return Case(step, loss)


def lstm(problem: Recurrent) -> Case:
    """The workload. The tokens are rows of a matrix of zeros and ones, a product of which serves all steps."""
    (rows, steps), units, vocabulary = problem.tokens.shape, *problem.head.shape
    tokens = numpy.eye(vocabulary, dtype=FLOAT)[problem.tokens.T].reshape(-1, vocabulary)
    targets = problem.targets.T.ravel()
    start = numpy.zeros((rows, units), FLOAT)

    def objective(weights: Any) -> Any:
        inputs, recurrent, bias, head, head_bias = weights
        given = np.reshape(np.dot(tokens, inputs) + bias, (steps, rows, 4 * units))
        hidden, cell, found = start, start, []
        for step in range(steps):
            gates = given[step] + np.dot(hidden, recurrent)
            into, keep, candidate, out = [gates[:, i * units : (i + 1) * units] for i in range(4)]
            cell = _sigmoid(keep) * cell + _sigmoid(into) * np.tanh(candidate)
            hidden = _sigmoid(out) * np.tanh(cell)
            found.append(hidden)
        return cross_entropy(np.dot(np.concatenate(found), head) + head_bias, targets)

    both = value_and_grad(objective)
    weights = [array.copy() for array in problem.weights]
    first, second = ([numpy.zeros_like(array) for array in weights] for _ in range(2))
    step = 0

    def call() -> Any:
        nonlocal step
        value, gradients = both(weights)
        step += 1
        for arrays in zip(weights, gradients, first, second, strict=True):
            _adam(*arrays, step)
        return value

    return Case(call, loss)


def _sigmoid(x: Any) -> Any:
    return 0.5 * (np.tanh(0.5 * x) + 1.0)


def _adam(weight: Any, gradient: Any, first: Any, second: Any, step: int) -> None:
    beta1, beta2 = ADAM_BETAS
    first *= beta1
    first += (1.0 - beta1) * gradient
    second *= beta2
    second += (1.0 - beta2) * gradient * gradient
    rate, root = ADAM_RATE / (1.0 - beta1**step), (1.0 - beta2**step) ** 0.5
    weight -= rate * first / (numpy.sqrt(second) / root + ADAM_EPSILON)
