"""The source of programs: NumPy that a person would sign. Golden files hold it; ``python -m tests.program.test_source``
writes them anew."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Adam, Hook, compile, named_cells
from layertree.typing import ArraySpec
from symbolic import mean, placeholder, tanh, weight, wrap
from tests.program.networks import IMAGE, batch, convolutional, mlp, regression

GOLDEN = Path(__file__).parent / "golden"


def step_of(objective: Any, data: Any, optimizer: Any) -> Any:
    step = compile(objective, train=True, optimizer=optimizer)
    step.reserve(data)
    return step


NETWORKS: dict[str, Callable[[], Any]] = {
    "softmax_regression": lambda: step_of(regression(), batch(4, 6), SGD(0.1)),
    "mlp": lambda: step_of(mlp(), batch(4, 6), Adam(0.01)),
    "convolutional": lambda: step_of(convolutional(), batch(4, *IMAGE), SGD(0.1)),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_the_source_is_the_golden_one(name: str) -> None:
    assert NETWORKS[name]().source == (GOLDEN / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", NETWORKS)
def test_at_most_one_line_an_operation_and_ten_more(name: str) -> None:
    step = NETWORKS[name]()
    program = step._programs.last.program
    operations = [op for op in program.liveness.order if op.inputs]
    assert len(operations) > 10
    assert len(step.source.splitlines()) <= len(operations) + 10


@pytest.mark.parametrize("name", NETWORKS)
def test_each_operation_names_its_layer_and_each_weight_its_name(name: str) -> None:
    step = NETWORKS[name]()
    body = [line for line in step.source.splitlines() if "np." in line or "kernels." in line]
    assert body
    assert all("  # " in line for line in body)
    for cell in named_cells(step.objective):
        assert cell.replace("/", "_") in step.source
        assert cell in step.source.replace("_", "/", 1) or f" {cell}" in step.source


def test_long_lines_of_names_are_wrapped() -> None:
    lines = step_of(mlp((6, 5, 5, 5, 5, 5, 5, 3)), batch(4, 6), SGD(0.1)).source.splitlines()
    assert lines.count("    (") == 3
    assert max(len(line.partition("  # ")[0]) for line in lines) <= 120


def test_one_name_that_is_too_long_for_a_line() -> None:
    x: Any = placeholder(ArraySpec((3,)))
    formula = tanh(x * weight(np.array([1.0, 2.0, 3.0]), "w" * 130))
    data = np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(compile(formula).predict(data), formula.predict(data), rtol=1e-15)


def test_a_traceback_shows_the_generated_line_and_the_layer() -> None:
    def fails(value: Any) -> None:
        raise ValueError("seen enough")

    x = placeholder(ArraySpec((3,)))
    program = compile(wrap(Hook(tanh(x).layer, fails), ArraySpec((3,))) * 2.0)
    with pytest.raises(ValueError, match="seen enough") as caught:
        program.predict(np.zeros(3))
    shown = "".join(traceback.format_exception(caught.value))
    assert "hook(" in shown
    assert "# Hook" in shown
    assert "in Hook, " in shown
    assert " of the program: hook(" in shown  # also where a traceback finds no source
    assert f"{Path(__file__).name}" in shown


def test_the_source_of_a_formula_and_of_what_never_ran() -> None:
    x = placeholder(ArraySpec(("Batch", 2)))
    program = compile(mean(tanh(x)))
    with pytest.raises(RuntimeError, match="nothing is compiled yet"):
        program.source
    program.predict(np.zeros((3, 2)))
    assert "np.tanh(x, out=tanh)" in program.source
    assert program.source.startswith("def step(x, weights, states, new, buffers):\n")


if __name__ == "__main__":
    for name, make in NETWORKS.items():
        (GOLDEN / f"{name}.txt").write_text(make().source)
