"""Pictures in files: SVG and HTML as text, PNG by a renderer that is an optional extra."""

from __future__ import annotations

import re
from os import PathLike, fspath
from pathlib import Path
from typing import Protocol

from layertree.core.optional import optional_module


class Pictured(Protocol):
    """What has a picture in each format."""

    @property
    def svg(self) -> str:
        """The SVG text."""
        ...

    @property
    def html(self) -> str:
        """The HTML text."""
        ...


def save(shown: Pictured, path: str | PathLike[str]) -> None:
    """Write a picture in the format that the end of the path names: ``.svg``, ``.html`` or ``.png``.

    Raises ValueError for another end, ModuleNotFoundError for PNG without the extra ``drawing``.
    """
    end = Path(fspath(path)).suffix.lower()
    if end == ".svg":
        Path(path).write_text(shown.svg, encoding="utf-8")
    elif end == ".html":
        Path(path).write_text(shown.html, encoding="utf-8")
    elif end == ".png":
        data = png_of(shown.svg)  # before the file is opened
        Path(path).write_bytes(data)
    else:
        raise ValueError(f"a picture has no format {end!r}: the end of the path is .svg, .png or .html")


def png_of(svg: str) -> bytes:
    """An SVG as PNG, twice as large. Raises ModuleNotFoundError, which names the extra, without its renderer."""
    renderer = optional_module("resvg_py", "drawing", "PNG is drawn by resvg (.svg and .html need nothing)")
    # The renderer knows no variables of style sheets; without a sheet the light colours hold.
    plain = re.sub(r"<style>.*?</style>", "", svg, flags=re.DOTALL)
    return bytes(renderer.svg_to_bytes(svg_string=plain, zoom=2))
