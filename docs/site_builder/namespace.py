"""The table of ``xp``: the functions that rules of layers and optimizers call, from the protocol Namespace."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from layertree.core.elementwise import ElementwiseFunctions
from layertree.core.namespace import Namespace
from layertree.layers import layer_of

__all__ = ["functions", "table", "with_tables"]

_MARKER = re.compile(r"^<!-- table of xp(?:: ([^>]+))? -->$", re.MULTILINE)


def with_tables(text: str) -> str:
    """The text of a page with a table in the place of each ``<!-- table of xp -->``, of all groups or some."""
    return _MARKER.sub(lambda found: table(found[1]), text)


def functions() -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Groups of functions with the signature, the summary and the layer class of each."""
    yield "Elementwise functions", [_row(node) for node in _methods(ElementwiseFunctions)]
    lines = inspect.getsource(Namespace).splitlines()
    group, rows = "", list[tuple[str, str, str]]()
    for node in _methods(Namespace):
        comment = _comment_before(lines, node.lineno)
        if comment is not None:
            if rows:
                yield group, rows
            group, rows = comment, []
        rows.append(_row(node))
    yield group, rows


def _methods(protocol: type) -> Iterator[ast.FunctionDef]:
    (body,) = ast.parse(inspect.getsource(protocol)).body
    assert isinstance(body, ast.ClassDef)
    return (node for node in body.body if isinstance(node, ast.FunctionDef))


def _comment_before(lines: list[str], number: int) -> str | None:
    """The first sentence of a comment above a method."""
    above = [line.strip() for line in lines[: number - 1]]
    while above and not above[-1]:
        above.pop()
    text: list[str] = []
    while above and above[-1].startswith("#"):
        text.insert(0, above.pop().lstrip("# "))
    return " ".join(text).partition(". ")[0].rstrip(".") if text else None


def _row(node: ast.FunctionDef) -> tuple[str, str, str]:
    node.args.args = [one for one in node.args.args if one.arg != "self"]
    node.args.posonlyargs = [one for one in node.args.posonlyargs if one.arg != "self"]
    assert node.returns is not None
    returns = ast.unparse(node.returns)
    returns = "Value" if returns == "V" else returns  # the type parameter of the protocol
    signature = f"{node.name}({ast.unparse(node.args).removesuffix(', /')}) → {returns}"
    try:
        cls = layer_of(node.name).__name__
    except AttributeError:
        cls = ""
    return signature, ast.get_docstring(node) or "", cls


def table(groups: str | None = None) -> str:
    """The functions of some groups, or of all, as tables of Markdown; ValueError for a group that there is not."""
    found = {title.lower(): (title, rows) for title, rows in functions()}
    chosen = list(found) if groups is None else groups.split(", ")
    if not found.keys() >= set(chosen):
        raise ValueError(f"no functions {groups!r}: there are {', '.join(found)}")
    parts: list[str] = []
    for title, rows in [found[name] for name in chosen]:
        parts += [f"### {title}", "", "| function | what it gives | layer |", "|---|---|---|"]
        for signature, summary, cls in rows:
            cells = f"`{signature}`", summary.replace("``", "`"), cls and f"`{cls}`"
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        parts.append("")
    return "\n".join(parts)
