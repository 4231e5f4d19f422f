"""Formulas from text: what ``format(formula, "full")`` writes is read back. No code of the text is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, overload

from layertree import Layer
from symbolic.core.symbolic import Symbolic
from symbolic.parsing._error import ParseError as ParseError

__all__ = ["ParseError", "parse"]


@overload
def parse(
    text: str, spec: None = ..., *, weights: Mapping[str, Any] | None = ..., known: Iterable[Any] = ...
) -> Layer[Any, Any]: ...
@overload
def parse(
    text: str, spec: Any, *, weights: Mapping[str, Any] | None = ..., known: Iterable[Any] = ...
) -> Symbolic[Any, Any]: ...
def parse(text: str, spec: Any = None, *, weights: Mapping[str, Any] | None = None, known: Iterable[Any] = ()) -> Any:
    """The formula that a text tells: code, as layers print, or a formula, as Symbolics do, or of both.

    >>> f = parse("(1.0 + x) * weight(2.0)", float)
    >>> f.predict(3.0)
    8.0
    >>> parse(format(f, "full")).predict(3.0), parse(format(f.layer, "full"))
    (8.0, Times(Plus(Literal(1.0), Identity()), Weight(2.0)))

    ``x`` is the input. Its spec is given here, or by a line ``x = placeholder(float)``, as ``format(f, "full")`` starts
    with. Lines such as ``a = exp(x)`` name what the following ones share, and the last one is the formula. With a
    spec the result is a Symbolic. Without one it is the bare layer; but of a formula without an input, a Symbolic.

    One name is one weight: a weight that the text mentions twice by its name is shared; one in ``weights``, a mapping
    by path names as ``named_cells`` gives it, is taken from there; any other is made anew, with the value in the text.
    A weight without a name comes back without one. ``known`` are further layer classes, update rules, and the functions
    of hooks, that the text uses by their own names.

    The text builds layers and their data, and nothing else. Its depth is bounded by memory alone. Raises ParseError for
    a text that is no formula, and what building it raises where shapes do not fit.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # users may give anything
        raise TypeError(f"parse takes a text: got {type(text).__name__}")
    from symbolic.parsing._reading import formula_of  # it needs all layers, which are not loaded before

    return formula_of(text, spec, weights or {}, known)
