"""Data that come with the package, each with its attribution in the README beside it."""

from layertree.datasets._digits import Digits as Digits
from layertree.datasets._digits import digits as digits
from layertree.datasets._nist import NistProblem as NistProblem
from layertree.datasets._nist import nist as nist
