"""Variable names of a generated source: made unique, and reused for Python numbers that are no longer read."""

from __future__ import annotations

import builtins
import keyword
import textwrap
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import normalize

INDENT = "    "
LONGEST = 120
"""How many characters a line of a source has at most, where its names can be wrapped."""

_RESERVED = frozenset(("np", "kernels", "xp", "x", "new", "weights", "states", "buffers", "step", *dir(builtins)))


class Names:
    """The variable names in use."""

    def __init__(self, taken: frozenset[str] = frozenset()) -> None:
        self._taken = set(_RESERVED | taken)
        self._counts: dict[str, int] = {}
        self._bases: dict[str, str] = {}
        self._free: dict[str, list[str]] = {}

    def take(self, preferred: str, *, again: bool = False) -> str:
        """A name that no variable has, the preferred one or that with a number; ``again`` allows one given back."""
        base = _identifier(preferred)
        if again and self._free.get(base):
            return self._free[base].pop()
        name = base
        while name in self._taken:
            self._counts[base] = self._counts.get(base, 0) + 1
            name = f"{base}_{self._counts[base]}"
        self._taken.add(name)
        self._bases[name] = base
        return name

    def give(self, name: str) -> None:
        """Give back a name whose value is not read again; ``take`` with ``again`` may return it."""
        self._free.setdefault(self._bases[name], []).append(name)


@lru_cache(maxsize=1024)
def _identifier(preferred: str) -> str:
    """A preferred name as an identifier, in the normal form in which Python compares identifiers (NFKC)."""
    letters = normalize("NFKC", preferred.lower())
    words = "".join([letter if f"_{letter}".isidentifier() else " " for letter in letters]).split()
    name = "_".join(words).strip("_") or "value"
    return name if name.isidentifier() and not keyword.iskeyword(name) else f"v_{name}"


def lines_of(names: Iterable[str], before: str, after: str, indent: str) -> list[str]:
    """A line of code with a list of names in it; a line that would be too long is wrapped, with the names in brackets.

    >>> lines_of("abc", "for ", " in blocks:", "")
    ['for a, b, c in blocks:']
    """
    listed = ", ".join(names)
    line = f"{indent}{before}{listed}{after}"
    if len(line) <= LONGEST:
        return [line]
    inner = indent + INDENT
    wrapped = textwrap.wrap(listed, LONGEST - len(inner), break_long_words=False, break_on_hyphens=False)
    return [f"{indent}{before}(", *[f"{inner}{one}" for one in wrapped], f"{indent}){after}"]
