"""Records of the weights and activations of a formula, one each time that the caller asks for one."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.layer import AnyLayer
from layertree.plots._arguments import required_formula
from layertree.plots._runs import activations_of, weights_of

__all__ = ["Recorder"]


class Recorder:
    """The values of all weights, and of all nodes for one input, at several times of a training.

    ``weights`` and ``activations`` map a name to one array a record. The arrays are copies. Without an ``input`` there
    are no activations. Raises TypeError for anything but a formula.

    >>> from layertree import SGD, Identity, Times, Weight
    >>> from layertree.plots import Recorder
    >>> w = Weight(1.0, name="w", optimizer=SGD(0.1))
    >>> recorder = Recorder(Times(Identity(), w))
    >>> for _ in range(3):
    ...     recorder.record()
    ...     _ = Times(Identity(), w).train(1.0, 1.0)
    >>> [round(float(value), 3) for value in recorder.weights["w"]]
    [1.0, 0.9, 0.8]
    """

    def __init__(self, formula: AnyLayer, input: object = None) -> None:
        self.formula: AnyLayer = required_formula(formula, "Recorder").__layer__()
        self.input: object = input
        self.weights: dict[str, list[Any]] = {}
        self.activations: dict[str, list[Any]] = {}

    def record(self) -> None:
        """Add the present values."""
        for name, value in weights_of(self.formula).items():
            self.weights.setdefault(name, []).append(np.array(value))
        if self.input is not None:
            for name, value in activations_of(self.formula, self.input).items():
                self.activations.setdefault(name, []).append(np.array(value))
