"""Mathematical notation in Unicode, for a terminal: powers are superscripts, parts of the input subscripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from layertree.core.layer import AnyLayer
from layertree.core.static_index import EncodedIndex, index_text
from layertree.text.display import DisplayNode
from layertree.text.mathematics import ATOM, CHOICE, POWER, PRODUCT, QUOTIENT, SIGN, Form, Mathematics
from layertree.text.notation import Name, bold, greek, is_greek, lowered, raised
from layertree.text.printer import Piece, Ref


def unicode_text(layer: AnyLayer) -> str:
    """The formula in Unicode, a line for each shared node; shortened above 200 nodes."""
    text = Unicode.text(layer)
    lines = [*[f"{name} = {line}" for name, line in text.shared], text.root]
    return "\n".join([*lines, f"({text.remark})"] if text.remark else lines)


class Unicode(Mathematics):
    """Mathematics in Unicode."""

    signs: ClassVar[Mapping[str, str]] = {
        "equal": " = ",
        "not_equal": " \N{NOT EQUAL TO} ",
        "less": " < ",
        "less_equal": " \N{LESS-THAN OR EQUAL TO} ",
        "greater": " > ",
        "greater_equal": " \N{GREATER-THAN OR EQUAL TO} ",
        "bitwise_or": " \N{LOGICAL OR} ",
        "bitwise_xor": " \N{CIRCLED PLUS} ",
        "bitwise_and": " \N{LOGICAL AND} ",
        "bitwise_invert": "\N{NOT SIGN}",
        "add": " + ",
        "subtract": " - ",
        "multiply": "\N{MIDDLE DOT}",
        "divide": " / ",
        "remainder": " mod ",
        "matmul": " @ ",
        "call": " \N{RING OPERATOR} ",
        "floor": "\N{LEFT FLOOR}",
        "end of floor": "\N{RIGHT FLOOR}",
        "infinity": "\N{INFINITY}",
        "pi": "\N{GREEK SMALL LETTER PI}",
    }
    words: ClassVar[Mapping[str, str]] = {
        "sum": "\N{GREEK CAPITAL LETTER SIGMA}",
        "prod": "\N{GREEK CAPITAL LETTER PI}",
        "sigmoid": "\N{GREEK SMALL LETTER SIGMA}",
        "asin": "arcsin",
        "acos": "arccos",
        "atan": "arctan",
        "asinh": "arsinh",
        "acosh": "arcosh",
        "atanh": "artanh",
        "log2": "log\N{SUBSCRIPT TWO}",
        "log10": "log\N{SUBSCRIPT ONE}\N{SUBSCRIPT ZERO}",
    }
    parentheses: ClassVar[tuple[str, str]] = ("(", ")")
    ellipsis: ClassVar[str] = "\N{HORIZONTAL ELLIPSIS}"
    around_signs: ClassVar[Mapping[str, tuple[str, str]]] = {
        "abs": ("|", "|"),
        "floor": ("\N{LEFT FLOOR}", "\N{RIGHT FLOOR}"),
        "ceil": ("\N{LEFT CEILING}", "\N{RIGHT CEILING}"),
    }
    roots: ClassVar[Mapping[str, str]] = {"sqrt": "\N{SQUARE ROOT}", "cbrt": "\N{CUBE ROOT}"}

    def call(self, shown: DisplayNode) -> Form:
        function = shown.function or ""
        if function in self.roots:
            return Form(POWER, [self.roots[function], Ref(shown.inputs[0], ATOM)])
        if function in self.around_signs:
            return self.around(shown, *self.around_signs[function])
        if function == "matrix_transpose":
            return Form(POWER, [Ref(shown.inputs[0], ATOM), "\N{MODIFIER LETTER CAPITAL T}"])
        return super().call(shown)

    def input(self, path: tuple[int, ...]) -> str:
        return "x" + lowered(",".join(map(str, path)))

    def symbol(self, name: Name) -> str:
        base = greek(name.base) if is_greek(name.base) else name.base
        scopes = [".".join(name.scopes) + "."] if name.scopes else []
        text = "".join([*scopes, base, lowered(name.digits), "\N{PRIME}" * name.primes])
        return self.word(text)

    def shared(self, name: str) -> str:
        return lowered(name)

    def word(self, text: str) -> str:
        shown = text if text.isprintable() else repr(text)[1:-1]
        # A name with other characters is quoted, so that an operator in a name does not read as one of the formula.
        return shown if all(part.isalnum() for part in shown if part not in "._'\N{PRIME}") else f"\u2039{shown}\u203a"

    def scientific(self, mantissa: str, exponent: int) -> str:
        sign, digits = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
        return f"{sign}{'' if digits == '1' else digits + self.signs['multiply']}10{raised(exponent)}"

    def bold(self, digits: str) -> str:
        return bold(digits)

    def array(self, data: np.ndarray[Any, Any]) -> str:
        return np.array2string(data, separator=", ", formatter={"all": self.value}).replace("\n", "")

    def large(self, data: np.ndarray[Any, Any]) -> str:
        sizes = "\N{MULTIPLICATION SIGN}".join(map(str, data.shape))
        return f"\N{MATHEMATICAL LEFT ANGLE BRACKET}{data.dtype} {sizes}\N{MATHEMATICAL RIGHT ANGLE BRACKET}"

    def raised(self, base: DisplayNode, exponent: DisplayNode) -> list[Piece[DisplayNode]]:
        number = exponent.number
        if number is not None and abs(number) < 10**6 and number == int(number):
            return [Ref(base, ATOM), raised(int(number))]
        return [Ref(base, ATOM), "^", Ref(exponent, ATOM)]

    def fraction(self, above: DisplayNode, below: DisplayNode) -> Form:
        # A quotient in a product has parentheses, since a / b·c is ambiguous.
        return Form(QUOTIENT, [Ref(above, PRODUCT), self.signs["divide"], Ref(below, SIGN + 0.1)])

    def cases(self, condition: DisplayNode, then: DisplayNode, otherwise: DisplayNode) -> Form:
        inner = [[Ref(part, CHOICE + 1)] for part in (then, condition, otherwise)]
        return Form(CHOICE, [*inner[0], " if ", *inner[1], " else ", *inner[2]])

    def index(self, index: EncodedIndex) -> str:
        return f"[{index_text(index)}]"

    def lowered(self, text: str) -> str:
        return lowered(text.replace(" ", ""))
