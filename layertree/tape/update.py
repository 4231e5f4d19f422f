"""The update of one cell: the content after a step by the update rule in force."""

from __future__ import annotations

from functools import cache
from typing import Any

from layertree.core.cell import Cell, Content, UpdateRule, first_given, like, updating
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.namespaces import namespace_of

__all__ = ["rule_of", "updated"]


@cache
def _default_rule() -> UpdateRule:
    from layertree.updates.optimizers import SGD  # here for loading time: most programs name their optimizer

    return SGD(0.01)


def rule_of(cell: Cell, default: UpdateRule | None) -> UpdateRule:
    """The rule in force: the cell's own, else the default of the run, else that of the scope, else SGD(0.01)."""
    rule = first_given(cell.rule, default, cell.scoped_rule)  # a user's rule may be false, so not ``or``
    return _default_rule() if rule is None else rule


def updated(cell: Cell, content: Content, contributions: list[Any], default: UpdateRule | None) -> Content:
    """The content of a cell after one step from ``content``. Changes nothing."""
    rule = rule_of(cell, default)
    token = updating.set(True)
    try:
        return _step(cell, rule, content, contributions)
    except Exception as error:
        error.add_note(f"in the update of the cell {cell.path or 'without a name'} by {rule!r}")
        raise
    finally:
        updating.reset(token)


def _step(cell: Cell, rule: UpdateRule, content: Content, contributions: list[Any]) -> Content:
    old, state = content
    xp = namespace_of(old)
    for contribution in contributions:
        cell.check(old, contribution, "was given", type(rule).__name__)
    contribution = contributions[0] if len(contributions) == 1 else rule.combine(xp, contributions)
    if state is None or state[0] is not type(rule):
        state = (type(rule), rule.start(xp, old))
    step: Any = rule.update(xp, old, contribution, state[1])
    if not is_a(step, tuple) or len(step) != 2:
        raise DTypeError(f"{type(rule).__name__}.update gave {step!r}, but the pair (value, state) is wanted")
    value, new_state = step
    cell.check(old, value, "got", f"its next value from {type(rule).__name__}")
    return like(old, value), (type(rule), new_state)
