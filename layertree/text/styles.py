"""The styles of ``format``, by name."""

from __future__ import annotations

from collections.abc import Callable

from layertree.core.layer import AnyLayer
from layertree.core.spec import SpecTree
from layertree.core.tape import AnyTape
from layertree.text.code import code
from layertree.text.formula import formula

# Imports inside of functions, for loading time: most programs print code alone.


def _latex(layer: AnyLayer) -> str:
    from layertree.text.latex import latex_text

    return latex_text(layer)


def _unicode(layer: AnyLayer) -> str:
    from layertree.text.unicode import unicode_text

    return unicode_text(layer)


def _full(layer: AnyLayer) -> str:
    return code(layer, full=True)


_STYLES: dict[str, Callable[[AnyLayer], str]] = {
    "": code,
    "code": code,
    "full": _full,
    "formula": formula,
    "unicode": _unicode,
    "latex": _latex,
}


def styled(layer: AnyLayer, style: str, source: SpecTree | None = None) -> str:
    """A layer in a style; ``source`` is the spec of its input, if known. ValueError for an unknown style."""
    written = _STYLES.get(style)
    if written is not None:
        return written(layer)
    width = _width_of_tree(style)
    if width is not None:
        from layertree.text.tree import tree_text

        return tree_text(layer, source, width)
    raise ValueError(
        f"a layer has no format {style!r}: there are 'code', 'full', 'formula', 'unicode', 'latex' and 'tree', "
        "of some width 'tree:60'"
    )


def styled_run(tape: AnyTape, style: str) -> str:
    """A tape in a style: its ``repr``, or an indented tree. ValueError for an unknown style."""
    if not style:
        return repr(tape)
    width = _width_of_tree(style)
    if width is not None:
        from layertree.text.run_tree import run_tree

        return run_tree(tape, width)
    raise ValueError(f"a tape has no format {style!r}: there is 'tree', of some width 'tree:60'")


def _width_of_tree(style: str) -> int | None:
    """The width that the style of an indented tree names, or that of the terminal; None for another style."""
    kind, _, width = style.partition(":")
    if kind != "tree" or not (width.isdecimal() if width else style == kind):
        return None
    import shutil

    return int(width) if width else shutil.get_terminal_size().columns
