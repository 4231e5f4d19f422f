"""TrainingStep: what ``compile(objective, train=True)`` gives."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from layertree.program.cache import Cache
from layertree.program.compiled import CACHED
from layertree.program.step import StepProgram

X = TypeVar("X")
Y = TypeVar("Y")


class TrainingStep(Generic[X, Y]):
    """``step(batch)`` takes one step, forward, backward and commit, and returns the objective's value before it."""

    def __init__(self, objective: Any, optimizer: Any, threads: int | None = None) -> None:
        self.objective = objective
        root = objective.__layer__()
        self._programs: Cache[StepProgram] = Cache(
            lambda spec: StepProgram(root, spec, optimizer, threads), CACHED, objective
        )

    def __call__(self, batch: X) -> Y:
        """One step on a batch, by the program for its shapes and dtypes, which is compiled at the first of them."""
        data, program = self._programs.get(batch)
        return program.run(data)  # type: ignore[no-any-return]  # the value of the objective

    @property
    def source(self) -> str:
        """The source of the program that ran last."""
        return str(self._programs.last.program.text)
