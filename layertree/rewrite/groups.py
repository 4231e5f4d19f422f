"""Parameter groups: disjoint sets of weights, and an optimizer for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from layertree.core.cell import UpdateRule, rebinding, require_rule
from layertree.core.layer import AnyLayer
from layertree.core.weight import Weight
from layertree.rewrite.selection import Selector, weights_in

K = TypeVar("K")


def parameter_groups(layer: AnyLayer, groups: Mapping[K, Selector]) -> dict[K, tuple[Weight[Any], ...]]:
    """The weights of a formula by group: each in the first group that selects it, in the order of their first visit.

    A group selects weights as ``find`` selects nodes: a path or a sub-formula selects all weights at or below it, a
    predicate receives weights only. A weight that no group selects is in none; a last group ``"**"`` has the rest.

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


def set_optimizers(layer: AnyLayer, rules: Mapping[Any, UpdateRule | None]) -> None:
    """Assign optimizers to the weights of a formula, by group: each weight from the first group that selects it.

    The cell of the weight keeps the optimizer, so ``train``, ``commit`` and ``fit`` use it in every formula with the
    weight; it has precedence over their argument. None removes the weight's own optimizer. The next step discards the
    state of an optimizer of another kind.

    >>> from layertree import SGD, Adam, Identity, Plus, Times, Weight, parameters
    >>> line = Plus(Times(Identity(), Weight(2.0, name="slope")), Weight(1.0, name="start"))
    >>> set_optimizers(line, {"slope": Adam(0.1), "**": SGD(0.5)})
    >>> [weight.optimizer for weight in parameters(line)]
    [Adam(rate=0.1, beta1=0.9, beta2=0.999, epsilon=1e-08), SGD(rate=0.5)]

    Raises UnknownPathError for a path, a pattern or a sub-formula without weights, TypeError for a value that is no
    optimizer. After an error nothing has changed.
    """
    for rule in rules.values():
        if rule is not None:
            require_rule(rule)
    # Keyed by position: to compare formulas among the keys would build formulas.
    groups = parameter_groups(layer, dict(enumerate(rules)))
    with rebinding:
        for weights, rule in zip(groups.values(), rules.values(), strict=True):
            for weight in weights:
                weight.cell.rule = rule
