"""Rules whose pattern is rooted in a layer of ``layers/stacks.py``."""

from __future__ import annotations

from layertree.layers.stacks import EmbedDiagonal, TakeDiagonal
from layertree.rewrite.pattern import Rule, form
from layertree.rewrite.rules.variables import a, axes

RULES = (Rule(form(TakeDiagonal, form(EmbedDiagonal, a, axes=axes), axes=axes), a),)
"""A function cancels its right inverse."""
