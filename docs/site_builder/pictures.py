"""Pictures of functions of one number and of schedules, computed by the functions themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layertree import CosineDecay, Cycle, ExponentialDecay, InverseDecay, Schedule
from layertree.namespaces import SCALAR
from layertree.typing import ArraySpec
from site_builder.svg import Curve, plot
from symbolic import grad, placeholder
from symbolic import sum as total

__all__ = ["of_function", "of_schedule", "schedules"]

POINTS = 801


def of_function(name: str, function: Callable[[Any], Any], low: float = -4.0, high: float = 4.0) -> str:
    """A function of one number and its derivative, both drawn from the formula."""
    formula = function(placeholder(ArraySpec((POINTS,), np.float64)))
    xs = np.linspace(low, high, POINTS)
    values = np.asarray(formula.predict(xs), dtype=float)
    slopes = np.broadcast_to(np.asarray(grad(total(formula)).predict(xs), dtype=float), xs.shape)
    slopes = np.where(np.isnan(values), np.nan, slopes)  # 1 / x is no derivative of log where log has no value
    curves = [
        Curve(f"{name}(x)", "value", list(zip(xs.tolist(), values.tolist(), strict=True))),
        Curve("derivative", "derivative", list(zip(xs.tolist(), slopes.tolist(), strict=True))),
    ]
    return plot(f"{name} and its derivative", curves, _limits(values, slopes, low, high))


def _limits(values: np.ndarray[Any, Any], slopes: np.ndarray[Any, Any], low: float, high: float) -> tuple[float, float]:
    """Limits of the vertical axis: both curves, but no more than a little beyond the interval."""
    both = np.concatenate([values, slopes])
    finite = both[np.isfinite(both)]
    bottom, top = max(float(finite.min()), low), min(float(finite.max()), high)
    margin = 0.08 * max(top - bottom, 0.5)
    return bottom - margin, top + margin


_EXAMPLES: dict[type[Schedule], Schedule] = {
    CosineDecay: CosineDecay(100, warmup=10, floor=0.1),
    Cycle: Cycle((1.0, 0.5, 0.25)),
    ExponentialDecay: ExponentialDecay(0.03),
    InverseDecay: InverseDecay(0.1),
}


def schedules() -> list[Schedule]:
    """One schedule of each class. Raises KeyError for a class without an example."""
    classes = [cls for cls in Schedule.__subclasses__() if cls.__module__ == Schedule.__module__]
    return [_EXAMPLES[cls] for cls in sorted(classes, key=lambda cls: cls.__name__)]


def of_schedule(schedule: Schedule) -> str:
    """The factors of a schedule, step by step: each holds for one step."""
    factors = [float(schedule.factor(SCALAR, step)) for step in range(12 if isinstance(schedule, Cycle) else 120)]
    points = [(float(end), factor) for step, factor in enumerate(factors) for end in (step, step + 1)]
    return plot(f"The factors of {schedule}", [Curve(repr(schedule), "value", points)], (0.0, 1.05), "step")
