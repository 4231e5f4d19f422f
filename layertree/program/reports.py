"""The reports of compiled formulas and training steps on their programs, which both inherit from one class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from layertree.core.facade import FACADE
from layertree.program.cache import Cache, program_for
from layertree.program.engine import Executable
from layertree.program.ir.operations import Data
from layertree.program.numpy_engine import is_numpy_program, numpy_program

if TYPE_CHECKING:
    from layertree.program.passes.pipeline import Lowered
    from layertree.program.report.explanation import Explanation
    from layertree.program.report.memory import Memory
    from layertree.program.report.profile import Profile

# Imports inside of the functions below are there for loading time: most programs need no report.


class Compilation(Protocol):
    """A program for one spec of the input, with the memory of its runs."""

    program: Executable
    lowered: Lowered

    def reserve(self) -> None:
        """Allocate the memory of a run, unless memory for one is free."""

    def trial(self, data: Data, program: Executable) -> None:
        """Run another program in the place of this one's, without any change to cells."""


class Reporting:
    """The reports on the programs of a formula: source, schedule, memory, passes, profile."""

    __slots__ = ()

    def _compilations(self) -> Cache[Compilation]:
        """The programs of this formula by the spec of their input."""
        raise NotImplementedError

    def _used_compilations(self) -> Cache[Compilation]:
        """The cache that has the program that ran last."""
        return self._compilations()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return FACADE.bundle(self)

    @property
    def source(self) -> str:
        """The source of the program that ran last. Raises RuntimeError where there is no program yet."""
        return self._used_compilations().last.program.text

    @property
    def memory(self) -> Memory:
        """The memory of the program that ran last. Raises RuntimeError where there is no program yet."""
        from layertree.program.report.memory import memory_of

        return memory_of(numpy_program(self._used_compilations().last.program))

    def __str__(self) -> str:
        """The schedule of the program that ran last; the ``repr`` where there is none yet, or none in NumPy."""
        from layertree.program.report.schedule import schedule_text

        used = self._used_compilations()
        program = used.last.program if len(used) else None
        return schedule_text(program) if is_numpy_program(program) else repr(self)

    def reserve(self, batch: Data) -> Memory:
        """Compile for a batch, or for the spec of one, and allocate the memory of a run. Returns that memory's report.

        >>> from layertree import Identity, Sum, Times, Weight
        >>> from layertree.program import compile
        >>> from layertree.typing import ArraySpec
        >>> step = compile(Sum(Times(Identity(), Weight(2.0))), train=True)
        >>> step.reserve(ArraySpec((1000,))).arena
        8000

        Raises MemoryError where the arena exceeds the limit given to ``compile``, ShapeError for a spec whose sizes are
        not known.
        """
        from layertree.program.report.memory import memory_of

        compilation = program_for(self._compilations(), batch)
        compilation.reserve()
        return memory_of(numpy_program(compilation.program))

    def explain(self) -> Explanation:
        """What each pass of the compiler did to the program that ran last. It prints one line a pass.

        The passes run once more, on the lowered graph. Raises RuntimeError where there is no program yet.

        >>> from layertree import Identity, Sum, Times
        >>> from layertree.program import compile
        >>> from layertree.typing import ArraySpec
        >>> program = compile(Sum(Times(Identity(), 2.0)))
        >>> _ = program.reserve(ArraySpec((1000,)))
        >>> [row.name for row in program.explain()][:3]
        ['dead code', 'log-likelihood', 'product scaling']
        """
        from layertree.program.report.explanation import explained

        compilation = self._used_compilations().last
        return explained(compilation.lowered, numpy_program(compilation.program))

    def profile(self, batch: Data, runs: int = 10) -> Profile:
        """The time of each layer forward and backward, the mean of some runs on a batch that change nothing.

        Times are those of the operations alone, without the work of a call or a step around them.
        """
        from layertree.program.report.profile import profiled

        data, compilation = self._compilations().get(batch)
        return profiled(numpy_program(compilation.program), lambda program: compilation.trial(data, program), runs)
