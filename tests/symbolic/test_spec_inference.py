"""What NumPy takes a formula takes, and what NumPy refuses is refused: when it is built, or else with the data.

Shapes are drawn, and some of their sizes are hidden from the formula.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symbolic as sy
from layertree import DTypeError, IndexRangeError, Input, Layer, ShapeError, layer, operand
from layertree.core.spec import spec_of
from layertree.namespaces.spec import infer
from layertree.typing import ArraySpec
from symbolic import placeholder
from symbolic.building.operations import apply_layer
from tests.symbolic.support import array_of

Calls = tuple[Callable[..., Any], Callable[..., Any]]

SHAPE = st.lists(st.sampled_from([0, 1, 1, 2, 2, 3]), min_size=1, max_size=4).map(tuple)
AXIS = st.integers(-4, 3)
REDUCTIONS: list[tuple[Any, Any]] = [(sy.sum, np.sum), (sy.mean, np.mean), (sy.max, np.max), (sy.min, np.min)]
SLICE = st.builds(
    slice,
    st.sampled_from([None, -2, 0, 1, 5]),
    st.sampled_from([None, -1, 0, 2, 9]),
    st.sampled_from([None, 1, -1, 2, -3]),
)
INDEX = st.lists(st.one_of(st.integers(-3, 2), SLICE, st.none(), st.just(...)), max_size=4).map(tuple)


def of_one(ours: Callable[..., Any], theirs: Callable[..., Any], *options: Any) -> Calls:
    """The same call of both."""
    return (lambda x, y: ours(x, *options)), (lambda x, y: theirs(x, *options))


CALLS: st.SearchStrategy[Calls] = st.one_of(
    st.sampled_from([(np.add, np.add), (np.subtract, np.subtract), (np.maximum, np.maximum), (np.less, np.less)]),
    st.just((np.matmul, np.matmul)),
    st.builds(
        lambda pair, axis, keep: of_one(
            lambda x: pair[0](x, axis=axis, keepdims=keep), lambda x: pair[1](x, axis=axis, keepdims=keep)
        ),
        st.sampled_from(REDUCTIONS),
        st.one_of(st.none(), AXIS, st.tuples(AXIS, AXIS)),
        st.booleans(),
    ),
    AXIS.map(lambda axis: of_one(lambda x: sy.argmax(x, axis=axis), lambda x: np.argmax(x, axis=axis))),
    AXIS.map(lambda axis: of_one(lambda x: sy.expand_dims(x, axis=axis), lambda x: np.expand_dims(x, axis))),
    AXIS.map(lambda axis: (lambda x, y: sy.concat([x, y], axis=axis), lambda x, y: np.concatenate([x, y], axis))),
    AXIS.map(lambda axis: (lambda x, y: sy.stack([x, y], axis=axis), lambda x, y: np.stack([x, y], axis))),
    AXIS.map(lambda axis: of_one(lambda x: sy.take(x, [0, -1], axis=axis), lambda x: np.take(x, [0, -1], axis=axis))),
    st.lists(st.sampled_from([-1, 0, 1, 2, 3, 4, 6]), max_size=3).map(
        lambda shape: of_one(sy.reshape, np.reshape, tuple(shape))
    ),
    st.permutations(range(3)).map(lambda axes: of_one(sy.permute_dims, np.transpose, tuple(axes))),
    SHAPE.map(lambda shape: of_one(sy.broadcast_to, np.broadcast_to, shape)),
    INDEX.map(lambda index: of_one(lambda x: x[index], lambda x: x[index])),
    st.just(of_one(sy.matrix_transpose, np.matrix_transpose)),
)


@settings(max_examples=600)
@given(CALLS, SHAPE, st.one_of(st.none(), SHAPE), st.lists(st.booleans(), min_size=8, max_size=8), st.booleans())
def test_as_numpy_has_it(calls: Calls, first: Any, second: Any, hidden: list[bool], same: bool) -> None:
    ours, theirs = calls
    shapes = first, first if second is None else second
    dtypes = np.float32, np.float32 if same else np.int64
    data = tuple(
        np.arange(np.prod(shape), dtype=dtype).reshape(shape) for shape, dtype in zip(shapes, dtypes, strict=True)
    )
    flags = iter(hidden)
    specs = tuple(
        ArraySpec(tuple(None if next(flags) else size for size in shape), dtype)
        for shape, dtype in zip(shapes, dtypes, strict=True)
    )
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy has a word on the mean of nothing
            wanted: Any = theirs(*data)
    except (ValueError, TypeError, IndexError):
        wanted = None
    try:
        formula = ours(*placeholder(tuple(specs)))
        found = formula.predict(tuple(data))
    except (ShapeError, DTypeError, IndexRangeError):
        assert wanted is None
        return
    assert wanted is not None
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    assert formula.dtype == wanted.dtype
    assert len(formula.shape) == wanted.ndim
    assert all(dim is None or dim == size for dim, size in zip(formula.shape, wanted.shape, strict=True))
    if not any(hidden):
        assert formula.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


NAMED: list[tuple[tuple[Any, ...], tuple[Any, ...], Any]] = [
    (("A",), ("A",), ("A",)),
    (("A",), (4,), (4,)),
    ((4,), ("A",), (4,)),
    (("A",), (None,), ("A",)),
    ((None,), ("A",), ("A",)),
    (("A",), (1,), ("A",)),
    ((1,), ("A",), ("A",)),
    ((None,), (4,), (4,)),
    ((4,), (None,), (4,)),
    ((None,), (1,), (None,)),
    ((None,), (None,), (None,)),
    (("A", 1), ("B",), ("A", "B")),
    (("A",), ("B",), None),
    ((3,), (4,), None),
    (("A", "B"), ("B",), ("A", "B")),
    (("A", "B"), ("A",), None),
]


@pytest.mark.parametrize(("first", "second", "wanted"), NAMED)
def test_names_and_unknown_sizes_broadcast(first: Any, second: Any, wanted: Any) -> None:
    x, y = placeholder((ArraySpec(first), ArraySpec(second)))
    if wanted is None:
        with pytest.raises(ShapeError, match="do not broadcast"):
            x + y
    else:
        assert (x + y).shape == wanted


def test_names_go_through_products_and_joins() -> None:
    x, y = placeholder((ArraySpec(("N", "F")), ArraySpec(("F", "H"))))
    assert (x @ y).shape == ("N", "H")
    assert sy.concat([x, x], axis=0).shape == (None, "F")
    assert sy.concat([x, sy.expand_dims(y[:, 0], axis=0)]).shape == (None, "F")
    assert sy.stack([x, x]).shape == (2, "N", "F")
    assert sy.sum(x, axis=0).shape == ("F",)
    assert sy.mean(x, axis=1, keepdims=True).shape == ("N", 1)
    assert x.T.shape == ("F", "N")
    assert x[:, None].shape == ("N", 1, "F")
    assert sy.reshape(x, (-1, 2)).shape == (None, 2)
    with pytest.raises(ShapeError, match="the last axis of the first is F, so the second last axis of the second"):
        x @ x
    with pytest.raises(ShapeError, match=r"operand 1 is .*, but operand 0 is"):
        sy.concat([x, y], axis=0)


NUMBERS: dict[type, list[Any]] = {float: [0.0, -1.5, math.inf, math.nan], int: [0, 3, -2], bool: [True, False]}
UNARY = [
    sy.exp,
    sy.log,
    sy.sqrt,
    sy.tanh,
    sy.floor,
    sy.sign,
    sy.negative,
    abs,
    sy.relu,
    sy.sigmoid,
    sy.sum,
    sy.mean,
    sy.max,
]
BINARY = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
    *(operator.lt, operator.eq, operator.and_, operator.or_, operator.xor, sy.maximum, sy.minimum),
]


@pytest.mark.parametrize("function", UNARY)
@pytest.mark.parametrize("kind", NUMBERS)
def test_the_kind_of_one_number(function: Callable[..., Any], kind: type) -> None:
    try:
        formula = function(placeholder(kind))
    except DTypeError:
        with pytest.raises(TypeError):
            np.asarray(function(np.ones(1, kind)))
        return
    for number in NUMBERS[kind]:
        assert repr(formula.spec) == type(formula.predict(number)).__name__


@pytest.mark.parametrize("function", BINARY)
@pytest.mark.parametrize("kinds", list(product(NUMBERS, NUMBERS)), ids=str)
def test_the_kind_of_two_numbers(function: Callable[..., Any], kinds: tuple[type, type]) -> None:
    try:
        formula = function(*placeholder(kinds))
    except DTypeError:
        with pytest.raises(TypeError):
            np.asarray(function(np.ones(1, kinds[0]), np.ones(1, kinds[1])))
        return
    for numbers in product(*map(NUMBERS.__getitem__, kinds)):
        assert repr(formula.spec) == type(formula.predict(numbers)).__name__


@pytest.mark.parametrize("kinds", list(product(NUMBERS, NUMBERS)), ids=str)
def test_the_kind_of_a_choice_of_numbers(kinds: tuple[type, type]) -> None:
    c, a, b = placeholder((bool, *kinds))
    formula = sy.where(c, a, b)
    for numbers in product(NUMBERS[bool], *map(NUMBERS.__getitem__, kinds)):
        value = formula.predict(numbers)
        assert repr(formula.spec) == type(value).__name__
        np.testing.assert_equal(float(value), float(numbers[1] if numbers[0] else numbers[2]))


MOVED: list[tuple[str, Callable[[Any], Any]]] = [
    ("reshape-()", lambda x: sy.reshape(x, ())),
    ("reshape-(1,)", lambda x: sy.reshape(x, (1,))),
    ("broadcast_to-()", lambda x: sy.broadcast_to(x, ())),
    ("broadcast_to-(2,)", lambda x: sy.broadcast_to(x, (2,))),
    ("permute_dims", lambda x: sy.permute_dims(x, ())),
    ("index-()", lambda x: x[()]),
    ("index-...", lambda x: x[...]),
    ("index-None", lambda x: x[None]),
    ("expand_dims", lambda x: sy.expand_dims(x, axis=0)),
    ("sum", lambda x: sy.sum(x, axis=())),
    ("mean", lambda x: sy.mean(x)),
    ("max-kept", lambda x: sy.max(x, keepdims=True)),
    ("zeros_like", lambda x: sy.zeros_like(x)),
    ("astype", lambda x: sy.astype(x, np.float32)),
    ("stack", lambda x: sy.stack([x, 2.0 * x])),
]


@pytest.mark.parametrize("move", [move for _, move in MOVED], ids=[name for name, _ in MOVED])
def test_numbers_that_move(move: Callable[[Any], Any]) -> None:
    formula = move(placeholder(float))
    value = formula.predict(1.5)
    assert spec_of(value) == formula.spec
    np.testing.assert_allclose(np.unique(value), np.unique(move(array_of(dtype=np.float64)).predict(np.float64(1.5))))


@layer
class Doubled(Layer):
    """A black box: its tape computes by itself."""

    operand1: Layer = operand()
    operand2: Layer = operand()

    def tape(self, xp: Any, *upstream: Any) -> Any:
        return Input(2.0 * upstream[0].value)


@layer
class Weighed(Doubled):
    """A black box that says what it gives."""

    def spec(self, first: Any, second: Any) -> Any:
        return second


def test_a_black_box_gives_what_its_first_operand_is_unless_it_says_so() -> None:
    x, y = placeholder((ArraySpec((2,)), ArraySpec(("N", 3), np.float32)))
    assert apply_layer(Doubled, x, y).spec == x.spec
    assert apply_layer(Weighed, x, y).spec == y.spec
    data = (np.array([1.0, 2.0]), np.ones((1, 3), np.float32))
    assert (apply_layer(Doubled, x, y) + 1.0).predict(data).tolist() == [3.0, 5.0]


@layer
class Larger(Layer):
    """Two numbers compared."""

    operand1: Layer = operand()
    operand2: Layer = operand()

    def compute(self, xp: Any, a: Any, b: Any) -> Any:
        return xp.greater(a, b)


@layer
class Both(Larger):
    """Of the same operands the sum."""

    def compute(self, xp: Any, a: Any, b: Any) -> Any:
        return xp.add(a, b)


def test_what_a_class_makes_of_numbers_is_its_own() -> None:
    one, other = Larger(2.0, 3.0), Both(2.0, 3.0)
    number, flag = spec_of(2.0), spec_of(True)
    for _ in range(2):  # the second time it is known
        assert infer(one, [number, number]) == flag
        assert infer(other, [number, number]) == number
        assert infer(other, [number, flag]) == number
        assert infer(other, [spec_of(1), spec_of(1)]) == spec_of(1)
        assert infer(other, [number, ArraySpec((2,))]) == ArraySpec((2,))
        with pytest.raises(DTypeError):
            infer(other, [number, (number, number)])
