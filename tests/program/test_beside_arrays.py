"""What stands beside arrays in a program: numbers as arrays without axes, rows as matrices of one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from layertree import DTypeError, compile
from layertree.typing import ArraySpec
from symbolic import exp, maximum, placeholder, where

FORMULAS: list[Callable[[Any], Any]] = [
    lambda x: 3 - x * 0.1 + 7,
    lambda x: maximum(x * 2, 1) * x,
    lambda x: exp(where(x > 0, x, -2.5)) / 3,
    lambda x: where(x * 1.5 <= 0.75, x, 1),
    lambda x: (x + 1e300) * (x - np.inf),
    lambda x: x * np.float64(0.1) + np.float32(0.3),
    lambda x: 1 / (x * 0.0) + -0.0 * x,
]


def compiled(formula: Callable[[Any], Any], spec: Any) -> Any:
    """A formula and its program."""
    made = formula(placeholder(spec))
    return made, compile(made)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.int64, np.int8, np.bool_])
@pytest.mark.parametrize("formula", FORMULAS)
def test_the_result_is_that_of_the_interpreter_to_the_bit(formula: Any, dtype: Any) -> None:
    data: Any = np.array([[-1, 0, 1], [2, 3, 0]]).astype(dtype)
    made, program = compiled(formula, ArraySpec(data.shape, dtype))
    np.testing.assert_array_equal(program.predict(data), made.predict(data), strict=True)


def test_an_integer_that_the_dtype_does_not_hold_raises() -> None:
    for program in compiled(lambda x: maximum(x, 1) + 300, ArraySpec((3,), np.int8)):
        with pytest.raises((OverflowError, DTypeError), match="integer 300 out of bounds for int8"):
            program.predict(np.ones(3, np.int8))


def test_numbers_have_names_and_those_of_no_word_are_told() -> None:
    spec = ArraySpec((3,), np.float32)
    _, program = compiled(lambda x: exp(maximum(x * 0.1 - 1.0, 0.0) * 0.1 + 0.25), spec)
    data = np.array([0.0, 10.0, 20.0], np.float32)
    np.testing.assert_allclose(program.predict(data), np.exp([0.25, 0.25, 0.35]), rtol=1e-6)
    lines = [line.split("  #") for line in program.source.splitlines() if "np." in line]
    assert [code.strip() for code, _ in lines] == [
        "np.multiply(number, x, out=multiply)",
        "np.subtract(multiply, one, out=multiply)",
        "np.maximum(multiply, zero, out=multiply)",
        "np.multiply(number, multiply, out=multiply)",
        "np.add(multiply, number_1, out=multiply)",
        "exp = np.exp(multiply)",
    ]
    assert [comment.partition(", ")[2] for _, comment in lines] == [
        "number = 0.1",
        "",
        "",
        "number = 0.1",
        "number_1 = 0.25",
        "",
    ]


def test_a_number_of_two_dtypes_has_two_names() -> None:
    spec = (ArraySpec((3,), np.float32), ArraySpec((3,)))
    _, program = compiled(lambda pair: exp(pair[0] + 1.0) + exp(pair[1] + 1.0), spec)
    data = np.zeros(3, np.float32), np.ones(3)
    np.testing.assert_allclose(program.predict(data), np.full(3, np.e + np.e**2), rtol=1e-6)
    assert "np.add(x_0, one, out=" in program.source
    assert "np.add(x_1, one_1, out=" in program.source


def test_a_row_beside_a_matrix_of_one_row_is_one() -> None:
    def formula(pair: Any) -> Any:
        return exp(pair[0] * 2.0 + pair[1]) * pair[1] + pair[1]

    for rows in (1, 2):
        made, program = compiled(formula, (ArraySpec((rows, 3)), ArraySpec((3,))))
        data = np.linspace(0.0, 1.0, 3 * rows).reshape(rows, 3), np.array([0.5, 1.5, -1.0])
        np.testing.assert_array_equal(program.predict(data), made.predict(data), strict=True)
        assert program.source.count("x_1[None]") == (3 if rows == 1 else 0)
