"""TrainingStep: what ``compile(objective, train=True)`` gives."""

from __future__ import annotations

from typing import Any, Generic, TypeVar, cast

from layertree.core.brief import brief_formula
from layertree.core.cell import UpdateRule
from layertree.program.cache import Cache
from layertree.program.compiled import CACHED
from layertree.program.ir.operations import AnyLayer
from layertree.program.options import PLAIN, Options
from layertree.program.reports import Compilation, Reporting
from layertree.program.runtime.diagnostics import raise_as_interpreted
from layertree.program.step_program import StepProgram

X = TypeVar("X")
Y = TypeVar("Y")


class TrainingStep(Reporting, Generic[X, Y]):
    """``step(batch)`` makes one step, forward, backward and commit, and returns the objective's value before it.

    It prints as the schedule of the program that ran last.
    """

    def __init__(self, objective: AnyLayer, optimizer: UpdateRule | None, options: Options = PLAIN) -> None:
        self.objective = objective
        self._arguments = (objective, optimizer, options)
        root = objective.__layer__()
        self._programs: Cache[StepProgram] = Cache(
            lambda spec: StepProgram(root, spec, optimizer, options), CACHED, objective, StepProgram.runner
        )

    def __call__(self, batch: X) -> Y:
        """One step on a batch, by the program for its shapes and dtypes, compiled at the first of them."""
        latest, data = self._programs.latest, batch
        if type(batch) is not latest.kind and not latest.fits(batch):
            data, latest = self._programs.find(batch)
        try:
            return latest.run(data)  # type: ignore[no-any-return]  # the value of the objective
        except Exception as error:
            raise_as_interpreted(error, self.objective, data)
            raise

    def _compilations(self) -> Cache[Compilation]:
        return cast("Cache[Compilation]", self._programs)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made from the objective, with its cells as it copies them; they compile anew."""
        return type(self), self._arguments

    def __repr__(self) -> str:
        return f"<training step of {brief_formula(self.objective)}>"
