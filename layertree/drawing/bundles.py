"""What notebooks show: HTML with a picture inside and text, by MIME type."""

from __future__ import annotations

from typing import Any

from layertree.core.narrowing import is_layer
from layertree.drawing.drawing import draw


def bundle(shown: Any) -> dict[str, str]:
    """The MIME bundle of a formula: its mathematics and its picture as HTML, and its text."""
    assert is_layer(shown)
    return draw(shown)._repr_mimebundle_() | {"text/plain": repr(shown)}
