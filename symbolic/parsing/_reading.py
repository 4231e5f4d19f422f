"""The formula of a text: line by line, then with the spec of its input."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from layertree.core.spec import as_spec
from symbolic.core.origin import Origin
from symbolic.core.symbolic import Symbolic
from symbolic.parsing._expressions import Expressions
from symbolic.parsing._limits import require_bounded
from symbolic.parsing._names import Names
from symbolic.parsing._operands import OperandError, as_layer
from symbolic.parsing._parts import decided, has_input, undecided
from symbolic.parsing._tokens import LINE_OF_NAMES, TOKEN

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Spec


def formula_of(text: str, spec: object, weights: Mapping[str, AnyLayer], known: Iterable[object]) -> AnyLayer:
    """The formula of a text; arguments, result and errors are those of ``parse``."""
    names = Names(weights, known)
    reader = Expressions(text, names)
    value, start = _last_line(reader)
    root: AnyLayer = reader.attempt(start, as_layer, value)
    source: Spec | None = as_spec(spec) if spec is not None else names.spec
    if source is None and (has_input(root) or value is reader.code):
        part = undecided(root)
        if part is None:
            return root
        raise reader.error(
            "this is a part of a tuple, or an element of an array: give the spec of the input, parse(text, spec)",
            part.place,
        )
    if source is not None:
        reader.attempt(start, require_bounded, root)
    try:
        root, output = decided(root, source)
    except OperandError as error:
        raise reader.error(str(error), start) from None
    return Symbolic(root, output, None if source is None else Origin(source))


def _last_line(reader: Expressions) -> tuple[object, int]:
    """The value of the last line, and its position. The lines before it define names."""
    while True:
        start, kind = _next_line(reader)
        if kind == "end":
            raise reader.error("the formula itself is wanted here, on the last line", start)
        several = LINE_OF_NAMES.match(reader.text, start)
        if kind != "keyword" and several is None:
            return reader.expression(), _require_end(reader, start)
        names, reader.position = _names_of(reader, several)
        value = reader.expression()
        reader.attempt(start, reader.names.define, names, value)


def _next_line(reader: Expressions) -> tuple[int, str]:
    """The position of the next line that is not blank, and the kind of its first token."""
    while True:
        found = TOKEN.match(reader.text, reader.position)
        assert found is not None  # the grammar ends with any character
        kind = found.lastgroup or "end"
        if kind != "newline":
            return found.start(kind), kind
        reader.position = found.end()


def _names_of(reader: Expressions, several: re.Match[str] | None) -> tuple[list[str], int]:
    """The names on the left of ``=``, and the position after it."""
    if several is not None:
        return [name.strip() for name in several[1].split(",")], several.end()
    found = TOKEN.match(reader.text, reader.position)
    assert found is not None  # it was just seen to be one
    return [found["keyword"]], found.end()


def _require_end(reader: Expressions, start: int) -> int:
    place, kind = _next_line(reader)
    if kind != "end":
        raise reader.error("the formula is the last line; those before it define names: a = ...", place)
    return start
