"""Names of layer classes of a user in texts, where the library has a class or a function of the same name."""

from __future__ import annotations

from typing import Any

import pytest

from layertree import Identity, Layer, Literal, Plus, layer, operand
from layertree.text.names import shown_class, shown_function
from symbolic import ParseError, parse, wrap


@layer
class Exp(Layer[Any, Any]):
    """One more than the exponential function."""

    operand: Any = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.add(xp.exp(a), 1.0)


@layer
class Own(Layer[Any, Any]):
    """A class whose name the library does not have."""

    operand: Any = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.add(a, 1.0)


FORMULA = wrap(Plus(Exp(Identity()), Literal(1.0)), float)


@pytest.mark.parametrize("text", [repr(FORMULA.layer), str(FORMULA)], ids=["code", "formula"])
def test_a_text_names_the_package_of_a_class_named_as_one_of_the_library(text: str) -> None:
    assert text in {"Plus(tests.Exp(Identity()), Literal(1.0))", "tests.exp(x) + 1.0"}
    with pytest.raises(ParseError, match=r"tests\.[eE]xp' is not known here; .*known="):
        parse(text, float)
    read = parse(text, float, known=[Exp])
    assert read.predict(0.0) == FORMULA.predict(0.0) == 3.0
    assert read.layer == FORMULA.layer


def test_the_name_by_itself_remains_that_of_the_library() -> None:
    assert parse("exp(x)", float, known=[Exp]).predict(0.0) == 1.0


def test_another_name_has_no_package() -> None:
    assert (shown_class(Own), shown_function(Own)) == ("Own", "own")
    assert parse(str(wrap(Own(Identity()), float)), float, known=[Own]).predict(1.0) == 2.0


def test_a_function_has_one_class() -> None:
    with pytest.raises(TypeError, match=r"name='exp'\) of tests.*Another: layertree.*Exp computes the function 'exp'"):

        @layer(name="exp")
        class Another(Layer[Any, Any]):
            operand: Any = operand()

            def compute(self, xp: Any, a: Any) -> Any:
                return xp.exp(a)
