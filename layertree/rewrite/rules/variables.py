"""The variables of the patterns of all rules."""

from __future__ import annotations

from layertree.core.literal import Literal
from layertree.rewrite.pattern import AttributeWildcard, Number, Wildcard

a: Wildcard = Wildcard("a")
b: Wildcard = Wildcard("b")
c: Wildcard = Wildcard("c")
d: Wildcard = Wildcard("d")
finite: Wildcard = Wildcard("a", where=("finite",))
magnitude: Wildcard = Wildcard("a", where=("nonnegative", "unsigned"))
unsigned: Wildcard = Wildcard("a", where=("unsigned",))
nonzero: Wildcard = Wildcard("a", where=("nonzero",))
positive: Wildcard = Wildcard("b", where=("finite", "nonnegative", "nonzero"))
vanishing: Wildcard = Wildcard("a", where=("finite", "signless"))
scalar: Wildcard = Wildcard("a", where=("scalar",))
divisor: Wildcard = Wildcard("b", where=("finite", "nonzero"))
near_one: Wildcard = Wildcard("b", where=("moderate",))

m: Number = Number("m")
n: Number = Number("n")
moderate: Number = Number("m", moderate=True)
i: Number = Number("i", natural=True)
j: Number = Number("j", natural=True)

zero: Literal[int] = Literal(0)
one: Literal[int] = Literal(1)
two: Literal[int] = Literal(2)

first: AttributeWildcard = AttributeWildcard("first")
second: AttributeWildcard = AttributeWildcard("second")
axis: AttributeWildcard = AttributeWildcard("axis")
axes: AttributeWildcard = AttributeWildcard("axes")
keepdims: AttributeWildcard = AttributeWildcard("keepdims")
shape: AttributeWildcard = AttributeWildcard("shape")
dtype: AttributeWildcard = AttributeWildcard("dtype")
reason: AttributeWildcard = AttributeWildcard("reason")
start: AttributeWildcard = AttributeWildcard("start")
stop: AttributeWildcard = AttributeWildcard("stop")
parts: AttributeWildcard = AttributeWildcard("parts")
