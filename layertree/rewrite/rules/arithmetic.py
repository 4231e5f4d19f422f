"""Rules whose pattern is rooted in a layer of ``layers/arithmetic.py``."""

from __future__ import annotations

from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.layers.arithmetic import BroadcastLike, Divide, Minus, Negative, Plus, Power, SumTo, Times
from layertree.layers.elementwise import Sqrt
from layertree.layers.reduction import Sum, VectorNorm
from layertree.layers.shape import OnesLike, ZerosLike
from layertree.rewrite.folding import (
    collects,
    collects_difference,
    collects_difference_from_one,
    collects_difference_with_one,
    collects_one,
    is_nonzero,
    keeps_differences,
    keeps_products,
    keeps_quotients,
    keeps_sums,
    varies,
)
from layertree.rewrite.pattern import Rule, commuted, form
from layertree.rewrite.rules.variables import (
    a,
    axis,
    b,
    c,
    divisor,
    finite,
    i,
    j,
    keepdims,
    m,
    magnitude,
    moderate,
    n,
    near_one,
    nonzero,
    one,
    positive,
    two,
    unsigned,
    vanishing,
    zero,
)

_norm: AnyLayer = form(VectorNorm, a, axis=axis, keepdims=keepdims)
_squares: AnyLayer = form(Sum, Times(a, a), axis=axis, keepdims=keepdims)

CONSTANTS = (
    Rule(Times(a, m), Times(m, a)),
    Rule(Times(m, Times(n, a)), Times(Times(m, n), a), when=keeps_products),
    Rule(Times(a, Times(moderate, b)), Times(moderate, Times(a, b)), when=varies),
    Rule(Times(Times(moderate, a), b), Times(moderate, Times(a, b))),
    Rule(Negative(Times(m, a)), Times(Negative(m), a), when=is_nonzero),
    Rule(Divide(Times(moderate, a), b), Times(moderate, Divide(a, b))),
    Rule(Divide(Times(m, a), n), Times(Divide(m, n), a), when=keeps_quotients),
    Rule(Plus(m, Plus(n, a)), Plus(Plus(m, n), a), when=keeps_sums),
    Rule(Plus(Plus(a, m), n), Plus(a, Plus(m, n)), when=keeps_sums),
    Rule(Minus(Minus(a, m), n), Minus(a, Plus(m, n)), when=keeps_differences),
)
"""Reassociation of constants: constant factors become first operands, and adjacent constants are folded."""

SUMS = (
    Rule(Plus(a, a), Times(two, a)),
    *commuted(Rule(Plus(Times(m, a), a), Times(Plus(m, one), a), when=collects_one)),
    Rule(Plus(Times(m, a), Times(n, a)), Times(Plus(m, n), a), when=collects),
    Rule(Minus(Times(m, a), Times(n, a)), Times(Minus(m, n), a), when=collects_difference),
    Rule(Minus(Times(m, a), a), Times(Minus(m, one), a), when=collects_difference_with_one),
    Rule(Minus(a, Times(m, a)), Times(Minus(one, m), a), when=collects_difference_from_one),
    *commuted(Rule(Plus(Plus(b, a), a), Plus(b, Times(two, a)))),
    *commuted(Rule(Plus(Plus(b, Times(m, a)), a), Plus(b, Times(Plus(m, one), a)), when=collects_one)),
    *commuted(Rule(Plus(Plus(b, a), Times(m, a)), Plus(b, Times(Plus(m, one), a)), when=collects_one)),
    *commuted(Rule(Plus(Plus(b, Times(m, a)), Times(n, a)), Plus(b, Times(Plus(m, n), a)), when=collects)),
)
"""Multiples of equal terms are collected, if both are infinite with one sign or the term is finite."""

PRODUCTS = (
    Rule(Times(Power(a, i), Power(a, j)), Power(a, Plus(i, j))),
    *commuted(Rule(Times(Power(a, i), a), Power(a, Plus(i, one)))),
    Rule(Power(Power(a, i), j), Power(a, Times(i, j))),
    Rule(Times(Sqrt(magnitude), Sqrt(magnitude)), a),
)
"""Powers of one base with natural exponents are combined; the product of two equal factors stays a product.

No rule combines powers across another factor: ``(b * a ** 2) * a`` can be finite where ``a ** 3`` is not.
"""

IDENTITIES = (
    Rule(Plus(unsigned, zero), a),
    Rule(Plus(zero, unsigned), a),
    Rule(Minus(a, zero), a),
    Rule(Minus(zero, nonzero), Negative(a)),
    Rule(Times(a, one), a),
    Rule(Times(one, a), a),
    Rule(Divide(a, one), a),
    Rule(Power(a, one), a),
    Rule(Power(a, zero), OnesLike(a)),
    Rule(Power(a, Literal(-1)), Divide(one, a)),
    Rule(Plus(unsigned, ZerosLike(b)), a),
    Rule(Plus(ZerosLike(b), unsigned), a),
    Rule(Minus(a, ZerosLike(b)), a),
    Rule(Times(a, OnesLike(b)), a),
    Rule(Times(OnesLike(b), a), a),
)
"""Neutral elements vanish; -0.0 + 0.0 is 0.0, so 0.0 is neutral for a sum that cannot be -0.0.

The power -1 is a quotient, whose derivative does not square the quotient, which may overflow.
"""

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
)
"""Negations move toward the root of a formula, and cancel."""

CANCELLATIONS = (
    Rule(Times(vanishing, zero), ZerosLike(a)),
    Rule(Times(zero, vanishing), ZerosLike(a)),
    Rule(Minus(finite, finite), ZerosLike(a)),
    Rule(Divide(zero, positive), ZerosLike(b)),
    Rule(Divide(divisor, divisor), OnesLike(b)),
    *commuted(Rule(Divide(Times(a, near_one), near_one), a)),
    *commuted(Rule(Times(Divide(a, near_one), near_one), a)),
)
"""Operands cancel, where neither an infinity nor a NaN would be hidden."""

NORMS = (
    Rule(Power(_norm, two), _squares),
    Rule(Times(_norm, _norm), _squares),
)
"""The square of a Euclidean norm is a sum of squares, which has a Hessian at 0."""

BROADCASTS = (
    Rule(BroadcastLike(BroadcastLike(a, b), c), BroadcastLike(a, c)),
    *[Rule(cls(BroadcastLike(a, b), c), cls(a, c)) for cls in (Plus, Minus, Times, Divide)],
    *[Rule(cls(c, BroadcastLike(a, b)), cls(c, a)) for cls in (Plus, Minus, Times, Divide)],
    *[Rule(BroadcastLike(form(cls, b), c), form(cls, c)) for cls in (OnesLike, ZerosLike)],
)
"""An operand that arithmetic broadcasts implicitly needs no explicit broadcast."""

SAME_SHAPE = (
    Rule(SumTo(a, a), a),
    Rule(BroadcastLike(a, a), a),
    Rule(SumTo(a, b), a),
    Rule(BroadcastLike(a, b), a),
)
"""A conversion to the shape that its operand already has vanishes."""

# Constants are folded before neutral elements vanish: the 1.0 that a derivative starts from turns 3 into 3.0 first.
RULES = CONSTANTS + SUMS + PRODUCTS + IDENTITIES + SIGNS + CANCELLATIONS + NORMS + BROADCASTS + SAME_SHAPE
