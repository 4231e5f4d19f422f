"""The backward pass: reverse-mode accumulation over tapes, each visited once, in reverse order of creation."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np

from layertree.core import deltas
from layertree.core.brief import counted
from layertree.core.cell import UpdateRule, require_rule
from layertree.core.data import described
from layertree.core.deltas import Delta, Parts
from layertree.core.dynamic import is_a, type_of
from layertree.core.errors import DTypeError, GradientError
from layertree.core.tape import AnyTape, Tape
from layertree.tape.commit import commit
from layertree.tape.explain import backward_error
from layertree.tape.external import kept
from layertree.tape.gradients import Gradients
from layertree.tape.masked import MaskedDelta, applied, masked_pullbacks, sum_of, with_selection
from layertree.tape.tapes import AnyKept, KeptTape

__all__ = ["backward_all", "backward_from", "gradients", "gradients_of", "pull_back"]


def backward_all(deltas: Mapping[AnyTape, Delta], *, retain: bool = False, optimizer: UpdateRule | None = None) -> None:
    """Go back from several tapes at once: each weight that a delta reaches takes one step.

    >>> from layertree import Weight, Times, Identity, SGD
    >>> w = Weight(1.0, optimizer=SGD(0.1))
    >>> first, second = (Times(Identity(), w).forward(x) for x in (2.0, 3.0))
    >>> backward_all({first: 1.0, second: 1.0})
    >>> w.value
    0.5
    """
    if optimizer is not None:
        require_rule(optimizer)  # before a tape is used up
    commit(gradients(deltas, retain=retain), optimizer)


def backward_from(tape: AnyTape, delta: Delta, retain: bool, optimizer: UpdateRule | None) -> None:
    """``Tape.backward``: the gradients of one tape, committed."""
    if optimizer is not None:
        require_rule(optimizer)
    commit(gradients_of(tape, delta, retain), optimizer)


def gradients(roots: Mapping[AnyTape, Delta], *, retain: bool = False) -> Gradients:
    """The deltas of all leaves upstream of some tapes; the tapes are used up unless ``retain``."""
    _require_tapes(roots)
    seeds = [(kept(tape), deltas.seed(tape.value, delta)) for tape, delta in roots.items()]
    return _gradients(seeds, roots, retain)


def gradients_of(tape: AnyTape, delta: Delta, retain: bool) -> Gradients:
    """``Tape.gradients``: the deltas of all leaves upstream of one tape."""
    value = tape.value
    if type(value) is not float or (delta is not None and type(delta) is not float):
        delta = deltas.seed(value, delta)
    elif delta is None:
        delta = 1.0
    return _gradients([(tape if isinstance(tape, KeptTape) else kept(tape), delta)], (tape,), retain)


def _gradients(seeds: list[tuple[AnyKept, Delta]], roots: Iterable[AnyTape], retain: bool) -> Gradients:
    with np.errstate(all="ignore"):
        found = pull_back(seeds, operator.add, deltas.conform)
    if not retain:
        for tape in roots:
            if isinstance(tape, KeptTape):
                tape.use_up()
    return found


def _require_tapes(roots: Any) -> None:
    if not is_a(roots, Mapping):
        raise DTypeError(f"a mapping from tapes to deltas is wanted, such as {{tape: 1.0}}: got {roots!r}")
    for tape in roots:
        if not isinstance(tape, Tape):
            raise DTypeError(f"{tape!r} is no tape, and a delta goes back from tapes: formula.forward(data) gives one")


def _as_given(delta: Delta, value: Any) -> Delta:
    return delta


class Observer(Protocol):
    """What a backward pass reports to, where one is given."""

    def visit(self, tape: AnyKept, delta: Delta) -> None:
        """The whole delta of a tape, before the rule of the tape runs."""

    def send(self, tape: AnyKept, position: int, delta: Delta) -> None:
        """The delta that the rule of a tape gives for the operand at a position."""


def pull_back(
    seeds: Iterable[tuple[AnyKept, Delta]],
    add: deltas.Add,
    conform: deltas.Conform = _as_given,
    observer: Observer | None = None,
    least: int = 0,
) -> Gradients:
    """One sweep from the seeded tapes to the leaves, in any namespace; ``add`` adds two deltas of the namespace.

    ``conform`` gives the delta of a rule in the kind of the value it belongs to, or raises GradientError. Tapes whose
    serial number is below ``least`` are not visited.

    Deltas of one tape over several edges are added before the sweep visits the tape, so the work grows with the number
    of tapes and not of paths. Nothing is changed.
    """
    order: dict[int, AnyKept] = {}
    pending: dict[int, Delta] = {}
    for tape, delta in seeds:
        _collect(tape, order)
        if tape.is_trainable:
            _arrive(pending, tape.serial, delta, add)
    return _visit_all(order, pending, add, conform, observer, least)


def _visit_all(
    order: dict[int, AnyKept],
    pending: dict[int, Delta],
    add: deltas.Add,
    conform: deltas.Conform,
    observer: Observer | None,
    least: int,
) -> Gradients:
    """Visit the tapes, the last one first, and run the closures of each rule for the operands that are trainable."""
    found = Gradients()
    for serial in sorted([one for one in order if one >= least] if least else order, reverse=True):
        tape = order[serial]
        if tape.has_effect:
            found.contribute(tape)
        delta = pending.pop(serial, None)
        if delta is None:
            continue
        if type(delta) is not float:
            delta = _accumulated(delta, add)
        if observer is not None:
            observer.visit(tape, applied(delta, tape.value))
        upstream = tape.upstream
        if not upstream:
            found.accumulate(tape, delta.apply(tape.value) if type(delta) is MaskedDelta else delta, add)
            continue
        try:
            if type(delta) is MaskedDelta:
                delta, pullbacks = masked_pullbacks(tape, delta)
            else:
                pullbacks = tape.pullbacks(delta)
            if type_of(pullbacks) is not tuple or len(pullbacks) != len(upstream):
                _require_closures(pullbacks, upstream)
                pullbacks = with_selection(pullbacks, tape, delta)
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
                if type(given) is MaskedDelta:
                    given = given.conform(conform, value)
                elif type(given) is not float or type(value) is not float:  # a float for a float needs no check
                    given = conform(given, value)
                if observer is not None:
                    observer.send(tape, position, applied(given, value))
                key = one.serial
                if type(given) is Parts:
                    _arrive(pending, key, given, add)
                else:
                    pending[key] = sum_of(pending[key], given, value, add) if key in pending else given
        except Exception as error:
            better = backward_error(error, tape, delta)
            if better is error:
                raise
            raise better from None
    return found


def _accumulated(delta: Delta, add: deltas.Add) -> Delta:
    """The sum of all deltas of a tape, read-only: a rule may pass one array on to several operands."""
    if type_of(delta) is list:
        return deltas.joined(delta, add)
    if type(delta) is np.ndarray:
        delta.setflags(write=False)
    return delta


def _require_closures(given: Any, upstream: tuple[AnyTape, ...]) -> None:
    if not is_a(given, (tuple, list)) or len(given) != len(upstream):
        what = f"{len(given)} closures" if is_a(given, (tuple, list)) else repr(given)
        raise GradientError(
            f"it gives {what} for {counted(len(upstream), 'operand')}: return a tuple, a closure or None for each"
        )


def _arrive(pending: dict[int, Delta], serial: int, delta: Delta, add: deltas.Add) -> None:
    """Add a delta to the pending ones of a tape. Parts are listed first: added one by one they take quadratic time."""
    if type(delta) is Parts:
        pending.setdefault(serial, []).append(delta)
    elif serial not in pending:
        pending[serial] = delta
    else:
        pending[serial] = add(pending[serial], delta)


def _collect(root: AnyKept, order: dict[int, AnyKept]) -> None:
    """Add all tapes that a backward pass from ``root`` visits, by serial number. A closed tape among them raises."""
    _ = root.upstream  # raises also where nothing is active, as for a constant formula
    if not root.is_active or root.serial in order:
        return
    order[root.serial] = root
    stack = [root]
    while stack:
        for tape in stack.pop().upstream:
            if tape.is_active and tape.serial not in order:
                order[tape.serial] = tape
                stack.append(tape)
