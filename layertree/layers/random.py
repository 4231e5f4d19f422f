"""Randomness and running statistics: layers that contribute to a cell on commit."""

from typing import Generic, TypeVar

from layertree.core.fields import attribute, layer, operand
from layertree.core.layer import Layer
from layertree.core.namespace import Namespace
from layertree.core.tape import Tape
from layertree.core.value import Pullbacks, Value

__all__ = ["Bernoulli", "Dropout", "RunningAverage"]

In = TypeVar("In", contravariant=True)
D = TypeVar("D")
E = TypeVar("E")
B = TypeVar("B")


@layer(name="bernoulli", differentiable=False)
class Bernoulli(Layer[In, Tape[B, B]], Generic[In, D, B]):
    """True with a probability, in the shape of a pattern.

    The values depend on the seed and the counter alone, so a run can be repeated. A backward pass contributes 1 to the
    counter, a State with the rule Count. The counter-based generator is Philox (Salmon et al., 2011).
    """

    like: Layer[In, Tape[D, D]] = operand()
    counter: Layer[In, Tape[int, int]] = operand()
    probability: float = attribute(minimum=0.0, maximum=1.0, help="of True")
    seed: int = attribute(minimum=0, maximum=2**64 - 1, default=0, help="which stream of random numbers")

    def compute(self, xp: Namespace, like: Value, counter: Value) -> Value:
        return xp.bernoulli(like, counter, probability=self.probability, seed=self.seed)

    def contribute(self, xp: Namespace, output: Value, like: Value, counter: Value) -> tuple[Value, Value]:
        return None, 1


@layer(name="dropout")
class Dropout(Layer[In, Tape[D, D]], Generic[In, D, B]):
    """The operand where a mask is true, divided by the rate that is kept; elsewhere 0 (Srivastava et al., 2014).

    In inference mode the layer is replaced by its operand.
    """

    argument: Layer[In, Tape[D, D]] = operand()
    mask: Layer[In, Tape[B, B]] = operand()
    rate: float = attribute(minimum=0.0, maximum=1.0, help="the share that is dropped")

    def compute(self, xp: Namespace, a: Value, mask: Value) -> Value:
        return xp.dropout(a, mask, rate=self.rate)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, mask: Value) -> Pullbacks:
        return (lambda: xp.dropout(delta, mask, rate=self.rate), None)

    def inference(self) -> Layer[In, Tape[D, D]]:
        """The operand."""
        return self.argument


@layer(name="running_average")
class RunningAverage(Layer[In, Tape[D, D]], Generic[In, D]):
    """The operand, which a backward pass contributes to an average, a State with the rule Average.

    The value has the dtype of the average, since in inference mode the layer is replaced by the average.
    """

    argument: Layer[In, Tape[D, D]] = operand()
    average: Layer[In, Tape[D, D]] = operand()

    def compute(self, xp: Namespace, a: Value, average: Value) -> Value:
        return xp.running_average(a, average)

    def gradient(self, xp: Namespace, delta: Value, output: Value, a: Value, average: Value) -> Pullbacks:
        return (lambda: xp.cast_like(delta, a), None)

    def contribute(self, xp: Namespace, output: Value, a: Value, average: Value) -> tuple[Value, Value]:
        return None, a

    def inference(self) -> Layer[In, Tape[D, D]]:
        """The average."""
        return self.average
