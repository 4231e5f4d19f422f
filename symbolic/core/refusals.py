"""What a formula refuses, with advice: a truth value, iteration, a length, conversion to a number or an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from layertree.core.brief import brief_formula
from symbolic.core.facade import facade

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula

__all__ = ["Refusals"]

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
