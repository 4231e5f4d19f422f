"""Colours are readable by the Web Content Accessibility Guidelines, and stay apart for colour-blind readers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from layertree import Identity, draw
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
    assert "@media screen and (prefers-color-scheme:dark)" in picture
    assert '[data-jp-theme-light="false"]' in picture
    assert '[data-jp-theme-light="true"]' in picture


def test_a_picture_speaks_to_screen_readers() -> None:
    picture = draw(Identity()).svg
    assert 'role="img"' in picture
    assert picture.index("<title>") < picture.index("<desc>")
