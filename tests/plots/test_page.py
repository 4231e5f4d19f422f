"""The page of the plots is true: its blocks run, each draws one figure, and its picture is stored."""

from __future__ import annotations

from matplotlib import pyplot

from layertree import plots
from tests.plots.pictures import PAGE, drawn


def test_every_block_with_a_picture_draws_one_figure() -> None:
    pictures = []
    for picture, figures in drawn():
        assert len(figures) == (picture is not None), picture
        if picture is not None:
            pictures.append(picture)
            assert (PAGE.parent / picture).stat().st_size > 1000
            assert all(panel.has_data() for panel in figures[0].axes if panel.axison)
    pyplot.close("all")
    stored = {path.name for path in (PAGE.parent / "pictures" / "plots").iterdir()}
    assert stored == {picture.rpartition("/")[2] for picture in pictures}


def test_every_function_has_a_picture() -> None:
    functions = set(plots.__all__)
    page = PAGE.read_text()
    assert all(f"plots.{name}(" in page for name in functions), functions
