"""Update rules: each is a frozen configuration and a formula over ``xp``, as a layer's compute is.

What a rule keeps from step to step lives in the cell, so one rule serves any number of weights.
"""

from __future__ import annotations

from typing import Any

import attrs

from layertree.updates.settings import checked, number

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Average", "Count", "Momentum", "Optimizer", "RMSprop"]

Value = Any


class Optimizer:
    """A rule by which a weight takes a step. Several deltas for one commit are added first."""

    def start(self, xp: Any, value: Value) -> Any:
        """The state before the first step."""
        return ()

    def combine(self, xp: Any, contributions: list[Value]) -> Value:
        """The sum of the deltas."""
        total = contributions[0]
        for contribution in contributions[1:]:
            total = xp.add(total, contribution)
        return total

    def update(self, xp: Any, value: Value, delta: Value, state: Any) -> tuple[Value, Any]:
        """The new value and the new state."""
        raise NotImplementedError


@attrs.frozen
class SGD(Optimizer):
    """Steepest descent: ``value - rate * delta``.

    >>> from layertree.namespaces import SCALAR
    >>> SGD(0.5).update(SCALAR, 3.0, 2.0, ())
    (2.0, ())
    """

    rate: float = number(0.0, default=0.01)

    def update(self, xp: Any, value: Value, delta: Value, state: Any) -> tuple[Value, Any]:
        return xp.subtract(value, xp.multiply(delta, self.rate)), state


@attrs.frozen
class Momentum(Optimizer):
    """Descent with a velocity: ``v = momentum * v + delta``, ``value - rate * v`` (Polyak, 1964).

    With ``nesterov`` the step is ``momentum * v + delta``, one look ahead (Sutskever et al., 2013).
    """

    rate: float = number(0.0, default=0.01)
    momentum: float = number(0.0, 1.0, default=0.9)
    nesterov: bool = checked(bool, default=False)

    def start(self, xp: Any, value: Value) -> Any:
        return (xp.zeros_like(value),)

    def update(self, xp: Any, value: Value, delta: Value, state: Any) -> tuple[Value, Any]:
        velocity = xp.add(xp.multiply(state[0], self.momentum), delta)
        step = xp.add(xp.multiply(velocity, self.momentum), delta) if self.nesterov else velocity
        return xp.subtract(value, xp.multiply(step, self.rate)), (velocity,)


@attrs.frozen
class Adagrad(Optimizer):
    """Steps divided by the root of the sum of all squared deltas (Duchi, Hazan and Singer, 2011).

    The sum starts from ``initial``; ``epsilon`` stands outside of the root.
    """

    rate: float = number(0.0, default=0.01)
    initial: float = number(0.0, default=0.0)
    epsilon: float = number(0.0, default=1e-10)

    def start(self, xp: Any, value: Value) -> Any:
        return (xp.multiply(xp.ones_like(value), self.initial),)

    def update(self, xp: Any, value: Value, delta: Value, state: Any) -> tuple[Value, Any]:
        total = xp.add(state[0], xp.multiply(delta, delta))
        scale = xp.add(xp.sqrt(total), self.epsilon)
        return xp.subtract(value, xp.divide(xp.multiply(delta, self.rate), scale)), (total,)


@attrs.frozen
class RMSprop(Optimizer):
    """Steps divided by the root of a running mean of squared deltas (Hinton, 2012).

    The mean starts from ``initial``; ``epsilon`` stands outside of the root.
    """

    rate: float = number(0.0, default=0.001)
    decay: float = number(0.0, 1.0, default=0.9)
    initial: float = number(0.0, default=0.0)
    epsilon: float = number(0.0, default=1e-8)

    def start(self, xp: Any, value: Value) -> Any:
        return (xp.multiply(xp.ones_like(value), self.initial),)

    def update(self, xp: Any, value: Value, delta: Value, state: Any) -> tuple[Value, Any]:
        mean = xp.add(xp.multiply(state[0], self.decay), xp.multiply(xp.multiply(delta, delta), 1.0 - self.decay))
        scale = xp.add(xp.sqrt(mean), self.epsilon)
        return xp.subtract(value, xp.divide(xp.multiply(delta, self.rate), scale)), (mean,)


@attrs.frozen
class Adam(Optimizer):
    """Steps scaled by running moments of the delta (Kingma and Ba, 2015), bias-corrected, so the first has size rate.

    ``epsilon`` stands outside of the root, as in the paper.
    """

    rate: float = number(0.0, default=0.001)
    beta1: float = number(0.0, 1.0, default=0.9)
    beta2: float = number(0.0, 1.0, default=0.999)
    epsilon: float = number(0.0, default=1e-8)

    def start(self, xp: Any, value: Value) -> Any:
        return xp.zeros_like(value), xp.zeros_like(value), 0

    def update(self, xp: Any, value: Value, delta: Value, state: Any) -> tuple[Value, Any]:
        first, second, step = state
        step = xp.add(step, 1)
        first = xp.add(xp.multiply(first, self.beta1), xp.multiply(delta, 1.0 - self.beta1))
        second = xp.add(xp.multiply(second, self.beta2), xp.multiply(xp.multiply(delta, delta), 1.0 - self.beta2))

        def bias(beta: float) -> Value:
            return xp.subtract(1.0, xp.pow(beta, step))

        # Numbers are computed in float64, and must not widen what they are multiplied with.
        rate = xp.cast_like(xp.divide(self.rate, bias(self.beta1)), first)
        root = xp.sqrt(xp.divide(second, xp.cast_like(bias(self.beta2), second)))
        return xp.subtract(value, xp.divide(xp.multiply(first, rate), xp.add(root, self.epsilon))), (
            first,
            second,
            step,
        )


@attrs.frozen
class AdamW(Adam):
    """Adam with decoupled weight decay: before each step the value shrinks by ``rate * decay`` of itself.

    Unlike a penalty's slope, the decay is not scaled by the moments (Loshchilov and Hutter, 2019).
    """

    decay: float = number(0.0, default=0.01)

    def update(self, xp: Any, value: Value, delta: Value, state: Any) -> tuple[Value, Any]:
        return Adam.update(self, xp, xp.multiply(value, 1.0 - self.rate * self.decay), delta, state)


@attrs.frozen
class Average:
    """A running average: ``momentum * value + (1 - momentum) * told``. What is told at once is averaged first."""

    momentum: float = number(0.0, 1.0, default=0.9)

    def start(self, xp: Any, value: Value) -> Any:
        return ()

    def combine(self, xp: Any, contributions: list[Value]) -> Value:
        total = contributions[0]
        for contribution in contributions[1:]:
            total = xp.add(total, contribution)
        return xp.divide(total, float(len(contributions)))

    def update(self, xp: Any, value: Value, told: Value, state: Any) -> tuple[Value, Any]:
        kept = xp.multiply(value, self.momentum)
        return xp.add(kept, xp.multiply(told, 1.0 - self.momentum)), state


@attrs.frozen
class Count:
    """A counter. Ticks of one commit are one, however often the counter was read."""

    def start(self, xp: Any, value: Value) -> Any:
        return ()

    def combine(self, xp: Any, contributions: list[Value]) -> Value:
        most = contributions[0]
        for contribution in contributions[1:]:
            most = xp.maximum(most, contribution)
        return most

    def update(self, xp: Any, value: Value, told: Value, state: Any) -> tuple[Value, Any]:
        return xp.add(value, told), state
