"""Embeddings, layer normalisation and attention, against NumPy written out."""

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, IndexRangeError, Input, ShapeError, check_gradient, compile, named_cells, parameters
from layertree.typing import ArraySpec

RNG = np.random.default_rng(0)


def rows(scores, value):
    """The softmax of each row of scores times the values, row by row."""
    top = np.exp(scores - scores.max(-1, keepdims=True))
    return (top / top.sum(-1, keepdims=True)) @ value


def test_an_embedding_looks_up_rows_and_adds_up_deltas():
    with sy.seed(1):
        formula = sy.embedding(sy.placeholder(ArraySpec(("Batch", 3), np.int64)), 5, 4)
    (table,) = parameters(formula)
    indices = np.array([[0, 4, 0], [1, 0, 4]])
    tape = formula.forward(indices)
    np.testing.assert_array_equal(tape.value, table.value[indices])
    assert tape.value.dtype == np.float32
    delta = tape.gradients(np.ones((2, 3, 4), np.float32))[table]
    np.testing.assert_array_equal(delta[:, 0], [3, 1, 0, 0, 2])
    assert list(named_cells(formula)) == ["embedding/table"]
    with pytest.raises(IndexRangeError, match="5"):
        formula.predict(np.full((1, 3), 5))
    with pytest.raises(DTypeError, match="integers"):
        sy.embedding(sy.placeholder(ArraySpec(("Batch", 3), np.float32)), 5, 4)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_layer_norm_is_its_formula(dtype):
    formula = sy.layer_norm(sy.placeholder(ArraySpec((None, 3, 4), dtype)))
    x = RNG.standard_normal((2, 3, 4)).astype(dtype) * 5 + 2
    gain, offset = parameters(formula)
    gain.set(np.array([1.0, 2.0, 0.5, -1.0], dtype))
    offset.set(np.array([0.0, 1.0, 0.0, 3.0], dtype))
    centred = x - x.mean(-1, keepdims=True)
    expected = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * gain.value + offset.value
    found = formula.predict(x)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected, rtol=1e-5 if dtype == np.float32 else 1e-12)


def test_layer_norm_has_known_deltas():
    """The numbers of Marian's layer normalisation: the delta of a row of ones has to add up to nothing."""
    formula = sy.layer_norm(sy.placeholder(ArraySpec((None, 4), np.float64)))
    x = Input(RNG.standard_normal((3, 4)))
    tape = formula.forward(x)
    delta = RNG.standard_normal((3, 4))
    found = tape.gradients(delta)[x]
    np.testing.assert_allclose(found.sum(-1), 0.0, atol=1e-12)
    assert np.abs(found).max() > 0.01
    assert check_gradient(formula, x.value).largest_error < 1e-7


def test_a_constant_row_has_no_nan():
    formula = sy.layer_norm(sy.placeholder(ArraySpec((None, 4), np.float64)))
    x = Input(np.full((1, 4), 3.0))
    tape = formula.forward(x)
    np.testing.assert_array_equal(tape.value, np.zeros((1, 4)))
    assert np.isfinite(tape.gradients(np.arange(4.0)[None])[x]).all()


@pytest.mark.parametrize("causal", [False, True])
def test_attention_is_its_formula(causal):
    spec = ArraySpec(("Batch", 3, 4), np.float64)
    query, key, value = sy.placeholder((spec, spec, ArraySpec(("Batch", 3, 2), np.float64)))
    formula = sy.scaled_dot_product_attention(query, key, value, causal=causal)
    q, k, v = (RNG.standard_normal((2, 3, width)) for width in (4, 4, 2))
    scores = q @ k.swapaxes(-1, -2) / 2.0
    if causal:
        scores = np.where(np.tri(3, dtype=bool), scores, -np.inf)
    found = formula.predict((q, k, v))
    np.testing.assert_allclose(found, rows(scores, v), rtol=1e-12)
    if causal:
        np.testing.assert_allclose(found[:, 0], v[:, 0], rtol=1e-12)
    # The masked scores are -inf, at which no difference can be taken: the smooth one is checked.
    if not causal:
        assert check_gradient(formula, (q, k, v)).largest_error < 1e-7


def test_a_causal_step_has_no_delta_from_what_is_behind_it():
    spec = ArraySpec((4, 3), np.float64)
    x = sy.placeholder(spec)
    formula = sy.scaled_dot_product_attention(x, x, x, causal=True)[1]
    at = Input(RNG.standard_normal((4, 3)))
    found = formula.forward(at).gradients(np.ones(3))[at]
    np.testing.assert_array_equal(found[2:], 0.0)
    assert np.abs(found[:2]).min() > 1e-6


def test_a_query_that_sees_nothing_gets_zeros():
    spec = ArraySpec((2, 3), np.float64)
    x = sy.placeholder(spec)
    formula = sy.scaled_dot_product_attention(x, x, x, mask=np.array([[True, False], [False, False]]))
    at = Input(RNG.standard_normal((2, 3)))
    tape = formula.forward(at)
    np.testing.assert_array_equal(tape.value, [at.value[0], np.zeros(3)])
    assert np.isfinite(tape.gradients(np.ones((2, 3)))[at]).all()


def test_wrong_operands():
    x = sy.placeholder(ArraySpec(("Batch", "Time", 4), np.float32))
    with pytest.raises(ShapeError, match="steps to be known"):
        sy.scaled_dot_product_attention(x, x, x, causal=True)
    with pytest.raises(DTypeError, match="booleans"):
        sy.scaled_dot_product_attention(x, x, x, mask=np.ones((1, 1)))
    with pytest.raises(DTypeError, match="floats"):
        sy.layer_norm(sy.placeholder(ArraySpec((3,), np.int64)))
    with pytest.raises(ShapeError, match="last axis"):
        sy.layer_norm(sy.placeholder(ArraySpec(("Batch", "Features"), np.float32)))
    with pytest.raises(ValueError, match="epsilon"):
        sy.layer_norm(x, epsilon=-1.0)
    with pytest.raises(ValueError, match="vocabulary"):
        sy.embedding(sy.placeholder(ArraySpec((3,), np.int64)), 0, 4)


def test_attention_counts_the_features_that_have_but_a_name():
    named, sized = (sy.placeholder(ArraySpec(("Batch", "Time", width), np.float32)) for width in ("Feat", 4))
    x = RNG.standard_normal((2, 3, 4)).astype(np.float32)
    formula = sy.scaled_dot_product_attention(named, named, named)
    found = formula.predict(x)
    assert formula.shape == ("Batch", "Time", "Feat")
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, sy.scaled_dot_product_attention(sized, sized, sized).predict(x))
    np.testing.assert_allclose(found, rows(x @ x.mT / 2.0, x), rtol=1e-5)


@pytest.mark.parametrize("features", [0, None])
def test_without_features_each_query_attends_evenly(features: int | None) -> None:
    spec = ArraySpec((3, features), np.float64)
    query, value = sy.placeholder((spec, ArraySpec((3, 2), np.float64)))
    values = np.arange(6.0).reshape(3, 2)
    found = sy.scaled_dot_product_attention(query, query, value).predict((np.zeros((3, 0)), values))
    np.testing.assert_allclose(found, np.broadcast_to(values.mean(axis=0), (3, 2)))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("padding", [np.nan, np.inf, -np.inf, 1e38])
def test_steps_to_which_no_query_attends_do_not_matter(padding, causal):
    spec = ArraySpec((2, 3, 4), np.float32)
    queries, keys, values = sy.placeholder((spec, spec, spec))
    mask = np.ones((2, 3, 3), bool)
    mask[0, :, 2] = mask[1, :, 1:] = False
    for allowed in (mask, mask[:1, :1], np.array([True, True, False])):
        attended = sy.scaled_dot_product_attention(queries, keys, values, mask=allowed, causal=causal)
        made = sy.value_and_grad(sy.sum(sy.sin(attended)), [queries, keys, values])
        data = [RNG.standard_normal((2, 3, 4)).astype(np.float32) for _ in range(3)]
        unused = ~np.broadcast_to(allowed if np.ndim(allowed) == 1 else allowed.any(-2), (2, 3))
        spoiled = [data[0], *[np.where(unused[..., None], np.float32(padding), one) for one in data[1:]]]
        for program in (made, compile(made)):
            value, deltas = program.predict(tuple(spoiled))
            wanted, expected = program.predict(tuple(data))
            np.testing.assert_allclose(value, wanted, rtol=1e-6)
            for delta, one in zip(deltas, expected, strict=True):
                np.testing.assert_allclose(delta, one, rtol=1e-5, atol=1e-6)
            for delta in deltas[1:]:
                assert not delta[unused].any()
