"""A part of the plays of Shakespeare."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files


@cache
def shakespeare() -> str:
    """The first 99 843 characters of Coriolanus by William Shakespeare, for models of characters.

    Speeches with the name of the speaker above and an empty line between, in ASCII: the beginning of the collection
    known as tiny Shakespeare (A. Karpathy, char-rnn, 2015), up to the end of a speech. Public domain.

    >>> text = shakespeare()
    >>> len(text), len(set(text))
    (99843, 61)
    >>> print(text[:45])
    First Citizen:
    Before we proceed any further,
    """
    return gzip.decompress(files("layertree.datasets").joinpath("coriolanus.txt.gz").read_bytes()).decode("ascii")
