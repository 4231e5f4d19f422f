"""The workloads as the users of each library would write them: one module a peer, one function a workload.

A function has the name of its workload, takes the problem, and gives a Case. What happens before its first call is not
timed. ``WORKLOADS`` of a module maps the names to the functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Case(NamedTuple):
    """One workload, ready to run."""

    call: Callable[[], Any]
    """Does the work once, and waits until it is done."""

    numbers: Callable[[Any], list[float]]
    """The loss, or the value and its gradients, as numbers to compare, from what a call gave."""


def checksum(array: Any) -> float:
    """A number that another order, size or sign of the elements would change, on the scale of their norm."""
    flat = np.asarray(array, np.float64).ravel()
    return float(2.0 * np.sqrt(flat @ flat) + flat @ np.cos(np.arange(flat.size)))


def loss(value: Any) -> list[float]:
    """The numbers of a training step: its loss."""
    return [float(value)]


def value_and_gradients(found: Any) -> list[float]:
    """The numbers of a value with its gradient, or with a tuple of gradients."""
    value, gradients = found
    several = gradients if isinstance(gradients, tuple | list) else (gradients,)
    return [float(value), *[checksum(gradient) for gradient in several]]


def elements(found: Any) -> list[float]:
    """The numbers of a prediction: each of its elements."""
    return [float(x) for x in np.ravel(found)]


def matrix(found: Any) -> list[float]:
    """The numbers of an array."""
    return [checksum(found)]
