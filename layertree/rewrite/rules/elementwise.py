"""Rules whose pattern is rooted in a layer of ``layers/elementwise.py``."""

from __future__ import annotations

from layertree.layers.arithmetic import Negative
from layertree.layers.elementwise import Abs, Exp, Log, ReLU
from layertree.rewrite.pattern import Rule
from layertree.rewrite.rules.variables import a, magnitude

SIGNS = (
    Rule(Abs(Negative(a)), Abs(a)),
    Rule(Abs(magnitude), a),
    Rule(ReLU(magnitude), a),
)
"""Functions of the sign vanish where the sign is known."""

INVERSES = (
    Rule(Log(Exp(a)), a),
    Rule(Exp(Log(magnitude)), a),
)
"""A function cancels its inverse."""

RULES = SIGNS + INVERSES
