"""The pictures in files are those that the library draws."""

from __future__ import annotations

import pytest

from tests.drawing.pictures import DOCS, GOLDEN, README, STRUCTURES, structure

ADVICE = "python -m tests.drawing.pictures writes the pictures anew"


@pytest.mark.parametrize("name", README)
def test_pictures_of_the_readme_are_current(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == README[name]() + "\n", ADVICE
    assert f"docs/{name}" in (DOCS.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures_are_those_of_the_golden_files(name: str) -> None:
    assert structure(STRUCTURES[name]()) == (GOLDEN / name).read_text(encoding="utf-8"), ADVICE


def test_there_are_no_other_golden_files() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(STRUCTURES)


def test_a_picture_has_no_random_part() -> None:
    assert [make() for make in STRUCTURES.values()] == [make() for make in STRUCTURES.values()]
