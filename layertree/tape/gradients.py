"""Gradients: the deltas that one backward pass has found, as a mapping."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from layertree.core.brief import brief_formula
from layertree.core.cell import Cell
from layertree.core.deltas import Add, Delta, Parts, add_parts, map_parts
from layertree.core.deltas import add as add_deltas
from layertree.core.dynamic import is_a
from layertree.core.errors import MissingGradientError
from layertree.core.facade import FACADE
from layertree.core.narrowing import is_cell, is_layer
from layertree.core.suggestions import nearest, some_of
from layertree.core.tape import Tape

if TYPE_CHECKING:
    from layertree.core.weight import CellLayer
    from layertree.tape.tapes import AnyKept

_SHOWN = 200
"""How many deltas a text shows."""


class Gradients(Mapping[Any, Delta]):
    """The deltas of one backward pass, keyed by Input tapes and Weights. Nothing has changed yet.

    Clipping, accumulation and averaging are functions of it, between ``gradients`` and ``commit``:

    >>> from layertree import Weight, Times, Identity, SGD, commit
    >>> w = Weight(1.0, optimizer=SGD(0.1))
    >>> found = Times(Identity(), w).forward(3.0).gradients()
    >>> found[w]
    3.0
    >>> commit(found.map(lambda delta: 2.0 * delta) + found)
    >>> round(w.value, 6)
    0.1
    """

    __slots__ = ("_layers", "contributions", "deltas")

    deltas: dict[Any, Delta]
    """The delta by leaf: by Input tape, or by the cell of a weight (the hash of a cell is its id, so quick)."""
    contributions: dict[Cell, list[Any]]
    """What averages and counters get in the commit, by cell."""

    def __init__(self) -> None:
        self.deltas = {}
        self.contributions = {}
        self._layers: dict[Cell, CellLayer[Any]] = {}

    def __getitem__(self, key: Any) -> Delta:
        try:
            found = self.deltas.get(leaf_of(key), _MISSING)
        except TypeError:  # an array, which has no hash
            found = _MISSING
        if found is _MISSING:
            raise _missing(self, key)
        return found

    def __contains__(self, key: object) -> bool:
        try:
            return leaf_of(key) in self.deltas
        except TypeError:  # an array, which has no hash
            return False

    def __iter__(self) -> Iterator[Any]:
        layers = self._layers
        return (layers.get(leaf, leaf) for leaf in self.deltas)

    def __len__(self) -> int:
        return len(self.deltas)

    def __repr__(self) -> str:
        shown = {key: self[key] for key in islice(self, _SHOWN)}
        more = f", {len(self) - _SHOWN:,} more" if len(self) > _SHOWN else ""
        return f"Gradients({shown!r}{more})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return FACADE.bundle(self)

    def map(self, function: Callable[[Delta], Delta]) -> Gradients:
        """The same with each delta replaced by ``function(delta)``; contributions to counters and averages stay.

        Of a tuple's delta the function takes each part.
        """
        result = Gradients()
        result.deltas = {leaf: map_parts(delta, function) for leaf, delta in self.deltas.items()}
        result.contributions = {cell: list(given) for cell, given in self.contributions.items()}
        result._layers = dict(self._layers)
        return result

    def __add__(self, other: Gradients) -> Gradients:
        """The deltas of two passes added up, as if both had been one."""
        result = self.map(_itself)
        for leaf, delta in other.deltas.items():
            result._add(leaf, delta, add_deltas)
        for cell, given in other.contributions.items():
            result.contributions.setdefault(cell, []).extend(given)
        result._layers.update(other._layers)
        return result

    def accumulate(self, leaf: AnyKept, delta: Delta, add: Add) -> None:
        """Add the delta of a leaf tape."""
        cell = leaf.cell
        if cell is not None:
            self._layers[cell] = leaf.key
            key: Any = cell
        else:
            key = leaf if leaf.key is None else leaf.key
        if key in self.deltas:
            self._add(key, delta, add)
        else:
            self.deltas[key] = delta

    def _add(self, leaf: Any, delta: Delta, add: Add) -> None:
        if leaf not in self.deltas:
            self.deltas[leaf] = delta
        elif isinstance(delta, Parts):
            self.deltas[leaf] = add_parts(self.deltas[leaf], delta, add)
        else:
            self.deltas[leaf] = add(self.deltas[leaf], delta)

    def contribute(self, tape: AnyKept) -> None:
        """Add the contributions of a tape to the cells among its upstream tapes."""
        for upstream, contribution in zip(tape.upstream, tape.contributions(), strict=True):
            cell: Cell | None = getattr(upstream, "cell", None)
            if contribution is None or cell is None:
                continue
            if upstream.is_trainable:
                raise TypeError(
                    f"{type(tape.layer).__name__} contributes to {tape.layer!r}, but a weight takes deltas alone: give "
                    "a State, such as State(0.0, Average())"
                )
            self.contributions.setdefault(cell, []).append(contribution)


_MISSING = object()


def _missing(gradients: Gradients, key: object) -> MissingGradientError:
    """The error for a key without a gradient: which there are, what is a key, and for a name the nearest weight."""
    leaves = list(gradients)
    reached = some_of([_shown(leaf) for leaf in leaves]) or "no input and no weight"
    text = f"the backward pass did not reach {_shown(key)}: it reached {reached}"
    if not (is_cell(_layer_of(key)) or is_a(key, Tape)):
        near = nearest(key, [leaf.path for leaf in leaves if is_cell(leaf) and leaf.path is not None])
        advice = "" if near is None else f"; near it is the weight {near!r}"
        text += f". The key of a gradient is a weight, or the Input(data) that forward was given{advice}"
    return MissingGradientError(text)


def _shown(key: object) -> str:
    """A key in one short line."""
    if is_layer(key):
        return brief_formula(key)
    return repr(key) if is_a(key, Tape) else reprlib.repr(key)


def _itself(delta: Delta) -> Delta:
    return delta


def leaf_of(key: Any) -> Any:
    """The key of ``Gradients.deltas`` for a user's key: of a weight or of a formula its cell, else the key itself."""
    layer = _layer_of(key)
    cell = getattr(layer, "cell", None)
    return layer if cell is None else cell


def _layer_of(key: Any) -> Any:
    """The layer of a formula; any other key as it is."""
    unwrap = getattr(key, "__layer__", None)
    return key if unwrap is None or isinstance(key, type) else unwrap()
