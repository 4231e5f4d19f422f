"""Rules whose pattern is rooted in a layer of ``layers/comparison.py``."""

from __future__ import annotations

from layertree.core.literal import Literal
from layertree.layers.arithmetic import BroadcastLike
from layertree.layers.comparison import BitwiseInvert, Where
from layertree.rewrite.pattern import Rule
from layertree.rewrite.rules.variables import a, b, c, d

IDENTITIES = (
    Rule(Where(Literal(True), a, b), a),
    Rule(Where(Literal(False), a, b), b),
    Rule(Where(c, a, a), a),
    Rule(Where(c, Where(c, a, b), d), Where(c, a, d)),
    Rule(Where(c, a, Where(c, b, d)), Where(c, a, d)),
    Rule(Where(BitwiseInvert(c), a, b), Where(c, b, a)),
)
"""A choice between equal operands, or under a condition that is known or already decided, vanishes."""

BROADCASTS = (
    Rule(Where(d, BroadcastLike(a, b), c), Where(d, a, c)),
    Rule(Where(d, c, BroadcastLike(a, b)), Where(d, c, a)),
)
"""An operand that ``where`` broadcasts implicitly needs no explicit broadcast."""

RULES = IDENTITIES + BROADCASTS
