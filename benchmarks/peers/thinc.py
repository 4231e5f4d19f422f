"""Thinc: its own layers, loss and optimizer; what it has no layers for is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from thinc.api import SGD as Sgd
from thinc.api import CategoricalCrossentropy, Linear, Model, Relu, Softmax, chain

from benchmarks.peers import Case, elements, loss
from benchmarks.problems import Classification

__all__ = ["workloads"]


def workloads(compiled: bool = False) -> dict[str, Callable[[Any], Case]]:
    """Each workload by its name."""
    return {"softmax_regression": mlp, "mlp": mlp, "mlp_predict": mlp_predict}


def mlp(problem: Classification) -> Case:
    model, objective = _network(problem, Softmax), CategoricalCrossentropy()
    optimizer = Sgd(problem.rate, L2=0.0, grad_clip=0.0)
    inputs, labels = problem.inputs, problem.labels
    rows = np.arange(len(labels))

    def step() -> Any:
        guesses, backward = model.begin_update(inputs)
        backward(objective.get_grad(guesses, labels))
        model.finish_update(optimizer)
        return -np.log(guesses[rows, labels]).mean()

    return Case(step, loss)


def mlp_predict(problem: Classification) -> Case:
    model = _network(problem, Linear)
    return Case(lambda: model.predict(problem.inputs), elements)


def _network(problem: Classification, last: Any) -> Model[Any, Any]:
    """Dense layers; their kernels are (outputs, inputs)."""
    kernels, biases = problem.weights[::2], problem.weights[1::2]
    layers = [Relu(kernel.shape[1]) for kernel in kernels[:-1]] + [last(kernels[-1].shape[1])]
    model = chain(*layers) if len(layers) > 1 else layers[0]
    model.initialize(problem.inputs, np.zeros((len(problem.inputs), kernels[-1].shape[1]), np.float32))
    for layer, kernel, bias in zip(layers, kernels, biases, strict=True):
        layer.set_param("W", np.ascontiguousarray(kernel.T))
        layer.set_param("b", bias.copy())
    return model
