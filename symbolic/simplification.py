"""Simplification of formulas, by the rules of the library or by others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from layertree import Layer
from layertree.core.public import listed
from layertree.core.spec import as_spec
from layertree.rewrite.pattern import Rule
from layertree.rewrite.rules import RULES
from layertree.rewrite.simplify import simplify as simplified
from symbolic.building.operations import as_symbolic
from symbolic.building.placeholders import wrap
from symbolic.core.narrowing import is_formula
from symbolic.core.origin import input_spec
from symbolic.core.symbolic import Symbolic

__all__ = ["simplify"]


def __dir__() -> list[str]:
    return listed(globals())


In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)


def simplify(
    formula: Layer[In, Out], /, rules: Iterable[Rule] | None = None, *, spec: object = None
) -> Symbolic[In, Out]:
    """The formula in its simplest form, of the same input, shape and dtype.

    Constants are folded, equal nodes become one node, compositions are inlined, and rules are applied if they preserve
    shape and dtype: those of ``layertree.RULES``, or ``rules`` instead. Values are equal up to rounding. NaN and
    infinity are preserved, except that a function and its inverse cancel also where the function overflows. A bare
    layer needs the ``spec`` of its input if the result depends on its shape.

    >>> from symbolic import exp, log, placeholder
    >>> x = placeholder(float)
    >>> simplify(2.0 * x + 3.0 * x - 0.0), simplify(log(exp(x)) ** 2 * x)
    (5.0 * x, x ** 3)
    >>> simplify(exp(log(x))), simplify(exp(log(abs(x)))), simplify(x - x)
    (exp(log(x)), abs(x), x - x)

    A rule is a pattern and its replacement, both trees of case classes with variables:

    >>> from layertree import RULES, Cos, Literal, Plus, Power, Rule, Sin, Wildcard
    >>> from symbolic import cos, sin
    >>> a = Wildcard("a")
    >>> rule = Rule(Plus(Power(Sin(a), Literal(2)), Power(Cos(a), Literal(2))), Literal(1.0))
    >>> simplify(3.0 * (sin(2.0 * x) ** 2 + cos(2.0 * x) ** 2), [*RULES, rule])
    3.0

    Raises ValueError for rules that do not terminate, TypeError for a layer that needs a spec.
    """
    whole = as_symbolic(formula) if spec is None or is_formula(formula) else wrap(formula, as_spec(spec))
    layer = simplified(whole.layer, input_spec(whole.origin), RULES if rules is None else rules)
    return Symbolic(layer, whole.spec, whole.origin)
