"""What ``dir`` of a public module lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["listed"]


def listed(module: Mapping[str, Any]) -> list[str]:
    """The names of ``__all__`` and those with two underscores, from the ``globals()`` of a module, sorted.

    What the module imports, and its private names, are not among them.

    >>> listed({"__all__": ["sin"], "__name__": "mathematics", "sin": None, "np": None, "_helper": None})
    ['__all__', '__name__', 'sin']
    """
    return sorted({*module.get("__all__", ()), *[name for name in module if name.startswith("__")]})
