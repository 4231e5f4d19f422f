"""Overviews: tables of the pages of a folder, with a link to each entry."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

__all__ = ["entries", "with_overviews"]

_MARKER = re.compile(r"^<!-- overview of (\S+/) -->$", re.MULTILINE)
_ENTRY = re.compile(r"^(?:## (\w+)|::: (\S+))$", re.MULTILINE)


def entries(text: str) -> Iterator[tuple[str, str]]:
    """The name and the anchor of each entry of a page: of a heading, or of an object that mkdocstrings documents.

    >>> list(entries("## ReLU\\n\\n::: symbolic.nn.dense\\n"))
    [('ReLU', 'relu'), ('dense', 'symbolic.nn.dense')]
    """
    for heading, path in _ENTRY.findall(text):
        yield (heading, heading.lower()) if heading else (path.rpartition(".")[2], path)


def with_overviews(text: str, page: str, pages: Mapping[str, str]) -> str:
    """The text of a page with a table in the place of each ``<!-- overview of reference/layers/ -->``.

    ``pages`` are the pages that are made from the sources, by address. Raises ValueError for a folder without pages.
    """

    def table(found: re.Match[str]) -> str:
        chosen = {address: made for address, made in pages.items() if address.startswith(found[1])}
        if not chosen:
            raise ValueError(f"{page}: no pages are made in {found[1]!r}")
        return "\n".join(["| page | entries |", "|---|---|", *[_row(page, *item) for item in chosen.items()]])

    return _MARKER.sub(table, text)


def _row(page: str, address: str, text: str) -> str:
    title = text.partition("\n")[0].removeprefix("# ")
    link = posixpath.relpath(address, posixpath.dirname(page) or ".")
    links = ", ".join(f"[`{name}`]({link}#{anchor})" for name, anchor in entries(text))
    return f"| [{title}]({link}) | {links} |"
