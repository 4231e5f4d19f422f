"""The way back: each tape is visited once, in the reverse of the order in which they were made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from layertree import _deltas
from layertree._cell import require_rule
from layertree._context import backward_error
from layertree._data import describe
from layertree._errors import DTypeError, GradientError
from layertree._gradients import Gradients, commit
from layertree._kinds import is_a, type_of

__all__ = ["backward", "gradients", "pull_back"]


def backward(deltas: Mapping[Any, Any], *, retain: bool, optimizer: Any) -> None:
    """The step that a backward pass makes. What is no optimizer is refused before a tape is used up."""
    if optimizer is not None:
        require_rule(optimizer)
    commit(gradients(deltas, retain=retain), optimizer)


def gradients(deltas: Mapping[Any, Any], *, retain: bool = False) -> Gradients:
    """The deltas of all leaves upstream of some tapes; the tapes are used up unless ``retain``."""
    from layertree._external import kept

    _require_tapes(deltas)
    seeds = [(kept(tape), _deltas.seed(tape.value, delta)) for tape, delta in deltas.items()]
    with np.errstate(all="ignore"):
        found = pull_back(seeds, _deltas.add, _deltas.conform)
    if not retain:
        for tape in deltas:
            use_up = getattr(tape, "use_up", None)
            if use_up is not None:
                use_up()
    return found


def _require_tapes(deltas: Any) -> None:
    from layertree._tape import Tape

    if not is_a(deltas, Mapping):
        raise DTypeError(f"a mapping from tapes to deltas is wanted, such as {{tape: 1.0}}: got {deltas!r}")
    for tape in deltas:
        if not isinstance(tape, Tape):
            raise DTypeError(f"{tape!r} is no tape, and a delta goes back from tapes: formula.forward(data) gives one")


def pull_back(
    seeds: Iterable[tuple[Any, Any]], add: _deltas.Add, conform: _deltas.Conform = lambda delta, value: delta
) -> Gradients:
    """One sweep from the seeded tapes to the leaves, in any namespace; ``add`` adds two of its deltas.

    ``conform`` gives the delta of a rule in the kind of the value it belongs to, or raises GradientError.

    What arrives at a tape over several edges is added before the sweep goes on from there, so that the work
    grows with the tapes and not with the paths. Nothing is changed.
    """
    seeds = list(seeds)
    order = _collect([tape for tape, _ in seeds])
    pending: dict[int, Any] = {}
    for tape, delta in seeds:
        if tape.is_trainable:
            _arrive(pending, tape._serial, delta, add)
    found = Gradients()
    for serial in sorted(order, reverse=True):
        tape = order[serial]
        if tape._has_effect:
            found.tell(tape)
        if serial not in pending:
            continue
        delta = pending.pop(serial)
        if type_of(delta) is list:
            delta = _deltas.joined(delta, add)
        if type(delta) is np.ndarray:
            delta.setflags(write=False)  # a rule may hand one array to several operands
        if not tape.upstream:
            found.arrive(tape, delta, add)
            continue
        try:
            for upstream, pullback in zip(tape.upstream, _pullbacks(tape, delta), strict=True):
                if upstream.is_trainable and pullback is not None:
                    given = pullback()
                    if given is not None:
                        _arrive(pending, upstream._serial, conform(given, upstream.value), add)
        except Exception as error:
            better = backward_error(error, tape, delta)
            if better is error:
                raise
            raise better from None
    return found


def _pullbacks(tape: Any, delta: Any) -> Any:
    """The closures of a rule: one an operand, or None."""
    given = tape.pullbacks(delta)
    if not is_a(given, (tuple, list)) or len(given) != len(tape.upstream):
        what = f"{len(given)} closures" if is_a(given, (tuple, list)) else repr(given)
        raise GradientError(
            f"it gives {what} for {len(tape.upstream)} operands: return a tuple, a closure or None for each"
        )
    for pullback in given:
        if pullback is not None and not callable(pullback):
            raise GradientError(f"it gives a {describe(pullback)} where a closure is wanted: lambda: delta")
    return given


def _arrive(pending: dict[int, Any], serial: int, delta: Any, add: _deltas.Add) -> None:
    """Note a delta of a tape. Parts are only listed: added one by one, those of a long tuple would take a square."""
    if type(delta) is _deltas.Parts:
        pending.setdefault(serial, []).append(delta)
    elif serial not in pending:
        pending[serial] = delta
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
