"""Includes: parts of the project's Markdown files within a page, and links that lead to pages of the site.

A page includes a file, the section below a heading, or that section up to its first subsection:

    <!-- include CHANGELOG.md -->
    <!-- include README.md#the-tour-five-minutes -->
    <!-- include README.md#layertree only -->

So a fact has one place. The headings of a section are raised such that the highest is of level 2.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

__all__ = ["expanded", "headings", "outside_code", "section", "wholes", "with_links"]

_INCLUDE = re.compile(r"^<!-- include ([^\s#]+)(?:#(\S+))?( only)? -->$", re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6}) (.+)$")
_LINK = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)|(\bsrc=")([^"]+)(")')


def slug(title: str) -> str:
    """The anchor of a heading.

    >>> slug("The tour, five minutes")
    'the-tour-five-minutes'
    """
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def headings(text: str) -> Iterator[tuple[int, int, str]]:
    """The number of the line, the level and the anchor of each heading outside of code."""
    inside = False
    for number, line in enumerate(text.splitlines()):
        if line.startswith("```"):
            inside = not inside
        found = None if inside else _HEADING.match(line)
        if found:
            yield number, len(found.group(1)), slug(found.group(2))


def section(text: str, anchor: str, only: bool = False) -> str:
    """What stands below a heading, without the heading; with ``only`` up to the next heading of any level.

    Raises KeyError for an anchor that the text does not have.
    """
    found = list(headings(text))
    for i, (start, level, name) in enumerate(found):
        if name == anchor:
            later = [line for line, other, _ in found[i + 1 :] if only or other <= level]
            lines = text.splitlines()[start + 1 : later[0] if later else None]
            return _raised("\n".join(lines).strip("\n"))
    raise KeyError(f"no heading {anchor!r}: there are {', '.join(name for *_, name in found)}")


def _raised(text: str) -> str:
    """The text with headings from level 2."""
    levels = {line: level for line, level, _ in headings(text)}
    shift = min(levels.values(), default=2) - 2
    lines = text.splitlines()
    return "\n".join(line[shift:] if i in levels and shift > 0 else line for i, line in enumerate(lines))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with a change of all that is not in a fenced block."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


def wholes(pages: Mapping[str, str]) -> dict[str, str]:
    """The files that a page includes as a whole, each with that page."""
    return {
        found.group(1): page
        for page, text in pages.items()
        for found in _INCLUDE.finditer(text)
        if found.group(2) is None
    }


def expanded(text: str, root: Path, page: str, homes: Mapping[str, str]) -> str:
    """The text of a page with its includes in place, and links of both that lead to pages."""
    text = with_links(text, f"docs/{page}", page, homes)

    def included(found: re.Match[str]) -> str:
        path, anchor, only = found.groups()
        whole = (root / path).read_text()
        part = whole if anchor is None else section(whole, anchor, only is not None)
        return with_links(part, path, page, homes)

    return _INCLUDE.sub(included, text)


def with_links(text: str, source: str, page: str, homes: Mapping[str, str]) -> str:
    """The text of a file of the project, with links that hold on a page of the site.

    ``homes`` are the pages of files outside of ``docs``. A link to any other file becomes its path, in code.
    """

    def link(found: re.Match[str]) -> str:
        picture, label, target, before, address, after = found.groups()
        if address is not None:
            return f"{before}{_target(address, source, page, homes) or address}{after}"
        address = _target(target, source, page, homes)
        if address is not None:
            return f"{picture}[{label}]({address})"
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target.partition("#")[0]))
        return f"`{path}`" if label.strip("`").rstrip("/") in (path, target) else f"{label} (`{path}`)"

    return outside_code(text, lambda part: _LINK.sub(link, part))


def _target(target: str, source: str, page: str, homes: Mapping[str, str]) -> str | None:
    """The address of a link on a page, None where the site has no such file."""
    if "://" in target or target.startswith(("#", "mailto:")):
        return target
    path, mark, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    home = path.removeprefix("docs/") if path.startswith("docs/") else homes.get(path)
    if home is None:
        return None
    return posixpath.relpath(home, posixpath.dirname(page) or ".") + mark + anchor
