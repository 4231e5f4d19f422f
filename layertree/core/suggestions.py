"""What can be asked for, as parts of messages about names that are not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["nearest", "some_of"]

_MOST = 8
"""How many names a message lists."""
_LONGEST = 100
"""Up to which length a name is compared with others."""


def some_of(texts: Sequence[str]) -> str:
    """The first of some texts, with an ellipsis for the others.

    >>> some_of(["a", "b"])
    'a, b'
    >>> some_of([str(i) for i in range(20)])
    '0, 1, 2, 3, 4, 5, 6, 7, ...'
    """
    return ", ".join([*texts[:_MOST], *(["..."] if len(texts) > _MOST else [])])


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name that is most like an unknown one; None if none is like it, and for anything but text.

    >>> nearest("slop", ["slope", "bias"]), nearest("kernel", ["slope", "bias"]), nearest(0, ["slope"])
    ('slope', None, None)
    """
    if not isinstance(name, str) or len(name) > _LONGEST:
        return None
    from difflib import get_close_matches  # loaded for an error alone

    return next(iter(get_close_matches(name, list(known), 1)), None)
