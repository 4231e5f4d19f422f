"""Factors of products move to the smaller operand, and constant masks fill what is there."""

from __future__ import annotations

import numpy as np

from layertree import compile
from layertree.typing import ArraySpec
from symbolic import placeholder, scaled_dot_product_attention, sum, value_and_grad, where


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


def test_masks_on_either_side() -> None:
    x = placeholder(ArraySpec((3, 4)))
    mask = np.tril(np.ones((3, 4), np.bool_))
    data = np.where(mask, np.nan, np.arange(12.0).reshape(3, 4))
    for formula in (where(mask, x, -1.0), where(mask, 7.0, x), where(mask, x * 2.0, 0.0) + where(mask[0], x, 1.0)):
        np.testing.assert_array_equal(compile(formula).predict(data), formula.predict(data))
