"""Faults that users of Python libraries met in numbers, with the right values: P1 to P33, but for P15."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    SGD,
    BroadcastTo,
    Conv2D,
    DTypeError,
    If,
    Input,
    Item,
    Less,
    MatMul,
    Sum,
    Times,
    Tuple,
    Weight,
    parameters,
)
from layertree import Identity as X
from layertree.typing import ArraySpec


def pair(formula: Any, a: Any, b: Any, delta: Any) -> tuple[Any, Any, Any]:
    """The value of a formula of two inputs and the deltas of both."""
    first, second = Input(a), Input(b)
    with formula.forward((first, second)) as tape:
        value, gradients = tape.value, tape.gradients(delta)
    return value, gradients[first], gradients[second]


A, B = Item(X(), 0), Item(X(), 1)


@pytest.mark.parametrize("shapes", [((4, 1), (1, 4)), ((1,), (5, 4)), ((), (3,)), ((2, 1, 3), (4, 1)), ((0,), (1,))])
def test_p1_each_gradient_has_the_shape_of_its_operand(shapes: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=shape) for shape in shapes)
    out = np.broadcast_shapes(*shapes)
    value, first, second = pair(Times(A, B), a, b, np.ones(out) if out else 1.0)
    np.testing.assert_array_equal(value, a * b)
    assert (np.shape(first), np.shape(second)) == shapes

    def summed(factor: Any, shape: tuple[int, ...]) -> Any:
        full = np.broadcast_to(factor, out)
        lead = len(out) - len(shape)
        axes = (*range(lead), *[lead + i for i, size in enumerate(shape) if size == 1])
        return full.sum(axis=axes).reshape(shape)

    np.testing.assert_allclose(first, summed(b, shapes[0]), rtol=1e-12)
    np.testing.assert_allclose(second, summed(a, shapes[1]), rtol=1e-12)


@pytest.mark.parametrize("start", [3.0, np.float32(3.0)], ids=["float", "float32"])
def test_p3_a_scalar_weight_times_a_vector_takes_a_step(start: Any) -> None:
    c = Weight(start, optimizer=SGD(0.5))
    Times(np.array([1.0, 2.0], np.float32), c).train(delta=np.ones(2, np.float32))
    assert c.value == 1.5
    assert type(c.value) is type(start)


def test_p5_broadcast_to() -> None:
    x = Input(np.arange(3.0))
    gradient = Sum(BroadcastTo(X(), (4, 3))).forward(x).gradients()[x]
    assert gradient.tolist() == [4.0, 4.0, 4.0]


RANKS = [
    ((3,), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((2, 3), (3, 4)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (3,)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((1, 2, 3), (4, 3, 5)),
    ((6, 1, 2, 3), (4, 3, 5)),
]


@pytest.mark.parametrize("shapes", RANKS, ids=lambda shapes: f"{shapes[0]}@{shapes[1]}")
def test_p7_matrix_products_of_all_ranks(shapes: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=shape) for shape in shapes)
    expected = a @ b
    delta = rng.normal(size=expected.shape) if expected.ndim else float(rng.normal())
    value, first, second = pair(MatMul(A, B), a, b, delta)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    assert (first.shape, second.shape) == shapes
    # The product is linear in each operand, so a gradient's element is the product with a unit in its place.
    for at in np.ndindex(*shapes[0]):
        unit = np.zeros(shapes[0])
        unit[at] = 1.0
        assert first[at] == pytest.approx(np.sum(delta * (unit @ b)), rel=1e-9)
    for at in np.ndindex(*shapes[1]):
        unit = np.zeros(shapes[1])
        unit[at] = 1.0
        assert second[at] == pytest.approx(np.sum(delta * (a @ unit)), rel=1e-9)


def test_p9_abs_at_0() -> None:
    for data in (0.0, np.float32(0.0)):
        x = Input(data)
        assert abs(sy.placeholder(float)).layer.forward(x).gradients()[x] == 0.0


def test_p11_the_slope_of_a_root_at_0_is_inf() -> None:
    for formula in (sy.sqrt(sy.placeholder(float)), sy.placeholder(float) ** 0.5):
        x = Input(0.0)
        gradient = formula.forward(x).gradients()[x]
        assert gradient == np.inf
        assert type(gradient) is float
    for formula in (sy.sqrt(sy.placeholder(ArraySpec((1,)))), sy.placeholder(ArraySpec((1,))) ** 0.5):
        source = Input(np.zeros(1))
        assert formula.forward(source).gradients()[source].tolist() == [np.inf]


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_p13_ties_of_a_maximum_sum_to_1(axis: Any) -> None:
    data = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    x = Input(data)
    top = sy.max(sy.placeholder(ArraySpec((2, 3))), axis=axis)
    delta = np.ones(top.shape) if top.shape else 1.0
    gradient = top.forward(x).gradients(delta)[x]
    expected = {
        None: [[1 / 3, 1 / 3, 0], [0, 1 / 3, 0]],
        0: [[1, 0.5, 0.5], [0, 0.5, 0.5]],
        1: [[0.5, 0.5, 0], [0, 1, 0]],
    }[axis]
    np.testing.assert_allclose(gradient, expected, rtol=1e-15)


def test_p17_the_branch_not_taken() -> None:
    # If evaluates only the branch taken, so no inf of the other one gets into a product with 0.
    x = sy.placeholder(float)
    lazy = sy.if_(x <= 0.0, sy.exp(x), 1.0 + x)
    source = Input(1000.0)
    with lazy.forward(source) as tape:
        assert (tape.value, tape.gradients()[source]) == (1001.0, 1.0)
    assert If(Less(X(), 1.0), X(), sy.sqrt(x - 1.0).layer).forward(Input(0.0)).value == 0.0
    # For arrays the operand of the dangerous side is masked, too.
    y = sy.placeholder(ArraySpec((2,)))
    careful = sy.where(y <= 0.0, sy.exp(sy.where(y <= 0.0, y, 0.0)), 1.0 + y)
    array = Input(np.array([1000.0, -1.0]))
    with careful.forward(array) as tape:
        np.testing.assert_allclose(tape.value, [1001.0, np.exp(-1.0)])
        np.testing.assert_allclose(tape.gradients(np.ones(2))[array], [1.0, np.exp(-1.0)])


def test_p19_logits_far_apart() -> None:
    logits, labels = sy.placeholder((ArraySpec((1, 3)), ArraySpec((1,), np.int64)))
    x = Input(np.array([[-431.0, 279.0, 427.0]]))
    with sy.cross_entropy(logits, labels).forward((x, np.array([0]))) as tape:
        assert tape.value == 858.0
        np.testing.assert_allclose(tape.gradients()[x], [[-1.0, 0.0, 1.0]], atol=1e-60)
    x = Input(np.array([-1047.0, -981.0, 1891.0]))
    with sy.softmax(sy.placeholder(ArraySpec((3,)))).forward(x) as tape:
        assert tape.value.tolist() == [0.0, 0.0, 1.0]
        assert tape.gradients(np.array([1.0, 2.0, 3.0]))[x].tolist() == [0.0, 0.0, 0.0]


def test_p21_a_row_that_is_all_minus_infinity() -> None:
    w = sy.weight(np.array([[1.0, 2.0], [3.0, 4.0]]), optimizer=SGD(1.0))
    mask = np.array([[0.0, 0.0], [-np.inf, -np.inf]])
    attention = sy.softmax(w + mask)
    expected = np.array([[1 / (1 + np.e), np.e / (1 + np.e)], [0.0, 0.0]])
    np.testing.assert_allclose(attention.predict(), expected)
    attention.train(delta=np.array([[1.0, 0.0], [1.0, 0.0]]))
    slope = expected[0, 0] * expected[0, 1]
    np.testing.assert_allclose(w.value, [[1.0 - slope, 2.0 + slope], [3.0, 4.0]])


FLOAT32 = {
    "maximum with 0": lambda x: sy.maximum(x, 0),
    "mean": lambda x: sy.mean(x, axis=0),
    "mean of all": sy.mean,
    "max": lambda x: sy.max(x, axis=-1),
    "relu": sy.relu,
    "abs": abs,
    "where": lambda x: sy.where(x > 0, x, 0.0),
    "power": lambda x: x**2,
    "divide": lambda x: 1 / (2.5 + x),
    "sigmoid": sy.sigmoid,
    "log_softmax": sy.log_softmax,
    "take": lambda x: sy.take(x, np.array([0, 0])),
    "slice": lambda x: x[:, ::2],
    "matmul": lambda x: x @ np.ones((4, 3), np.float32),
    "with a float64 array": lambda x: x * np.ones(4),
    "float64 after it": lambda x: sy.astype(x, np.float64),
    "dropout": lambda x: sy.dropout(x, 0.25),
}


@pytest.mark.parametrize("name", FLOAT32)
def test_p23_a_gradient_has_the_dtype_of_its_operand(name: str) -> None:
    source = Input(np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4))
    with FLOAT32[name](sy.placeholder(ArraySpec((3, 4), np.float32))).forward(source) as tape:
        assert tape.value.dtype == (np.float64 if "float64" in name else np.float32)
        delta = np.ones(tape.value.shape) if tape.value.shape else 1.0
        gradient = tape.gradients(delta)[source]
    assert (gradient.dtype, gradient.shape) == (np.float32, (3, 4))
    assert (gradient != 0).any()


def test_p25_pythons_sum_starts_with_an_int() -> None:
    parts = sy.placeholder((ArraySpec((2,), np.float32),) * 3)
    w = sy.weight(np.ones(2, np.float32), optimizer=SGD(1.0))
    total = sum(part * w for part in parts)
    data = tuple(np.full(2, value, np.float32) for value in (1.0, 2.0, 3.0))
    value = total.train(data, delta=np.ones(2))
    assert (value.tolist(), value.dtype) == ([6.0, 6.0], np.float32)
    assert (w.value.tolist(), w.value.dtype) == ([-5.0, -5.0], np.float32)


@pytest.mark.parametrize("data", [3, True, np.arange(3), np.array([True]), np.int32(1)], ids=repr)
def test_p27_integers_have_no_gradient(data: Any) -> None:
    for make in (Input, Weight):
        with pytest.raises(DTypeError, match="cast to float"):
            make(data)
    if not isinstance(data, (bool, np.ndarray)):
        assert Times(X(), 2).predict(data) == 2 * data
        with pytest.raises(DTypeError, match="cast to float"):
            Times(X(), 2).forward(data).gradients()


def test_p29_a_batch_of_nothing() -> None:
    x, y = sy.placeholder((ArraySpec(("Batch", 6, 6, 2), np.float32), ArraySpec(("Batch",), np.int64)))
    hidden = sy.max_pool2d(sy.relu(sy.conv2d(x, 3, 3, padding="same")), 2)
    hidden = sy.dropout(sy.dense(sy.flatten(hidden), 5), 0.5)
    logits = sy.dense(sy.tanh(hidden), 4)
    empty = np.zeros((0, 6, 6, 2), np.float32), np.zeros(0, np.int64)
    assert logits.predict(empty).shape == (0, 4)
    loss = sy.cross_entropy(logits, y)
    with loss.forward(empty) as tape:
        assert tape.value == 0.0  # nothing counts: 0, where others have NaN
        gradients = tape.gradients()
    assert len(parameters(loss)) == 6
    for w in parameters(loss):
        np.testing.assert_array_equal(gradients[w], np.zeros(w.value.shape))


LAYOUTS = {
    "transposed": lambda x: np.ascontiguousarray(x.T).T,
    "every second": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[..., ::-1].copy()[..., ::-1],
    "Fortran": np.asfortranarray,
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(
    ("formula", "shapes"),
    [
        (MatMul(A, B), ((4, 3), (3, 5))),
        (Times(A, B), ((4, 3), (1, 3))),
        (Conv2D(A, B, (2, 1), (1, 1)), ((2, 5, 4, 3), (3, 3, 3, 2))),
        (sy.softmax(sy.wrap(MatMul(A, B), (ArraySpec((4, 3)), ArraySpec((3, 5))))).layer, ((4, 3), (3, 5))),
    ],
    ids=["matmul", "times", "conv2d", "softmax"],
)
def test_p31_any_layout_gives_what_a_copy_gives(formula: Any, shapes: Any, layout: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=shape) for shape in shapes)
    delta = rng.normal(size=formula.predict((a, b)).shape)
    for one in (a, b, delta):
        assert not layout(one).flags.c_contiguous or 1 in one.shape
        np.testing.assert_array_equal(layout(one), one)
    for wanted, got in zip(pair(formula, a, b, delta), pair(formula, layout(a), layout(b), layout(delta)), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12)


def convolved(x: Any, kernel: Any, stride: int, padding: int, dilation: int, groups: int) -> Any:
    """A convolution written out: one term after the other."""
    n, height, width, _ = x.shape
    rows, columns, depth, filters = kernel.shape
    padded = np.pad(x, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    out_h = (height + 2 * padding - dilation * (rows - 1) - 1) // stride + 1
    out_w = (width + 2 * padding - dilation * (columns - 1) - 1) // stride + 1
    out = np.zeros((n, out_h, out_w, filters))
    for i, j, f in product(range(out_h), range(out_w), range(filters)):
        first = f // (filters // groups) * depth
        for r, c, d in product(range(rows), range(columns), range(depth)):
            element = padded[:, i * stride + r * dilation, j * stride + c * dilation, first + d]
            out[:, i, j, f] += element * kernel[r, c, d, f]
    return out


GRID = [
    (8, 5, 2, 0, 1, 1),
    (9, 5, 2, 2, 1, 2),
    (8, 7, 3, 2, 1, 1),
    (10, 3, 3, 1, 2, 2),
    (7, 3, 1, 1, 3, 1),
    (7, 2, 2, 1, 1, 2),
    (6, 1, 2, 0, 1, 1),
    (9, 3, 2, 1, 1, 4),
    (11, 3, 3, 0, 2, 1),
]


@pytest.mark.parametrize(("size", "k", "s", "p", "d", "g"), GRID)
def test_p33_convolutions_that_do_not_come_out_even(size: int, k: int, s: int, p: int, d: int, g: int) -> None:
    rng = np.random.default_rng(0)
    x, kernel = rng.normal(size=(2, size, size, 4)), rng.normal(size=(k, k, 4 // g, 4))
    expected = convolved(x, kernel, s, p, d, g)
    delta = rng.normal(size=expected.shape)
    value, first, second = pair(Conv2D(A, B, (s, s), (p, p), (d, d), g), x, kernel, delta)
    np.testing.assert_allclose(value, expected, atol=1e-12)
    assert (first.shape, second.shape) == (x.shape, kernel.shape)
    # It is linear in each operand: the deltas' product with any direction is that of the output's.
    for _ in range(2):
        along, across = rng.normal(size=x.shape), rng.normal(size=kernel.shape)
        assert np.sum(first * along) == pytest.approx(np.sum(delta * convolved(along, kernel, s, p, d, g)))
        assert np.sum(second * across) == pytest.approx(np.sum(delta * convolved(x, across, s, p, d, g)))


@pytest.mark.parametrize(("size", "k", "s", "p"), [(32, 5, 2, 0), (16, 7, 3, 2)])
def test_p33_the_gradient_has_the_size_of_the_image(size: int, k: int, s: int, p: int) -> None:
    x = Input(np.ones((1, size, size, 1)))
    with Conv2D(X(), np.ones((k, k, 1, 1)), (s, s), (p, p)).forward(x) as tape:
        gradient = tape.gradients(np.ones(tape.value.shape))[x]
    assert gradient.shape == (1, size, size, 1)
    out = (size + 2 * p - k) // s + 1
    inside = sum(1 for i in range(out) for r in range(k) if 0 <= i * s + r - p < size)
    assert gradient.sum() == inside**2


def test_p33_a_dilation_of_0_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Conv2D\.dilation = \(0, 1\) is not allowed: .*at least 1"):
        Conv2D(X(), np.ones((3, 3, 1, 1)), dilation=(0, 1))


def test_p1_the_tuple_form_gives_the_same() -> None:
    value, first, second = pair(Tuple((Times(A, B), B)), 2.0, 3.0, (1.0, 10.0))
    assert value == (6.0, 3.0)
    assert (first, second) == (3.0, 12.0)
