"""Inference for elementwise functions: shapes broadcast, dtypes promote as NEP 50 says."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from layertree.core.dynamic import type_of
from layertree.core.errors import DTypeError
from layertree.core.spec import WEAK, WEAK_TYPES, ArraySpec, spec_text
from layertree.core.value import DType, Shape
from layertree.namespaces import scalar
from layertree.namespaces.spec._dims import array, broadcast


@lru_cache(maxsize=4096, typed=True)
def where(condition: ArraySpec, then: ArraySpec, otherwise: ArraySpec) -> ArraySpec:
    """The condition is boolean; ``then`` and ``otherwise`` promote."""
    condition, then, otherwise = array(condition), array(then), array(otherwise)
    if condition.dtype.kind != "b":
        raise DTypeError(f"the condition is {spec_text(condition)}: give booleans, such as a comparison")
    sides = promoted("maximum", (then, otherwise))
    shape = broadcast(condition, then, otherwise)
    return _spec(shape, sides) if condition.weak else ArraySpec(shape, np.dtype(sides))


def bitwise_invert(x: ArraySpec) -> ArraySpec:
    """Booleans and integers alone have bits."""
    return _ufunc("invert", x)


def round(x: ArraySpec) -> ArraySpec:
    """The spec of the operand, whose dtype is not boolean."""
    x = array(x)
    if x.dtype.kind == "b":
        raise DTypeError(f"round is not defined for {spec_text(x)}: cast the operand first")
    return x


def promoted(name: str, operands: tuple[ArraySpec, ...]) -> DType:
    """The dtype of the result of a ufunc; the type of a Python number where all operands are weak."""
    return _promoted(name, tuple((spec.dtype, spec.weak) for spec in operands))


WeakDType: TypeAlias = tuple[np.dtype[Any], bool]
"""A dtype, and whether it is that of a Python number."""


@lru_cache(maxsize=4096)
def _promoted(name: str, operands: tuple[WeakDType, ...]) -> DType:
    ufunc = getattr(np, name)
    all_weak = all(weak for _, weak in operands)
    kinds: list[DType] = [
        WEAK_TYPES[dtype] if weak and not all_weak and dtype.kind != "b" else dtype for dtype, weak in operands
    ]
    try:
        if all_weak:
            return _kind_of_number(name, operands)
        resolved: tuple[np.dtype[Any], ...] = ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout))
        return resolved[len(operands)]
    except TypeError:
        kinds_text = " and ".join(kind.__name__ if isinstance(kind, type) else kind.name for kind in kinds)
        is_xor = name == "bitwise_xor"
        advice = "^ is for booleans and integers, and a power is **" if is_xor else "cast the operands first"
        raise DTypeError(f"{name} is not defined for {kinds_text}: {advice}") from None


def _kind_of_number(name: str, operands: tuple[WeakDType, ...]) -> type:
    """The type of the result for Python numbers, found by computing with ones."""
    found: type = type_of(getattr(scalar, name)(*[WEAK_TYPES[dtype](1) for dtype, _ in operands]))
    return found


def _spec(shape: Shape, kind: DType) -> ArraySpec:
    return WEAK[kind] if isinstance(kind, type) else ArraySpec(shape, kind)


@lru_cache(maxsize=4096, typed=True)
def _ufunc(name: str, *operands: ArraySpec) -> ArraySpec:
    operands = tuple(map(array, operands))
    return _spec(broadcast(*operands), promoted(name, operands))


def __getattr__(name: str) -> Callable[..., ArraySpec]:
    """The rule of a ufunc of NumPy, which is the same for all."""
    if name.startswith("_") or not isinstance(getattr(np, name, None), np.ufunc):
        raise AttributeError(name)

    def rule(*operands: ArraySpec) -> ArraySpec:
        return _ufunc(name, *operands)

    return rule
