"""The update of cells: the content after a step by the update rule in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import copy_context
from functools import cache
from typing import Any

from layertree.core.cell import Cell, Content, UpdateRule, first_given, like, updating
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.namespaces import namespace_of

__all__ = ["all_updated", "note_update", "pair_of", "require_next", "rule_of", "updated"]


@cache
def _default_rule() -> UpdateRule:
    from layertree.updates.optimizers import SGD  # here for loading time: most programs name their optimizer

    return SGD(0.01)


def rule_of(cell: Cell, default: UpdateRule | None) -> UpdateRule:
    """The rule in force: the cell's own, else the default of the run, else that of the scope, else SGD(0.01)."""
    rule = first_given(cell.rule, default, cell.scoped_rule)  # a user's rule may be false, so not ``or``
    return _default_rule() if rule is None else rule


def all_updated(
    cells: Sequence[Cell],
    contents: Sequence[Content],
    contributions: Mapping[Cell, list[Any]],
    default: UpdateRule | None,
) -> list[Content]:
    """The contents of cells after one step from ``contents``. Changes nothing.

    The update rules run in a copy of the context, with which the flag of an update ends: an interrupt may arrive
    between any two instructions, so that a flag that is taken back would stay at times.
    """
    return copy_context().run(_all_updated, cells, contents, contributions, default)


def _all_updated(
    cells: Sequence[Cell],
    contents: Sequence[Content],
    contributions: Mapping[Cell, list[Any]],
    default: UpdateRule | None,
) -> list[Content]:
    updating.set(True)
    return [updated(cell, content, contributions[cell], default) for cell, content in zip(cells, contents, strict=True)]


def updated(cell: Cell, content: Content, contributions: list[Any], default: UpdateRule | None) -> Content:
    """The content of a cell after one step from ``content``. Changes nothing."""
    rule = rule_of(cell, default)
    try:
        return _step(cell, rule, content, contributions)
    except Exception as error:
        note_update(error, cell, rule)
        raise


def note_update(error: Exception, cell: Cell, rule: UpdateRule) -> None:
    """Add to an error in which update it was raised."""
    error.add_note(f"in the update of the cell {cell.path or 'without a name'} by {rule!r}")


def _step(cell: Cell, rule: UpdateRule, content: Content, contributions: list[Any]) -> Content:
    old, state = content
    xp = namespace_of(old)
    for contribution in contributions:
        cell.check(old, contribution, "was given", type(rule).__name__)
    contribution = contributions[0] if len(contributions) == 1 else rule.combine(xp, contributions)
    if state is None or state[0] is not type(rule):
        state = (type(rule), rule.start(xp, old))
    value, new_state = pair_of(rule, rule.update(xp, old, contribution, state[1]))
    require_next(cell, rule, old, value)
    return like(old, value), (type(rule), new_state)


def pair_of(rule: UpdateRule, step: Any) -> tuple[Any, Any]:
    """The next value and state that a rule returned. Raises DTypeError for anything but a pair."""
    if not is_a(step, tuple) or len(step) != 2:
        given = f"a {type(step).__name__} of {len(step)}" if is_a(step, (tuple, list)) else "one value"
        given = "None" if step is None else given
        raise DTypeError(f"{type(rule).__name__}.update gave {given}, but the pair (value, state) is wanted")
    value, state = step
    return value, state


def require_next(cell: Cell, rule: UpdateRule, old: Any, value: Any) -> None:
    """Raise ShapeError unless the next value of a cell has the shape of the old one, DTypeError for no real numbers."""
    cell.check(old, value, "got", f"its next value from {type(rule).__name__}")
