"""Symbols of mathematical notation: Greek letters, superscripts and subscripts, names with an index."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import NamedTuple

_LETTERS = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
"""  # the other capitals look Latin
_GREEK = frozenset(re.findall(r"\w+", _LETTERS))


def is_greek(name: str) -> bool:
    """Whether a name is that of a Greek letter.

    >>> is_greek("theta"), is_greek("Omega"), is_greek("slope")
    (True, True, False)
    """
    return name in _GREEK


def greek(name: str) -> str:
    """The Greek letter of a name.

    >>> greek("theta")
    'θ'
    """
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    return unicodedata.lookup(f"GREEK {size} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")


_RAISED = str.maketrans("0123456789-", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b")
_BOLD = {ord(digit): 0x1D7CE + int(digit) for digit in "0123456789"}
_LOWERED = str.maketrans("0123456789-", "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208b")


def raised(number: int) -> str:
    """An integer in superscript.

    >>> raised(-12)
    '⁻¹²'
    """
    return str(number).translate(_RAISED)


def bold(text: str) -> str:
    r"""A text with its digits in bold.

    >>> print(ascii(bold("-2.5")))
    '-\U0001d7d0.\U0001d7d3'
    """
    return text.translate(_BOLD)


def lowered(text: object) -> str:
    """The text of an object with its digits and signs in subscript.

    >>> lowered(10)
    '₁₀'
    """
    return str(text).translate(_LOWERED)


class Name(NamedTuple):
    """A name in its parts: scopes, a base, digits as index, and primes that make it distinct."""

    scopes: tuple[str, ...]
    base: str
    digits: str = ""
    primes: int = 0


def parts_of(path: str) -> Name:
    """A path, such as the name of a weight with its scopes, as a Name.

    >>> parts_of("encoder/theta_1")
    Name(scopes=('encoder',), base='theta', digits='1', primes=0)
    """
    *scopes, last = path.split("/")
    base = last.rstrip("0123456789")
    index = last[len(base) :]
    word = base.removesuffix("_")
    if index and word[-1:].isalpha():
        return Name(tuple(scopes), word, index)
    return Name(tuple(scopes), last)


def plain(name: Name) -> str:
    """A name as a text that is unique to it."""
    return "/".join([*name.scopes, name.base]) + name.digits + "'" * name.primes


def distinct(paths: Iterable[str | None], letters: Iterable[str], taken: set[str]) -> Iterator[Name]:
    """Distinct names for some cells, given their paths; a cell without a path is named by its letter and a number.

    The names are added to ``taken``, and differ from all names there.
    """
    wanted = list(zip(paths, letters, strict=True))
    unnamed = Counter(letter for path, letter in wanted if path is None)
    named = {plain(parts_of(path)) for path, _ in wanted if path is not None}
    counts = {letter: count(1) for letter in unnamed}
    for path, letter in wanted:
        if path is not None:
            name = _primed(parts_of(path), taken)
        elif unnamed[letter] == 1 and letter not in named and letter not in taken:
            name = Name((), letter)
        else:
            free = (Name((), letter, str(number)) for number in counts[letter])
            name = next(one for one in free if plain(one) not in taken and plain(one) not in named)
        taken.add(plain(name))
        yield name


def _primed(name: Name, taken: set[str]) -> Name:
    while plain(name) in taken:
        name = name._replace(primes=name.primes + 1)
    return name
