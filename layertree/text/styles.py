"""The styles of ``format``: how a layer is written, by the name of the style."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from layertree.text.code import code
from layertree.text.formula import formula


def _latex(layer: Any) -> str:
    from layertree.text.latex import latex_text

    return latex_text(layer)


def _unicode(layer: Any) -> str:
    from layertree.text.unicode import unicode_text

    return unicode_text(layer)


def _full(layer: Any) -> str:
    return code(layer, full=True)


_STYLES: dict[str, Callable[[Any], str]] = {
    "": code,
    "code": code,
    "full": _full,
    "formula": formula,
    "unicode": _unicode,
    "latex": _latex,
}


def styled(layer: Any, style: str, source: Any = None) -> str:
    """A layer in a style; ``source`` is the spec of its input, where it is known."""
    written = _STYLES.get(style)
    if written is not None:
        return written(layer)
    kind, _, width = style.partition(":")
    if kind == "tree" and (width.isdecimal() if width else style == kind):
        import shutil

        from layertree.text.tree import tree_text

        return tree_text(layer, source, int(width) if width else shutil.get_terminal_size().columns)
    raise ValueError(
        f"a layer has no format {style!r}: there are 'code', 'full', 'formula', 'unicode', 'latex' and 'tree', "
        "of some width 'tree:60'"
    )
