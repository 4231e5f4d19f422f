r"""Formulas in LaTeX, in the commands that MathJax and KaTeX know: ``\frac``, ``\sqrt``, ``cases``, ``bmatrix``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from layertree.core.layer import AnyLayer
from layertree.core.static_index import EncodedIndex, index_text
from layertree.text.display import DisplayNode
from layertree.text.mathematics import ATOM, FRACTION, POWER, Form, Mathematics, is_single
from layertree.text.notation import Name, is_greek
from layertree.text.printer import Piece, Ref


def latex_text(layer: AnyLayer) -> str:
    """The formula in LaTeX, without dollar signs, shared nodes on separate lines; shortened above 200 nodes."""
    text = Latex.text(layer)
    lines = [*[rf"{name} &= {line}" for name, line in text.shared], text.root]
    if text.remark:
        lines.append(rf"\mathrm{{{escaped(f'({text.remark})')}}}")
    if len(lines) == 1:
        return text.root
    for i in range(len(text.shared), len(lines)):
        lines[i] = f"&{lines[i]}"
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


_ESCAPED = {
    "\\": r"\backslash{}",
    "^": r"\hat{}",
    "~": r"\sim{}",
    " ": r"\ ",
    "-": r"{-}",
    "'": r"{'}",
    **{sign: rf"\{sign}" for sign in "_{}$%&#"},
}


def escaped(text: str) -> str:
    r"""A text for ``\mathrm``, with all special characters escaped.

    >>> print(escaped("50% of $a_1"))
    50\%\ of\ \$a\_1
    """
    printable = "".join(part if part.isprintable() else "?" for part in text)
    return "".join(_ESCAPED.get(part, part if part.isascii() else rf"\text{{{part}}}") for part in printable)


class Latex(Mathematics):
    """Mathematics in LaTeX."""

    signs: ClassVar[Mapping[str, str]] = {
        "equal": " = ",
        "not_equal": r" \neq ",
        "less": " < ",
        "less_equal": r" \leq ",
        "greater": " > ",
        "greater_equal": r" \geq ",
        "bitwise_or": r" \vee ",
        "bitwise_xor": r" \oplus ",
        "bitwise_and": r" \wedge ",
        "bitwise_invert": r"\neg ",
        "add": " + ",
        "subtract": " - ",
        "multiply": r" \cdot ",
        "remainder": r" \bmod ",
        "matmul": r" \, ",
        "call": r" \circ ",
        "floor": r"\left\lfloor ",
        "end of floor": r"\right\rfloor",
        "infinity": r"\infty",
        "pi": r"\pi",
    }
    words: ClassVar[Mapping[str, str]] = {
        **{name: rf"\{name}" for name in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sum", "prod")},
        **{name: rf"\{name}" for name in ("max", "min")},
        "maximum": r"\max",
        "minimum": r"\min",
        "sigmoid": r"\sigma",
        "asin": r"\arcsin",
        "acos": r"\arccos",
        "atan": r"\arctan",
        "asinh": r"\mathrm{arsinh}",
        "acosh": r"\mathrm{arcosh}",
        "atanh": r"\mathrm{artanh}",
        "log2": r"\log_{2}",
        "log10": r"\log_{10}",
        "argmax": r"\arg\max",
    }
    parentheses: ClassVar[tuple[str, str]] = (r"\left(", r"\right)")
    ellipsis: ClassVar[str] = r"\ldots"
    around_signs: ClassVar[Mapping[str, tuple[str, str]]] = {
        "abs": (r"\left|", r"\right|"),
        "floor": (r"\left\lfloor ", r"\right\rfloor"),
        "ceil": (r"\left\lceil ", r"\right\rceil"),
        "sqrt": (r"\sqrt{", "}"),
        "cbrt": (r"\sqrt[3]{", "}"),
    }

    def call(self, shown: DisplayNode) -> Form:
        function = shown.function or ""
        if function in self.around_signs:
            return self.around(shown, *self.around_signs[function])
        if function == "matrix_transpose":
            return Form(POWER, [Ref(shown.inputs[0], ATOM), r"^{\top}"])
        return super().call(shown)

    def input(self, path: tuple[int, ...]) -> str:
        return f"x_{{{','.join(map(str, path))}}}" if path else "x"

    def symbol(self, name: Name) -> str:
        base = name.base
        shown = rf"\{base}" if is_greek(base) else base if is_single(name) and base.isascii() else self.word(base)
        scopes = "".join(self.word(scope) + "." for scope in name.scopes)
        index = f"_{{{name.digits}}}" if name.digits else ""
        primes = "'" * name.primes
        # LaTeX takes a prime as an exponent: the braces end it before another exponent.
        return f"{{{scopes}{shown}{index}{primes}}}" if name.primes else f"{scopes}{shown}{index}"

    def shared(self, name: str) -> str:
        return f"{name[0]}_{{{name[1:]}}}" if len(name) > 1 else name

    def word(self, text: str) -> str:
        return rf"\mathrm{{{escaped(text)}}}"

    def scientific(self, mantissa: str, exponent: int) -> str:
        sign, digits = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
        return f"{sign}{'' if digits == '1' else digits + self.signs['multiply']}10^{{{exponent}}}"

    def bold(self, digits: str) -> str:
        return rf"\mathbf{{{digits}}}"

    def array(self, data: np.ndarray[Any, Any]) -> str:
        if data.ndim > 2:
            return self.large(data)
        rows = data if data.ndim == 2 else [data]
        inner = r" \\ ".join(" & ".join(map(self.value, row)) for row in rows)
        return rf"\begin{{bmatrix}} {inner} \end{{bmatrix}}"

    def large(self, data: np.ndarray[Any, Any]) -> str:
        sizes = r" \times ".join(map(str, data.shape))
        return rf"{{\mathrm{{{escaped(str(data.dtype))}}}^{{{sizes}}}}}"

    def raised(self, base: DisplayNode, exponent: DisplayNode) -> list[Piece[DisplayNode]]:
        return [Ref(base, ATOM), "^{", Ref(exponent), "}"]

    def fraction(self, above: DisplayNode, below: DisplayNode) -> Form:
        return Form(FRACTION, [r"\frac{", Ref(above), "}{", Ref(below), "}"])

    def cases(self, condition: DisplayNode, then: DisplayNode, otherwise: DisplayNode) -> Form:
        first: list[Piece[DisplayNode]] = [r"\begin{cases} ", Ref(then), r" & \mathrm{if}\ ", Ref(condition)]
        return Form(ATOM, [*first, r" \\ ", Ref(otherwise), r" & \mathrm{otherwise} \end{cases}"])

    def index(self, index: EncodedIndex) -> str:
        inner = index_text(index).replace("...", r"\ldots").replace("None", r"\mathrm{None}").replace(":", "{:}")
        return rf"\left[{inner}\right]"

    def lowered(self, text: str) -> str:
        return f"_{{{text}}}"
