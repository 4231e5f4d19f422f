"""An extension of griffe, which reads docstrings for mkdocstrings: examples become fenced blocks of Markdown."""

from __future__ import annotations

from typing import Any

import griffe

from site_builder.examples import fenced

__all__ = ["FencedExamples"]


class FencedExamples(griffe.Extension):
    """Fences the examples in all docstrings; else Markdown reads prompts as quotations."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object that has been read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
