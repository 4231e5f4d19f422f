"""Options of a program besides its formula: threads, a memory limit, and finite checks."""

from __future__ import annotations

from typing import NamedTuple

from layertree.core.attribute import Rule
from layertree.program.codegen.batch_program import AnyProgram
from layertree.program.ir.operations import SpecTree


class Options(NamedTuple):
    """The threads that share a batch, a limit in bytes for the arena, and whether every value has to be finite.

    ``threads`` is None for as many as there are cores, ``limit`` None for no limit.
    """

    threads: int | None = None
    limit: int | None = None
    check_finite: bool = False


PLAIN = Options()


def conformed(threads: int | None, limit: int | None, check_finite: bool) -> Options:
    """The options that a user gives. Raises TypeError for no whole number, ValueError for one that is too small."""
    return Options(_at_least(1, threads, "threads"), _at_least(0, limit, "limit"), check_finite)


def _at_least(minimum: int, value: int | None, name: str) -> int | None:
    if value is None:
        return None
    whole: int = Rule(minimum, None, None).conform(value, int, f"compile: {name}")
    return whole


def apply(program: AnyProgram, spec: SpecTree, options: Options) -> AnyProgram:
    """The program for a spec with the options. Raises MemoryError where its arena exceeds the limit."""
    # Inside of the functions for loading time: most programs need no report.
    if options.limit is not None:
        from layertree.program.report.memory import require_room

        require_room(program, spec, options.limit)
    if not options.check_finite:
        return program
    from layertree.program.report.finite_checks import checked

    return checked(program)
