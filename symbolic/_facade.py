"""Fills ``symbolic.core.facade`` with the functions that methods of Symbolic call.

Imports inside of functions are for loading time. Each function that has one loads its module at its first call, and
then the function of that module takes its place in the facade.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from symbolic.building import bare_layers, operations
from symbolic.core.facade import facade

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer

__all__ = ["fill"]


def _index(formula: AnyFormula, key: object) -> AnyFormula:
    from symbolic.building.indexing import index

    facade.index = index
    return index(formula, key)


def _rewritten(formula: AnyFormula, layer: AnyLayer, given: Sequence[object]) -> AnyFormula:
    from symbolic.building.rewriting import rewritten

    facade.rewritten = rewritten
    return rewritten(formula, layer, given)


def _ufunc(
    function: Callable[..., object], method: str, inputs: tuple[object, ...], options: Mapping[str, object]
) -> object:
    from symbolic.building.numpy_protocols import ufunc

    facade.ufunc = ufunc
    return ufunc(function, method, inputs, options)


def _array_function(
    function: Callable[..., object], arguments: tuple[object, ...], options: dict[str, object]
) -> object:
    from symbolic.building.numpy_protocols import array_function

    facade.array_function = array_function
    return array_function(function, arguments, options)


def _format(formula: AnyFormula, style: str) -> str:
    from symbolic.building.text import styled_formula

    facade.format = styled_formula
    return styled_formula(formula, style)


def _latex(formula: AnyFormula) -> str:
    from symbolic.building.text import notebook_latex

    facade.latex = notebook_latex
    return notebook_latex(formula)


def fill() -> None:
    """Give ``facade`` all of its functions."""
    facade.unary = operations.unary
    facade.binary = operations.binary
    facade.compose = operations.compose
    facade.surroundings = bare_layers.Surroundings
    facade.index = _index
    facade.rewritten = _rewritten
    facade.ufunc = _ufunc
    facade.array_function = _array_function
    facade.format = _format
    facade.latex = _latex
    facade.namespace = sys.modules["symbolic"]
