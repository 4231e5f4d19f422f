"""Hooks of MkDocs: pages made from the sources, includes, and links. What they make is in ``site_builder``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]  # the reference describes this checkout, and shows samples of its tests

from site_builder import functions, includes, layers, namespace, overview  # noqa: E402  # it imports from the path above


def generated() -> Iterator[tuple[str, str]]:
    """The address and the text of each page that is made from the sources."""
    for folder, pages in (
        ("reference/functions", functions.symbolic_pages()),
        ("reference/layers", layers.pages()),
        ("reference/library", functions.library_pages()),
    ):
        yield from ((f"{folder}/{name}.md", text) for name, text in pages)


_pages: dict[str, str] = {}
_homes: dict[str, str] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the pages, and put them into the navigation, where it names their folder."""
    _pages.update(generated())
    config.nav = _with_pages(config.nav)
    return config


def _with_pages(nav: Any) -> Any:
    """The navigation with the pages of a folder in the place of an entry that ends with a slash."""
    if isinstance(nav, dict):
        return {title: _with_pages(entry) for title, entry in nav.items()}
    if not isinstance(nav, list):
        return nav
    found: list[Any] = []
    for entry in nav:
        if isinstance(entry, str) and entry.endswith("/"):
            found += [page for page in _pages if page.startswith(entry)]
        else:
            found.append(_with_pages(entry))
    return found


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made from the sources."""
    for address, text in _pages.items():
        files.append(File.generated(config, address, content=text))
    written = {file.src_uri: file.content_string for file in files.documentation_pages()}
    _homes.update(includes.wholes(written))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Put in what a page includes, and colour sessions as such."""
    markdown = overview.with_overviews(namespace.with_tables(markdown), page.file.src_uri, _pages)
    if page.file.src_uri not in _pages:  # a page that is made has the links that it needs
        markdown = includes.expanded(markdown, ROOT, page.file.src_uri, _homes)
    return markdown.replace("```python\n>>>", "```pycon\n>>>").replace("\n<BLANKLINE>\n", "\n\n")
