"""The plots of the site: ``python -m tests.plots.pictures`` runs the pages that have plots, and stores these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import pyplot

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "plots.md"
PAGES = (PAGE, DOCS / "fit" / "index.md")
_BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\s*!\[[^\]]+\]\(([^)]+)\))?", re.MULTILINE | re.DOTALL)
_SETTINGS: dict[str, Any] = {"svg.hashsalt": "layertree", "svg.fonttype": "path", "figure.facecolor": "white"}


def drawn(page: Path) -> Iterator[tuple[Path | None, list[Any]]]:
    """For each block of a page the picture below the block, and the figures that the block drew."""
    matplotlib.use("Agg")
    names: dict[str, Any] = {}
    with matplotlib.rc_context(_SETTINGS):
        for code, picture in _BLOCK.findall(page.read_text()):
            pyplot.close("all")
            source = "".join(example.source for example in DocTestParser().get_examples(code)) or code
            exec(compile(source, str(page), "exec", dont_inherit=True), names)
            path = (page.parent / picture).resolve() if picture else None
            yield path, [pyplot.figure(number) for number in pyplot.get_fignums()]


def main() -> None:
    """Store the picture of each block."""
    for page in PAGES:
        for path, figures in drawn(page):
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                figures[0].savefig(path, metadata={"Date": None}, bbox_inches="tight")


if __name__ == "__main__":
    main()
