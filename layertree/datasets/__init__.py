"""Datasets that are part of the package: handwritten digits, a part of Shakespeare, and regression problems with
certified answers.

``digits()`` reads the digits of the UCI repository, ``shakespeare()`` a text, ``nist(name)`` a problem of the NIST
collection, whose model becomes a formula (``_nist_model`` parses it). The README in this folder attributes all data.

The room imports ``core`` and ``layers``. Start with ``_digits``.
"""

from layertree.core.public import listed
from layertree.datasets._digits import Digits as Digits
from layertree.datasets._digits import digits as digits
from layertree.datasets._nist import NistProblem as NistProblem
from layertree.datasets._nist import nist as nist
from layertree.datasets._shakespeare import shakespeare as shakespeare

__all__ = [
    "Digits",
    "NistProblem",
    "digits",
    "nist",
    "shakespeare",
]


def __dir__() -> list[str]:
    return listed(globals())
