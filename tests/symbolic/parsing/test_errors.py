"""What is wrong with a text, where, and what would fit. No text can do harm."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symbolic as sy
from layertree import DTypeError, Identity, IndexRangeError, Literal, ShapeError, Weight, compile, nodes
from symbolic import ParseError, parse, weight

WRONG = [
    ("", 1, 1, "the formula itself is wanted here"),
    ("a = x\n", 2, 1, "the formula itself is wanted here"),
    ("1.0 +", 1, 6, "a formula is wanted here"),
    ("x +\n1", 1, 4, "a formula is wanted here"),
    ("(x", 1, 3, r"'\)' is wanted here, or an operator: it ends the '\(' in line 1, column 1"),
    ("[x)", 1, 3, r"an operator is wanted here, or ',' or '\]'"),
    ("x)", 1, 2, "an operator is wanted here, or the end of the line"),
    ("x x", 1, 3, "an operator is wanted here"),
    ("x, x", 1, 2, r"several formulas are a tuple, in brackets: \(x, y\)"),
    ("x\nx", 2, 1, "the formula is the last line"),
    ("a = x\na = x\na", 2, 1, "'a' is defined already"),
    ("x = 3.0\nx", 1, 1, "'x' is the input"),
    ("1.0 + sine(x)", 1, 7, "'sine' is not known here: is it 'sin'?"),
    ("matrix_transposed(x)", 1, 1, "is it 'matrix_transpose'?"),
    ("hiden = x\nhidden + 1", 2, 1, "'hidden' is not known here: is it 'hiden'?"),
    ("exp + 1", 1, 1, r"'exp' is a function: exp\(...\) calls it"),
    ("x < 1 < 2", 1, 7, r"comparisons do not chain: write \(a < b\) & \(b < c\)"),
    ("x and x", 1, 3, "'and' has no meaning for formulas: write &"),
    ("not x", 1, 1, "'not' has no meaning for formulas: write ~"),
    ("sum(x, ax=1)", 1, 8, "Sum has no 'ax': is it 'axis'?"),
    ("sum(x, axis=1, axis=2)", 1, 1, "an argument is given twice"),
    ("sum(x, 0, axis=1)", 1, 11, "Sum is given 'axis' twice"),
    ("sum(x, axis=)", 1, 1, "each has a keyword and a value"),
    ("sum(x, axis=0, True)", 1, 1, "each has a keyword and a value"),
    ("sum(axis=1)", 1, 1, "Sum takes operand, axis, keepdims: operand is missing"),
    ("sum(x, 0, True, 3)", 1, 1, "Sum takes 3 arguments, not 4"),
    ("sum(x, axis='a')", 1, 1, "Sum.axis = 'a' is not allowed: give int or"),
    ("sum(x, axis=x)", 1, 1, "a plain value is wanted here, and this is a formula"),
    ("(a=1)", 1, 3, "'=' belongs into a call"),
    ("x[0]", 1, 2, "a part of a tuple, or an element of an array: give the spec of the input"),
    ("x[a]", 1, 2, "an index is integers, slices, None and '...'"),
    ("x[[0, 1]]", 1, 2, r"take\(x, indices\) looks up"),
    ("'abc'", 1, 1, "not a string"),
    ("[x]", 1, 1, "not a list"),
    ("x + None", 1, 3, "a formula or data is wanted here"),
    ("array([[1., 2.], [3.]])", 1, 21, "the parts of an array have one length: 2, not 1"),
    ("array([1., [2.]])", 1, 13, "the parts of an array have one depth"),
    ("array([1., two])", 1, 1, "no float64: 'two'"),
    ("array([1, 2", 1, 12, r"'\]' is wanted"),
    ("array([300], dtype=int8)", 1, 1, "no int8: '300'"),
    ("array([1.], dtype=float33)", 1, 19, "'float33' is not known here: is it 'float32'?"),
    ("array([1.], dtype='O')", 1, 1, "a dtype of real numbers"),
    ("array(1.)", 1, 7, r"'\[' is wanted"),
    ("empty((1000000, 1000000))", 1, 1, "an array without elements"),
    ("int8(300)", 1, 1, "int8 takes a number that it can hold"),
    ("float32(1e300)", 1, 1, "float32 takes a number that it can hold"),
    ("float('12')", 1, 1, "float takes a number, 'nan', 'inf' or '-inf'"),
    ("9" * 5000, 1, 1, "a number of 5000 digits is too long"),
    ("1__000", 1, 2, "an operator is wanted here"),
    (r"'\q'", 1, 1, r"\\q is no escape in a string"),
    ("weight(1)", 1, 1, "an int has no gradient, so cast to float"),
    ("weight(1.0, optimizer=SGD(rate=-1.0))", 1, 23, "SGD.rate = -1.0 is not allowed"),
    ("weight(1.0, name='w') + weight(2.0, name='w')", 1, 25, "two weights are called 'w'"),
    ("weight(1.0, name='w') + state(2.0, Count(), name='w')", 1, 25, "the name of a Weight, not of a State"),
    ("weight(<float32 (3,)>)", 1, 1, "the value is left out of this text"),
    ("x * <float32 (3,)>", 1, 3, r"left out of this text: format\(formula, 'full'\) writes all"),
    ("exp(...)", 1, 1, r"left out of this text"),
    ("hook(x, function='print')", 1, 1, r"hand it to parse\(..., known=\[...\]\)"),
    ("Free(float)", 1, 1, "equal to itself alone"),
    ("placeholder(float)", 1, 1, "a formula or data is wanted here, not Input"),
    ("x, y = placeholder(float)\nx", 1, 1, "2 names are wanted as parts of the input, which is float"),
    ("x = placeholder(float)\ny = placeholder(float)\nx", 2, 1, "a formula has one input"),
    ("sin(x)(y=2)", 1, 7, r"composed with others by position: f\(g\)"),
    ("lambda: x", 1, 1, "'lambda' is not known here"),
    ("x.__class__", 1, 1, "'x.__class__' is not known here"),
    ("__import__('os').system('ls')", 1, 1, "'__import__' is not known here"),
    ("x; x", 1, 2, "an operator is wanted here"),
    ("\x00", 1, 1, "a formula is wanted here"),
    ("\ud800", 1, 1, "a formula is wanted here"),
    ("(" * 33 + "1" + ",)" * 33, 1, 1, "nested at most 32 deep"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), WRONG, ids=[text[:30] or "nothing" for text, *_ in WRONG])
def test_an_error_says_where_and_what_would_fit(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(ParseError, match=rf"^line {line}, column {column}: .*{words}") as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert isinstance(caught.value, ValueError)
    _, shown, caret = str(caught.value).split("\n")
    assert caret.endswith("^")
    if column <= 60 and text.isprintable():
        assert caret.index("^") == column + 1
        assert shown[2:].startswith(text[:50])


def test_a_long_line_is_shown_around_the_place() -> None:
    with pytest.raises(ParseError) as caught:
        parse("a = " + "x + " * 1000 + "1\n" + "a + " * 1000 + "?" + " + a" * 1000)
    message, shown, caret = str(caught.value).split("\n")
    assert message.startswith("line 2, column 4001: ")
    assert len(shown) < 140
    assert shown[caret.index("^")] == "?"
    assert (shown[:5], shown[-3:]) == ("  ...", "...")


def test_an_error_pickles() -> None:
    with pytest.raises(ParseError) as caught:
        parse("x +\n")
    twin = pickle.loads(pickle.dumps(caught.value))
    assert (str(twin), twin.line, twin.column) == (str(caught.value), 1, 4)


def test_what_is_no_text() -> None:
    for wrong in (None, 1, b"x", Identity()):
        with pytest.raises(TypeError, match="parse takes a text"):
            parse(wrong)  # type: ignore[call-overload]  # that is the test
    with pytest.raises(TypeError, match=r"weights\['w'\] has to be a weight or a state"):
        parse("x", float, weights={"w": 2.0})


def test_a_given_weight_has_to_be_like_the_one_in_the_text() -> None:
    with pytest.raises(ParseError, match="the weight given as 'w' is a float, and the text has a float32 array"):
        parse("weight(array([1., 2.], dtype=float32), name='w') * x", float, weights={"w": weight(1.0)})


WORDS = """
x y a 1 2.0 -1e3 0x1f 'text' ... <float32> ( ) [ ] , = == + - * / ** @ ~ | & < sum exp Plus Literal weight array
float32 float None True axis name dtype placeholder x[0] [0] (x) # . ; : if_ State Count SGD
"""
PIECES = st.lists(st.sampled_from([*WORDS.split(), "\n"]), max_size=14)


def outcome(text: str) -> Any:
    """What a text gives: the formula or the error."""
    try:
        return parse(text)
    except (ParseError, ShapeError, DTypeError, IndexRangeError) as error:
        return error


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=30), PIECES.map(" ".join), PIECES.map("".join)))
def test_any_text_is_a_formula_or_an_error_of_its_own(text: str) -> None:
    found = outcome(text)
    if isinstance(found, ParseError):
        assert 1 <= found.line <= text.count("\n") + 1
        assert found.column >= 1
    elif not isinstance(found, Exception):  # an operand that does not fit is another error
        assert format(parse(format(found, "full")), "full") == format(found, "full")


def test_powers_of_integers_are_bounded() -> None:
    for text in ("x * 9 ** 9 ** 9 ** 9", "x * (-9) ** 9 ** 9", "x * 2.0 ** 9 ** 9 ** 9"):
        with pytest.raises(ParseError, match="a power of integers has over 1048576 bits"):
            parse(text, float)
    assert parse("x * 1 ** 9 ** 9 ** 2 + 2 ** 1000", float).predict(1.0) == 1.0 + 2.0**1000
    x = sy.placeholder(float)
    huge = x * sy.literal(9) ** sy.literal(9) ** sy.literal(9)
    with pytest.raises(ArithmeticError, match="a power of integers has over 1048576 bits"):
        huge.predict(1.0)
    with pytest.raises(ArithmeticError, match="a power of integers has over 1048576 bits"):
        compile(huge).predict(1.0)


def test_compositions_are_bounded() -> None:
    lines = ["a0 = x * x", *[f"a{i + 1} = a{i}(a{i})" for i in range(60)]]
    with pytest.raises(ParseError, match=r"^line 62, column 1: the compositions of this formula make more than"):
        parse("\n".join([*lines, "a60 + 1.0"]), float)
    assert parse("\n".join([*lines[:10], "a9 + 1.0"]), float).predict(1.0) == 2.0


def test_nothing_is_computed_while_a_text_is_read() -> None:
    """Operators on numbers are formulas, too: nobody waits for a power of powers."""
    found: Any = parse("9 ** 9 ** 9 ** 9")
    assert str(found) == "9 ** 9 ** 9 ** 9"
    assert sum(type(node) is Literal for node in nodes(found)) == 4
    assert not any(isinstance(node, Weight) for node in nodes(parse("broadcast_to(x, shape=(1000000000, 1000000000))")))
