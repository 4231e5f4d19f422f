"""The rules of simplification, each a pattern and what takes its place.

They hold for every value, NaN and infinity included, up to the sign of a zero and to rounding where numbers are
gathered. What would hide a NaN or an infinity, such as a product with zero, a difference that cancels, or multiples of
two signs that are collected, asks for facts that exclude both; numbers are gathered only where what comes of them is
neither infinite nor newly zero.

Two things are not kept. An intermediate result may overflow or vanish on one side alone where it is within a factor of
64 of the largest or smallest number of its dtype, with the infinity or NaN that would come of it: ``(2.0 * a) * b`` is
``2.0 * (a * b)``, whatever ``a`` is. And a logarithm undoes an exponential that overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layertree.core.literal import Literal
from layertree.layers.arithmetic import BroadcastLike, Divide, Minus, Negative, Plus, Power, SumTo, Times
from layertree.layers.comparison import BitwiseInvert, Where
from layertree.layers.control import StopGradient
from layertree.layers.elementwise import Abs, Exp, Log, ReLU, Sqrt
from layertree.layers.linear_algebra import MatrixTranspose
from layertree.layers.reduction import Max, Mean, Min, Sum
from layertree.layers.shape import (
    Alike,
    BroadcastTo,
    Cast,
    CastLike,
    ExpandDims,
    MergeDims,
    OnesLike,
    PermuteDims,
    Reshape,
    ReshapeLike,
    SplitDim,
    ZerosLike,
)
from layertree.layers.stacks import EmbedDiagonal, TakeDiagonal
from layertree.rewrite._numbers import (
    collects,
    collects_difference,
    collects_difference_with_one,
    collects_one,
    keeps_products,
    keeps_quotients,
    keeps_sums,
    varies,
)
from layertree.rewrite.pattern import Computed, Number, Rule, Setting, Variable, commuted, form

a: Variable = Variable("a")
b: Variable = Variable("b")
c: Variable = Variable("c")
d: Variable = Variable("d")
m: Number = Number("m")
n: Number = Number("n")
i: Number = Number("i", natural=True)
j: Number = Number("j", natural=True)
moderate: Number = Number("m", moderate=True)
finite: Variable = Variable("a", where=("finite",))
nonnegative: Variable = Variable("a", where=("nonnegative",))
divisor: Variable = Variable("b", where=("finite", "nonzero"))
near_one: Variable = Variable("b", where=("moderate",))
scalar: Variable = Variable("a", where=("scalar",))
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
    Rule(Power(a, zero), OnesLike(a)),
    Rule(Plus(a, ZerosLike(b)), a),
    Rule(Plus(ZerosLike(b), a), a),
    Rule(Minus(a, ZerosLike(b)), a),
    Rule(Times(a, OnesLike(b)), a),
    Rule(Times(OnesLike(b), a), a),
    Rule(Where(Literal(True), a, b), a),
    Rule(Where(Literal(False), a, b), b),
    Rule(Where(c, a, a), a),
    Rule(Where(c, Where(c, a, b), d), Where(c, a, d)),
    Rule(Where(c, a, Where(c, b, d)), Where(c, a, d)),
    Rule(Where(BitwiseInvert(c), a, b), Where(c, b, a)),
)
"""What leaves its operand as it is."""

SIGNS = (
    Rule(Negative(Negative(a)), a),
    Rule(Plus(a, Negative(b)), Minus(a, b)),
    Rule(Plus(Negative(a), b), Minus(b, a)),
    Rule(Minus(a, Negative(b)), Plus(a, b)),
    Rule(Negative(Minus(a, b)), Minus(b, a)),
    Rule(Times(Negative(a), b), Negative(Times(a, b))),
    Rule(Times(a, Negative(b)), Negative(Times(a, b))),
    Rule(Divide(Negative(a), b), Negative(Divide(a, b))),
    Rule(Divide(a, Negative(b)), Negative(Divide(a, b))),
    Rule(Times(Literal(-1), a), Negative(a)),
    Rule(Times(a, Literal(-1)), Negative(a)),
    Rule(Abs(Negative(a)), Abs(a)),
    Rule(Abs(nonnegative), a),
    Rule(ReLU(nonnegative), a),
)
"""Signs move outward, and cancel."""

CONSTANTS = (
    Rule(Times(a, m), Times(m, a)),
    Rule(Times(m, Times(n, a)), Times(Times(m, n), a), when=keeps_products),
    Rule(Times(a, Times(moderate, b)), Times(moderate, Times(a, b)), when=varies),
    Rule(Times(Times(moderate, a), b), Times(moderate, Times(a, b))),
    Rule(Negative(Times(m, a)), Times(Negative(m), a)),
    Rule(Divide(Times(moderate, a), b), Times(moderate, Divide(a, b))),
    Rule(Divide(Times(m, a), n), Times(Divide(m, n), a), when=keeps_quotients),
    Rule(Plus(m, Plus(n, a)), Plus(Plus(m, n), a), when=keeps_sums),
    Rule(Plus(Plus(a, m), n), Plus(a, Plus(m, n)), when=keeps_sums),
    Rule(Minus(Minus(a, m), n), Minus(a, Plus(m, n)), when=keeps_sums),
)
"""Constants come first, and are gathered."""

SUMS = (
    Rule(Plus(a, a), Times(two, a)),
    *commuted(Rule(Plus(Times(m, a), a), Times(Plus(m, one), a), when=collects_one)),
    Rule(Plus(Times(m, a), Times(n, a)), Times(Plus(m, n), a), when=collects),
    Rule(Minus(Times(m, a), Times(n, a)), Times(Minus(m, n), a), when=collects_difference),
    Rule(Minus(Times(m, a), a), Times(Minus(m, one), a), when=collects_difference_with_one),
    Rule(Minus(a, Times(m, a)), Times(Minus(one, m), a), when=collects_difference_with_one),
    *commuted(Rule(Plus(Plus(b, a), a), Plus(b, Times(two, a)))),
    *commuted(Rule(Plus(Plus(b, Times(m, a)), a), Plus(b, Times(Plus(m, one), a)), when=collects_one)),
    *commuted(Rule(Plus(Plus(b, a), Times(m, a)), Plus(b, Times(Plus(m, one), a)), when=collects_one)),
    *commuted(Rule(Plus(Plus(b, Times(m, a)), Times(n, a)), Plus(b, Times(Plus(m, n), a)), when=collects)),
)
"""Equal terms of a sum are collected, where their infinities have one sign or there are none."""

PRODUCTS = (
    Rule(Times(Power(a, i), Power(a, j)), Power(a, Plus(i, j))),
    *commuted(Rule(Times(Power(a, i), a), Power(a, Plus(i, one)))),
    Rule(Power(Power(a, i), j), Power(a, Times(i, j))),
    Rule(Times(Sqrt(nonnegative), Sqrt(nonnegative)), a),
)
"""Equal factors of a product are collected, where an exponent says so: a square stays a product.

Not past another factor: ``(b * a ** 2) * a`` can be finite where ``a ** 3`` is not.
"""

CANCELLATIONS = (
    Rule(Times(finite, zero), ZerosLike(a)),
    Rule(Times(zero, finite), ZerosLike(a)),
    Rule(Minus(finite, finite), ZerosLike(a)),
    Rule(Divide(zero, divisor), ZerosLike(b)),
    Rule(Divide(divisor, divisor), OnesLike(b)),
    *commuted(Rule(Divide(Times(a, near_one), near_one), a)),
    *commuted(Rule(Times(Divide(a, near_one), near_one), a)),
)
"""What cancels, where there is neither infinity nor NaN that it would hide."""

INVERSES = (
    Rule(Log(Exp(a)), a),
    Rule(Exp(Log(nonnegative)), a),
    Rule(MatrixTranspose(MatrixTranspose(a)), a),
    Rule(StopGradient(StopGradient(a)), StopGradient(a)),
    Rule(form(TakeDiagonal, form(EmbedDiagonal, a, axes=Setting("axes")), axes=Setting("axes")), a),
)
"""What undoes itself."""


def _is_unchanged(axes: tuple[int, ...]) -> bool:
    return all(axis % len(axes) == place for place, axis in enumerate(axes))


def _both(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([first[axis] for axis in second])


first: Setting = Setting("first")
second: Setting = Setting("second")
axis: Setting = Setting("axis")
axes: Setting = Setting("axes")
keepdims: Setting = Setting("keepdims")
shape: Setting = Setting("shape")
dtype: Setting = Setting("dtype")
reason: Setting = Setting("reason")
start: Setting = Setting("start")
stop: Setting = Setting("stop")
parts: Setting = Setting("parts")

RESHAPES: tuple[Callable[[Any], Any], ...] = (
    lambda tree: ReshapeLike(tree, d),
    lambda tree: form(Reshape, tree, shape=first),
    lambda tree: form(MergeDims, tree, start=start, stop=stop),
    lambda tree: form(SplitDim, tree, parts=parts),
    lambda tree: form(ExpandDims, tree, axis=axis),
)
"""The same elements in the same order, in another shape."""

SHAPES = (
    Rule(BroadcastLike(BroadcastLike(a, b), c), BroadcastLike(a, c)),
    Rule(form(BroadcastTo, form(BroadcastTo, a, shape=first), shape=second), form(BroadcastTo, a, shape=second)),
    *[Rule(ReshapeLike(move(a), c), ReshapeLike(a, c)) for move in RESHAPES],
    *[Rule(form(Reshape, move(a), shape=second), form(Reshape, a, shape=second)) for move in RESHAPES],
    Rule(form(PermuteDims, a, axes=axes), a, when=_is_unchanged),
    Rule(form(PermuteDims, form(PermuteDims, a, axes=first), axes=second), form(PermuteDims, a, axes=Computed(_both))),
)
"""Moves that follow one another are one."""

BROADCASTS = (
    *[Rule(cls(BroadcastLike(a, b), c), cls(a, c)) for cls in (Plus, Minus, Times, Divide)],
    *[Rule(cls(c, BroadcastLike(a, b)), cls(c, a)) for cls in (Plus, Minus, Times, Divide)],
    Rule(Where(d, BroadcastLike(a, b), c), Where(d, a, c)),
    Rule(Where(d, c, BroadcastLike(a, b)), Where(d, c, a)),
    Rule(form(ExpandDims, BroadcastLike(scalar, b), axis=axis), BroadcastLike(scalar, form(ExpandDims, b, axis=axis))),
    Rule(ReshapeLike(BroadcastLike(scalar, b), c), BroadcastLike(scalar, c)),
    *[Rule(form(ExpandDims, cls(b), axis=axis), cls(form(ExpandDims, b, axis=axis))) for cls in (OnesLike, ZerosLike)],
    *[Rule(move(cls(b), c), cls(c)) for move in (BroadcastLike, ReshapeLike) for cls in (OnesLike, ZerosLike)],
)
"""What broadcasts by itself need not be broadcast, and one number is the same in another shape."""

SAME_SHAPE = (
    Rule(SumTo(a, a), a),
    Rule(BroadcastLike(a, a), a),
    Rule(ReshapeLike(a, a), a),
    Rule(SumTo(a, b), a),
    Rule(BroadcastLike(a, b), a),
    Rule(ReshapeLike(a, b), a),
    Rule(CastLike(a, b), a),
    Rule(form(Alike, a, b, reason=reason), a),
    Rule(form(Cast, a, dtype=dtype), a),
    Rule(form(Reshape, a, shape=shape), a),
    Rule(form(BroadcastTo, a, shape=shape), a),
    *[Rule(form(cls, a, axis=axis, keepdims=keepdims), a) for cls in (Sum, Mean, Max, Min)],
)
"""What brings its operand to a shape and dtype, sums over axes included, where these are the operand's already."""

# Constants are gathered before an identity goes, so that the 1.0 that a derivative starts from makes 3 a 3.0.

RULES = CONSTANTS + SUMS + PRODUCTS + IDENTITIES + SIGNS + CANCELLATIONS + INVERSES + SHAPES + BROADCASTS + SAME_SHAPE
"""All of them. They are tried in this order."""
