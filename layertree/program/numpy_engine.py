"""The NumPy engine: straight-line NumPy source by ``codegen``, with the checks that ``compile`` offers."""

from __future__ import annotations

from typing import TypeGuard

from layertree.program.codegen.batch_program import AnyProgram, PartedProgram, planned
from layertree.program.codegen.program import Program
from layertree.program.engine import Engine, Executable, Plan
from layertree.program.ir.operations import Graph
from layertree.program.ir.primitives import PRIMITIVES
from layertree.program.lower.namespace import is_primitive

__all__ = ["NUMPY_ENGINE", "is_numpy_program", "numpy_program"]


class _Kernels:
    """The primitives of the engine: the table of primitives, functions of the NumPy namespace, and hooks."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name == "hook" or name in PRIMITIVES or is_primitive(name))


class _NumPyEngine:
    """The engine that ``compile`` uses."""

    name: str = "numpy"
    primitives: _Kernels = _Kernels()

    def build(self, graph: Graph, plan: Plan, /) -> AnyProgram:
        """The program of a graph. Raises MemoryError where its arena exceeds the limit of the plan."""
        program = planned(graph, plan.destinations, plan.threads)
        # Inside of the function for loading time: most programs need no report.
        if plan.limit is not None:
            from layertree.program.report.memory import require_room

            require_room(program, plan.spec, plan.limit)
        if not plan.check_finite:
            return program
        from layertree.program.report.finite_checks import checked

        return checked(program)


NUMPY_ENGINE: Engine = _NumPyEngine()


def is_numpy_program(program: Executable | None) -> TypeGuard[AnyProgram]:
    """Whether a program is one of this engine."""
    return isinstance(program, (Program, PartedProgram))


def numpy_program(program: Executable) -> AnyProgram:
    """The program as one of this engine, which alone has reports. Raises TypeError for a program of another engine."""
    if is_numpy_program(program):
        return program
    raise TypeError(f"explain, memory and profile are reports on programs in NumPy: got a {type(program).__name__}")
