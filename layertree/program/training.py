"""TrainingStep: what ``compile(objective, train=True)`` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from layertree.core.brief import brief_formula
from layertree.program.cache import Cache, program_for
from layertree.program.compiled import CACHED
from layertree.program.located import raise_as_interpreted
from layertree.program.options import PLAIN, Options
from layertree.program.step import StepProgram

if TYPE_CHECKING:
    from layertree.program.profile import Profile
    from layertree.program.workspace import Memory

X = TypeVar("X")
Y = TypeVar("Y")


class TrainingStep(Generic[X, Y]):
    """``step(batch)`` takes one step, forward, backward and commit, and returns the objective's value before it.

    It prints as the schedule of the program that ran last.
    """

    def __init__(self, objective: Any, optimizer: Any, options: Options = PLAIN) -> None:
        self.objective = objective
        self._arguments = (objective, optimizer, options)
        root = objective.__layer__()
        self._programs: Cache[StepProgram] = Cache(
            lambda spec: StepProgram(root, spec, optimizer, options), CACHED, objective, StepProgram.runner
        )

    def __call__(self, batch: X) -> Y:
        """One step on a batch, by the program for its shapes and dtypes, which is compiled at the first of them."""
        latest, data = self._programs.latest, batch
        if type(batch) is not latest.kind and not latest.fits(batch):
            data, latest = self._programs.find(batch)
        try:
            return latest.run(data)  # type: ignore[no-any-return]  # the value of the objective
        except Exception as error:
            raise_as_interpreted(error, self.objective, data)
            raise

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made of the objective, with its cells as it copies them; they compile anew."""
        return type(self), self._arguments

    @property
    def source(self) -> str:
        """The source of the program that ran last. Raises RuntimeError where none was made yet."""
        return str(self._programs.last.program.text)

    @property
    def memory(self) -> Memory:
        """The memory of the program that ran last. Raises RuntimeError where none was made yet."""
        from layertree.program.workspace import memory_of

        return memory_of(self._programs.last.program)

    def __repr__(self) -> str:
        return f"<training step of {brief_formula(self.objective)}>"

    def __str__(self) -> str:
        from layertree.program.schedule import schedule_text

        return schedule_text(self._programs.last.program) if len(self._programs) else repr(self)

    def reserve(self, batch: Any) -> Memory:
        """Compile for a batch, or for the spec of one, and allocate what a step works in. Returns its memory.

        >>> from layertree import Identity, Sum, Times, Weight
        >>> from layertree.program import compile
        >>> from layertree.typing import ArraySpec
        >>> step = compile(Sum(Times(Identity(), Weight(2.0))), train=True)
        >>> step.reserve(ArraySpec((1000,))).arena
        8000

        Raises MemoryError where that is more than the limit given to ``compile``, ShapeError for a spec whose sizes are
        not known.
        """
        from layertree.program.workspace import memory_of

        program = program_for(self._programs, batch)
        program.reserve()
        return memory_of(program.program)

    def profile(self, batch: X, runs: int = 10) -> Profile:
        """The time that each layer takes forward and backward, the mean of some steps on a batch that change nothing.

        Times are those of the operations alone, without what a step has to do around them.
        """
        from layertree.program.profile import profiled

        data, program = self._programs.get(batch)
        return profiled(program.program, lambda watched: program.watched(data, watched), runs)
