"""Groups of weights, and optimizers for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from layertree.core.cell import UpdateRule, rebinding, require_rule
from layertree.core.weight import Weight
from layertree.rewrite.selection import Where, weights_in

K = TypeVar("K")


def parameter_groups(layer: Any, groups: Mapping[K, Where]) -> dict[K, tuple[Weight[Any], ...]]:
    """The weights of a formula by group: each in the first group that means it, in the order of their first visit.

    A group is meant by what ``find`` takes, of weights alone: a path or a sub-formula means all weights at or below it,
    a predicate sees weights only. A weight that no group means is in none; a last group ``"**"`` takes the rest.

    >>> from layertree import Identity, Plus, Times, Weight
    >>> line = Plus(Times(Identity(), Weight(2.0, name="slope")), Weight(1.0, name="start"))
    >>> parameter_groups(line, {"steep": lambda weight: weight.value > 1.5, "rest": "**"})
    {'steep': (Weight(2.0, name='slope'),), 'rest': (Weight(1.0, name='start'),)}

    Raises UnknownPathError for a path, a pattern or a sub-formula without weights.
    """
    root = layer.__layer__()
    taken: set[Weight[Any]] = set()
    found: dict[K, tuple[Weight[Any], ...]] = {}
    for name, where in groups.items():
        found[name] = tuple(weight for weight in weights_in(root, where) if weight not in taken)
        taken.update(found[name])
    return found


def set_optimizers(layer: Any, rules: Mapping[Any, UpdateRule | None]) -> None:
    """Give weights of a formula their own optimizers, by group: each from the first group that means it.

    The optimizer is kept with the weight's value, so that ``train``, ``commit`` and ``fit`` use it, in this formula and
    in any other with the same weight; it goes before the one that these are given. None takes a weight's own optimizer
    away. The state of an optimizer of another kind is lost at the next step.

    >>> from layertree import SGD, Adam, Identity, Plus, Times, Weight, parameters
    >>> line = Plus(Times(Identity(), Weight(2.0, name="slope")), Weight(1.0, name="start"))
    >>> set_optimizers(line, {"slope": Adam(0.1), "**": SGD(0.5)})
    >>> [weight.optimizer for weight in parameters(line)]
    [Adam(rate=0.1, beta1=0.9, beta2=0.999, epsilon=1e-08), SGD(rate=0.5)]

    Raises UnknownPathError for a path, a pattern or a sub-formula without weights, TypeError for what is no optimizer;
    nothing has changed then.
    """
    for rule in rules.values():
        if rule is not None:
            require_rule(rule)
    # By number: formulas among the keys are not to be compared, which would build another one.
    groups = parameter_groups(layer, dict(enumerate(rules)))
    with rebinding:
        for weights, rule in zip(groups.values(), rules.values(), strict=True):
            for weight in weights:
                weight.cell.rule = rule
