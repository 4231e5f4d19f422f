"""The way back: each tape is visited once, in the reverse of the order in which they were made."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from layertree.core import deltas as _deltas
from layertree.core.cell import require_rule
from layertree.core.data import described
from layertree.core.deltas import Parts
from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import DTypeError, GradientError
from layertree.core.tape import Tape
from layertree.tape.commit import commit
from layertree.tape.explain import backward_error
from layertree.tape.external import kept
from layertree.tape.gradients import Gradients

__all__ = ["backward", "backward_all", "gradients", "pull_back"]


def backward(deltas: Mapping[Any, Any], *, retain: bool, optimizer: Any) -> None:
    """The step that a backward pass makes. What is no optimizer is refused before a tape is used up."""
    if optimizer is not None:
        require_rule(optimizer)
    commit(gradients(deltas, retain=retain), optimizer)


def backward_all(deltas: Mapping[Tape[Any, Any], Any], *, retain: bool = False, optimizer: Any = None) -> None:
    """Go back from several tapes at once: each weight they reach takes one step.

    >>> from layertree import Weight, Times, Identity, SGD
    >>> w = Weight(1.0, optimizer=SGD(0.1))
    >>> first, second = (Times(Identity(), w).forward(x) for x in (2.0, 3.0))
    >>> backward_all({first: 1.0, second: 1.0})
    >>> w.value
    0.5
    """
    backward(deltas, retain=retain, optimizer=optimizer)


def gradients(deltas: Mapping[Any, Any], *, retain: bool = False) -> Gradients:
    """The deltas of all leaves upstream of some tapes; the tapes are used up unless ``retain``."""
    _require_tapes(deltas)
    seeds = [(kept(tape), _deltas.seed(tape.value, delta)) for tape, delta in deltas.items()]
    with np.errstate(all="ignore"):
        found = pull_back(seeds, operator.add, _deltas.conform)
    if not retain:
        for tape in deltas:
            use_up = getattr(tape, "use_up", None)
            if use_up is not None:
                use_up()
    return found


def _require_tapes(deltas: Any) -> None:
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
            _arrive(pending, tape.serial, delta, add)
    return _go_back(order, pending, add, conform)


def _go_back(order: dict[int, Any], pending: dict[int, Any], add: _deltas.Add, conform: _deltas.Conform) -> Gradients:
    """From tape to tape, the last one first; of each rule the closures of the operands that train are run."""
    found = Gradients()
    for serial in sorted(order, reverse=True):
        tape = order[serial]
        if tape.has_effect:
            found.tell(tape)
        delta = pending.pop(serial, None)
        if delta is None:
            continue
        if type(delta) is not float:
            delta = _settled(delta, add)
        upstream = tape.upstream
        if not upstream:
            found.arrive(tape, delta, add)
            continue
        try:
            pullbacks = tape.pullbacks(delta)
            if type_of(pullbacks) is not tuple or len(pullbacks) != len(upstream):
                _require_closures(pullbacks, upstream)
            for position, one in enumerate(upstream):  # faster than zip
                pullback = pullbacks[position]
                if pullback is None:
                    continue
                if not callable(pullback):
                    raise GradientError(f"it gives {described(pullback)} where a closure is wanted: lambda: delta")
                given = pullback() if one.is_trainable else None
                if given is None:
                    continue
                value = one.value
                if type(given) is not float or type(value) is not float:  # a float for a float is as it should be
                    given = conform(given, value)
                key = one.serial
                if key in pending or type(given) is Parts:
                    _arrive(pending, key, given, add)
                else:
                    pending[key] = given
        except Exception as error:
            better = backward_error(error, tape, delta)
            if better is error:
                raise
            raise better from None
    return found


def _settled(delta: Any, add: _deltas.Add) -> Any:
    """All that arrived at a tape, for its rule to read."""
    if type_of(delta) is list:
        return _deltas.joined(delta, add)
    if type(delta) is np.ndarray:
        delta.setflags(write=False)  # a rule may hand one array to several operands
    return delta


def _require_closures(given: Any, upstream: Any) -> None:
    if not is_a(given, (tuple, list)) or len(given) != len(upstream):
        what = f"{len(given)} closures" if is_a(given, (tuple, list)) else repr(given)
        raise GradientError(f"it gives {what} for {len(upstream)} operands: return a tuple, a closure or None for each")


def _arrive(pending: dict[int, Any], serial: int, delta: Any, add: _deltas.Add) -> None:
    """Note a delta of a tape. Parts are only listed: added one by one, those of a long tuple would take a square."""
    if type(delta) is Parts:
        pending.setdefault(serial, []).append(delta)
    elif serial not in pending:
        pending[serial] = delta
    else:
        pending[serial] = add(pending[serial], delta)


def _collect(roots: list[Any]) -> dict[int, Any]:
    """All tapes that a backward pass has to visit, by serial number. A closed one among them raises."""
    order: dict[int, Any] = {}
    stack: list[Any] = []
    for tape in roots:
        _ = tape.upstream  # raises also where nothing is active, as for a constant formula
        if tape.is_active and tape.serial not in order:
            order[tape.serial] = tape
            stack.append(tape)
    while stack:
        for tape in stack.pop().upstream:
            if tape.is_active and tape.serial not in order:
                order[tape.serial] = tape
                stack.append(tape)
    return order
