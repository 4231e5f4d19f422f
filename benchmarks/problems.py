"""The data and the initial weights of every workload: NumPy arrays from one generator, the same for all peers.

Images are (N, height, width, channels), kernels (height, width, inputs, outputs), dense weights (inputs, outputs). A
peer that wants another layout converts them before it is timed. ``small`` gives reduced sizes, for tests.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

RATE = 0.1
"""The learning rate of every workload that trains by SGD, but for those with convolutions."""

TINY_RATE = 1e-12
"""That of a step which is only compiled: too small to change the loss, and not 0, which a compiler would drop."""

ADAM_RATE, ADAM_BETAS, ADAM_EPSILON, ADAM_DECAY = 1e-3, (0.9, 0.999), 1e-8, 0.01
"""What AdamW is given."""

NORM_EPSILON = 1e-5
"""What layer and batch normalisation add to the variance."""

AVERAGE_MOMENTUM = 0.9
"""How much of a running average of batch normalisation a step keeps."""

FLOAT = np.float32


class Scalar(NamedTuple):
    """``(1.0 + x) * w``."""

    x: float
    w: float
    rate: float = RATE


class Chain(NamedTuple):
    """``steps`` times ``h = tanh(h * w + b)`` (or, of ``deep_chain_10k``, ``h = h * w + b``), from ``h = x``."""

    x: Any
    w: Any
    b: Any
    steps: int


class Classification(NamedTuple):
    """Inputs with their labels, and the weights of a network: kernel, bias, kernel, bias, ..."""

    inputs: Array
    labels: Array
    weights: list[Array]
    rate: float = RATE


class Attention(NamedTuple):
    """Queries, keys and values (batch, heads, steps, width), and what weighs the result, to sum it up."""

    query: Array
    key: Array
    value: Array
    direction: Array


class Language(NamedTuple):
    """Tokens and those that follow (batch, steps), with the weights of a transformer by name."""

    tokens: Array
    targets: Array
    heads: int
    weights: dict[str, Array]

    @property
    def blocks(self) -> int:
        """How many blocks the transformer has."""
        return sum(name.endswith("/attention") for name in self.weights)


class Residual(NamedTuple):
    """Images, what the block is to give for them, and its two kernels; gains start at 1, offsets at 0."""

    inputs: Array
    target: Array
    kernels: tuple[Array, Array]
    rate: float = 1.0


class Recurrent(NamedTuple):
    """Tokens and those that follow (batch, steps), with the weights of an LSTM and of the dense layer after it.

    The gates are those for the input, to forget, of the candidate and for the output, in this order, along the last
    axis of ``inputs`` (vocabulary, 4 units), ``recurrent`` (units, 4 units) and ``bias`` (4 units).
    """

    tokens: Array
    targets: Array
    inputs: Array
    recurrent: Array
    bias: Array
    head: Array
    head_bias: Array

    @property
    def weights(self) -> list[Array]:
        """All weights."""
        return [self.inputs, self.recurrent, self.bias, self.head, self.head_bias]


def _generator() -> np.random.Generator:
    return np.random.default_rng(20240229)


def _normal(generator: np.random.Generator, *shape: int, scale: float = 1.0) -> Array:
    return (scale * generator.standard_normal(shape)).astype(FLOAT)


def _dense(generator: np.random.Generator, sizes: tuple[int, ...]) -> list[Array]:
    """Kernels, each with a bias of zeros."""
    weights: list[Array] = []
    for inputs, outputs in pairwise(sizes):
        weights += [_normal(generator, inputs, outputs, scale=math.sqrt(1.0 / inputs)), np.zeros(outputs, FLOAT)]
    return weights


def _convolution(generator: np.random.Generator, size: int, inputs: int, outputs: int) -> list[Array]:
    scale = math.sqrt(1.0 / (size * size * inputs))
    return [_normal(generator, size, size, inputs, outputs, scale=scale), np.zeros(outputs, FLOAT)]


def scalar(small: bool = False) -> Scalar:
    """One number and one weight."""
    return Scalar(3.0, 2.0)


def scalar_chain(small: bool = False) -> Chain:
    """Numbers."""
    return Chain(0.5, 0.9, 0.1, 5 if small else 100)


def small_chain(small: bool = False) -> Chain:
    """Arrays of 8x8."""
    generator = _generator()
    x, w, b = (_normal(generator, 8, 8, scale=0.5) for _ in range(3))
    return Chain(x, w, b, 5 if small else 100)


def deep_chain(small: bool = False) -> Chain:
    """10 000 operations: 5 000 products and sums."""
    return Chain(0.5, 0.9999, 0.0001, 10 if small else 5_000)


def elements(small: bool = False) -> Array:
    """2^20 numbers."""
    return _normal(_generator(), 100 if small else 2**20)


def _classified(generator: np.random.Generator, rows: int, sizes: tuple[int, ...]) -> Classification:
    inputs = _normal(generator, rows, sizes[0])
    labels = generator.integers(0, sizes[-1], rows)
    return Classification(inputs, labels, _dense(generator, sizes))


def softmax_regression(small: bool = False) -> Classification:
    """64 features, 10 classes, 256 rows."""
    return _classified(_generator(), 16 if small else 256, (64, 10))


def mlp(rows: int, small: bool = False) -> Classification:
    """784-256-128-10."""
    return _classified(
        _generator(), min(rows, 8) if small else rows, (20, 16, 12, 10) if small else (784, 256, 128, 10)
    )


def deep_mlp(small: bool = False) -> Classification:
    """20 dense layers of 64 units, and one for 10 classes: what compile time is measured with."""
    return _classified(_generator(), 32, (64,) * (4 if small else 21) + (10,))


def lenet(small: bool = False) -> Classification:
    """64 images of 28x28x1."""
    generator, rows = _generator(), 4 if small else 64
    inputs, labels = _normal(generator, rows, 28, 28, 1), generator.integers(0, 10, rows)
    kernels = _convolution(generator, 5, 1, 6) + _convolution(generator, 5, 6, 16)
    return Classification(inputs, labels, kernels + _dense(generator, (16 * 5 * 5, 120, 84, 10)), 0.01)


def cnn(small: bool = False) -> Classification:
    """64 images of 32x32x3."""
    generator, rows, side = _generator(), 4 if small else 64, 8 if small else 32
    inputs, labels = _normal(generator, rows, side, side, 3), generator.integers(0, 10, rows)
    kernels = _convolution(generator, 3, 3, 32) + _convolution(generator, 3, 32, 64)
    return Classification(inputs, labels, kernels + _dense(generator, (64 * (side // 4) ** 2, 128, 10)), 0.01)


def resblock(small: bool = False) -> Residual:
    """16 images of 32x32 with 64 channels."""
    generator = _generator()
    rows, side, channels = (2, 6, 5) if small else (16, 32, 64)
    scale = math.sqrt(1.0 / (9 * channels))
    inputs, target = (_normal(generator, rows, side, side, channels) for _ in range(2))
    first, second = (_normal(generator, 3, 3, channels, channels, scale=scale) for _ in range(2))
    return Residual(inputs, target, (first, second))


def lstm(small: bool = False) -> Recurrent:
    """128 units, 64 steps, batch 32, vocabulary 65."""
    generator = _generator()
    rows, steps, units, vocabulary = (3, 9, 4, 7) if small else (32, 64, 128, 65)
    tokens = generator.integers(0, vocabulary, (rows, steps + 1))
    scale = math.sqrt(1.0 / units)
    inputs, recurrent, bias = (_normal(generator, size, 4 * units, scale=scale) for size in (vocabulary, units, 1))
    head, head_bias = _normal(generator, units, vocabulary, scale=scale), np.zeros(vocabulary, FLOAT)
    before, after = (np.ascontiguousarray(one) for one in (tokens[:, :-1], tokens[:, 1:]))
    return Recurrent(before, after, inputs, recurrent, bias[0], head, head_bias)


def attention(small: bool = False) -> Attention:
    """Batch 4, 8 heads, 512 steps, 64 wide."""
    generator = _generator()
    shape = (2, 2, 8, 4) if small else (4, 8, 512, 64)
    return Attention(*(_normal(generator, *shape) for _ in range(4)))


def gpt(small: bool = False) -> Language:
    """4 pre-norm blocks of width 128 with 4 heads, 64 steps, batch 12, vocabulary 65."""
    generator = _generator()
    rows, steps, width, heads, blocks, vocabulary = (2, 8, 16, 2, 2, 11) if small else (12, 64, 128, 4, 4, 65)
    tokens = generator.integers(0, vocabulary, (rows, steps + 1))
    weights = {
        "embedding": _normal(generator, vocabulary, width, scale=0.02),
        "positions": _normal(generator, steps, width, scale=0.02),
    }
    for block in range(blocks):
        weights |= _block(generator, f"block{block}", width)
    weights |= _norm("norm", width)
    weights["head"] = _normal(generator, width, vocabulary, scale=0.02)
    return Language(np.ascontiguousarray(tokens[:, :-1]), np.ascontiguousarray(tokens[:, 1:]), heads, weights)


def _block(generator: np.random.Generator, name: str, width: int) -> dict[str, Array]:
    return {
        **_norm(f"{name}/norm1", width),
        **_linear(generator, f"{name}/attention", width, 3 * width),
        **_linear(generator, f"{name}/projection", width, width),
        **_norm(f"{name}/norm2", width),
        **_linear(generator, f"{name}/expand", width, 4 * width),
        **_linear(generator, f"{name}/contract", 4 * width, width),
    }


def _norm(name: str, width: int) -> dict[str, Array]:
    return {f"{name}/gain": np.ones(width, FLOAT), f"{name}/offset": np.zeros(width, FLOAT)}


def _linear(generator: np.random.Generator, name: str, inputs: int, outputs: int) -> dict[str, Array]:
    return {name: _normal(generator, inputs, outputs, scale=0.02), f"{name}/bias": np.zeros(outputs, FLOAT)}


def rosenbrock(small: bool = False) -> Array:
    """A point of 50 numbers, in float64."""
    return _generator().standard_normal(5 if small else 50)


def perceptron(small: bool = False) -> tuple[Array, Array, Array]:
    """An input of 64 numbers, and two kernels (inputs, outputs)."""
    generator, size = _generator(), 6 if small else 64
    scale = 1.0 / math.sqrt(size)
    return (
        _normal(generator, size),
        _normal(generator, size, size, scale=scale),
        _normal(generator, size, size, scale=scale),
    )
