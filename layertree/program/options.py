"""Options of a program besides its formula: threads, a memory limit, finite checks, and the engine."""

from __future__ import annotations

from typing import NamedTuple

from layertree.core.attribute import Rule
from layertree.program.engine import Engine, Executable, Plan, executable
from layertree.program.ir.operations import SpecTree
from layertree.program.numpy_engine import NUMPY_ENGINE
from layertree.program.passes.pipeline import Lowered


class Options(NamedTuple):
    """The threads that share a batch, a limit in bytes for the arena, whether every value has to be finite, the engine.

    ``threads`` is None for as many as there are cores, ``limit`` None for no limit, ``engine`` None for NumPy's.
    """

    threads: int | None = None
    limit: int | None = None
    check_finite: bool = False
    engine: Engine | None = None


PLAIN = Options()


def conformed(threads: int | None, limit: int | None, check_finite: bool) -> Options:
    """The options that a user gives. Raises TypeError for no whole number, ValueError for one that is too small."""
    return Options(_at_least(1, threads, "threads"), _at_least(0, limit, "limit"), check_finite)


def _at_least(minimum: int, value: int | None, name: str) -> int | None:
    if value is None:
        return None
    whole: int = Rule(minimum, None, None).conform(value, int, f"compile: {name}")
    return whole


def program_of(lowered: Lowered, spec: SpecTree, options: Options) -> Executable:
    """The program of a lowered graph for a spec of the input, by the engine of the options.

    Raises MemoryError where the arena exceeds the limit, DTypeError for a primitive that the engine lacks.
    """
    plan = Plan(lowered.destinations, spec, lowered.threads, options.limit, options.check_finite)
    return executable(lowered.graph, plan, options.engine or NUMPY_ENGINE)
