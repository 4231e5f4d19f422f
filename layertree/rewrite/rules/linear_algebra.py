"""Rules whose pattern is rooted in a layer of ``layers/linear_algebra.py``."""

from __future__ import annotations

from layertree.layers.linear_algebra import MatrixTranspose
from layertree.rewrite.pattern import Rule
from layertree.rewrite.rules.variables import a

RULES = (Rule(MatrixTranspose(MatrixTranspose(a)), a),)
"""Involutions."""
