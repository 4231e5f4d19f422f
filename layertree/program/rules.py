"""Simplification for speed: the rules that keep a formula's meaning, and those that let a program do less."""

from __future__ import annotations

from typing import Any

from layertree.rewrite.simplify import simplify


def simplified(layer: Any, spec: Any) -> Any:
    """The formula as it is compiled."""
    return simplify(layer, spec)
