"""``isinstance`` and ``type`` without narrowing by type checkers, for data, specs and attributes.

``isinstance(value, tuple)`` narrows to a tuple with items of unknown type, which strict pyright reports; ``is_a`` is
the same function without narrowing. ``is_a`` serves also where an annotation promises a type that users may not give.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["is_a", "type_of"]

is_a: Callable[[object, Any], bool] = isinstance
type_of: Callable[[object], Any] = type
