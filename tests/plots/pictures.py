"""The pictures of ``docs/plots.md``: ``python -m tests.plots.pictures`` runs the page and stores what it draws."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import pyplot

PAGE = Path(__file__).parents[2] / "docs" / "plots.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\s*!\[[^\]]+\]\(([^)]+)\))?", re.MULTILINE | re.DOTALL)
_SETTINGS: dict[str, Any] = {"svg.hashsalt": "layertree", "svg.fonttype": "path", "figure.facecolor": "white"}


def drawn() -> Iterator[tuple[str | None, list[Any]]]:
    """For each block of the page the path of the picture below the block, and the figures that the block drew."""
    matplotlib.use("Agg")
    names: dict[str, Any] = {}
    with matplotlib.rc_context(_SETTINGS):
        for code, picture in _BLOCK.findall(PAGE.read_text()):
            pyplot.close("all")
            exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)
            yield picture or None, [pyplot.figure(number) for number in pyplot.get_fignums()]


def main() -> None:
    """Store the picture of each block."""
    for picture, figures in drawn():
        if picture is not None:
            path = PAGE.parent / picture
            path.parent.mkdir(parents=True, exist_ok=True)
            figures[0].savefig(path, metadata={"Date": None}, bbox_inches="tight")


if __name__ == "__main__":
    main()
