"""What a text may say beyond what ``format`` writes: precedence, names, lines, weights and classes that are given."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

import symbolic as sy
from layertree import (
    Compose,
    Concat,
    Divide,
    DTypeError,
    Equal,
    Exp,
    Greater,
    Hook,
    Identity,
    If,
    Item,
    Layer,
    Literal,
    Minus,
    Negative,
    Plus,
    Power,
    ShapeError,
    State,
    Sum,
    Times,
    Tuple,
    Weight,
    layer,
    named_cells,
    operand,
    parameters,
)
from layertree.layers.comparison import BitwiseAnd, BitwiseInvert, BitwiseOr, BitwiseXor, Less
from layertree.typing import ArraySpec
from symbolic import parse, placeholder
from symbolic.parsing._calls import LayerClass, catalogue
from tests.layers.sample import layer_classes

X = Identity[Any, Any]()

READ = [
    ("x", X),
    ("-x ** 2", Negative(Power(X, 2))),
    ("2 ** -x ** 2", Power(2, Negative(Power(X, 2)))),
    ("x ** 2 ** 3", Power(X, Power(2, 3))),
    ("(x ** 2) ** 3", Power(Power(X, 2), 3)),
    ("x - 1 - 2", Minus(Minus(X, 1), 2)),
    ("x - (1 - 2)", Minus(X, Minus(1, 2))),
    ("1 + x * 2", Plus(1, Times(X, 2))),
    ("x / 2 / 3", Divide(Divide(X, 2), 3)),
    ("--x", Negative(Negative(X))),
    ("-1.5 * x", Times(-1.5, X)),
    ("-1.5 ** x", Negative(Power(1.5, X))),
    ("(-1.5) ** x", Power(-1.5, X)),
    ("x > 0 & 1", Greater(X, BitwiseAnd(0, 1))),
    ("~x & x ^ x | x", BitwiseOr(BitwiseXor(BitwiseAnd(BitwiseInvert(X), X), X), X)),
    ("(x < 1) == (x > 2)", Equal(Less(X, 1), Greater(X, 2))),
    ("exp(x)(2 * x)", Compose(Exp(X), Times(2, X))),
    ("(x, 2 * x)(exp(x))", Compose(Tuple((X, Times(2, X))), Exp(X))),
    ("(x, 1.0)[0]", Item(Tuple((X, 1.0)), 0)),
    ("(x, 1.0)[-1]", Item(Tuple((X, 1.0)), 1)),
    ("sum(x, (0, 1), True)", Sum(X, (0, 1), True)),
    ("sum(x, keepdims=True, axis=-1)", Sum(X, axis=-1, keepdims=True)),
    ("Plus(1.0, x)", Plus(1.0, X)),
    ("Plus(operand2=1.0, operand1=x)", Plus(X, 1.0)),
    ("concat([x, x + 1,], axis=1)", Concat((X, Plus(X, 1)), axis=1)),
    ("Concat((x, x), axis=1)", Concat((X, X), axis=1)),
    ("if_(x > 0, x, -x)", If(Greater(X, 0), X, Negative(X))),
    ("x + 1e3 + .5 + 1. + 0x10", Plus(Plus(Plus(Plus(X, 1000.0), 0.5), 1.0), 16)),
    ("x * array([[1, 2], [3, 4]], dtype=float32)", Times(X, Literal(np.array([[1, 2], [3, 4]], np.float32)))),
    ("x * array([True, False])", Times(X, Literal(np.array([True, False])))),
    ("x * array([1, 2])", Times(X, Literal(np.array([1, 2])))),
    ("x * array([nan, -inf, 2.])", Times(X, Literal(np.array([np.nan, -np.inf, 2.0])))),
    ("  # what it is\n\n x  # is here\n# and no more\n", X),
    ("(x\n  + 1  # one\n)", Plus(X, 1)),
    ("a = exp(x)\nb = a * a\nb + a", Plus(Times(Exp(X), Exp(X)), Exp(X))),
    ("hidden_1 = exp(x)\nexp(hidden_1)", Exp(Exp(X))),
    ("gain = 2.0\ngain * x", Times(2.0, X)),
    ("exp = x + 1\nexp(x)", Compose(Plus(X, 1), X)),
]


@pytest.mark.parametrize(("text", "wanted"), READ, ids=[text for text, _ in READ])
def test_reading(text: str, wanted: Any) -> None:
    assert parse(text) == wanted


NUMBERS = {
    "+x": "x",
    "x + +3.0": "x + 3.0",
    "+-x": "-x",
    "-+2 * x": "-2 * x",
    "1_000.0 * x + 1_0": "1000.0 * x + 10",
    "1_0.0_5e1_0 * x": "100500000000.0 * x",
    "pi * x + e": f"{np.pi!r} * x + {np.e!r}",
    "x + inf": "x + float('inf')",
    "x - -inf": "x - float('-inf')",
    "e = exp(x)\ne * 2.0": "exp(x) * 2.0",
    "pi = exp(x)\npi(2.0) + x": "exp(2.0) + x",
}


@pytest.mark.parametrize(("text", "wanted"), NUMBERS.items(), ids=list(NUMBERS))
def test_signs_digits_and_constants(text: str, wanted: str) -> None:
    assert str(parse(text, float)) == wanted


def test_a_caret_is_no_power() -> None:
    with pytest.raises(DTypeError, match=r"bitwise_xor\(x: float, 2: int\).*a power is \*\*"):
        parse("x^2", float)
    with pytest.raises(DTypeError, match=r"a power is \*\*"):
        placeholder(float) ^ 2  # type: ignore[operator]
    assert parse("x ^ 2", int).predict(3) == 1


def test_what_is_named_is_shared() -> None:
    found: Any = parse("a = exp(x)\na * a")
    assert found.operand1 is found.operand2


def test_the_input_by_other_names() -> None:
    found: Any = parse("first, second = placeholder((float, float))\nfirst - 2.0 * second")
    assert str(found) == "x[0] - 2.0 * x[1]"
    assert found.predict((3.0, 1.0)) == 1.0
    assert str(parse("t = placeholder(ArraySpec((2,), float32))\nt * t")) == "x * x"


def test_the_kind_of_the_result() -> None:
    """A Symbolic where the input is known, or there is none; else the layer; the layer of code, too."""
    assert isinstance(parse("x + 1", float), sy.Symbolic)
    assert isinstance(parse("Plus(x, 1)", float), sy.Symbolic)
    assert isinstance(parse("x = placeholder(float)\nx + 1"), sy.Symbolic)
    assert isinstance(parse("weight(1.0) * 2.0"), sy.Symbolic)
    assert type(parse("x + 1")) is Plus
    assert type(parse("Times(weight(1.0), 2.0)")) is Times
    assert type(parse("Weight(1.0)")) is Weight


def test_a_given_spec_is_the_one_of_the_input() -> None:
    text = "x = placeholder(ArraySpec(('Batch', None, 3), 'float32'))\nx * 2.0"
    assert parse(text).spec == ArraySpec(("Batch", None, 3), np.float32)  # type: ignore[attr-defined]  # a Symbolic
    assert parse(text, ArraySpec((5,), np.float32)).spec == ArraySpec((5,), np.float32)
    formula = parse("x = placeholder(float)\nweight(2.0)")
    formula.check_input(1.0)
    with pytest.raises(TypeError):
        formula.check_input((1.0,))


def test_what_does_not_fit_is_the_error_of_building_it() -> None:
    with pytest.raises(ShapeError, match=r"add\(x: float64 \(2,\), array"):
        parse("x + array([1., 2., 3.])", ArraySpec((2,)))


def test_weights_by_name() -> None:
    found: Any = parse("weight(1.0, name='w') * x + weight(1.0, name='w')", float)
    assert len(parameters(found)) == 1
    kept = {"w": sy.weight(7.0), "unused": Weight(1.0)}
    again = parse("weight(1.0, name='w') * x + weight(name='w') + weight(2.0, name='v')", float, weights=kept)
    assert again.predict(2.0) == 23.0
    assert parameters(again)[0] is kept["w"].layer  # type: ignore[union-attr]  # a Symbolic


def test_a_shortened_text_reads_where_the_weights_are_given() -> None:
    x = placeholder(ArraySpec(("Batch", 4), np.float32))
    model = x @ sy.weight(np.ones((4, 3), np.float32), name="kernel")
    assert "<float32 (4, 3)>" in str(model)
    again = parse(str(model), x.spec, weights=named_cells(model))
    assert again.layer == model.layer


@layer
class Halve(Layer[Any, Any]):
    """A layer of a user's own."""

    operand: Layer[Any, Any] = operand()

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.multiply(a, 0.5)

    def gradient(self, xp: Any, delta: Any, output: Any, a: Any) -> Any:
        return (lambda: xp.multiply(delta, 0.5),)


@attrs.frozen
class Frozen:
    """An update rule of a user's own."""

    after: int = 0

    def start(self, xp: Any, value: Any) -> Any:
        return ()

    def combine(self, xp: Any, contributions: list[Any]) -> Any:
        return contributions[0]

    def update(self, xp: Any, value: Any, contribution: Any, state: Any) -> Any:
        return value, state


def twice(value: Any) -> Any:
    """A function that a hook calls."""


def test_classes_and_functions_of_users_are_given() -> None:
    w = Weight(1.0, optimizer=Frozen(after=3))
    formula = Hook(Halve(Times(w, Identity())), twice)
    for text in (format(formula, "full"), format(sy.wrap(formula, float), "full")):
        found: Any = parse(text, known=[Halve, Frozen, twice]).__layer__()
        assert found.function is twice
        assert type(found.operand) is Halve
        assert parameters(found)[0].optimizer == Frozen(3)
    assert parse("halve(halve(x))", float, known=(Halve,)).predict(4.0) == 1.0


def test_a_function_without_a_name_of_its_own_is_found_by_the_one_it_has() -> None:
    def local(value: Any) -> None:
        pass

    formula = Hook(Identity(), local)
    found: Any = parse(format(formula, "full"), known=[local])
    assert found == formula


def test_what_a_text_can_call_is_a_closed_list() -> None:
    """Layer classes, their functions, update rules, NumPy's scalars, and what builds constants, cells and the input."""
    calls = catalogue()
    built = {callee.cls for callee in calls.values() if isinstance(callee, LayerClass)}
    assert built == set(layer_classes()) - {Identity, Literal, Weight, State}
    others = {name for name, callee in calls.items() if not isinstance(callee, LayerClass)}
    rules = {"SGD", "Momentum", "Adam", "Average", "Count"}
    assert rules <= others
    assert not others & {"open", "eval", "exec", "print", "getattr", "compile", "input", "type", "object"}
