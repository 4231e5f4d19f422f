"""Attention and its like by blocks of rows: what the formula gives in one piece, without storing what is large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import layertree
import symbolic as sy
from layertree import SGD, parameters
from layertree.program.codegen import batch_program as parts
from layertree.program.passes import batch_splitting as split
from layertree.program.passes import tiling as tile
from layertree.typing import ArraySpec
from symbolic import placeholder, value_and_grad, weight
from tests.program.test_allocation import LITTLE, largest_allocation

ROWS, COLUMNS, WIDTH = 11, 13, 3


@pytest.fixture(autouse=True)
def small() -> Iterator[None]:
    """Tiles of a few rows, and no parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tile, "HEIGHT", 4)
        patch.setattr(tile, "LARGE", 88)
        patch.setattr(tile, "TIMES", 0)
        patch.setattr(tile, "ELEMENTS", 110)
        patch.setattr(split, "WORTH", 1 << 40)
        yield


def _data(*shapes: tuple[int, ...], number: int = 0) -> tuple[Any, ...]:
    generator = np.random.default_rng(number)
    return tuple([generator.standard_normal(shape) for shape in shapes])


def _operands(*lead: int, rows: int = ROWS, columns: int = COLUMNS) -> tuple[Any, ...]:
    return _data((*lead, rows, WIDTH), (*lead, columns, WIDTH), (*lead, columns, WIDTH + 2))


def _placeholders(data: tuple[Any, ...]) -> Any:
    return placeholder(tuple([ArraySpec(array.shape, array.dtype) for array in data]))


def _weighted_sum(attended: Any) -> Any:
    direction = np.random.default_rng(1).standard_normal(attended.spec.shape)
    return sy.sum(cast(Any, attended * direction))


def _agree(formula: Any, wrt: Any, data: Any, loops: int = 1) -> None:
    """Value and gradients, compiled and not; and how many loops there are."""
    program = layertree.compile(value_and_grad(formula, wrt))
    value, deltas = program.predict(data)
    wanted, slopes = program.formula.predict(data)
    np.testing.assert_allclose(value, wanted, rtol=1e-12)
    for found, slope in zip(deltas, slopes, strict=True):
        assert np.abs(slope).max() > 1e-3
        np.testing.assert_allclose(found, slope, rtol=1e-9, atol=1e-12)
    source = str(program.source)
    assert source.count(" in blocks") == loops, source


@pytest.mark.parametrize("lead", [(), (3,), (2, 3), (2, 1, 3)])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_and_its_gradients(lead: tuple[int, ...], causal: bool) -> None:
    columns = ROWS if causal else COLUMNS
    data = _operands(*lead, columns=columns)
    query, key, value = _placeholders(data)
    attended: Any = sy.scaled_dot_product_attention(query, key, value, causal=causal)
    _agree(_weighted_sum(attended), [query, key, value], data)


@given(st.lists(st.lists(st.booleans(), min_size=COLUMNS, max_size=COLUMNS), min_size=ROWS, max_size=ROWS))
@settings(deadline=None, max_examples=25)
def test_any_constant_mask(rows: list[list[bool]]) -> None:
    mask = np.array(rows)
    mask[5, 2] = mask[5, 7] = True  # some row sees something
    data = _operands(2)
    query, key, value = _placeholders(data)
    scores = sy.where(mask, query @ sy.matrix_transpose(key), -np.inf)
    attended: Any = sy.softmax(scores) @ value
    _agree(_weighted_sum(attended), [query, key, value], data)


def test_a_mask_that_is_data() -> None:
    data = (*_operands(2), np.random.default_rng(3).random((ROWS, COLUMNS)) < 0.7)
    query, key, value, mask = _placeholders(data)
    attended: Any = sy.scaled_dot_product_attention(query, key, value, mask=mask)
    _agree(sy.sum(attended * attended), [query, key, value], data)


def test_hidden_columns_are_left_out() -> None:
    data = _operands(2, columns=ROWS)
    query, key, value = _placeholders(data)
    program = layertree.compile(sy.scaled_dot_product_attention(query, key, value, causal=True))
    wanted = program.formula.predict(data)
    np.testing.assert_allclose(program.predict(data), wanted, rtol=1e-12)
    late = [np.array(array) for array in data]
    for array in late[1:]:
        array[:, 8:] = np.nan  # what the first two blocks of four rows do not see
    found = program.predict(tuple(late))
    np.testing.assert_allclose(found[:, :8], wanted[:, :8], rtol=1e-12)
    assert np.isnan(found[:, 8:]).all()


@pytest.mark.parametrize("value", [1.0, -1.0, 0.0])
def test_a_mask_of_what_is_not_neutral_hides_nothing(value: float) -> None:
    """The sum of all scores needs what stands in the columns that a mask fills."""
    data = _operands(columns=ROWS)
    query, key, values = _placeholders(data)
    mask = np.tril(np.ones((ROWS, ROWS), bool))
    scores = sy.where(mask, query @ sy.matrix_transpose(key), value)
    formula = sy.sum(sy.sum(scores * scores, axis=-1) * sy.sum(scores @ values, axis=-1))
    _agree(formula, [query, key, values], data, loops=2)


_NO_NUMBERS: list[Callable[[Any, Any], Any]] = [
    lambda scores, weights: weights * scores,  # 0 * -inf
    lambda scores, weights: weights / (2.0 * weights),  # 0 / 0
    lambda scores, weights: scores - scores,  # -inf + inf
    lambda scores, weights: scores - scores * 2.0 * sy.sum(weights, axis=-1, keepdims=True),
    lambda scores, weights: weights @ sy.matrix_transpose(scores),
    lambda scores, weights: sy.matrix_transpose(weights) @ scores,
]


@pytest.mark.parametrize("term", _NO_NUMBERS)
def test_what_is_no_number_in_hidden_columns_is_computed(term: Callable[[Any, Any], Any]) -> None:
    """Padding hides whole columns, where products of what is known are NaN: sums over them are, as interpreted."""
    data = _operands(rows=12, columns=12)
    query, key, value = _placeholders(data)
    scores = sy.where(np.arange(12) < np.full((12, 1), 8), query @ sy.matrix_transpose(key), -np.inf)
    weights = cast(Any, sy.softmax(scores))
    program = layertree.compile(sy.sum(weights @ value) + sy.sum(term(scores, weights)))
    assert np.isnan(program.formula.predict(data))
    assert np.isnan(program.predict(data))


def test_a_mask_over_the_transpose_hides_other_scores() -> None:
    """As where each of two sides attends to the other one by the same scores."""
    data = _operands(2, columns=ROWS)
    query, key, value = _placeholders(data)
    scores = query @ sy.matrix_transpose(key)
    mask = np.tril(np.ones((ROWS, ROWS), bool))
    one, other = [sy.softmax(sy.where(mask, side, -np.inf)) for side in (scores, sy.matrix_transpose(scores))]
    _agree(_weighted_sum(one @ value) + _weighted_sum(other @ value), [query, key, value], data)


@pytest.mark.parametrize("lead", [(), (2,)])
def test_a_constant_mask_of_parts(lead: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part of the batch has its own rows of the mask."""
    monkeypatch.setattr(split, "WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    data = _operands(*lead, rows=14)
    query, key, value = _placeholders(data)
    mask = np.random.default_rng(2).random((*lead, 14, COLUMNS)) < 0.5
    mask[..., 0] = True
    scores = sy.where(mask, query @ sy.matrix_transpose(key), -np.inf)
    program = layertree.compile(sy.softmax(scores) @ value, threads=2)
    np.testing.assert_allclose(program.predict(data), program.formula.predict(data), rtol=1e-12)
    assert "def part(" in program.source
    assert " in blocks" in program.source


def test_scores_that_are_handed_out_are_whole() -> None:
    data = _operands(2, columns=ROWS)
    query, key, value = _placeholders(data)
    mask = np.tril(np.ones((ROWS, ROWS), bool))
    scores = sy.where(mask, query @ sy.matrix_transpose(key), -np.inf)
    weights = sy.softmax(scores)
    program = layertree.compile(layertree.Tuple((weights.layer, (weights @ value).layer, scores.layer)))
    for _ in range(2):
        for found, wanted in zip(program.predict(data), program.formula.predict(data), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert np.all(program.predict(data)[2][:, 0, 1:] == -np.inf)


def _network(lead: int) -> tuple[Any, Any]:
    """Two blocks of attention between projections: the delta of each comes from what is computed after it."""
    generator = np.random.default_rng(0)
    x = placeholder(ArraySpec((lead, ROWS, WIDTH)))
    h: Any = x
    for _ in range(2):
        query, key, value = [h @ weight(generator.standard_normal((WIDTH, WIDTH))) for _ in range(3)]
        h = h + sy.scaled_dot_product_attention(query, key, value, causal=True) @ weight(
            generator.standard_normal((WIDTH, WIDTH))
        )
    return sy.mean(h * h), generator.standard_normal((lead, ROWS, WIDTH))


def test_a_training_step_of_layers_of_attention() -> None:
    formula, data = _network(2)
    twin, _ = _network(2)
    step = layertree.compile(formula, train=True, optimizer=SGD(0.01))
    for _ in range(3):
        tape = twin.forward(data)
        np.testing.assert_allclose(step(data), tape.value, rtol=1e-10)
        tape.backward(optimizer=SGD(0.01))
    for found, wanted in zip(parameters(formula), parameters(twin), strict=True):
        np.testing.assert_allclose(found.value, wanted.value, rtol=1e-8, atol=1e-12)
    assert str(step.source).count(" in blocks") == 4


def test_a_step_allocates_a_few_small_objects() -> None:
    formula, data = _network(2)
    step = layertree.compile(formula, train=True, optimizer=SGD(0.01))
    assert largest_allocation(lambda: step(data)) < LITTLE


def test_kernel_regression_is_tiled_too() -> None:
    """Weights that fall with distance: a product of rows and columns without a softmax."""
    data = _operands()
    query, key, value = _placeholders(data)
    squares = sy.sum(query * query, axis=-1, keepdims=True)
    near = cast(Any, sy.exp(2.0 * (query @ sy.matrix_transpose(key)) - squares))
    _agree(sy.sum((near @ value) / cast(Any, sy.sum(near, axis=-1, keepdims=True))), [query, key, value], data)


def test_short_products_stay_whole() -> None:
    data = _operands(rows=4)
    query, key, value = _placeholders(data)
    program = layertree.compile(sy.scaled_dot_product_attention(query, key, value))
    np.testing.assert_allclose(program.predict(data), program.formula.predict(data), rtol=1e-12)
    assert "for " not in str(program.source)


def test_memory_is_that_of_blocks() -> None:
    """Neither scores nor their softmax are stored whole."""
    data = _operands(rows=200, columns=200)
    query, key, value = _placeholders(data)
    formula = sy.sum(sy.scaled_dot_product_attention(query, key, value, causal=True))
    program = layertree.compile(value_and_grad(formula, [query, key, value]))
    value_found, _ = program.predict(data)
    np.testing.assert_allclose(value_found, formula.predict(data), rtol=1e-12)
    assert program.memory.arena < 200 * 200 * 8


def test_a_profile_counts_what_is_computed() -> None:
    """Half of the scores of causal attention, and the columns next to them that are in the blocks of their rows."""
    data = _operands(rows=12, columns=12)
    query, key, value = _placeholders(data)
    program = layertree.compile(sy.scaled_dot_product_attention(query, key, value, causal=True))
    seen = 4 * (4 + 8 + 12)  # of 144, by blocks of four rows
    first, second = [row.flops for row in program.profile(data) if row.name.startswith(("Times", "MatMul"))][-2:]
    with_scaled_operands = 12 * WIDTH  # the queries
    assert (first, second) == (2 * seen * WIDTH + with_scaled_operands, 2 * seen * (WIDTH + 2))


def test_blocks_are_watched_like_anything_else() -> None:
    """Profiles, and the check for what is not finite, of a step that adds up totals over blocks."""
    formula, data = _network(2)
    step = layertree.compile(formula, train=True, optimizer=SGD(0.01), check_finite=True)
    wanted = formula.predict(data)
    assert step(data) == pytest.approx(wanted, rel=1e-12)  # the minus infinities of its masks are meant
    assert "fill(" in str(step.source)
    assert {"Softmax", "Where"} <= {row.name for row in step.profile(data)}
    for one in parameters(formula)[:2]:
        one.cell.content = np.full((WIDTH, WIDTH), 1e200), None
    with pytest.raises(FloatingPointError, match=r"made an infinity|made a NaN"):
        step(data)


@pytest.mark.parametrize("width", [0, 1, 2])
def test_a_product_with_a_vector_is_no_product_of_rows_and_columns(width: int) -> None:
    data = np.ones((ROWS, COLUMNS, width)), np.ones(width)
    p, q = _placeholders(data)
    for formula in (p @ q, sy.exp(p @ q) @ np.ones((COLUMNS, 2))):
        np.testing.assert_allclose(layertree.compile(formula).predict(data), formula.predict(data))
