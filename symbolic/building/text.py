"""The texts of ``format(formula, style)``, which include the spec of the input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layertree.core.nested import nested_text
from layertree.core.spec import WEAK_TYPES
from layertree.text.formula import formula
from layertree.text.styles import styled

if TYPE_CHECKING:
    from layertree.core.spec import ArraySpec
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import Spec


def styled_formula(symbol: AnyFormula, style: str) -> str:
    """A formula in a style of layers; the default is ``formula``, and ``full`` adds the spec of the input."""
    if not style:
        return formula(symbol.layer)
    if style == "full":
        return full_text(symbol)
    return styled(symbol.layer, style, None if symbol.origin is None else symbol.origin.spec)


def full_text(symbol: AnyFormula) -> str:
    """The whole formula, after a line with its input: ``x = placeholder(float)``."""
    text = formula(symbol.layer, full=True)
    return text if symbol.origin is None else f"x = placeholder({spec_code(symbol.origin.spec)})\n{text}"


def spec_code(spec: Spec) -> str:
    """A spec as code.

    >>> from layertree.core.spec import ArraySpec, as_spec
    >>> spec_code(as_spec((float, ArraySpec(("Batch", 3)))))
    "(float, ArraySpec(('Batch', 3), 'float64'))"
    """
    return nested_text(spec, _one_spec_code)


def _one_spec_code(spec: ArraySpec[object]) -> str:
    if spec.weak:
        return WEAK_TYPES[spec.dtype].__name__
    return f"ArraySpec({spec.shape!r}, {spec.dtype.name!r})"


def notebook_latex(symbol: AnyFormula) -> str:
    """A formula as notebooks show it."""
    return f"$\\displaystyle {styled(symbol.layer, 'latex')}$"
