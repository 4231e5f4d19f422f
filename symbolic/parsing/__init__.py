"""Formulas from text: ``parse`` reads what ``format(formula, "full")`` writes. No code of the text is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, overload

from layertree.core.public import listed
from symbolic.parsing._error import ParseError as ParseError

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer

__all__ = ["ParseError", "parse"]


def __dir__() -> list[str]:
    return listed(globals())


@overload
def parse(
    text: str, spec: None = ..., *, weights: Mapping[str, AnyLayer] | None = ..., known: Iterable[object] = ...
) -> AnyLayer: ...
@overload
def parse(
    text: str, spec: object, *, weights: Mapping[str, AnyLayer] | None = ..., known: Iterable[object] = ...
) -> AnyFormula: ...
def parse(
    text: str,
    spec: object = None,
    *,
    weights: Mapping[str, AnyLayer] | None = None,
    known: Iterable[object] = (),
) -> AnyLayer:
    """The formula of a text: code, as layers print, or a formula, as Symbolics print, or a mixture.

    >>> f = parse("(1.0 + x) * weight(2.0)", float)
    >>> f.predict(3.0)
    8.0
    >>> parse(format(f, "full")).predict(3.0), parse(format(f.layer, "full"))
    (8.0, Times(Plus(Literal(1.0), Identity()), Weight(2.0)))

    Numbers are Python's, such as ``1_000.0``; ``pi``, ``e``, ``inf`` and ``nan`` are constants, unless a line defines
    another formula of that name. A power is ``**``, as in Python: ``^`` is the exclusive or.

    ``x`` is the input. Its spec is ``spec``, or that of a line ``x = placeholder(float)``, the first line of
    ``format(f, "full")``. Lines such as ``a = exp(x)`` name formulas that later lines use, and the last line is the
    formula. With a spec the result is a Symbolic. Without a spec it is the bare layer, or a Symbolic if the formula has
    no input.

    One name is one weight: two weights of one name in the text are one; a weight in ``weights``, a mapping by path
    names as ``named_cells`` gives it, is used for its name; any other weight is a new one, with the value in the text.
    Each weight without a name is a new weight without a name. ``known`` are further layer classes, update rules, and
    the functions of hooks, that the text uses by their own names.

    The text builds layers and their data, and nothing else. Memory alone bounds its depth. Raises ParseError for a text
    that is no formula, or whose compositions or powers of integers are too large to be computed; and the errors of
    building the formula, such as ShapeError.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # users may give anything
        raise TypeError(f"parse takes a text: got {type(text).__name__}")
    from symbolic.parsing._reading import formula_of  # for loading time: it loads all layer classes

    return formula_of(text, spec, weights or {}, known)
