"""The rules of simplification, each a pattern and what takes its place.

They hold for every value, NaN and infinity included, up to the sign of a zero, to rounding where constants are
gathered, and to overflow where a function is undone. A zero times something is not among them: it would hide a NaN.
"""

from __future__ import annotations

from layertree._literal import Literal
from layertree.layers.arithmetic import BroadcastLike, Divide, Minus, Negative, Plus, Power, SumTo, Times
from layertree.layers.comparison import Where
from layertree.layers.elementwise import Abs, Exp, Log, ReLU
from layertree.layers.linear_algebra import MatrixTranspose
from layertree.layers.shape import OnesLike, ReshapeLike, ZerosLike
from layertree.rewrite.pattern import Number, Rule, Variable

a: Variable = Variable("a")
b: Variable = Variable("b")
c: Variable = Variable("c")
m: Number = Number("m")
n: Number = Number("n")
zero: Literal[int] = Literal(0)
one: Literal[int] = Literal(1)
two: Literal[int] = Literal(2)

IDENTITIES = (
    Rule(Plus(a, zero), a),
    Rule(Plus(zero, a), a),
    Rule(Minus(a, zero), a),
    Rule(Minus(zero, a), Negative(a)),
    Rule(Times(a, one), a),
    Rule(Times(one, a), a),
    Rule(Divide(a, one), a),
    Rule(Power(a, one), a),
    Rule(Plus(a, ZerosLike(b)), a),
    Rule(Plus(ZerosLike(b), a), a),
    Rule(Minus(a, ZerosLike(b)), a),
    Rule(Times(a, OnesLike(b)), a),
    Rule(Times(OnesLike(b), a), a),
    Rule(Where(Literal(True), a, b), a),
    Rule(Where(Literal(False), a, b), b),
    Rule(Where(c, a, a), a),
)
"""What leaves its operand as it is."""

SIGNS = (
    Rule(Negative(Negative(a)), a),
    Rule(Plus(a, Negative(b)), Minus(a, b)),
    Rule(Plus(Negative(a), b), Minus(b, a)),
    Rule(Minus(a, Negative(b)), Plus(a, b)),
    Rule(Times(Negative(a), b), Negative(Times(a, b))),
    Rule(Times(a, Negative(b)), Negative(Times(a, b))),
    Rule(Divide(Negative(a), b), Negative(Divide(a, b))),
    Rule(Divide(a, Negative(b)), Negative(Divide(a, b))),
    Rule(Times(Literal(-1), a), Negative(a)),
    Rule(Times(a, Literal(-1)), Negative(a)),
    Rule(Abs(Negative(a)), Abs(a)),
    Rule(Abs(Abs(a)), Abs(a)),
    Rule(Abs(Exp(a)), Exp(a)),
    Rule(ReLU(ReLU(a)), ReLU(a)),
)
"""Signs move outward, and cancel."""

CONSTANTS = (
    Rule(Times(a, m), Times(m, a)),
    Rule(Times(m, Times(n, a)), Times(Times(m, n), a)),
    Rule(Times(a, Times(m, b)), Times(m, Times(a, b))),
    Rule(Times(Times(m, a), b), Times(m, Times(a, b))),
    Rule(Negative(Times(m, a)), Times(Negative(m), a)),
    Rule(Divide(Times(m, a), b), Times(m, Divide(a, b))),
    Rule(Divide(Times(m, a), n), Times(Divide(m, n), a)),
    Rule(Plus(a, a), Times(two, a)),
    Rule(Plus(Times(m, a), a), Times(Plus(m, one), a)),
    Rule(Plus(a, Times(m, a)), Times(Plus(m, one), a)),
    Rule(Plus(Times(m, a), Times(n, a)), Times(Plus(m, n), a)),
    Rule(Minus(Times(m, a), Times(n, a)), Times(Minus(m, n), a)),
    Rule(Plus(Plus(b, a), a), Plus(b, Times(two, a))),
    Rule(Plus(Plus(b, Times(m, a)), a), Plus(b, Times(Plus(m, one), a))),
    Rule(Plus(Plus(b, Times(m, a)), Times(n, a)), Plus(b, Times(Plus(m, n), a))),
    Rule(Plus(m, Plus(n, a)), Plus(Plus(m, n), a)),
    Rule(Plus(Plus(a, m), n), Plus(a, Plus(m, n))),
)
"""Constants come first, and are gathered."""

INVERSES = (
    Rule(Log(Exp(a)), a),
    Rule(MatrixTranspose(MatrixTranspose(a)), a),
    Rule(ReshapeLike(ReshapeLike(a, b), c), ReshapeLike(a, c)),
    Rule(BroadcastLike(BroadcastLike(a, b), c), BroadcastLike(a, c)),
    Rule(SumTo(a, a), a),
    Rule(ReshapeLike(a, a), a),
    Rule(BroadcastLike(a, a), a),
)
"""What undoes itself."""

# Constants are gathered before an identity goes, so that the 1.0 that a derivative starts from makes 3 a 3.0.

RULES = CONSTANTS + IDENTITIES + SIGNS + INVERSES
