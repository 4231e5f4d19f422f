"""commit: every cell takes one step, all or none (optimistic concurrency by compare-and-swap)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from layertree.core.cell import (
    Cell,
    Content,
    UpdateRule,
    changing,
    rebinding,
    replaced,
    require_no_update,
    require_rule,
)
from layertree.core.dynamic import is_a
from layertree.core.tape import Tape
from layertree.tape.gradients import Gradients, leaf_of
from layertree.tape.update import all_updated


def commit(gradients: Mapping[Any, Any], optimizer: UpdateRule | None = None) -> None:
    """Let every cell take one step: weights by their deltas, counters and averages by their contributions.

    ``gradients`` is the result of ``gradients()``, or any mapping from weights to deltas. ``optimizer`` serves the
    weights that have none of their own. All new values are computed first, from one state of the cells, and
    then rebound together: if anything raises, nothing has changed.

    Raises TypeError for a key that is neither a weight nor a tape.
    """
    if optimizer is not None:
        require_rule(optimizer)
    require_no_update("commit")
    while True:
        cells, before, after = next_contents(gradients, optimizer)
        # Another thread may have committed to one of these cells since: then start again from its new content.
        if rebound(cells, before, after):
            return


def next_contents(
    gradients: Mapping[Any, Any], optimizer: UpdateRule | None
) -> tuple[list[Cell], list[Content], list[Content]]:
    """The cells that a commit would change, with their contents before and after. Nothing changes.

    Raises TypeError for a key that is neither a weight nor a tape.
    """
    contributions = _contributions(gradients)
    cells = list(contributions)
    before: list[Content] = []
    for cell in cells:
        before.append(cell.content)
    with np.errstate(all="ignore"):
        after = all_updated(cells, before, contributions, optimizer)
    return cells, before, after


def _contributions(gradients: Mapping[Any, Any]) -> dict[Cell, list[Any]]:
    """All contributions by cell, each cell once: of several updates of one cell the last would undo the others."""
    found: dict[Cell, list[Any]] = {}
    if type(gradients) is Gradients:
        for leaf, delta in gradients.deltas.items():
            if type(leaf) is Cell:
                found[leaf] = [delta]
        for cell, given in gradients.contributions.items():
            found.setdefault(cell, []).extend(given)
        return found
    if not is_a(gradients, Mapping):
        raise TypeError(f"commit takes a mapping from weights to deltas: got {gradients!r}")
    for key, delta in gradients.items():
        leaf = leaf_of(key)
        if isinstance(leaf, Cell):
            found.setdefault(leaf, []).append(delta)
        elif not isinstance(leaf, Tape):  # an Input has a delta, but nothing to update
            raise TypeError(f"commit takes a mapping from weights to deltas: {key!r} is no weight")
    return found


def rebound(cells: list[Cell], before: list[Content], after: list[Content]) -> bool:
    """Rebind cells together, unless the content of one is no longer the content ``before``; whether it was done.

    ``before`` may be longer than ``cells``. A single cell takes no lock.
    """
    if len(cells) == 1:
        return replaced(cells[0], before[0], after[0])
    with rebinding, changing:
        for place, cell in enumerate(cells):
            if cell.content is not before[place]:
                return False
        rebind(cells, after)
    return True


def rebind(cells: list[Cell], contents: list[Content]) -> None:
    """Give cells their new contents; the caller holds the lock."""
    try:
        for place, cell in enumerate(cells):
            cell.content = contents[place]
    except BaseException:
        # KeyboardInterrupt may come between any two assignments, and half a step must not stay: finish the step.
        for place, cell in enumerate(cells):
            cell.content = contents[place]
        raise
