"""NumPy by hand: a residual block and an LSTM, forward and backward written out, with arrays that are made once.

Both keep to plain NumPy with its BLAS in all threads: no threads of their own, and no blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers import Case, loss
from benchmarks.problems import (
    ADAM_BETAS,
    ADAM_EPSILON,
    ADAM_RATE,
    AVERAGE_MOMENTUM,
    FLOAT,
    NORM_EPSILON,
    Array,
    Recurrent,
    Residual,
)

__all__ = ["workloads"]


def workloads(compiled: bool = False) -> dict[str, Callable[[Any], Case]]:
    """Each workload by its name."""
    return {"resblock": resblock, "lstm": lstm}


class Convolution:
    """A 3x3 convolution with padding 1 and batch norm: nine products with shifted images, without a matrix of columns.

    In padded images of rank 2, (pixels, channels), a shift by a row or a column is a shift by so many pixels: each
    product reads a contiguous stretch. What falls on the border is left out where the image is taken.
    """

    def __init__(self, shape: tuple[int, ...], kernel: Array) -> None:
        rows, height, width, channels = shape
        filters = kernel.shape[-1]
        self.across = width + 2
        self.margin = self.across + 1
        count = rows * (height + 2) * self.across
        self.kernel = kernel.reshape(9, channels, filters).copy()
        self.gain, self.offset = np.ones(filters, FLOAT), np.zeros(filters, FLOAT)
        self.averages = np.zeros(filters, FLOAT), np.ones(filters, FLOAT)
        self._padded, self.images = self._new(rows, height, count, channels)
        self._sums, self.sums = self._new(rows, height, count, filters)
        self._deltas, self.deltas = self._new(rows, height, count, filters)
        self._back, self.back = self._new(rows, height, count, channels)
        self.result = np.empty((rows * height * width, filters), FLOAT)
        self.scratch, self.products = np.empty_like(self.result), np.empty((count, filters), FLOAT)
        self.returned = self.products if channels == filters else np.empty((count, channels), FLOAT)
        self.slopes = np.empty_like(self.kernel)
        self.scale = self.gain
        self.ones = np.full(len(self.result), 1.0 / len(self.result), FLOAT)

    def _new(self, rows: int, height: int, count: int, channels: int) -> tuple[Array, Array]:
        """Zeros with a margin on both sides, as (pixels, channels), and the images without their border in it."""
        whole = np.zeros((count + 2 * self.margin, channels), FLOAT)
        images = whole[self.margin : self.margin + count].reshape(rows, height + 2, self.across, channels)
        return whole, images[:, 1:-1, 1:-1]

    def _shifted(self, whole: Array, place: int, sign: int = 1) -> Array:
        """All pixels, moved by the way from the centre of the kernel to one of its nine places."""
        start = self.margin + sign * ((place // 3 - 1) * self.across + place % 3 - 1)
        return whole[start : start + len(whole) - 2 * self.margin]

    def forward(self) -> Array:
        """The normalised convolution of ``images``, (pixels, filters)."""
        total = self._shifted(self._sums, 4)
        np.matmul(self._shifted(self._padded, 4), self.kernel[4], out=total)
        for place in (0, 1, 2, 3, 5, 6, 7, 8):
            np.matmul(self._shifted(self._padded, place), self.kernel[place], out=self.products)
            total += self.products
        np.copyto(self.result.reshape(self.sums.shape), self.sums)
        mean = self.ones @ self.result
        self.result -= mean
        np.square(self.result, out=self.scratch)
        variance = self.ones @ self.scratch
        self.scale = 1.0 / np.sqrt(variance + FLOAT(NORM_EPSILON))
        self.result *= self.scale
        for average, one in zip(self.averages, (mean, variance), strict=True):
            average *= AVERAGE_MOMENTUM
            average += (1.0 - AVERAGE_MOMENTUM) * one
        return self.result

    def backward(self, delta: Array) -> tuple[Array, Array]:
        """The slopes of gain and offset; the slope of the kernel is left in ``slopes``, ``delta`` is written over."""
        np.multiply(delta, self.result, out=self.scratch)
        of_gain, of_offset = self.ones @ self.scratch, self.ones @ delta
        delta -= of_offset
        np.multiply(self.result, of_gain, out=self.scratch)
        delta -= self.scratch
        np.multiply(delta.reshape(self.deltas.shape), self.gain * self.scale, out=self.deltas)
        centre = self._shifted(self._deltas, 4)
        for place in range(9):
            np.matmul(self._shifted(self._padded, place).T, centre, out=self.slopes[place])
        return of_gain * len(delta), of_offset * len(delta)

    def to_images(self) -> Array:
        """The delta of ``images``, of the deltas of the last ``backward``."""
        total = self._shifted(self._back, 4)
        np.matmul(self._shifted(self._deltas, 4), self.kernel[4].T, out=total)
        for place in (0, 1, 2, 3, 5, 6, 7, 8):
            np.matmul(self._shifted(self._deltas, place, -1), self.kernel[place].T, out=self.returned)
            total += self.returned
        return self.back

    def update(self, rate: float, slopes: tuple[Array, Array]) -> None:
        """Gradient descent."""
        self.slopes *= rate
        self.kernel -= self.slopes
        self.gain -= FLOAT(rate) * slopes[0]
        self.offset -= FLOAT(rate) * slopes[1]


def resblock(problem: Residual) -> Case:
    """The workload. The deltas start from the mean's factor, and go back through the skip nowhere: x is data."""
    shape = problem.inputs.shape
    first, second = (Convolution(shape, kernel) for kernel in problem.kernels)
    flat = problem.inputs.reshape(-1, shape[-1])
    target = problem.target.reshape(flat.shape)
    hidden, delta = np.empty_like(flat), np.empty_like(flat)
    first.images[...] = problem.inputs

    def step() -> Any:
        np.multiply(first.forward(), first.gain, out=hidden)
        np.add(hidden, first.offset, out=hidden)
        np.maximum(hidden.reshape(shape), 0, out=second.images)
        np.multiply(second.forward(), second.gain, out=delta)
        np.add(delta, second.offset, out=delta)
        np.add(delta, flat, out=delta)
        seen = delta > 0
        np.maximum(delta, 0, out=delta)
        np.subtract(delta, target, out=delta)
        value = np.vdot(delta, delta) / delta.size
        np.multiply(delta, FLOAT(2.0 / delta.size), out=delta)
        np.multiply(delta, seen, out=delta)
        slopes = second.backward(delta)
        np.multiply(second.to_images(), second.images > 0, out=delta.reshape(shape))
        second.update(problem.rate, slopes)
        first.update(problem.rate, first.backward(delta))
        return value

    return Case(step, loss)


class Adam:
    """Adam on one flat array, of which the weights and their slopes are views."""

    def __init__(self, weights: list[Array]) -> None:
        self.flat = np.concatenate([weight.ravel() for weight in weights])
        self.slope, self._first, self._second, self._work = (np.zeros_like(self.flat) for _ in range(4))
        self.weights, self.slopes = self._views(self.flat, weights), self._views(self.slope, weights)
        self._step = 0

    @staticmethod
    def _views(flat: Array, weights: list[Array]) -> list[Array]:
        ends = np.cumsum([weight.size for weight in weights])
        return [flat[end - weight.size : end].reshape(weight.shape) for end, weight in zip(ends, weights, strict=True)]

    def step(self) -> None:
        """One step by ``slope``, which is written over."""
        (beta1, beta2), slope, work = ADAM_BETAS, self.slope, self._work
        self._step += 1
        np.square(slope, out=work)
        work *= 1.0 - beta2
        self._second *= beta2
        self._second += work
        slope *= 1.0 - beta1
        self._first *= beta1
        self._first += slope
        rate, root = ADAM_RATE / (1.0 - beta1**self._step), (1.0 - beta2**self._step) ** 0.5
        np.sqrt(self._second, out=work)
        work *= 1.0 / (rate * root)
        work += ADAM_EPSILON / rate
        np.divide(self._first, work, out=work)
        self.flat -= work


def lstm(problem: Recurrent) -> Case:
    """The workload. The gates are rows, (4 units, batch), so that each is contiguous, and take one tanh together.

    sigmoid(x) = (1 + tanh(x / 2)) / 2: the half is a factor of the rows. The slopes of all kernels are products after
    the loop.
    """
    (rows, steps), units, vocabulary = problem.tokens.shape, *problem.head.shape
    optimizer = Adam([problem.inputs, problem.recurrent, problem.bias, problem.head, problem.head_bias])
    inputs, recurrent, bias, head, head_bias = optimizer.weights
    tokens = np.eye(vocabulary, dtype=FLOAT)[problem.tokens.T].reshape(-1, vocabulary)
    labels = (np.arange(steps * rows), problem.targets.T.ravel())
    halves = np.full((4 * units, 1), 0.5, FLOAT)
    halves[2 * units : 3 * units] = 1.0
    gates, shifts = np.empty((steps, 4 * units, rows), FLOAT), 1.0 - halves
    cells, tanhs, hidden = (np.zeros((steps + 1, units, rows), FLOAT) for _ in range(3))
    deltas, work = np.empty((steps, 4 * units, rows), FLOAT), np.empty((4 * units, rows), FLOAT)

    def forward() -> Array:
        """The hidden values of all steps, (steps, batch, units)."""
        scaled = np.ascontiguousarray((recurrent * halves.T).T)
        given = (tokens @ inputs + bias) * halves.T
        np.copyto(gates, given.reshape(steps, rows, -1).transpose(0, 2, 1))
        for step, gate in enumerate(gates):
            np.matmul(scaled, hidden[step], out=work)
            gate += work
            np.tanh(gate, out=gate)
            gate *= halves
            gate += shifts
            into, keep, candidate, out = gate.reshape(4, units, rows)
            cell = cells[step + 1]
            np.multiply(keep, cells[step], out=cell)
            np.multiply(into, candidate, out=work[:units])
            cell += work[:units]
            np.tanh(cell, out=tanhs[step + 1])
            np.multiply(out, tanhs[step + 1], out=hidden[step + 1])
        return np.ascontiguousarray(hidden[1:].transpose(0, 2, 1)).reshape(-1, units)

    def backward(delta_hidden: Array) -> None:
        """``deltas``, of the gates before their functions."""
        delta_cell, carried = np.zeros((units, rows), FLOAT), np.zeros((units, rows), FLOAT)
        first = work[:units]
        for step in range(steps - 1, -1, -1):
            into, keep, candidate, out = gates[step].reshape(4, units, rows)
            of_into, of_keep, of_candidate, of_out = deltas[step].reshape(4, units, rows)
            carried += delta_hidden[step]
            tanh = tanhs[step + 1]
            np.multiply(carried, tanh, out=of_out)
            np.multiply(tanh, tanh, out=first)
            np.subtract(1.0, first, out=first)
            first *= out
            first *= carried
            delta_cell += first
            np.multiply(delta_cell, candidate, out=of_into)
            np.multiply(delta_cell, cells[step], out=of_keep)
            np.multiply(delta_cell, into, out=of_candidate)
            delta_cell *= keep
            _through_gates(gates[step], deltas[step], work, units)
            np.matmul(recurrent, deltas[step], out=carried)

    def call() -> Any:
        h = forward()
        logits = h @ head + head_bias
        logits -= logits.max(-1, keepdims=True)
        shares = np.exp(logits)
        totals = shares.sum(-1, keepdims=True)
        value = np.mean(np.log(totals[:, 0]) - logits[labels])
        shares /= totals
        shares[labels] -= 1.0
        shares *= FLOAT(1.0 / len(shares))
        np.matmul(h.T, shares, out=optimizer.slopes[3])
        shares.sum(0, out=optimizer.slopes[4])
        back = (shares @ head.T).reshape(steps, rows, units)
        backward(np.ascontiguousarray(back.transpose(0, 2, 1)))
        flat = np.ascontiguousarray(deltas.transpose(0, 2, 1)).reshape(-1, 4 * units)
        before = np.ascontiguousarray(hidden[:-1].transpose(0, 2, 1)).reshape(-1, units)
        np.matmul(tokens.T, flat, out=optimizer.slopes[0])
        np.matmul(before.T, flat, out=optimizer.slopes[1])
        flat.sum(0, out=optimizer.slopes[2])
        optimizer.step()
        return value

    return Case(call, loss)


def _through_gates(gates: Array, deltas: Array, work: Array, units: int) -> None:
    """Deltas times the slopes of the gates: g (1 - g) of a sigmoid, 1 - g^2 of tanh."""
    np.multiply(gates, gates, out=work)
    np.subtract(gates, work, out=work)
    candidate = gates[2 * units : 3 * units]
    np.multiply(candidate, candidate, out=work[2 * units : 3 * units])
    np.subtract(1.0, work[2 * units : 3 * units], out=work[2 * units : 3 * units])
    deltas *= work
