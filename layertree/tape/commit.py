"""commit: every cell takes one step, all or none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from layertree.core.cell import Cell, Content, changing, rebinding, replaced, require_no_update, require_rule
from layertree.core.dynamic import is_a
from layertree.core.tape import Tape
from layertree.tape.gradients import Gradients, unwrapped
from layertree.tape.update import updated


def commit(gradients: Mapping[Any, Any], optimizer: Any = None) -> None:
    """Let every cell take one step: weights by their deltas, counters and averages by what they were told.

    ``gradients`` is what ``gradients()`` returned, or any mapping from weights to deltas. ``optimizer`` serves the
    weights that have none of their own. All new values are computed first, from one state of the cells, and
    then rebound together: if anything raises, nothing has changed.

    Raises TypeError for a key that is neither a weight nor a tape.
    """
    if optimizer is not None:
        require_rule(optimizer)
    require_no_update("commit")
    contributions = _contributions(gradients)
    cells = list(contributions)
    while True:
        before = [cell.content for cell in cells]
        with np.errstate(all="ignore"):
            after = [
                updated(cell, content, contributions[cell], optimizer)
                for cell, content in zip(cells, before, strict=True)
            ]
        # Another thread may have committed to one of these cells meanwhile: then compute again from there.
        if rebound(cells, before, after):
            return


def _contributions(gradients: Mapping[Any, Any]) -> dict[Any, list[Any]]:
    """All that each cell is given, each cell once: else the last of several updates would undo the others."""
    found: dict[Any, list[Any]] = {}
    if not is_a(gradients, Mapping):
        raise TypeError(f"commit takes a mapping from weights to deltas: got {gradients!r}")
    for given, delta in gradients.items():
        key = unwrapped(given)
        cell = getattr(key, "cell", None)
        if cell is not None:
            found.setdefault(cell, []).append(delta)
        elif not isinstance(key, Tape):  # an Input has a delta, but nothing to update
            raise TypeError(f"commit takes a mapping from weights to deltas: {given!r} is no weight")
    if isinstance(gradients, Gradients):
        for cell, told in gradients._told.items():  # pyright: ignore[reportPrivateUsage]  # a friend
            found.setdefault(cell, []).extend(told)
    return found


def rebound(cells: list[Cell], before: list[Content], after: list[Content]) -> bool:
    """Rebind cells together, unless one of them was rebound since it held what it did before.

    ``before`` may go on with the contents of other cells. A single cell takes no lock.
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
    """Give cells their new contents; to be called with the lock."""
    try:
        for place, cell in enumerate(cells):
            cell.content = contents[place]
    except BaseException:
        # Ctrl-C may come between any two of them, and half a step must not stay: finish it.
        for place, cell in enumerate(cells):
            cell.content = contents[place]
        raise


def snapshot(cells: list[Cell]) -> list[Content]:
    """The contents of several cells as they stand between two commits; a single one is whole by itself."""
    if len(cells) == 1:
        return [cells[0].content]
    with rebinding:
        return [cell.content for cell in cells]
