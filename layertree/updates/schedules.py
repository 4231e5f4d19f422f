"""Schedules: factors of an optimizer's steps over time, as formulas over ``xp`` of the number of the step.

``Scheduled(Adam(1e-3), CosineDecay(10_000, warmup=500))`` is an optimizer. A schedule gives a factor for each step,
counted from 0, which multiplies the whole step of the rule; so every rule can have every schedule.
"""

from __future__ import annotations

import math

import attrs

from layertree.core.namespace import Namespace
from layertree.core.value import Value
from layertree.updates.optimizers import Optimizer, State
from layertree.updates.settings import checked, explained, finite, instance, number, refuse

__all__ = ["CosineDecay", "Cycle", "ExponentialDecay", "InverseDecay", "Schedule", "Scheduled"]


class Schedule:
    """The base class of schedules."""

    def factor(self, xp: Namespace, step: Value) -> Value:
        """The factor of a step, counted from 0."""
        raise NotImplementedError


@explained
@attrs.frozen
class InverseDecay(Schedule):
    """``1 / (1 + speed * step)``."""

    speed: float = number(0.0, default=0.1)

    def factor(self, xp: Namespace, step: Value) -> Value:
        return xp.divide(1.0, xp.add(1.0, xp.multiply(step, self.speed)))


@explained
@attrs.frozen
class ExponentialDecay(Schedule):
    """``exp(-speed * step)``."""

    speed: float = number(0.0, default=0.1)

    def factor(self, xp: Namespace, step: Value) -> Value:
        return xp.exp(xp.multiply(step, -self.speed))


@explained
@attrs.frozen
class CosineDecay(Schedule):
    """From 1 to ``floor`` along half a cosine within ``steps`` (Loshchilov and Hutter, 2017), then ``floor``.

    The factor of the first ``warmup`` of these steps rises linearly to 1; ``warmup`` is at most ``steps``.
    """

    steps: int = checked(int, 1)
    warmup: int = checked(int, 0, default=0)
    floor: float = number(0.0, 1.0, default=0.0)

    def __attrs_post_init__(self) -> None:
        if self.warmup > self.steps:
            refuse(self, "warmup", f"it is a part of the {self.steps} steps; give at most that many")

    def factor(self, xp: Namespace, step: Value) -> Value:
        falling = self.steps - self.warmup
        decayed: Value = self.floor
        if falling:
            share = xp.minimum(xp.maximum(xp.divide(xp.subtract(step, self.warmup), falling), 0.0), 1.0)
            wave = xp.add(1.0, xp.cos(xp.multiply(share, math.pi)))
            decayed = xp.add(self.floor, xp.multiply(wave, 0.5 * (1.0 - self.floor)))
        rising = xp.divide(xp.add(step, 1), max(self.warmup, 1))
        return xp.where(xp.less(step, self.warmup), rising, decayed)


@explained
@attrs.frozen
class Cycle(Schedule):
    """The factors in turn, again and again; at least one."""

    factors: tuple[float, ...] = finite(tuple[float, ...], 0.0)

    def __attrs_post_init__(self) -> None:
        if not self.factors:
            refuse(self, "factors", "give at least one factor")

    def factor(self, xp: Namespace, step: Value) -> Value:
        position = xp.remainder(step, len(self.factors))
        found: Value = self.factors[0]
        for i, factor in enumerate(self.factors):
            found = xp.where(xp.equal(position, i), factor, found)
        return found


@explained
@attrs.frozen
class Scheduled(Optimizer):
    """An optimizer whose steps are multiplied by the factors of a schedule.

    >>> from layertree import SGD
    >>> from layertree.namespaces import SCALAR
    >>> rule = Scheduled(SGD(1.0), Cycle((1.0, 0.5)))
    >>> rule.update(SCALAR, 3.0, 1.0, (0,)), rule.update(SCALAR, 3.0, 1.0, (1,))
    ((2.0, (1,)), (2.5, (2,)))
    """

    rule: Optimizer = instance(Optimizer)
    schedule: Schedule = instance(Schedule)

    def start(self, xp: Namespace, value: Value) -> State:
        return (*self.rule.start(xp, value), 0)

    def combine(self, xp: Namespace, contributions: list[Value]) -> Value:
        return self.rule.combine(xp, contributions)

    def update(self, xp: Namespace, value: Value, delta: Value, state: State) -> tuple[Value, State]:
        *inner, step = state
        stepped, kept = self.rule.update(xp, value, delta, tuple(inner))
        # The factor is float64, and is cast so that it does not promote a float32 step.
        factor = xp.cast_like(self.schedule.factor(xp, step), value)
        return xp.add(value, xp.multiply(xp.subtract(stepped, value), factor)), (*kept, xp.add(step, 1))
