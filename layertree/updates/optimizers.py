"""Update rules: optimizers of weights, running averages and counters.

A rule is an immutable configuration and a formula over ``xp``. The cell keeps the state of a rule between steps, so one
rule serves any number of weights.
"""

from __future__ import annotations

from functools import reduce
from typing import TypeAlias

import attrs

from layertree.core.namespace import Namespace
from layertree.core.value import Value
from layertree.layers._precision import widened
from layertree.updates.settings import checked, explained, number, refuse

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Average", "Count", "Momentum", "Optimizer", "RMSprop"]

State: TypeAlias = tuple[Value, ...]
"""The values that a rule keeps from step to step."""

_NAN = "the step of a weight whose deltas are 0 would be 0 / 0"


class _Sums:
    """What update rules share: without a state, contributions of one commit are added."""

    __slots__ = ()

    def start(self, xp: Namespace, value: Value) -> State:
        """The state before the first step."""
        return ()

    def combine(self, xp: Namespace, contributions: list[Value]) -> Value:
        """The sum of the contributions."""
        return reduce(xp.add, contributions)


class Optimizer(_Sums):
    """The base class of update rules of weights. Several deltas of one commit are added before the step."""

    def update(self, xp: Namespace, value: Value, delta: Value, state: State) -> tuple[Value, State]:
        """The new value and the new state."""
        raise NotImplementedError


@explained
@attrs.frozen
class SGD(Optimizer):
    """Steepest descent: ``value - rate * delta``.

    >>> from layertree.namespaces import SCALAR
    >>> SGD(0.5).update(SCALAR, 3.0, 2.0, ())
    (2.0, ())
    """

    rate: float = number(0.0, default=0.01)

    def update(self, xp: Namespace, value: Value, delta: Value, state: State) -> tuple[Value, State]:
        return xp.subtract(value, xp.multiply(delta, self.rate)), state


@explained
@attrs.frozen
class Momentum(Optimizer):
    """Gradient descent with a velocity: ``v = momentum * v + delta``, ``value - rate * v`` (Polyak, 1964).

    With ``nesterov`` the step is ``momentum * v + delta``, one look ahead (Sutskever et al., 2013).
    """

    rate: float = number(0.0, default=0.01)
    momentum: float = number(0.0, 1.0, default=0.9)
    nesterov: bool = checked(bool, default=False)

    def start(self, xp: Namespace, value: Value) -> State:
        return (xp.zeros_like(value),)

    def update(self, xp: Namespace, value: Value, delta: Value, state: State) -> tuple[Value, State]:
        velocity = xp.add(xp.multiply(state[0], self.momentum), delta)
        step = xp.add(xp.multiply(velocity, self.momentum), delta) if self.nesterov else velocity
        return xp.subtract(value, xp.multiply(step, self.rate)), (velocity,)


@explained
@attrs.frozen
class Adagrad(Optimizer):
    """Steps divided by the root of the sum of all squared deltas (Duchi, Hazan and Singer, 2011).

    The sum starts from ``initial``; ``epsilon`` stands outside of the root.
    """

    rate: float = number(0.0, default=0.01)
    initial: float = number(0.0, default=0.0)
    epsilon: float = number(0.0, default=1e-10)

    def __attrs_post_init__(self) -> None:
        if self.epsilon == 0.0 and self.initial == 0.0:
            refuse(self, "epsilon", f"{_NAN}; give a positive epsilon or a positive initial")

    def start(self, xp: Namespace, value: Value) -> State:
        return (xp.multiply(xp.ones_like(widened(xp, value)), self.initial),)

    def update(self, xp: Namespace, value: Value, delta: Value, state: State) -> tuple[Value, State]:
        delta = widened(xp, delta)
        total = xp.add(state[0], xp.multiply(delta, delta))
        scale = xp.add(xp.sqrt(total), self.epsilon)
        return xp.subtract(value, xp.divide(xp.multiply(delta, self.rate), scale)), (total,)


@explained
@attrs.frozen
class RMSprop(Optimizer):
    """Steps divided by the root of a running mean of squared deltas (Hinton, 2012).

    The mean starts from ``initial``; ``epsilon`` stands outside of the root.
    """

    rate: float = number(0.0, default=0.001)
    decay: float = number(0.0, 1.0, default=0.9)
    initial: float = number(0.0, default=0.0)
    epsilon: float = number(0.0, default=1e-8)

    def __attrs_post_init__(self) -> None:
        if self.epsilon == 0.0 and (self.initial == 0.0 or self.decay == 0.0):
            refuse(self, "epsilon", f"{_NAN}; give a positive epsilon, or a positive initial and a positive decay")

    def start(self, xp: Namespace, value: Value) -> State:
        return (xp.multiply(xp.ones_like(widened(xp, value)), self.initial),)

    def update(self, xp: Namespace, value: Value, delta: Value, state: State) -> tuple[Value, State]:
        delta = widened(xp, delta)
        mean = xp.add(xp.multiply(state[0], self.decay), xp.multiply(xp.multiply(delta, delta), 1.0 - self.decay))
        scale = xp.add(xp.sqrt(mean), self.epsilon)
        return xp.subtract(value, xp.divide(xp.multiply(delta, self.rate), scale)), (mean,)


@explained
@attrs.frozen
class Adam(Optimizer):
    """Steps scaled by running moments of the delta (Kingma and Ba, 2015), bias-corrected, so the first has size rate.

    ``epsilon`` stands outside of the root, as in the paper.
    """

    rate: float = number(0.0, default=0.001)
    beta1: float = number(0.0, 1.0, default=0.9)
    beta2: float = number(0.0, 1.0, default=0.999)
    epsilon: float = number(0.0, default=1e-8)

    def __attrs_post_init__(self) -> None:
        if self.epsilon == 0.0:
            refuse(self, "epsilon", f"{_NAN}; give a positive epsilon")
        for name in ("beta1", "beta2"):
            if getattr(self, name) == 1.0:
                refuse(self, name, "the bias correction divides by 1 - beta; give a number below 1")

    def start(self, xp: Namespace, value: Value) -> State:
        zeros = xp.zeros_like(widened(xp, value))
        return zeros, zeros, 0

    def update(self, xp: Namespace, value: Value, delta: Value, state: State) -> tuple[Value, State]:
        first, second, step = state
        delta = widened(xp, delta)
        step = xp.add(step, 1)
        first = xp.add(xp.multiply(first, self.beta1), xp.multiply(delta, 1.0 - self.beta1))
        second = xp.add(xp.multiply(second, self.beta2), xp.multiply(xp.multiply(delta, delta), 1.0 - self.beta2))

        def bias(beta: float) -> Value:
            return xp.subtract(1.0, xp.pow(beta, step))

        # The bias corrections are float64, and are cast so that they do not promote float32 moments.
        rate = xp.cast_like(xp.divide(self.rate, bias(self.beta1)), first)
        root = xp.sqrt(xp.divide(second, xp.cast_like(bias(self.beta2), second)))
        return xp.subtract(value, xp.divide(xp.multiply(first, rate), xp.add(root, self.epsilon))), (
            first,
            second,
            step,
        )


@explained
@attrs.frozen
class AdamW(Adam):
    """Adam with decoupled weight decay: before each step the value shrinks by ``rate * decay`` of itself.

    Unlike a penalty's slope, the decay is not scaled by the moments (Loshchilov and Hutter, 2019).
    """

    decay: float = number(0.0, default=0.01)

    def update(self, xp: Namespace, value: Value, delta: Value, state: State) -> tuple[Value, State]:
        return Adam.update(self, xp, xp.multiply(value, 1.0 - self.rate * self.decay), delta, state)


@explained
@attrs.frozen
class Average(_Sums):
    """A running average: ``momentum * value + (1 - momentum) * contribution``, of one commit the mean contribution."""

    momentum: float = number(0.0, 1.0, default=0.9)

    def combine(self, xp: Namespace, contributions: list[Value]) -> Value:
        return xp.divide(_Sums.combine(self, xp, contributions), float(len(contributions)))

    def update(self, xp: Namespace, value: Value, contribution: Value, state: State) -> tuple[Value, State]:
        kept = xp.multiply(value, self.momentum)
        return xp.add(kept, xp.multiply(contribution, 1.0 - self.momentum)), state


@explained
@attrs.frozen
class Count(_Sums):
    """A counter. Several ticks of one commit count as one, the largest."""

    def combine(self, xp: Namespace, contributions: list[Value]) -> Value:
        return reduce(xp.maximum, contributions)

    def update(self, xp: Namespace, value: Value, contribution: Value, state: State) -> tuple[Value, State]:
        return xp.add(value, contribution), state
