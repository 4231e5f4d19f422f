"""What a formula refuses, with advice: assignment, truth value, iteration, length, conversion to a number or array."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from layertree.core.brief import brief_formula
from layertree.core.narrowing import is_cell
from symbolic.core.facade import facade

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer

__all__ = ["Refusals", "way_to_change"]


def way_to_change(layer: AnyLayer, name: str) -> str:
    """What takes the place of the assignment of an attribute of a formula around a layer, as the end of a message."""
    layout = layer.__layout__
    way = ""
    if name == "layer":
        way = "formula.with_layer(layer) gives another formula"
    elif is_cell(layer) and name == "value":
        way = "formula.layer.set(value) rebinds the value of a weight"
    elif is_cell(layer) and name == "optimizer":
        way = "set_optimizers(formula, {'**': ...}) gives a weight another optimizer"
    elif name in layout.operands:
        way = f"formula.at({name!r}).set(...) gives another formula"
    elif name in layout.names:
        way = f"formula.with_layer(attrs.evolve(formula.layer, {name}=...)) gives another formula"
    return way and f"; {way}"


if TYPE_CHECKING:

    class Refusals:
        """Without the methods: with them checkers would take a formula for a number, an array or a sequence."""

        __slots__ = ()

        __iter__: None
        __contains__: None
else:

    class Refusals:
        """The methods that raise."""

        __slots__ = ()

        def __bool__(self) -> NoReturn:
            raise TypeError(
                f"{brief_formula(self)} has no truth value before it runs: if_(condition, then, otherwise) and "
                "where(...) choose, & and | combine comparisons, and formulas are compared by their layers, "
                "f.layer == g.layer"
            )

        def __iter__(self) -> NoReturn:
            raise TypeError(
                f"{brief_formula(self)} cannot be iterated over before it runs: take parts by index, x[0]; "
                "placeholder((float, float)) gives a pair; symbolic.sum, max and min reduce arrays"
            )

        def __len__(self) -> NoReturn:
            raise TypeError(f"{brief_formula(self)} has no len(): see formula.shape")

        def __float__(self) -> NoReturn:
            raise TypeError(
                f"{brief_formula(self)} is no number before it runs: formula.predict(data) gives one; functions of "
                "math take numbers, those of symbolic formulas, such as symbolic.exp"
            )

        __int__ = __index__ = __float__

        def __contains__(self, item: object) -> NoReturn:
            raise TypeError(f"'in' has no answer before {brief_formula(self)} runs")

        def __array__(self, *_: object, **__: object) -> NoReturn:
            raise TypeError(
                f"{brief_formula(self)} is no array before it runs: formula.predict(data) gives one, also to plot"
            )

        def __round__(self, digits: int | None = None) -> AnyFormula:
            if digits is not None:
                raise TypeError(
                    f"round({brief_formula(self)}, {digits}) builds no formula: round(x) rounds to integers, and "
                    f"round(x * 1e{digits}) / 1e{digits} to {digits} digits"
                )
            return facade.unary("round", self)
