"""ParseError: a mistake in a text, its position, and a correction."""

from __future__ import annotations

from collections.abc import Iterable

from layertree.core import suggestions

_WINDOW = 60
_LONGEST_MESSAGE = 400


class ParseError(ValueError):
    """A text that is no formula: the message has the position of the mistake, and a correction.

    ``line`` and ``column`` count from 1.

    >>> from symbolic import parse
    >>> parse("1.0 + sine(x)")
    Traceback (most recent call last):
      ...
    symbolic.parsing._error.ParseError: line 1, column 7: 'sine' is not known here: is it 'sin'?
      1.0 + sine(x)
            ^
    """

    def __init__(self, message: str, text: str, position: int) -> None:
        start = text.rfind("\n", 0, position) + 1
        self.line: int = text.count("\n", 0, start) + 1
        self.column: int = position - start + 1
        if len(message) > _LONGEST_MESSAGE:
            message = f"{message[:_LONGEST_MESSAGE]}..."
        super().__init__(f"line {self.line}, column {self.column}: {message}\n{_excerpt(text, start, position)}")

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (str(self), self.line, self.column)


def _restored(message: str, line: int, column: int) -> ParseError:
    error = ParseError.__new__(ParseError, message)
    error.args = (message,)
    error.line, error.column = line, column
    return error


def _excerpt(text: str, start: int, position: int) -> str:
    """The part of the line around a position, with a caret below it."""
    end = text.find("\n", position)
    left = max(start, position - _WINDOW)
    right = min(len(text) if end < 0 else end, position + _WINDOW)
    before = "..." if left > start else ""
    shown = _printable(text[left:right])
    after = "..." if right < (len(text) if end < 0 else end) else ""
    return f"  {before}{shown}{after}\n  {' ' * (len(before) + position - left)}^"


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known one that is most like it."""
    found = suggestions.nearest(name, known)
    return f": is it {found!r}?" if found is not None else ""
