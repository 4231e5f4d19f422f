"""Fills ``symbolic.core.facade`` with the functions that methods of Symbolic call."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from symbolic.building import indexing, numpy_protocols, operations, rewriting
from symbolic.building.bare_layers import Surroundings
from symbolic.core.facade import facade

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula

__all__ = ["fill"]

# Texts of formulas load when the first formula is shown: imports inside of functions, for loading time.


def _format(formula: AnyFormula, style: str) -> str:
    from symbolic.building.text import styled_formula

    return styled_formula(formula, style)


def _latex(formula: AnyFormula) -> str:
    from symbolic.building.text import notebook_latex

    return notebook_latex(formula)


def fill() -> None:
    """Give ``facade`` all of its functions."""
    facade.unary = operations.unary
    facade.binary = operations.binary
    facade.compose = operations.compose
    facade.index = indexing.index
    facade.rewritten = rewriting.rewritten
    facade.surroundings = Surroundings
    facade.ufunc = numpy_protocols.ufunc
    facade.array_function = numpy_protocols.array_function
    facade.format = _format
    facade.latex = _latex
    facade.namespace = sys.modules["symbolic"]
