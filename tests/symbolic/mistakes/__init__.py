"""Formulas that are wrong, each with the error that says so."""

from tests.symbolic.mistakes.kinds import KINDS
from tests.symbolic.mistakes.shapes import SHAPES

MISTAKES = [*SHAPES, *KINDS]
