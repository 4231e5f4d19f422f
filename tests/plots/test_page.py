"""The plots of the site are true: the blocks of their pages run, each draws one figure, and its picture is stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib import pyplot

from layertree import plots
from tests.plots.pictures import DOCS, PAGE, PAGES, drawn


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_block_with_a_picture_draws_one_figure(page: Path) -> None:
    pictures = []
    for picture, figures in drawn(page):
        assert len(figures) == (picture is not None), picture
        if picture is not None:
            pictures.append(picture)
            assert picture.stat().st_size > 1000
            assert all(panel.has_data() for panel in figures[0].axes if panel.axison)
    pyplot.close("all")
    assert set(pictures) == set(pictures[0].parent.iterdir())


def test_every_function_has_a_picture() -> None:
    functions = set(plots.__all__)
    page = PAGE.read_text()
    assert all(f"plots.{name}(" in page for name in functions), functions
