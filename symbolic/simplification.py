"""Formulas in their simplest form, by the rules that there are and by your own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from layertree import Layer
from layertree._spec import as_spec
from symbolic.building.operations import as_symbolic
from symbolic.building.placeholders import wrap
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from layertree.rewrite.pattern import Rule

__all__ = ["simplify"]

In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)


def simplify(formula: Layer[In, Out], /, rules: Iterable[Rule] | None = None, *, spec: Any = None) -> Symbolic[In, Out]:
    """The formula in its simplest form, of the same input, shape and dtype.

    Constants are folded, equal nodes become one, compositions are put in place, and rules are applied where shape and
    dtype stay: those of ``layertree.RULES``, or the given ones instead. Values stay up to rounding, and neither NaN nor
    infinity is hidden, but for a function that is undone where it overflows. A bare layer needs the ``spec`` of its
    input, for what depends on its shape.

    >>> from symbolic import exp, log, placeholder
    >>> x = placeholder(float)
    >>> simplify(0.0 + 2.0 * x + 3.0 * x), simplify(log(exp(x)) ** 2 * x)
    (5.0 * x, x ** 3)
    >>> simplify(exp(log(x))), simplify(exp(log(abs(x)))), simplify(x - x)
    (exp(log(x)), abs(x), x - x)

    A rule of your own is a pattern and what takes its place, both trees of case classes with variables:

    >>> from layertree import RULES, Cos, Literal, Plus, Power, Rule, Sin, Variable
    >>> from symbolic import cos, sin
    >>> a = Variable("a")
    >>> rule = Rule(Plus(Power(Sin(a), Literal(2)), Power(Cos(a), Literal(2))), Literal(1.0))
    >>> simplify(3.0 * (sin(2.0 * x) ** 2 + cos(2.0 * x) ** 2), [*RULES, rule])
    3.0

    Raises ValueError for rules that do not come to an end, TypeError for a layer that needs a spec.
    """
    from layertree.rewrite.rules import RULES
    from layertree.rewrite.simplify import simplify as simplified

    whole: Any = formula
    if not isinstance(formula, Symbolic):
        whole = as_symbolic(formula) if spec is None else wrap(formula, as_spec(spec))
    source = () if whole.origin is None else whole.origin.spec
    return Symbolic(simplified(whole.layer, source, RULES if rules is None else rules), whole.spec, whole.origin)
