"""The static types of operators and functions, one signature for each kind of operation.

A signature is a function with overloads and no body: type checkers read it, and ``typed`` gives its type to the
functions that run. Its module loads under a checker alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["absent", "typed"]

Signature = TypeVar("Signature")


class _Absent:
    """A module of signatures at run time, when it is not loaded: each of its signatures is None."""

    def __getattr__(self, name: str) -> None:
        return None


absent: _Absent = _Absent()


def typed(like: Signature, /) -> Callable[[Callable[..., Any]], Signature]:
    """The decorator that gives a function the static type of another one, and returns it unchanged."""

    def unchanged(function: Any) -> Any:
        return function

    return unchanged
