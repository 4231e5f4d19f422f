"""Where differences say nothing: kinks, ties, and the edges of a domain. The numeric conventions as cases."""

from tests.layers.conventions import axes, elementwise

CASES = [*elementwise.CASES, *axes.CASES]
