"""The static types of operators and functions, one signature for each kind of operation.

A signature is a function with overloads and no body: type checkers read it, and ``typed`` gives its type to the
functions that run. Its module loads under a checker alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["typed"]

Signature = TypeVar("Signature")


def typed(like: Signature, /) -> Callable[[Callable[..., Any]], Signature]:
    """The decorator that gives a function the static type of another one, and returns it unchanged."""

    def unchanged(function: Any) -> Any:
        return function

    return unchanged
