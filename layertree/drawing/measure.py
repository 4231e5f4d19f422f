"""The sizes of nodes and of the texts on edges, in pixels."""

from __future__ import annotations

from collections.abc import Sequence

from layertree.drawing.model import Chip, Node
from layertree.drawing.svg import columns, shortened

TITLE, SMALL = 13.0, 11.0
"""The sizes of the font for titles, and for the other texts."""
ADVANCE = 0.605
"""The width of a character of a font of fixed width, as part of the size."""
LINE = 15.0
"""The height of a line of small text."""
PADDING = 10.0
LONGEST = 30
"""How many columns of a text are shown."""


def text_width(text: str, size: float) -> float:
    """The width of a text that is shortened to ``LONGEST`` columns."""
    return columns(shortened(text, LONGEST)) * size * ADVANCE


def chip_size(chip: Chip) -> tuple[float, float]:
    """The width and height of a text or of a heat map with its text before it."""
    width = text_width(chip.text, SMALL)
    if chip.image is None:
        return width, LINE
    _, across, down = chip.image
    return width + (4 if chip.text else 0) + across, max(LINE, down + 3.0)


def chips_size(chips: Sequence[Chip]) -> tuple[float, float]:
    """The width and height of texts below each other; (0, 0) for none."""
    sizes = [chip_size(chip) for chip in chips]
    return max((width for width, _ in sizes), default=0.0), sum(height for _, height in sizes)


def node_size(node: Node) -> tuple[float, float]:
    """The width and height of a node."""
    width, height = chips_size(node.chips)
    wide = max(text_width(node.title, TITLE), width) + 2 * PADDING
    return max(wide, 44.0), 28.0 + height + (3.0 if node.chips else 0.0)
