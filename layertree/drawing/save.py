"""Pictures in files: SVG and HTML as text, PNG by a renderer that is an optional extra."""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from os import PathLike, fspath
from pathlib import Path
from secrets import token_hex

from layertree.core.optional import optional_module
from layertree.drawing.framing import Show, as_image, as_svg
from layertree.drawing.page import display, whole
from layertree.drawing.svg import Markup


class Pictured(ABC):
    """What has a picture in each format: a class of it gives the title, the SVG, and the HTML for a notebook."""

    __slots__ = ()

    @property
    @abstractmethod
    def _title(self) -> str:
        """The title of the page."""

    @property
    @abstractmethod
    def svg(self) -> str:
        """The picture as SVG, with colours for light and dark pages."""

    @abstractmethod
    def inside(self, show: Show) -> Markup:
        """The picture and its texts as HTML, each picture as ``show`` makes it."""

    @property
    def html(self) -> str:
        """A page with all that ``inside`` gives."""
        return whole(self._title, self.inside(as_svg))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to a file in the format that the end of the path names: ``.svg``, ``.html`` or ``.png``.

        A file that exists is replaced once the new one is whole, or stays as it is.

        Raises ValueError for another end, ModuleNotFoundError for PNG without the extra ``drawing``, OSError for a
        place that cannot be written.
        """
        end = Path(fspath(path)).suffix.lower()
        if end == ".svg":
            _replace(path, self.svg.encode())
        elif end == ".html":
            _replace(path, self.html.encode())
        elif end == ".png":
            _replace(path, png_of(self.svg))
        else:
            raise ValueError(f"a picture has no format {end!r}: the end of the path is .svg, .png or .html")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": display(self.inside(as_image)), "text/plain": repr(self)}


def _replace(path: str | PathLike[str], data: bytes) -> None:
    """Write a file beside the path, and put it in the place of the file there; write devices and pipes directly."""
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if not os.access(folder, os.W_OK) or (os.path.exists(target) and not os.path.isfile(target)):
        Path(path).write_bytes(data)
        return
    beside = Path(folder, f".{token_hex(8)}.part")
    try:
        beside.write_bytes(data)
        if os.path.exists(target):
            shutil.copymode(target, beside)
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def png_of(svg: str) -> bytes:
    """An SVG as PNG, twice as large. Raises ModuleNotFoundError, which names the extra, without its renderer."""
    renderer = optional_module("resvg_py", "drawing", "PNG is drawn by resvg (.svg and .html need nothing)")
    return bytes(renderer.svg_to_bytes(svg_string=svg, zoom=2))
