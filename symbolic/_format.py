"""What ``format(formula, style)`` writes: a formula as text that tells its input, too."""

from __future__ import annotations

from typing import Any

from layertree.core.nested import nested_text
from layertree.core.spec import WEAK_TYPES
from layertree.text.formula import formula
from layertree.text.styles import styled


def styled_formula(symbol: Any, style: str) -> str:
    """A formula in a style: that of a layer, but by default as a formula, and in full with the spec of its input."""
    if not style:
        return formula(symbol.layer)
    if style == "full":
        return full_text(symbol)
    return styled(symbol.layer, style, None if symbol.origin is None else symbol.origin.spec)


def full_text(symbol: Any) -> str:
    """All of a formula, with its input on a line of its own: ``x = placeholder(float)``."""
    text = formula(symbol.layer, full=True)
    return text if symbol.origin is None else f"x = placeholder({spec_code(symbol.origin.spec)})\n{text}"


def spec_code(spec: Any) -> str:
    """A spec as code.

    >>> from layertree.core.spec import ArraySpec, as_spec
    >>> spec_code(as_spec((float, ArraySpec(("Batch", 3)))))
    "(float, ArraySpec(('Batch', 3), 'float64'))"
    """
    return nested_text(spec, _one_spec_code)


def _one_spec_code(spec: Any) -> str:
    if spec.weak:
        return WEAK_TYPES[spec.dtype].__name__
    return f"ArraySpec({spec.shape!r}, {spec.dtype.name!r})"


def notebook_latex(symbol: Any) -> str:
    """A formula as notebooks show it."""
    return f"$\\displaystyle {styled(symbol.layer, 'latex')}$"
