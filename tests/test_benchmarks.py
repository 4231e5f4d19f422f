"""The benchmarks: our workloads compute what they say, on reduced sizes; the machinery tells right from wrong."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import layertree

CHECKOUT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The benchmarks are no part of what is installed."""
    monkeypatch.syspath_prepend(CHECKOUT)
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        del sys.modules[name]


def module(name: str) -> ModuleType:
    return import_module(f"benchmarks.{name}")


# One of each function that a workload runs: those that share it differ in sizes alone.
NAMES = (
    "scalar_step", "scalar_chain", "small_chain", "elementwise_1m", "softmax_regression", "mlp_64", "mlp_predict_1",
    "lenet_64", "cnn_64", "resblock_16", "lstm", "gpt", "attention_512", "hessian", "jacobian", "deep_chain_10k",
    "compile_20_layers", "compile_10k_nodes", "cold_start",
)  # fmt: skip


def numbers(name: str, steps: int = 3, peer: str = "ours") -> list[list[float]]:
    """What the first steps of a reduced workload of ours, or of a peer, give."""
    case = module("worker").case_of(peer, name, small=True)
    return [case.numbers(case.call()) for _ in range(steps)]


def interpreted(formula: Any, *, train: bool = False, optimizer: Any = None) -> Any:
    """In the place of ``compile``: the formula as it stands."""
    if not train:
        return formula
    layertree.set_optimizers(formula, {"**": optimizer})
    return formula.train


@pytest.mark.parametrize("name", NAMES)
def test_ours_is_what_it_is_uncompiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = numbers(name)
    monkeypatch.setattr(layertree, "compile", interpreted)
    again = numbers(name)
    assert all(any(number != 0.0 for number in found) for found in compiled)
    np.testing.assert_allclose(compiled, again, rtol=1e-5)


LEARNING = ("softmax_regression", "mlp_64", "cold_start", "lenet_64", "cnn_64", "resblock_16", "lstm", "gpt")


@pytest.mark.parametrize("name", LEARNING)
def test_training_lowers_the_loss(name: str) -> None:
    first, second, third = numbers(name)
    assert first > second > third


@pytest.mark.parametrize("name", ["resblock_16", "lstm"])
def test_ours_is_what_it_is_by_hand(name: str) -> None:
    """Forward and backward written out, without anything of ours. The last of ten steps shows nine updates."""
    steps = 10
    np.testing.assert_allclose(numbers(name, steps), numbers(name, steps, "numpy"), rtol=2e-5)


def test_every_workload_is_written() -> None:
    functions = module("peers.ours").workloads()
    workloads = module("definitions").WORKLOADS
    name_of = module("definitions").function_name
    assert {name_of(name, functions) for name in workloads} == set(functions)
    assert {name_of(name, functions) for name in NAMES} == set(functions)


def test_every_aim_has_a_column() -> None:
    definitions = module("definitions")
    aimed = {peer for workload in definitions.WORKLOADS.values() for peer in workload.aims}
    assert aimed <= set(definitions.PEERS) - {"ours"}


def problem(name: str) -> Any:
    return module("definitions").WORKLOADS[name].problem(small=True)


def checksum(array: Any) -> float:
    return module("peers").checksum(array)  # type: ignore[no-any-return]


def test_scalar_step() -> None:
    assert numbers("scalar_step") == [[8.0], [pytest.approx(6.4)], [pytest.approx(4.8)]]


@pytest.mark.parametrize("name", ["scalar_chain", "small_chain"])
def test_chain(name: str) -> None:
    x, w, b, steps = problem(name)
    h, slope_w, slope_b = np.asarray(x, np.float64), 0.0, 0.0
    for _ in range(steps):
        before, h = h, np.tanh(h * w + b)
        slope_w, slope_b = (1 - h * h) * (before + w * slope_w), (1 - h * h) * (1 + w * slope_b)
    assert numbers(name, 1)[0] == pytest.approx([h.sum(), checksum(slope_w), checksum(slope_b)], rel=1e-5)


def test_elementwise() -> None:
    a = problem("elementwise_1m").astype(np.float64)
    sigmoid, tanh = 1 / (1 + np.exp(-a)), np.tanh(a)
    slope = (1 - tanh**2) * sigmoid + tanh * sigmoid * (1 - sigmoid) - 2 * a * np.exp(-a * a)
    value = (tanh * sigmoid + np.exp(-a * a)).sum()
    assert numbers("elementwise_1m", 1)[0] == pytest.approx([value, checksum(slope)], rel=1e-5)


def test_mlp() -> None:
    network = problem("mlp_64")
    h = network.inputs
    for position in range(0, 6, 2):
        h = (np.maximum(h, 0) if position else h) @ network.weights[position] + network.weights[position + 1]
    rows = np.arange(len(h))
    loss = np.mean(np.log(np.exp(h).sum(-1)) - h[rows, network.labels])
    assert numbers("mlp_64", 1)[0] == pytest.approx([loss], rel=1e-5)


def test_attention() -> None:
    query, key, value, direction = problem("attention_512")
    scores = np.exp(query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])) * np.tri(query.shape[-2])
    found = (scores / scores.sum(-1, keepdims=True) @ value * direction).sum()
    assert numbers("attention_512", 1)[0][0] == pytest.approx(found, rel=1e-5)


def test_hessian() -> None:
    x = problem("hessian")
    diagonal = np.zeros(len(x))
    diagonal[:-1] += 1200 * x[:-1] ** 2 - 400 * x[1:] + 2
    diagonal[1:] += 200
    beside = -400 * x[:-1]
    expected = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
    assert numbers("hessian", 1)[0] == pytest.approx([checksum(expected)], rel=1e-12)


def test_jacobian() -> None:
    x, first, second = problem("jacobian")
    inner = np.tanh(x @ first)
    outer = np.tanh(inner @ second)
    expected = (first * (1 - inner**2) @ second * (1 - outer**2)).T
    assert numbers("jacobian", 1)[0] == pytest.approx([checksum(expected)], rel=1e-5)


def test_checksums_see_order_sign_and_size() -> None:
    array = np.random.default_rng(0).standard_normal((4, 5))
    others = (array.T.copy(), array[::-1], -array, 1.01 * array, np.zeros((4, 5)))
    assert all(abs(checksum(other) / checksum(array) - 1) > 1e-3 for other in others)


def worker(*arguments: str, rounds: int = 0) -> list[dict[str, Any]]:
    """What a process of the benchmark prints."""
    command = [sys.executable, "-m", "benchmarks.worker", *arguments, "--small"]
    done = subprocess.run(command, cwd=CHECKOUT, input="0.001\n" * rounds, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_worker_tells_its_numbers_then_times_a_round_for_each_line() -> None:
    ready, *timed = worker("ours", "scalar_step", rounds=2)
    assert ready["first"] == [8.0]
    assert ready["third"] == [pytest.approx(4.8)]
    assert ready["machine"]["numpy"] == np.__version__
    assert [list(told) for told in timed] == [["seconds"], ["seconds"]]
    assert all(0.0 < told["seconds"] < 1.0 for told in timed)


def test_worker_measures_memory() -> None:
    (told,) = worker("ours", "peak_memory_gpt", "--memory")
    assert 2**24 < told["bytes"] < 2**34


def test_peers_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module("worker"), "find_spec", lambda name: None)
    assert module("worker").case_of("torch_compile", "gpt") == "not installed"


def test_results_that_disagree_are_no_results() -> None:
    result = module("rounds").Result
    found = {
        "ours": result(1.0, numbers=([1.0], [0.5])),
        "near": result(1.0, numbers=([1.0], [0.5001])),
        "far": result(1.0, numbers=([1.0], [0.6])),
        "nan": result(1.0, numbers=([1.0], [float("nan")])),
        "none": result(note="not installed"),
    }
    checked = module("rounds").agreed("mlp_64", found)
    assert [one.found for one in checked.values()] == [1.0, 1.0, None, None, None]
    assert [one.note for one in checked.values()] == ["", "", "disagrees", "disagrees", "not installed"]


def test_table() -> None:
    report, result = module("report"), module("rounds").Result
    found = {
        "mlp_64": {"ours": result(2e-4), "torch": result(5e-4), "jax": result(1e-4), "thinc": result(note="failed")}
    }
    assert report.table(found)[2:] == ["| mlp_64 | 200 us | 500 us **2.50** (1.9) | 100 us **0.50** (1.2) | failed |"]
    assert report.below(found) == ["- mlp_64 against jax: 0.50 of 1.2"]
    page = report.written(found, module("rounds").Options())
    assert "784-256-128-10" in page


def test_a_batch_of_calls_lasts() -> None:
    calls: list[None] = []
    timing = module("timing")
    number = timing.batch_size(lambda: calls.append(None))
    assert 1 < number <= len(calls)
    assert timing.seconds_a_call(lambda: calls.append(None), number, 0.0) > 0.0


def test_without_a_compiler_mkl_is_told_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = module("shim")
    monkeypatch.setattr(shim, "is_amd", lambda: True)
    monkeypatch.setattr(shim.shutil, "which", lambda name: None)
    assert shim.preload(str(tmp_path)) is None


# Only a compiler can show that the library builds and answers. Without one, the benchmarks leave out its column, as the
# test above holds.
@pytest.mark.skipif(shutil.which("gcc") is None, reason="it builds a library with gcc, which is not installed")
def test_mkl_is_told_otherwise_on_amd_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = module("shim")
    monkeypatch.setattr(shim, "is_amd", lambda: False)
    assert shim.preload(str(tmp_path)) is None
    monkeypatch.setattr(shim, "is_amd", lambda: True)
    assert ctypes.CDLL(shim.preload(str(tmp_path))).mkl_serv_intel_cpu_true() == 1


def test_kernels_of_blas_are_set_free(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("OPENBLAS_L2_SIZE", "1")
    found = module("rounds").environment("ours", str(tmp_path), threads=2)
    assert not any(name in found for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"))
    assert found["OPENBLAS_NUM_THREADS"] == "2"
