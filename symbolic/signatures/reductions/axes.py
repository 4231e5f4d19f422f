"""What names the axes that a reduction goes over."""

from __future__ import annotations

from typing import TypeAlias

Axis: TypeAlias = int | tuple[int, ...] | None
