"""The pictures that are files: those of the README, and the golden files. ``python -m tests.drawing.pictures`` writes
them anew; look at each one before a commit."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from layertree import (
    SGD,
    Greater,
    Identity,
    If,
    Input,
    Literal,
    MatMul,
    Maximum,
    Plus,
    Sqrt,
    Sum,
    Times,
    Weight,
    draw,
    scope,
    steps,
)

DOCS = Path(__file__).parent.parent.parent / "docs"
GOLDEN = Path(__file__).parent / "golden"


def seed() -> Times:
    """The formula of the README."""
    return Times(Plus(Literal(1.0), Identity()), Weight(2.0))


def perceptron() -> Sum:
    """A formula with two scopes and a shared node."""
    numbers = np.arange(12.0).reshape(3, 4) / 4 - 1
    with scope("hidden"):
        kernel, bias = Weight(numbers, name="kernel"), Weight(np.zeros(4), name="bias")
    with scope("out"):
        last = Weight(numbers.T, name="kernel", optimizer=SGD(0.5))
    out = MatMul(Maximum(Plus(MatMul(Identity(), kernel), bias), 0.0), last)
    return Sum(Times(out, out))


def branches() -> If:
    """A formula with regions."""
    return If(Greater(Identity(), 0.0), Times(Sqrt(Identity()), Weight(3.0)), Plus(Identity(), 1.0))


def tapes() -> str:
    """The run of the README."""
    with seed().forward(Input(3.0)) as tape:
        return draw(tape).svg


def perceptron_run() -> str:
    """A run with heat maps."""
    with perceptron().forward(np.eye(3)) as tape:
        return draw(tape).svg


README: dict[str, Callable[[], str]] = {
    "layers.svg": lambda: draw(seed()).svg,
    "tapes.svg": tapes,
    "steps.svg": lambda: steps(seed(), 3.0).moving_svg,
}
STRUCTURES: dict[str, Callable[[], str]] = {
    "layers.txt": lambda: draw(seed()).svg,
    "tapes.txt": tapes,
    "perceptron.txt": lambda: draw(perceptron()).svg,
    "perceptron_run.txt": perceptron_run,
    "branches.txt": lambda: draw(branches()).svg,
    "steps.txt": lambda: steps(seed(), 3.0).svg,
}


def structure(svg: str) -> str:
    """An SVG one element a line, without the style sheet and with images by their size alone."""
    svg = re.sub(r"<style>.*?</style>", "<style/>", svg, flags=re.DOTALL)
    svg = re.sub(r'href="data:image/png;base64,[^"]*"', 'href="png"', svg)
    return re.sub(r">(?=<)", ">\n", svg) + "\n"


def main() -> None:
    """Write all files."""
    for name, make in README.items():
        (DOCS / name).write_text(make() + "\n", encoding="utf-8")
    GOLDEN.mkdir(exist_ok=True)
    for name, make in STRUCTURES.items():
        (GOLDEN / name).write_text(structure(make()), encoding="utf-8")


if __name__ == "__main__":
    main()
