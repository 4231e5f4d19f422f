"""``isinstance`` and ``type`` without narrowing by type checkers, for data, specs and attributes.

A checker narrows what ``isinstance`` finds to be a tuple to a tuple of it knows not what; of these, which are the same
functions, it draws no conclusion. They serve also where an annotation promises a kind, and a user may break it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["is_a", "type_of"]

is_a: Callable[[object, Any], bool] = isinstance
type_of: Callable[[object], Any] = type
