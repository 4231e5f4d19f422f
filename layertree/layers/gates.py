"""Gated activations: x times a smooth function of x with values from 0 to 1, element by element."""

from typing import Generic, TypeVar

from layertree.core.fields import layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value
from layertree.layers._gates import FAR, gelu_tanh_steepness

__all__ = ["GELUTanh", "GELUTanhGate", "SiLU"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")


def _rest(xp: Namespace, output: Value, gate: Value) -> Value:
    """``output * (1 - gate)``, which is 0 where the output is inf."""
    return xp.multiply(xp.minimum(output, FAR), xp.subtract(1.0, gate))


@layer(name="gelu_tanh")
class GELUTanh(Layer[In, Tape[D, D]], Generic[In, D]):
    """a * (1 + tanh(sqrt(2 / pi) * (a + 0.044715 * a**3))) / 2 (Hendrycks and Gimpel, 2016).

    Stable at any magnitude; at -inf 0, with the derivatives 0 and 1 at the infinities.
    """

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.gelu_tanh(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        def pullback() -> Value:
            gate = xp.gelu_tanh_gate(a)
            bend = xp.multiply(_rest(xp, output, gate), gelu_tanh_steepness(xp, a))
            return xp.multiply(delta, xp.add(gate, bend))

        return (pullback,)


@layer(name="gelu_tanh_gate")
class GELUTanhGate(Layer[In, Tape[D, D]], Generic[In, D]):
    """The gate of GELUTanh, (1 + tanh(sqrt(2 / pi) * (a + 0.044715 * a**3))) / 2, from 0 to 1.

    The gate approximates the normal distribution function to 0.0003.
    """

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.gelu_tanh_gate(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        def pullback() -> Value:
            bend = xp.multiply(xp.multiply(output, xp.subtract(1.0, output)), gelu_tanh_steepness(xp, a))
            return xp.multiply(delta, bend)

        return (pullback,)


@layer(name="silu")
class SiLU(Layer[In, Tape[D, D]], Generic[In, D]):
    """a * sigmoid(a) (Elfwing, Uchibe and Doya, 2017), stable at any magnitude; at -inf 0."""

    operand: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value) -> Value:
        return xp.silu(a)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value) -> Pullbacks:
        def pullback() -> Value:
            gate = xp.sigmoid(a)
            return xp.multiply(delta, xp.add(gate, _rest(xp, output, gate)))

        return (pullback,)
