"""The functions of higher rooms that methods of Symbolic call.

Symbolic stands below the modules that build formulas, since these make Symbolics. ``symbolic._facade`` fills the
attributes of ``facade`` while ``symbolic`` is imported, before any formula exists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer

__all__ = ["Facade", "facade"]


class Facade:
    """One attribute for each function."""

    __slots__ = (
        "array_function",
        "binary",
        "compose",
        "format",
        "index",
        "latex",
        "namespace",
        "rewritten",
        "surroundings",
        "ufunc",
        "unary",
    )

    unary: Callable[[str, object], AnyFormula]
    """The formula of a function of one operand, by the function's name in the Array API."""
    binary: Callable[[str, object, object], AnyFormula]
    """The formula of a function of two operands, by the function's name in the Array API."""
    compose: Callable[[AnyFormula, tuple[object, ...]], AnyFormula]
    """The composition of a formula with its arguments."""
    index: Callable[[AnyFormula, object], AnyFormula]
    """The formula at an index."""
    rewritten: Callable[[AnyFormula, AnyLayer, Sequence[object]], AnyFormula]
    """A formula around another layer, with its spec inferred anew."""
    surroundings: Callable[[AnyFormula], object]
    """The context in which bare layers of a formula are formulas."""
    ufunc: Callable[[Callable[..., object], str, tuple[object, ...], Mapping[str, object]], object]
    """The formula of a call of a NumPy ufunc."""
    array_function: Callable[[Callable[..., object], tuple[object, ...], dict[str, object]], object]
    """The formula of a call of another NumPy function."""
    format: Callable[[AnyFormula, str], str]
    """A formula as text in a style."""
    latex: Callable[[AnyFormula], str]
    """A formula as notebooks show it."""
    namespace: ModuleType
    """The package ``symbolic``, which is the Array API namespace of formulas."""


facade: Facade = Facade()
