"""Rules whose pattern is rooted in a layer of ``layers/control.py``."""

from __future__ import annotations

from layertree.layers.control import StopGradient
from layertree.rewrite.pattern import Rule
from layertree.rewrite.rules.variables import a

RULES = (Rule(StopGradient(StopGradient(a)), StopGradient(a)),)
"""Idempotent operations."""
