"""The elementwise functions of a namespace: operands broadcast, and dtypes promote as in NumPy 2."""

from __future__ import annotations

from typing import Protocol

from typing_extensions import TypeVar

from layertree.core.value import Value

V = TypeVar("V", covariant=True, default=Value)


class ElementwiseFunctions(Protocol[V]):
    """Functions of one, two or three operands, element by element; the results are of type ``V``."""

    def abs(self, x: Value, /) -> V:
        """The magnitude."""
        ...

    def acos(self, x: Value, /) -> V:
        """The arc cosine, in radians."""
        ...

    def acosh(self, x: Value, /) -> V:
        """The inverse hyperbolic cosine."""
        ...

    def add(self, a: Value, b: Value, /) -> V:
        """The sum."""
        ...

    def asin(self, x: Value, /) -> V:
        """The arc sine, in radians."""
        ...

    def asinh(self, x: Value, /) -> V:
        """The inverse hyperbolic sine."""
        ...

    def atan(self, x: Value, /) -> V:
        """The arc tangent, in radians."""
        ...

    def atan2(self, a: Value, b: Value, /) -> V:
        """The angle of the vector (b, a), in radians."""
        ...

    def atanh(self, x: Value, /) -> V:
        """The inverse hyperbolic tangent."""
        ...

    def bitwise_and(self, a: Value, b: Value, /) -> V:
        """The conjunction of booleans, or of the bits of integers."""
        ...

    def bitwise_invert(self, x: Value, /) -> V:
        """The negation of a boolean, or of the bits of an integer."""
        ...

    def bitwise_or(self, a: Value, b: Value, /) -> V:
        """The disjunction of booleans, or of the bits of integers."""
        ...

    def bitwise_xor(self, a: Value, b: Value, /) -> V:
        """The exclusive disjunction of booleans, or of the bits of integers."""
        ...

    def cbrt(self, x: Value, /) -> V:
        """The real cube root."""
        ...

    def ceil(self, x: Value, /) -> V:
        """The smallest whole number that is not smaller."""
        ...

    def cos(self, x: Value, /) -> V:
        """The cosine of an angle in radians."""
        ...

    def cosh(self, x: Value, /) -> V:
        """The hyperbolic cosine."""
        ...

    def divide(self, a: Value, b: Value, /) -> V:
        """The quotient; by zero the IEEE value."""
        ...

    def equal(self, a: Value, b: Value, /) -> V:
        """Whether the operands are equal."""
        ...

    def exp(self, x: Value, /) -> V:
        """The exponential function."""
        ...

    def expm1(self, x: Value, /) -> V:
        """exp(x) - 1, exact near 0."""
        ...

    def floor(self, x: Value, /) -> V:
        """The largest whole number that is not larger."""
        ...

    def floor_divide(self, a: Value, b: Value, /) -> V:
        """The quotient rounded down."""
        ...

    def gelu_tanh(self, x: Value, /) -> V:
        """x times ``gelu_tanh_gate(x)``."""
        ...

    def gelu_tanh_gate(self, x: Value, /) -> V:
        """The tanh approximation of the normal distribution function (Hendrycks and Gimpel, 2016)."""
        ...

    def greater(self, a: Value, b: Value, /) -> V:
        """Whether the first operand is larger."""
        ...

    def greater_equal(self, a: Value, b: Value, /) -> V:
        """Whether the first operand is not smaller."""
        ...

    def hypot(self, a: Value, b: Value, /) -> V:
        """The length of the vector (a, b)."""
        ...

    def less(self, a: Value, b: Value, /) -> V:
        """Whether the first operand is smaller."""
        ...

    def less_equal(self, a: Value, b: Value, /) -> V:
        """Whether the first operand is not larger."""
        ...

    def log(self, x: Value, /) -> V:
        """The natural logarithm."""
        ...

    def log10(self, x: Value, /) -> V:
        """The logarithm to base 10."""
        ...

    def log1p(self, x: Value, /) -> V:
        """log(1 + x), exact near 0."""
        ...

    def log2(self, x: Value, /) -> V:
        """The logarithm to base 2."""
        ...

    def logaddexp(self, a: Value, b: Value, /) -> V:
        """log(exp(a) + exp(b)), without overflow."""
        ...

    def maximum(self, a: Value, b: Value, /) -> V:
        """The larger operand; NaN where either is NaN."""
        ...

    def minimum(self, a: Value, b: Value, /) -> V:
        """The smaller operand; NaN where either is NaN."""
        ...

    def multiply(self, a: Value, b: Value, /) -> V:
        """The product."""
        ...

    def negative(self, x: Value, /) -> V:
        """The operand with the opposite sign."""
        ...

    def not_equal(self, a: Value, b: Value, /) -> V:
        """Whether the operands differ."""
        ...

    def pow(self, a: Value, b: Value, /) -> V:
        """``a ** b``; 0 ** 0 is 1."""
        ...

    def relu(self, x: Value, /) -> V:
        """max(x, 0)."""
        ...

    def remainder(self, a: Value, b: Value, /) -> V:
        """``a - floor(a / b) * b``, with the sign of the divisor."""
        ...

    def round(self, x: Value, /) -> V:
        """The nearest whole number; of two the even one."""
        ...

    def sigmoid(self, x: Value, /) -> V:
        """1 / (1 + exp(-x))."""
        ...

    def sign(self, x: Value, /) -> V:
        """-1, 0 or 1."""
        ...

    def silu(self, x: Value, /) -> V:
        """x * sigmoid(x)."""
        ...

    def sin(self, x: Value, /) -> V:
        """The sine of an angle in radians."""
        ...

    def sinh(self, x: Value, /) -> V:
        """The hyperbolic sine."""
        ...

    def softplus(self, x: Value, /) -> V:
        """log(1 + exp(x)), without overflow."""
        ...

    def sqrt(self, x: Value, /) -> V:
        """The square root."""
        ...

    def subtract(self, a: Value, b: Value, /) -> V:
        """The difference."""
        ...

    def tan(self, x: Value, /) -> V:
        """The tangent of an angle in radians."""
        ...

    def tanh(self, x: Value, /) -> V:
        """The hyperbolic tangent."""
        ...

    def trunc(self, x: Value, /) -> V:
        """The whole number next to x towards 0."""
        ...

    def where(self, condition: Value, then: Value, otherwise: Value, /) -> V:
        """``then`` where the condition is true, else ``otherwise``."""
        ...
