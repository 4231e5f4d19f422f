"""A line to be fitted, and data for it."""

import numpy as np

import symbolic as sy
from layertree import (
    Hook,
    Identity,
)
from layertree.typing import ArraySpec

ROWS = 11
POINTS = np.random.default_rng(7).normal(size=ROWS)
TARGETS = 3.0 * POINTS - np.random.default_rng(8).normal(size=ROWS)
DATA = (POINTS, TARGETS)


class Line:
    """A slope fitted by the mean squared error, with a hook on the residual, which objective and metrics share."""

    def __init__(self, start=0.5, rule=None, hook=lambda value: None):
        self.x, self.y = sy.placeholder((ArraySpec("Batch"), ArraySpec("Batch")))
        self.slope = sy.weight(start, optimizer=rule)
        hooked = sy.wrap(Hook(Identity(), hook), ArraySpec("Batch"))
        self.residual = hooked(self.x * self.slope - self.y)
        self.objective = sy.mean(self.residual * self.residual)
        self.metrics = {"bias": sy.mean(self.residual), "largest": sy.max(sy.abs(self.residual))}


def by_hand(start, rate, batches):
    """The slopes and losses of steepest descent, from the formula of the derivative."""
    slope, slopes, losses = start, [], []
    for chosen in batches:
        x, y = POINTS[chosen], TARGETS[chosen]
        losses.append(np.mean((x * slope - y) ** 2))
        slope -= rate * np.mean(2 * x * (x * slope - y))
        slopes.append(slope)
    return slopes, losses


def batches_of(seed, epoch, size):
    order = np.random.default_rng([seed, epoch]).permutation(ROWS)
    return [order[start : start + size] for start in range(0, ROWS, size)]
