"""What an objective has to be: one number, and a float."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.spec import spec_text

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer


def require_number(role: str, formula: AnyLayer, spec: Any, *, or_pair: bool = False) -> None:
    """ShapeError unless a spec is that of one number, or maybe of a pair of them, (sum, count)."""
    parts = spec if or_pair and is_a(spec, tuple) and len(spec) == 2 else (spec,)
    if any(is_a(part, tuple) or part.shape != () or part.dtype.kind not in "biuf" for part in parts):
        raise ShapeError(
            f"{role} {brief_formula(formula)} gives {spec_text(spec)}, but one number is wanted: "
            "mean(...) or sum(...) of it"
        )


def require_float(role: str, formula: AnyLayer, spec: Any) -> None:
    """DTypeError for a number that has no gradient, or a pair whose first has none."""
    total = spec[0] if is_a(spec, tuple) else spec
    if total.dtype.kind != "f":
        raise DTypeError(
            f"{role} {brief_formula(formula)} gives {spec_text(spec)}, which has no gradient: "
            "cast to float before it is computed"
        )
