"""The way back: each tape is visited once, in the reverse of the order in which they were made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from layertree import _deltas
from layertree._context import in_backward
from layertree._gradients import Gradients, commit

__all__ = ["commit", "gradients", "pull_back"]


def gradients(deltas: Mapping[Any, Any], *, retain: bool = False) -> Gradients:
    """The deltas of all leaves upstream of some tapes; the tapes are used up unless ``retain``."""
    from layertree._external import kept

    seeds = [(kept(tape), _deltas.seed(tape.value, delta)) for tape, delta in deltas.items()]
    with np.errstate(all="ignore"):
        found = pull_back(seeds, _deltas.add)
    if not retain:
        for tape in deltas:
            use_up = getattr(tape, "use_up", None)
            if use_up is not None:
                use_up()
    return found


def pull_back(seeds: Iterable[tuple[Any, Any]], add: _deltas.Add) -> Gradients:
    """One sweep from the seeded tapes to the leaves, in any namespace; ``add`` adds two of its deltas.

    What arrives at a tape over several edges is added before the sweep goes on from there, so that the work
    grows with the tapes and not with the paths. Nothing is changed.
    """
    seeds = list(seeds)
    order = _collect([tape for tape, _ in seeds])
    pending: dict[int, Any] = {}
    for tape, delta in seeds:
        if tape.is_trainable:
            _arrive(pending, tape, delta, add)
    found = Gradients()
    for serial in sorted(order, reverse=True):
        tape = order[serial]
        if tape._has_effect:
            found.tell(tape)
        if serial not in pending:
            continue
        delta = pending.pop(serial)
        if type(delta) is np.ndarray:
            if delta.ndim:
                delta.setflags(write=False)  # a rule may hand one array to several operands
            else:
                delta = delta[()]  # a value of rank 0 is a NumPy scalar, and so is its delta
        if not tape.upstream:
            found.arrive(tape, delta, add)
            continue
        try:
            for upstream, pullback in zip(tape.upstream, tape.pullbacks(delta), strict=True):
                if upstream.is_trainable and pullback is not None:
                    _arrive(pending, upstream, pullback(), add)
        except Exception as error:
            in_backward(error, tape, delta)
            raise
    return found


def _arrive(pending: dict[int, Any], tape: Any, delta: Any, add: _deltas.Add) -> None:
    if delta is None:
        return
    serial = tape._serial
    if serial not in pending:
        pending[serial] = delta
    elif type(delta) is _deltas.Parts:
        pending[serial] = _deltas.add_parts(pending[serial], delta, add)
    else:
        pending[serial] = add(pending[serial], delta)


def _collect(roots: list[Any]) -> dict[int, Any]:
    """All tapes that a backward pass has to visit, by serial number. A closed one among them raises."""
    order: dict[int, Any] = {}
    stack = roots
    while stack:
        tape = stack.pop()
        upstream = tape.upstream  # raises also where nothing is active, as for a constant formula
        if tape.is_active and tape._serial not in order:
            order[tape._serial] = tape
            stack.extend([one for one in upstream if one.is_active])
    return order
