"""Rules whose pattern is rooted in a layer of ``layers/reduction.py``."""

from __future__ import annotations

from layertree.layers.reduction import Max, Mean, Min, Sum
from layertree.rewrite.pattern import Rule, form
from layertree.rewrite.rules.variables import a, axis, keepdims

RULES = tuple([Rule(form(cls, a, axis=axis, keepdims=keepdims), a) for cls in (Sum, Mean, Max, Min)])
"""A reduction over axes of size 1 that keeps the shape vanishes."""
