"""Names and texts of users in one line that shows each character."""

from __future__ import annotations


def visible(given: str) -> str:
    r"""A text without invisible characters: control characters, marks of direction and surrogates as Python escapes.

    >>> print(visible("a\u202eb\x00\n"))
    a\u202eb\x00\n
    """
    if given.isprintable():
        return given
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in given)
