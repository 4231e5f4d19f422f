"""Rules whose pattern is rooted in a layer of ``layers/reduction.py``."""

from __future__ import annotations

from layertree.layers.reduction import Max, Mean, Min, Sum
from layertree.rewrite.pattern import Rule, form
from layertree.rewrite.rules.variables import a, axis, keepdims, unsigned

RULES = (
    *[Rule(form(cls, a, axis=axis, keepdims=keepdims), a) for cls in (Max, Min)],
    *[Rule(form(cls, unsigned, axis=axis, keepdims=keepdims), a) for cls in (Sum, Mean)],
)
"""A reduction over axes of size 1 that keeps the shape vanishes; a sum of one -0.0 is 0.0."""
