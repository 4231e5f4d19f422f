"""What a backward pass has found, and the commit that tells it to the cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from layertree.core import deltas as _deltas
from layertree.core.errors import MissingGradientError


class Gradients(Mapping[Any, Any]):
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

    __slots__ = ("_deltas", "_told")

    def __init__(self) -> None:
        self._deltas: dict[Any, Any] = {}
        self._told: dict[Any, list[Any]] = {}

    def __getitem__(self, key: Any) -> Any:
        found = self._deltas.get(unwrapped(key), _MISSING)
        if found is _MISSING:
            raise MissingGradientError(
                f"the backward pass did not reach {key!r}: it has no gradient here (it reached "
                f"{len(self._deltas)} inputs and weights)"
            )
        return found

    def __contains__(self, key: object) -> bool:
        return unwrapped(key) in self._deltas

    def __iter__(self) -> Iterator[Any]:
        return iter(self._deltas)

    def __len__(self) -> int:
        return len(self._deltas)

    def __repr__(self) -> str:
        return f"Gradients({self._deltas!r})"

    def map(self, function: Callable[[Any], Any]) -> Gradients:
        """The same with each delta replaced by ``function(delta)``; what counters and averages hear stays.

        Of a tuple's delta the function takes each part.
        """
        result = Gradients()
        result._deltas = {key: _deltas.map_parts(delta, function) for key, delta in self._deltas.items()}
        result._told = {cell: list(told) for cell, told in self._told.items()}
        return result

    def __add__(self, other: Gradients) -> Gradients:
        """The deltas of two passes added up, as if both had been one."""
        result = self.map(lambda delta: delta)
        for key, delta in other._deltas.items():
            result._add(key, delta, _deltas.add)
        for cell, told in other._told.items():
            result._told.setdefault(cell, []).extend(told)
        return result

    def arrive(self, leaf: Any, delta: Any, add: _deltas.Add) -> None:
        """Note the delta of a leaf tape."""
        self._add(leaf.key, delta, add)

    def _add(self, key: Any, delta: Any, add: _deltas.Add) -> None:
        if key not in self._deltas:
            self._deltas[key] = delta
        elif isinstance(delta, _deltas.Parts):
            self._deltas[key] = _deltas.add_parts(self._deltas[key], delta, add)
        else:
            self._deltas[key] = add(self._deltas[key], delta)

    def tell(self, tape: Any) -> None:
        """Note what a tape has to say to the cells among its upstream tapes."""
        for upstream, contribution in zip(tape.upstream, tape.contributions(), strict=True):
            if contribution is None or getattr(upstream, "cell", None) is None:
                continue
            if upstream.is_trainable:
                raise TypeError(
                    f"{type(tape.layer).__name__} tells {upstream.key!r} what it saw, but a weight listens to deltas "
                    "alone: give a State, such as State(0.0, Average())"
                )
            self._told.setdefault(upstream.cell, []).append(contribution)


_MISSING = object()


def unwrapped(key: Any) -> Any:
    """A key as deltas are kept by it: the layer of a formula, whose own ``==`` builds one."""
    unwrap = getattr(key, "__layer__", None)
    return key if unwrap is None or isinstance(key, type) else unwrap()
