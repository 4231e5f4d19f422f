"""Colours are readable by the Web Content Accessibility Guidelines, and stay apart for colour-blind readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
import resvg_py
from matplotlib.image import imread

from layertree import Identity, Plus, Times, Weight, draw
from layertree.drawing.theme import ROLES, hue_of
from layertree.layers import families

HUES = [role.removesuffix("-line") for role in ROLES if role.endswith("-line")]
PAGES = ("light", "dark")


@pytest.mark.parametrize("page", [0, 1], ids=PAGES)
def test_texts_have_a_contrast_of_at_least_4_5(page: int) -> None:
    for back in ("page", "box", *HUES):
        for front in ("ink", "faint", "value", "delta", "update"):
            assert contrast(ROLES[front][page], ROLES[back][page]) >= 4.5, (front, back)


@pytest.mark.parametrize("page", [0, 1], ids=PAGES)
def test_borders_have_a_contrast_of_at_least_3(page: int) -> None:
    for role in (*[f"{hue}-line" for hue in HUES], "line", "active"):
        for back in ("page", "box"):
            assert contrast(ROLES[role][page], ROLES[back][page]) >= 3.0, (role, back)


# H. Brettel, F. Viénot and J. Mollon: the simulation by Viénot et al. (1999) in linear RGB.
SIMULATIONS = {
    "protanopia": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "deuteranopia": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
}


@pytest.mark.parametrize("kind", SIMULATIONS)
@pytest.mark.parametrize("page", [0, 1], ids=PAGES)
def test_values_deltas_and_weights_differ_for_colour_blind_readers(kind: str, page: int) -> None:
    pairs = [("value", "delta"), ("blue-line", "red-line"), ("blue-line", "orange-line"), ("value", "update")]
    for first, second in pairs:
        a, b = (np.array(SIMULATIONS[kind]) @ linear(ROLES[role][page]) for role in (first, second))
        assert np.abs(np.clip(a, 0, 1) ** (1 / 2.2) - np.clip(b, 0, 1) ** (1 / 2.2)).max() > 0.15, (first, second)


def contrast(first: str, second: str) -> float:
    """The contrast of two colours, from 1 to 21, by the Web Content Accessibility Guidelines 2.2."""
    low, high = sorted(map(luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts: list[float] = []
    for start in (1, 3, 5):
        part = int(colour[start : start + 2], 16) / 255
        parts.append(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_the_contrast_of_black_and_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == 21.0


def linear(colour: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]) ** 2.2


def test_light_and_dark_differ_and_no_two_hues_agree() -> None:
    assert all(light != dark for light, dark in ROLES.values())
    for page in (0, 1):
        assert all(ROLES[a][page] != ROLES[b][page] for a, b in combinations(HUES, 2))


def test_each_family_has_a_hue() -> None:
    names = [family.__name__.rpartition(".")[2] for family in families()]
    assert len(names) > 10
    assert {hue_of(name) for name in names} <= set(HUES)
    assert len({hue_of(name) for name in names}) >= 6


def test_the_style_knows_dark_pages_notebooks_and_print() -> None:
    picture = draw(Identity()).svg
    assert ".lt{color-scheme:light}@media screen{.lt{color-scheme:light dark}" in picture
    assert '[data-jp-theme-light="false"] .lt' in picture
    assert '[data-jp-theme-light="true"] .lt' in picture


COLOURED = {"name": "a name", "class": 'class="lt-f-active"', "role": " lt-s-delta "}


@pytest.mark.parametrize("name", COLOURED.values(), ids=COLOURED)
def test_the_sheet_has_the_colours_of_the_picture_alone_each_light_as_its_attribute(name: str) -> None:
    picture = draw(Times(Plus(1.0, Identity()), Weight(2.0, name=name))).svg
    used: set[tuple[str, str]] = set()
    for element in ElementTree.fromstring(picture).iter():
        for one in element.get("class", "").split():
            if one.startswith(("lt-f-", "lt-s-")):
                attribute = {"f": "fill", "s": "stroke"}[one[3]]
                used.add((one, f"{attribute}:light-dark({element.get(attribute)},{ROLES[one[5:]][1]})"))
    assert len(used) > 8
    assert set(re.findall(r"\.(lt-[fs]-[\w-]+)\{(.*?)\}", picture)) == used


WITHOUT: dict[str, Callable[[str], str]] = {
    "nothing": lambda svg: svg,
    "style sheet": lambda svg: re.sub("<style>.*?</style>", "", svg),
    "classes": lambda svg: re.sub(' class="[^"]*"', "", svg),
}


@pytest.mark.parametrize("kind", WITHOUT)
def test_a_program_that_knows_less_of_style_sheets_draws_the_light_picture(kind: str) -> None:
    picture = draw(Times(Plus(1.0, Identity()), Weight(2.0))).svg
    colours = colours_of(bytes(resvg_py.svg_to_bytes(svg_string=WITHOUT[kind](picture))))
    for role in ("page", "blue", "red", "grey", "ink"):
        assert tuple(int(ROLES[role][0][i : i + 2], 16) for i in (1, 3, 5)) in colours, role


def colours_of(png: bytes) -> set[tuple[int, ...]]:
    """The colours of a PNG, each as three bytes."""
    pixels = np.rint(imread(BytesIO(png))[..., :3] * 255).astype(int)
    return {tuple(map(int, one)) for one in np.unique(pixels.reshape(-1, 3), axis=0)}


def test_a_picture_speaks_to_screen_readers() -> None:
    picture = draw(Identity()).svg
    assert 'role="img"' in picture
    assert picture.index("<title>") < picture.index("<desc>")
