"""What is measured: each workload with its problem, how it is measured, and the ratios to reach."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial
from typing import Any, Literal, NamedTuple

from benchmarks import problems

__all__ = ["PEERS", "WORKLOADS", "Workload", "function_name"]

PEERS = ("ours", "torch", "torch_compile", "torch_mkl", "jax", "autograd", "mygrad", "thinc", "numpy")
"""The columns of the table. ``torch_mkl`` is torch whose MKL is told that the processor is one of Intel's;
``numpy`` is NumPy by hand, forward and backward, for two of the rows."""


class Workload(NamedTuple):
    """One row of the table."""

    text: str
    """What it is."""

    problem: Callable[..., Any]
    """Its data and initial weights; ``small=True`` for reduced ones."""

    aims: dict[str, float]
    """Their time to ours, by peer: what to reach with NumPy alone."""

    tolerance: float = 1e-3
    """How far the numbers of two peers may be apart, relatively."""

    measure: Literal["call", "once", "process", "memory"] = "call"
    """What counts: the time of a call, of one call a round (where it is new work), of a process, or its peak memory."""

    case: str | None = None
    """The function of a peer's module, where it has not the name of the workload."""


WORKLOADS: dict[str, Workload] = {
    "scalar_step": Workload("(1.0 + x) * w on floats, a step of SGD", problems.scalar, {"torch": 100, "jax": 40}),
    "scalar_chain": Workload(
        "100 times tanh(h * w + b) on floats, value and gradients of w and b",
        problems.scalar_chain,
        {"torch": 100, "jax": 1.2},
    ),
    "small_chain": Workload(
        "the same on arrays of 8x8, summed up", problems.small_chain, {"torch": 12, "autograd": 35, "jax": 0.6}
    ),
    "elementwise_1m": Workload(
        "sum(tanh(a) * sigmoid(a) + exp(-a * a)) of 2^20 numbers, value and gradient",
        problems.elements,
        {"torch": 3, "autograd": 4, "jax": 0.8},
    ),
    "softmax_regression": Workload(
        "64 to 10, batch 256, cross entropy, a step of SGD",
        problems.softmax_regression,
        {"torch": 4, "jax": 2.5, "thinc": 2.5},
    ),
    "mlp_64": Workload(
        "784-256-128-10, relu, batch 64, cross entropy, a step of SGD",
        partial(problems.mlp, 64),
        {"torch": 1.9, "torch_mkl": 1.2, "jax": 1.2, "mygrad": 1.2, "thinc": 2.5},
        case="mlp",
    ),
    "mlp_1024": Workload(
        "the same with a batch of 1024",
        partial(problems.mlp, 1024),
        {"torch": 1.9, "torch_mkl": 1.0, "jax": 1.0, "mygrad": 1.2, "thinc": 2.5},
        case="mlp",
    ),
    "mlp_predict_1": Workload(
        "the same network, one row, inference",
        partial(problems.mlp, 1),
        {"torch": 2, "jax": 2.3, "autograd": 1.3},
        case="mlp_predict",
    ),
    "lenet_64": Workload(
        "conv 6@5x5 pad 2, pool, conv 16@5x5, pool, 120, 84, 10 on 28x28, batch 64, a step of SGD",
        problems.lenet,
        {"torch": 0.9, "jax": 1, "autograd": 10},
        case="lenet",
    ),
    "cnn_64": Workload(
        "conv 32@3x3, pool, conv 64@3x3, pool, 128, 10 on 32x32x3, batch 64, a step of SGD",
        problems.cnn,
        {"torch": 1.3, "torch_compile": 1.6, "jax": 2.5},
        case="cnn",
    ),
    "resblock_16": Workload(
        "two convs 64@3x3 with batch norm, relu between, skip, relu, on 32x32x64, batch 16, squared error, SGD",
        problems.resblock,
        {},
        tolerance=1e-4,
        case="resblock",
    ),
    "lstm": Workload(
        "an LSTM of 128 units on 64 tokens of a vocabulary of 65, batch 32, cross entropy at each step, a step of Adam",
        problems.lstm,
        {},
        tolerance=1e-5,
    ),
    "gpt": Workload(
        "4 pre-norm blocks of width 128, 4 heads, causal, 64 steps, batch 12, vocabulary 65, a step of AdamW",
        problems.gpt,
        {"torch": 1.5, "torch_compile": 1.3, "jax": 2.2},
    ),
    "attention_512": Workload(
        "one causal attention, batch 4, 8 heads, 512 steps, 64 wide, value and gradients",
        problems.attention,
        {"torch": 2.3, "jax": 4},
        case="attention",
    ),
    "hessian": Workload(
        "Hessian of Rosenbrock's function of 50 numbers, float64",
        problems.rosenbrock,
        {"torch": 15, "autograd": 50, "jax": 0.8},
        tolerance=1e-9,
    ),
    "jacobian": Workload(
        "Jacobian of a 64-64-64 perceptron with tanh by its input",
        problems.perceptron,
        {"torch": 3, "autograd": 25, "jax": 0.8},
    ),
    "deep_chain_10k": Workload(
        "10 000 operations on floats, built and differentiated afresh, uncompiled",
        problems.deep_chain,
        {"torch": 1, "autograd": 5},
        case="deep_chain",
    ),
    "compile_20_layers": Workload(
        "a training step of 20 dense layers and its compilation: the first call (aim: under 50 ms)",
        problems.deep_mlp,
        {"jax": 10},
        measure="once",
        case="first_step",
    ),
    "compile_10k_nodes": Workload(
        "value and gradients of a chain of 10 000 operations and their compilation: the first call (aim: under 2 s)",
        problems.deep_chain,
        {},
        measure="once",
        case="first_chain",
    ),
    "cold_start": Workload(
        "a new process: import, build, one step of mlp_64, exit",
        partial(problems.mlp, 64),
        {"torch": 15, "jax": 6, "thinc": 1.2},
        measure="process",
        case="mlp",
    ),
    "peak_memory_cnn": Workload(
        "the most memory of a process that takes 20 steps of cnn_64",
        problems.cnn,
        {"torch": 3, "jax": 3},
        measure="memory",
        case="cnn",
    ),
    "peak_memory_gpt": Workload(
        "the most memory of a process that takes 20 steps of gpt",
        problems.gpt,
        {"torch": 3, "jax": 3},
        measure="memory",
        case="gpt",
    ),
}


def function_name(workload: str, functions: Container[str]) -> str:
    """Which of a peer's functions makes a workload: the one of its name, else the one whose case it is."""
    return workload if workload in functions else WORKLOADS[workload].case or workload
