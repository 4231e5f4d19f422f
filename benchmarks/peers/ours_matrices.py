"""Hessian and Jacobian, as formulas of ``symbolic``."""

from __future__ import annotations

from typing import Any

import layertree
import symbolic as sy
from benchmarks.peers import Case, matrix
from layertree.typing import ArraySpec
from symbolic import placeholder

__all__ = ["hessian", "jacobian"]


def hessian(problem: Any) -> Case:
    """That of Rosenbrock's function."""
    x = placeholder(ArraySpec(problem.shape, problem.dtype))
    head, tail = x[:-1], x[1:]
    formula = sy.sum(100.0 * (tail - head**2) ** 2 + (1.0 - head) ** 2)
    return _compiled(sy.hessian(formula), problem)


def jacobian(problem: Any) -> Case:
    """That of a perceptron."""
    data, first, second = problem
    x = placeholder(ArraySpec(data.shape, data.dtype))
    return _compiled(sy.jacobian(sy.tanh(sy.tanh(x @ first) @ second)), data)


def _compiled(formula: Any, data: Any) -> Case:
    program = layertree.compile(formula)
    return Case(lambda: program.predict(data), matrix)
