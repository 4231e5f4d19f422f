"""Formulas as text: as code that rebuilds them, and as they were written.

Both print a graph of nodes, each distinct one once: what is used more than once stands first, as ``a = ...``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from layertree._structure import children_of

LIMIT = 200
"""How many nodes a text shows before it is shortened."""

_SHOWN_ELEMENTS = 8

Children = Callable[[Any], tuple[Any, ...]]
Pieces = Callable[[Any, bool], list[Any]]


class Ref(NamedTuple):
    """The place of a child within the pieces of its parent: its parentheses depend on how tightly it binds."""

    node: Any
    binding: int = 0


class Style(NamedTuple):
    """How a graph prints: a node's children, its pieces, how tightly it binds, whether it is short enough to repeat."""

    children: Children
    pieces: Pieces
    binding: Callable[[Any], int]
    is_atom: Callable[[Any], bool]


def code(layer: Any) -> str:
    """Python that rebuilds the layer."""
    return printed(layer, CODE, full=False)


def formula(layer: Any, *, full: bool = False) -> str:
    """The formula as it was written."""
    from layertree._display import display

    return printed(display(layer.__layer__()), FORMULA, full=full)


def styled(layer: Any, style: str) -> str:
    """What ``format(layer, style)`` gives."""
    if style in ("", "code"):
        return code(layer)
    if style == "full":
        return printed(layer.__layer__(), CODE, full=True)
    if style == "formula":
        return formula(layer)
    raise ValueError(f"a layer has no format {style!r}: there are 'code', 'full' and 'formula'")


def printed(root: Any, style: Style, *, full: bool) -> str:
    """The text of a graph."""
    hidden = set() if full else _beyond_limit(root, style.children)
    shared = _shared(root, style, hidden)
    names: dict[int, str] = {}
    lines = []
    for node, name in zip(shared, _names(), strict=False):
        lines.append(f"{name} = {_line(node, style, names, hidden, full)}")
        names[id(node)] = name
    lines.append(_line(root, style, names, hidden, full))
    return "\n".join(lines)


def _beyond_limit(root: Any, children: Children) -> set[int]:
    """The nodes past the first ``LIMIT``, counted level by level from the root."""
    seen = {id(root)}
    level = [root]
    hidden: set[int] = set()
    while level:
        below = []
        for node in level:
            for child in children(node):
                if id(child) in seen:
                    continue
                seen.add(id(child))
                if len(seen) > LIMIT:
                    hidden.add(id(child))
                else:
                    below.append(child)
        level = below
    return hidden


def _shared(root: Any, style: Style, hidden: set[int]) -> list[Any]:
    """The nodes that several others use, but for short ones; each after those it uses itself."""
    uses: dict[int, int] = {}
    order: list[Any] = []
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
            continue
        uses[id(node)] = uses.get(id(node), 0) + 1
        if uses[id(node)] > 1 or id(node) in hidden:
            continue
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(style.children(node)))
    return [node for node in order if uses[id(node)] > 1 and not style.is_atom(node)]


def _names() -> Iterator[str]:
    letters = "abcdefghijklmnopqrstuvw"  # x, y and z are the user's
    yield from letters
    round = 1
    while True:
        yield from (f"{letter}{round}" for letter in letters)
        round += 1


def _line(root: Any, style: Style, names: dict[int, str], hidden: set[int], full: bool) -> str:
    """One node in full, with names in the place of shared ones. The stack holds what is still to print."""
    text: list[str] = []
    stack: list[Any] = [Ref(root)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            text.append(piece)
        elif id(piece.node) in hidden:
            text.append("...")
        elif id(piece.node) in names:
            text.append(names[id(piece.node)])
        else:
            pieces = style.pieces(piece.node, full)
            if style.binding(piece.node) < piece.binding:
                pieces = ["(", *pieces, ")"]
            stack.extend(reversed(pieces))
    return "".join(text)


def joined(parts: list[list[Any]]) -> list[Any]:
    """Pieces with commas between them."""
    pieces: list[Any] = []
    for part in parts:
        pieces += [", ", *part] if pieces else part
    return pieces


def data_text(data: Any, full: bool) -> str:
    """A constant as code. Large arrays are shortened to their kind unless ``full``."""
    if isinstance(data, np.ndarray):
        if not full and data.size > _SHOWN_ELEMENTS:
            return f"<{data.dtype} {data.shape}>"
        options: dict[str, Any] = {"threshold": data.size + 1, "floatmode": "unique", "linewidth": 10**9}
        with np.printoptions(**options):
            text = repr(data).replace("\n", "")
        if data.size == 0:
            return f"empty({data.shape}, dtype={data.dtype})"
        return text
    if isinstance(data, np.generic):
        return f"{type(data).__name__}({data.item()!r})"
    if isinstance(data, tuple):
        inner = ", ".join(data_text(part, full) for part in data)
        return f"({inner},)" if len(data) == 1 else f"({inner})"
    if isinstance(data, float) and data - data != 0:
        return f"float('{data}')"
    return repr(data)


def attribute_text(value: Any) -> str:
    """An attribute as code."""
    if isinstance(value, np.dtype):
        return repr(value.name)
    if isinstance(value, float) and value - value != 0:
        return f"float('{value}')"
    return repr(value)


def cell_text(layer: Any, full: bool, *, formula: bool) -> str:
    """A Weight or State as code; in formulas as the function that made it."""
    name = type(layer).__name__
    parts = [data_text(layer.cell.content.value, full)]
    if name == "State":
        parts.append(repr(layer.cell.rule))
    if layer.cell.name is not None:
        parts.append(f"name={layer.cell.name!r}")
    if name == "Weight" and layer.cell.rule is not None and not formula:
        parts.append(f"optimizer={layer.cell.rule!r}")
    return f"{name.lower() if formula else name}({', '.join(parts)})"


def attributes_of(layer: Any) -> list[list[Any]]:
    """The attributes that are not at their default, as ``name=value``."""
    import attrs

    defaults = {field.name: field.default for field in attrs.fields(type(layer))}
    shown = []
    for name in (*layer._layout.attributes, *layer._layout.identities):
        value = getattr(layer, name)
        if name in layer._layout.identities:
            shown.append([f"{name}={getattr(value, '__qualname__', repr(value))}"])
        elif not (type(value) is type(defaults[name]) and value == defaults[name]):
            shown.append([f"{name}={attribute_text(value)}"])
    return shown


def _code_pieces(layer: Any, full: bool) -> list[Any]:
    if layer._control == "constant":
        return [f"Literal({data_text(layer.data, full)})"]
    if layer._control == "cell":
        return [cell_text(layer, full, formula=False)]
    layout = layer._layout
    parts: list[list[Any]] = []
    for name in layout.names:
        value = getattr(layer, name)
        if name in layout.operands or name in layout.regions:
            parts.append([Ref(value)])
        elif name in layout.variadic:
            inner = joined([[Ref(item)] for item in value])
            parts.append(["(", *inner, ",)" if len(value) == 1 else ")"])
    return [type(layer).__name__, "(", *joined(parts + attributes_of(layer)), ")"]


def _code_atom(layer: Any) -> bool:
    """What is printed again rather than named: leaves that are equal by what they say."""
    control = layer._control
    return bool(control == "source" or (control == "constant" and not isinstance(layer.data, np.ndarray)))


CODE = Style(children_of, _code_pieces, lambda node: 0, _code_atom)


_BINDING = {
    "|": 1, "^": 2, "&": 3,
    "==": 0, "!=": 0, "<": 0, "<=": 0, ">": 0, ">=": 0,
    "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "@": 6,
    "**": 8,
}  # fmt: skip
_UNARY = 7
_ATOM = 10


def _binding(shown: Any) -> int:
    layer = shown.layer
    operator = layer._operator
    if operator is None:
        if layer._control == "constant" and _is_negative(layer.data):
            return _UNARY
        return _ATOM
    return _UNARY if len(shown.inputs) == 1 else _BINDING[operator]


def _is_negative(data: Any) -> bool:
    return isinstance(data, (int, float)) and not isinstance(data, bool) and str(data).startswith("-")


def _formula_pieces(shown: Any, full: bool) -> list[Any]:
    layer, inputs = shown.layer, shown.inputs
    if layer._control == "source":
        return ["x"]
    if layer._control == "constant":
        return [data_text(layer.data, full)]
    if layer._control == "cell":
        return [cell_text(layer, full, formula=True)]
    operator = layer._operator
    if operator is not None and len(inputs) == 1:
        return [operator, Ref(inputs[0], _UNARY)]
    if operator is not None:
        return _infix(operator, inputs)
    if layer._function == "item":
        return [Ref(inputs[0], _ATOM), f"[{layer.position}]"]
    if layer._function == "getitem":
        return [Ref(inputs[0], _ATOM), f"[{_index_text(layer.index)}]"]
    if layer._function == "tuple":
        return ["(", *joined([[Ref(item)] for item in inputs]), ",)" if len(inputs) == 1 else ")"]
    arguments = joined([[Ref(item)] for item in inputs])
    if layer._layout.variadic and not layer._layout.operands:
        arguments = ["[", *arguments, "]"]
    return [layer._function or _snake(type(layer).__name__), "(", *joined([arguments, *attributes_of(layer)]), ")"]


def _infix(operator: str, inputs: tuple[Any, ...]) -> list[Any]:
    binding = _BINDING[operator]
    # A power groups to the right, everything else to the left; comparisons do not chain.
    left = binding + (operator == "**" or binding == 0)
    right = binding + (operator != "**")
    return [Ref(inputs[0], left), f" {operator} ", Ref(inputs[1], right)]


def _index_text(index: tuple[Any, ...]) -> str:
    def part(item: Any) -> str:
        if not isinstance(item, tuple):
            return "..." if item == "..." else str(item)
        start, stop, step = ("" if end is None else str(end) for end in item)
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"

    return ", ".join(map(part, index))


def _snake(name: str) -> str:
    return "if_" if name == "If" else name.lower()


def _formula_atom(shown: Any) -> bool:
    layer = shown.layer
    if layer._function == "item":
        return bool(shown.inputs[0].layer._control == "source")
    return _code_atom(layer)


FORMULA = Style(lambda shown: shown.inputs, _formula_pieces, _binding, _formula_atom)
