"""Schedules: how the size of an optimizer's steps changes over time, as formulas over ``xp`` of the step's number.

``Scheduled(Adam(1e-3), CosineDecay(10_000, warmup=500))`` is an optimizer. A schedule gives a factor for each step,
counted from 0; the whole step of the rule is multiplied by it, so any rule can have any schedule.
"""

from __future__ import annotations

import math
from typing import Any

import attrs

from layertree.updates.optimizers import Optimizer, Value
from layertree.updates.settings import checked, instance, number

__all__ = ["CosineDecay", "Cycle", "ExponentialDecay", "InverseDecay", "Schedule", "Scheduled"]


class Schedule:
    """What gives the factor of each step."""

    def factor(self, xp: Any, step: Value) -> Value:
        """The factor of a step, counted from 0."""
        raise NotImplementedError


@attrs.frozen
class InverseDecay(Schedule):
    """``1 / (1 + speed * step)``."""

    speed: float = number(0.0, default=0.1)

    def factor(self, xp: Any, step: Value) -> Value:
        return xp.divide(1.0, xp.add(1.0, xp.multiply(step, self.speed)))


@attrs.frozen
class ExponentialDecay(Schedule):
    """``exp(-speed * step)``."""

    speed: float = number(0.0, default=0.1)

    def factor(self, xp: Any, step: Value) -> Value:
        return xp.exp(xp.multiply(step, -self.speed))


@attrs.frozen
class CosineDecay(Schedule):
    """From 1 to ``floor`` along half a cosine within ``steps`` (Loshchilov and Hutter, 2017), then ``floor``.

    Of these steps the first ``warmup`` rise in equal parts to 1.
    """

    steps: int = checked(int, 1)
    warmup: int = checked(int, 0, default=0)
    floor: float = number(0.0, 1.0, default=0.0)

    def factor(self, xp: Any, step: Value) -> Value:
        falling = max(self.steps - self.warmup, 1)
        share = xp.minimum(xp.maximum(xp.divide(xp.subtract(step, self.warmup), falling), 0.0), 1.0)
        wave = xp.add(1.0, xp.cos(xp.multiply(share, math.pi)))
        decayed = xp.add(self.floor, xp.multiply(wave, 0.5 * (1.0 - self.floor)))
        rising = xp.divide(xp.add(step, 1), max(self.warmup, 1))
        return xp.where(xp.less(step, self.warmup), rising, decayed)


@attrs.frozen
class Cycle(Schedule):
    """One factor after the other, and again from the first."""

    factors: tuple[float, ...] = checked(tuple[float, ...], 0.0)

    def factor(self, xp: Any, step: Value) -> Value:
        place = xp.remainder(step, len(self.factors))
        found: Value = self.factors[0]
        for i, factor in enumerate(self.factors):
            found = xp.where(xp.equal(place, i), factor, found)
        return found


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

    def start(self, xp: Any, value: Value) -> Any:
        return (*self.rule.start(xp, value), 0)

    def combine(self, xp: Any, contributions: list[Value]) -> Value:
        return self.rule.combine(xp, contributions)

    def update(self, xp: Any, value: Value, delta: Value, state: Any) -> tuple[Value, Any]:
        *inner, step = state
        stepped, kept = self.rule.update(xp, value, delta, tuple(inner))
        # A number is computed in float64, and must not widen what it is multiplied with.
        factor = xp.cast_like(self.schedule.factor(xp, step), value)
        return xp.add(value, xp.multiply(xp.subtract(stepped, value), factor)), (*kept, xp.add(step, 1))
