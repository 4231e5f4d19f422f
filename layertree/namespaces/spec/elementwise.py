"""Rules of elementwise functions: shapes broadcast, dtypes promote as NumPy 2 does, with weak Python numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from layertree.core.dynamic import type_of
from layertree.core.errors import DTypeError
from layertree.core.spec import WEAK, WEAK_TYPES, ArraySpec, spec_text
from layertree.namespaces import scalar
from layertree.namespaces.spec._dims import Spec, array, broadcast


@lru_cache(maxsize=4096, typed=True)
def where(condition: Spec, then: Spec, otherwise: Spec) -> Spec:
    """The condition is boolean; the sides promote."""
    condition, then, otherwise = array(condition), array(then), array(otherwise)
    if condition.dtype.kind != "b":
        raise DTypeError(f"the condition is {spec_text(condition)}: give booleans, such as a comparison")
    sides = promoted("maximum", (then, otherwise))
    shape = broadcast(condition, then, otherwise)
    return _spec(shape, sides) if condition.weak else ArraySpec(shape, np.dtype(sides))


def bitwise_invert(x: Spec) -> Spec:
    """Booleans and integers only."""
    return _ufunc("invert", x)


def round(x: Spec) -> Spec:
    """The operand's own, which is not boolean."""
    x = array(x)
    if x.dtype.kind == "b":
        raise DTypeError(f"round is not defined for {spec_text(x)}: cast the operand first")
    return x


def promoted(name: str, operands: tuple[Spec, ...]) -> Any:
    """The dtype of a ufunc's result, or a Python type where all operands are Python numbers."""
    return _promoted(name, tuple((spec.dtype, spec.weak) for spec in operands))


@lru_cache(maxsize=4096)
def _promoted(name: str, operands: tuple[tuple[np.dtype[Any], bool], ...]) -> Any:
    ufunc = getattr(np, name)
    all_weak = all(weak for _, weak in operands)
    kinds: list[Any] = [
        WEAK_TYPES[dtype] if weak and not all_weak and dtype.kind != "b" else dtype for dtype, weak in operands
    ]
    try:
        if all_weak:
            return _kind_of_number(name, operands)
        return ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout))[len(operands)]
    except TypeError:
        kinds_text = " and ".join(getattr(kind, "name", None) or kind.__name__ for kind in kinds)
        raise DTypeError(f"{name} is not defined for {kinds_text}: cast the operands first") from None


def _kind_of_number(name: str, operands: tuple[tuple[np.dtype[Any], bool], ...]) -> Any:
    """The Python type that a function of Python numbers gives, as it does for ones of their types."""
    return type_of(getattr(scalar, name)(*[WEAK_TYPES[dtype](1) for dtype, _ in operands]))


def _spec(shape: Any, kind: Any) -> Spec:
    return WEAK[kind] if isinstance(kind, type) else ArraySpec(shape, kind)


@lru_cache(maxsize=4096, typed=True)
def _ufunc(name: str, *operands: Spec) -> Spec:
    operands = tuple(map(array, operands))
    return _spec(broadcast(*operands), promoted(name, operands))


def __getattr__(name: str) -> Any:
    """Every ufunc of NumPy has the one rule."""
    if name.startswith("_") or not isinstance(getattr(np, name, None), np.ufunc):
        raise AttributeError(name)

    def rule(*operands: Spec) -> Spec:
        return _ufunc(name, *operands)

    return rule
