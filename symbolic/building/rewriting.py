"""A formula around another layer: its spec is inferred anew, and a layer that does not fit raises on its line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from layertree.core.diagnostics import MISFITS
from layertree.core.source_location import SourceLocation, here
from layertree.namespaces.spec import infer_spec
from symbolic.core.narrowing import is_formula
from symbolic.core.origin import common_origin, input_spec
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer, Spec

__all__ = ["rewritten"]


def rewritten(formula: AnyFormula, layer: AnyLayer, given: Sequence[object]) -> AnyFormula:
    """A formula of the same input around another layer, made with the operands ``given``.

    Raises ShapeError or DTypeError, with the line of the change, for a layer that does not fit the input.
    """
    if layer is formula.layer:
        return formula
    origin = common_origin(layer, [formula, *[one for one in given if is_formula(one)]])
    try:
        spec: Spec = infer_spec(layer, input_spec(origin))
    except MISFITS as error:
        place = here()
        made = type(error)(f"{error}" if place is None else f"{error}\n  changed at {SourceLocation(*place)}")
        for note in getattr(error, "__notes__", ()):
            made.add_note(note)
        raise made from None
    return Symbolic(layer, spec, origin)
