"""PyTorch, eager and compiled.

Eager steps of SGD are ``torch.autograd.grad`` and one foreach update, which is quicker than ``torch.optim.SGD``, most
where there is little to compute. Compiled ones are one graph: ``torch.func.grad_and_value`` and the update within
``torch.compile``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from benchmarks.peers import Case, elements, loss, matrix, value_and_gradients
from benchmarks.problems import Attention, Chain, Classification, Scalar

__all__ = ["workloads"]

Weights = list[torch.Tensor]


def workloads(compiled: bool = False) -> dict[str, Callable[[Any], Case]]:
    """Each workload by its name; ``compiled`` for those of torch.compile."""
    from benchmarks.peers import torch_gpt, torch_networks

    kind: type[Eager] = Compiled if compiled else Eager
    kit = kind()
    found: dict[str, Callable[[Any], Case]] = {
        "scalar_step": lambda problem: scalar_step(problem, kit),
        "scalar_chain": lambda problem: chain(problem, kit),
        "small_chain": lambda problem: chain(problem, kit),
        "elementwise_1m": lambda problem: elementwise_1m(problem, kit),
        "softmax_regression": lambda problem: mlp(problem, kit),
        "mlp": lambda problem: mlp(problem, kit),
        "mlp_predict": lambda problem: mlp_predict(problem, kit),
        "lenet": lambda problem: convolutional(problem, (2, 0), kit),
        "cnn": lambda problem: convolutional(problem, (1, 1), kit),
        "resblock": lambda problem: torch_networks.resblock(problem, compiled),
        "lstm": lambda problem: torch_networks.lstm(problem, compiled),
        "gpt": lambda problem: torch_gpt.gpt(problem, compiled),
        "attention": lambda problem: attention(problem, kit),
        "hessian": lambda problem: hessian(problem, kit),
        "jacobian": lambda problem: jacobian(problem, kit),
    }
    if not compiled:
        found["deep_chain"] = deep_chain
    return found


def update(weights: Weights, gradients: Sequence[torch.Tensor], rate: float) -> None:
    """The weights, in place, less the rate times their gradients."""
    if len(weights) == 1:
        weights[0].sub_(gradients[0], alpha=rate)
    else:
        torch._foreach_sub_(weights, gradients, alpha=rate)


class Eager:
    """How steps, gradients and functions are run without a compiler."""

    def training(self, objective: Callable[..., torch.Tensor], weights: Weights, rate: float, *data: Any) -> Case:
        """A step of SGD on the weights."""
        for weight in weights:
            weight.requires_grad_()

        def step() -> torch.Tensor:
            value = objective(weights, *data)
            gradients = torch.autograd.grad(value, weights)
            with torch.no_grad():
                update(weights, gradients, rate)
            return value

        return Case(step, _loss)

    def gradients(self, function: Callable[..., torch.Tensor], *arguments: torch.Tensor) -> Case:
        """The value of a function, and its gradients by all arguments."""
        for argument in arguments:
            argument.requires_grad_()

        def call() -> Any:
            value = function(*arguments)
            return value, torch.autograd.grad(value, arguments)

        return Case(call, _value_and_gradients)

    def function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself."""
        return function


class Compiled(Eager):
    """The same, each as one compiled graph."""

    def training(self, objective: Callable[..., torch.Tensor], weights: Weights, rate: float, *data: Any) -> Case:
        """A step of SGD, gradients and update in one graph."""

        @torch.compile
        def step(weights: Weights, *data: Any) -> torch.Tensor:
            gradients, value = torch.func.grad_and_value(objective)(weights, *data)
            update(weights, gradients, rate)
            return value

        return Case(lambda: step(weights, *data), _loss)

    def gradients(self, function: Callable[..., torch.Tensor], *arguments: torch.Tensor) -> Case:
        """The value of a function, and its gradients by all arguments."""
        both = torch.compile(torch.func.grad_and_value(function, tuple(range(len(arguments)))))

        def numbers(found: Any) -> list[float]:
            gradients, value = found
            return _value_and_gradients((value, gradients))

        return Case(lambda: both(*arguments), numbers)

    def function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, compiled."""
        return torch.compile(function)  # type: ignore[no-any-return]  # a function, too


def _loss(value: torch.Tensor) -> list[float]:
    return loss(value.item())


def _value_and_gradients(found: Any) -> list[float]:
    value, gradients = found
    return value_and_gradients((value.item(), [gradient.numpy() for gradient in gradients]))


def tensor(value: Any) -> torch.Tensor:
    """A tensor of its own, float32 where the value is a Python number."""
    return torch.tensor(value, dtype=torch.float32) if isinstance(value, float) else torch.from_numpy(value.copy())


def scalar_step(problem: Scalar, kit: Eager) -> Case:
    def objective(weights: Weights, x: torch.Tensor) -> torch.Tensor:
        return (1.0 + x) * weights[0]

    return kit.training(objective, [tensor(problem.w)], problem.rate, tensor(problem.x))


def chain(problem: Chain, kit: Eager) -> Case:
    x = tensor(problem.x)

    def function(w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        h = x
        for _ in range(problem.steps):
            h = torch.tanh(h * w + b)
        return h.sum()

    return kit.gradients(function, tensor(problem.w), tensor(problem.b))


def elementwise_1m(problem: Any, kit: Eager) -> Case:
    return kit.gradients(lambda a: (torch.tanh(a) * torch.sigmoid(a) + torch.exp(-a * a)).sum(), tensor(problem))


def attention(problem: Attention, kit: Eager) -> Case:
    *data, direction = [tensor(array) for array in problem]

    def function(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return (functional.scaled_dot_product_attention(query, key, value, is_causal=True) * direction).sum()

    return kit.gradients(function, *data)


def mlp(problem: Classification, kit: Eager) -> Case:
    def objective(weights: Weights, inputs: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(_dense(inputs, weights), labels)

    data = tensor(problem.inputs), tensor(problem.labels)
    return kit.training(objective, _transposed(problem.weights), problem.rate, *data)


def mlp_predict(problem: Classification, kit: Eager) -> Case:
    weights, inputs = _transposed(problem.weights), tensor(problem.inputs)
    network = kit.function(_dense)

    @torch.inference_mode()
    def call() -> torch.Tensor:
        return network(inputs, weights)  # type: ignore[no-any-return]  # the logits

    return Case(call, lambda logits: elements(logits.numpy()))


def _transposed(weights: list[np.ndarray[Any, Any]]) -> Weights:
    """Dense kernels as PyTorch keeps them: (outputs, inputs)."""
    return [tensor(np.ascontiguousarray(array.T)) for array in weights]


def _dense(h: torch.Tensor, weights: Weights) -> torch.Tensor:
    for position in range(0, len(weights), 2):
        h = functional.linear(functional.relu(h) if position else h, weights[position], weights[position + 1])
    return h


def convolutional(problem: Classification, paddings: tuple[int, ...], kit: Eager) -> Case:
    """Convolution, relu and pooling, as often as there are paddings, then dense layers; channels lie last in memory."""
    count = 2 * len(paddings)

    def objective(weights: Weights, inputs: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        h = inputs
        for position, padding in enumerate(paddings):
            kernel, bias = weights[2 * position : 2 * position + 2]
            h = functional.max_pool2d(functional.relu(functional.conv2d(h, kernel, bias, padding=padding)), 2)
        return functional.cross_entropy(_dense(h.flatten(1), weights[count:]), labels)

    inputs, weights = _channels_first(problem.inputs, 0, 3, 1, 2), _weights(problem.weights, count)
    return kit.training(objective, weights, problem.rate, inputs, tensor(problem.labels))


def _channels_first(array: np.ndarray[Any, Any], *axes: int) -> torch.Tensor:
    """With axes as PyTorch has them, and a layout in memory that its convolutions are quickest with."""
    turned = torch.from_numpy(array).permute(axes)
    return turned.contiguous(memory_format=torch.channels_last)


def _weights(weights: list[np.ndarray[Any, Any]], convolutional: int) -> Weights:
    """The weights for images with channels first: also the rows of the first dense kernel are in another order."""
    found = [
        _channels_first(array, 3, 2, 0, 1) if array.ndim == 4 else tensor(array) for array in weights[:convolutional]
    ]
    first, *rest = weights[convolutional:]
    channels, side = weights[convolutional - 1].size, round((first.shape[0] / weights[convolutional - 1].size) ** 0.5)
    reordered = first.reshape(side, side, channels, -1).transpose(2, 0, 1, 3).reshape(first.shape)
    return found + _transposed([reordered, *rest])


def hessian(problem: Any, kit: Eager) -> Case:
    def rosenbrock(x: torch.Tensor) -> torch.Tensor:
        head, tail = x[:-1], x[1:]
        return (100.0 * (tail - head**2) ** 2 + (1.0 - head) ** 2).sum()

    x, function = tensor(problem), kit.function(torch.func.hessian(rosenbrock))
    return Case(lambda: function(x), lambda found: matrix(found.numpy()))


def jacobian(problem: Any, kit: Eager) -> Case:
    x, first, second = [tensor(array) for array in problem]

    def perceptron(x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(torch.tanh(x @ first) @ second)

    function = kit.function(torch.func.jacrev(perceptron))
    return Case(lambda: function(x), lambda found: matrix(found.numpy()))


def deep_chain(problem: Chain) -> Case:
    """Every call makes the chain anew; numbers are tensors of no axes."""

    def call() -> Any:
        h, w, b = [tensor(number) for number in (problem.x, problem.w, problem.b)]
        w.requires_grad_()
        b.requires_grad_()
        for _ in range(problem.steps):
            h = h * w + b
        return h.detach(), torch.autograd.grad(h, (w, b))

    return Case(call, _value_and_gradients)
