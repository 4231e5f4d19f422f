"""Factors of products move to the smaller operand, and constant masks fill what is there."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

from layertree import compile
from layertree.program.ir.operations import Op
from layertree.program.passes.product_scaling import with_scaled_operands
from layertree.typing import ArraySpec
from symbolic import if_, placeholder, scaled_dot_product_attention, sin, sum, value_and_grad, where
from tests.program.graphs import filled, graph_of, number, op, shown, source, spec


def test_attention_scales_its_query_and_masks_in_place() -> None:
    q, k, v = placeholder((ArraySpec((2, 3, 16, 4)),) * 3)
    formula = value_and_grad(sum(scaled_dot_product_attention(q, k, v, causal=True) * v), [q, k, v])
    data = tuple(np.random.default_rng(0).standard_normal((3, 2, 3, 16, 4)))
    program = compile(formula)
    value, deltas = program.predict(data)
    wanted, slopes = formula.predict(data)
    np.testing.assert_allclose(value, wanted, rtol=1e-12)
    for given, slope in zip(deltas, slopes, strict=True):
        np.testing.assert_allclose(given, slope, rtol=1e-9, atol=1e-12)
    assert program.source.count("kernels.masked(") == 2
    assert "kernels.select(" not in program.source
    assert "np.multiply(half, x_0, out=" in program.source  # 1 / sqrt(4)


def test_a_product_that_is_read_twice_is_left_alone() -> None:
    x = placeholder(ArraySpec((16, 2)))
    product = x @ x.mT
    formula = sum(0.5 * product) + sum(product * product)
    data = np.random.default_rng(0).standard_normal((16, 2))
    np.testing.assert_allclose(compile(formula).predict(data), formula.predict(data), rtol=1e-12)


def test_a_product_that_a_branch_reads_is_left_alone() -> None:
    x, switch = placeholder((ArraySpec((16, 2)), float))
    product: Any = x @ x.mT
    formula: Any = sum(0.5 * product) + if_(switch > 0.0, sum(sin(product)), 0.0)
    data = np.random.default_rng(0).standard_normal((16, 2)), 1.0
    np.testing.assert_allclose(compile(formula).predict(data), formula.predict(data), rtol=1e-12)


def test_masks_on_either_side() -> None:
    x = placeholder(ArraySpec((3, 4)))
    mask = np.tril(np.ones((3, 4), np.bool_))
    data = np.where(mask, np.nan, np.arange(12.0).reshape(3, 4))
    for formula in (where(mask, x, -1.0), where(mask, 7.0, x), where(mask, x * 2.0, 0.0) + where(mask[0], x, 1.0)):
        np.testing.assert_array_equal(compile(formula).predict(data), formula.predict(data))


def product_of(rows: int, inner: int, columns: int, dtype: Any = np.float64) -> tuple[Op, Op, Op]:
    """Two operands and their matrix product."""
    x, y = source(spec(rows, inner, dtype=dtype), 0), source(spec(inner, columns, dtype=dtype), 1)
    return x, y, op("matmul", x, y, kind=spec(rows, columns, dtype=dtype))


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        (8, 12, ["multiply 3 0", "matmul 4 1"]),
        (12, 8, ["multiply 3 1", "matmul 0 4"]),
        (8, 8, ["multiply 3 0", "matmul 4 1"]),
        (4, 4, ["multiply 3 0", "matmul 4 1"]),
    ],
)
@pytest.mark.parametrize("is_filled", [False, True])
def test_the_smaller_operand_is_scaled(rows: int, columns: int, expected: list[str], is_filled: bool) -> None:
    x, y, product = product_of(rows, 2, columns)
    factor = filled(0.5, product.spec) if is_filled else number(0.5)
    whole = op("multiply", factor, product, kind=product.spec)
    graph = with_scaled_operands(graph_of(x, y, factor, product, whole, outputs=(whole,)))
    assert shown(graph.ops) == ["input", "input", "constant", "constant", *expected]
    assert graph.outputs == (graph.ops[-1],)
    assert graph.ops[-1].spec == product.spec
    constant, small = graph.ops[3:5]
    assert (constant.attributes, small.spec) == ({"data": 0.5}, small.inputs[1].spec)


@pytest.mark.parametrize(
    "reason",
    [
        "read twice",
        "result",
        "integers",
        "large",
        "array",
        "variable",
        "other dtype",
        "narrow",
        "broadcast",
        "sum",
        "other",
    ],
)
def test_a_product_that_stays(reason: str) -> None:
    dtype = np.int64 if reason == "integers" else np.float32 if reason == "other dtype" else np.float64
    x, y, product = product_of(8, 6 if reason == "large" else 2, 8, dtype)
    if reason == "narrow":
        x = attrs.evolve(x, spec=spec(8, 2, dtype=np.float32))
        product = attrs.evolve(product, inputs=(x, y))
    if reason == "other":
        product = attrs.evolve(product, name="of_mine")
    factor = {
        "array": number(np.full((8, 8), 0.5)),
        "variable": source(spec(), 2),
        "integers": number(2),
        "other dtype": filled(0.5, spec(8, 8)),
    }.get(reason, number(0.5))
    kind = {"other dtype": spec(8, 8), "broadcast": spec(3, 8, 8)}.get(reason, product.spec)
    whole = op("add" if reason == "sum" else "multiply", factor, product, kind=kind)
    other = [op("exp", product)] if reason == "read twice" else []
    outputs = (whole, product) if reason == "result" else (whole, *other)
    before = graph_of(x, y, product, factor, whole, *other, outputs=outputs)
    after = with_scaled_operands(before)
    assert after.ops == before.ops
    assert whole.inputs == (factor, product)
