"""Matrix products in a program: which function of NumPy's computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import compile
from layertree.typing import ArraySpec


def product(rows: int, width: int, columns: int, dtype: Any = np.float64, stack: tuple[int, ...] = ()) -> Any:
    """The source of a program of a product, which agrees with the interpreter to the bit."""
    spec = ArraySpec((*stack, rows, width), dtype), ArraySpec((*stack, width, columns), dtype)
    x: Any
    y: Any
    x, y = sy.placeholder(spec)
    formula = (x @ y) * 2 + sy.matrix_transpose(sy.matrix_transpose(y) @ sy.matrix_transpose(x))
    program = compile(formula)
    generator = np.random.default_rng(0)
    data = tuple([(generator.standard_normal(one.shape) * 4).astype(dtype) for one in spec])
    np.testing.assert_array_equal(program.predict(data), formula.predict(data), strict=True)
    return program.source


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(3, 4, 50), (1, 7, 1), (40, 30, 40), (0, 3, 4), (3, 0, 4)])
def test_small_ones_are_by_dot(shape: Any, dtype: Any) -> None:
    source = product(*shape, dtype)
    assert source.count("np.dot(") == 2
    assert "np.matmul(" not in source


def test_large_ones_stacks_and_integers_are_by_matmul() -> None:
    for source in (product(64, 2, 64), product(3, 4, 50, stack=(2,)), product(3, 4, 50, np.int64)):
        assert "np.dot(" not in source
        assert source.count("np.matmul(") == 2


def test_those_by_columns_are_by_matmul() -> None:
    x, w = sy.placeholder((ArraySpec((40, 4)), ArraySpec((4, 3))))
    formula: Any = sy.sum(sy.exp(sy.softmax(x @ w)))
    program = compile(formula)
    data = np.arange(160.0).reshape(40, 4) / 99, np.arange(12.0).reshape(4, 3) / 7
    np.testing.assert_allclose(program.predict(data), formula.predict(data), rtol=1e-12)
    assert "np.matmul(" in program.source


@pytest.mark.parametrize("shapes", [((3, 1), (1, 1)), ((1, 1), (1, 3))])
def test_nothing_is_lost_beside_a_matrix_of_one_element(shapes: Any) -> None:
    x: Any
    y: Any
    x, y = sy.placeholder((ArraySpec(shapes[0]), ArraySpec(shapes[1])))
    data = tuple([np.zeros(shape) if shape == (1, 1) else np.full(shape, np.inf) for shape in shapes])
    found = compile((x @ y) + 1.0).predict(data)
    assert np.isnan(found).all()
    assert found.shape == (shapes[0][0], shapes[1][1])
