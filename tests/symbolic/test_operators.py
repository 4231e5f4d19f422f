"""Every operator of Python, in both orders, with all that can stand beside a formula."""

from __future__ import annotations

import datetime
import math
import operator
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symbolic as sy
from layertree import SGD, DTypeError, Exp, Gradients, Identity, Input, Literal, Plus, ShapeError, set_optimizers
from layertree.typing import ArraySpec
from symbolic import Symbolic, literal, placeholder, stack, take, weight
from tests.symbolic.support import array_of

BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]
BITWISE = [operator.and_, operator.or_, operator.xor]
FLOATS = np.array([0.5, 1.0, 2.5, 3.0], np.float32)
BESIDE = [2.0, 2, np.float32(2.0), np.float64(2.0), np.int64(2), np.array([1.0, 2.0, 2.5, 0.5], np.float32)]


def same(given: Any, wanted: Any) -> None:
    """Equal values of one dtype."""
    assert np.asarray(given).dtype == np.asarray(wanted).dtype
    assert_array_equal(given, wanted)


@pytest.mark.parametrize("function", BINARY)
@pytest.mark.parametrize("other", BESIDE, ids=lambda other: f"{type(other).__name__}-{np.ndim(other)}")
def test_both_orders_with_numbers_and_arrays(function: Callable[..., Any], other: Any) -> None:
    x = array_of(4)
    right, left = function(x, other), function(other, x)
    assert isinstance(right, Symbolic)
    assert isinstance(left, Symbolic)
    same(right.predict(FLOATS), function(FLOATS, other))
    same(left.predict(FLOATS), function(other, FLOATS))
    assert right.dtype == function(FLOATS, other).dtype
    assert left.dtype == function(other, FLOATS).dtype
    assert right.shape == left.shape == (4,)


@pytest.mark.parametrize("function", BINARY)
def test_both_orders_with_weights_and_formulas(function: Callable[..., Any]) -> None:
    x, kept = array_of(4), np.array([1.5, 2.0, 2.5, 0.5], np.float32)
    w = weight(kept)
    same(function(x, w).predict(FLOATS), function(FLOATS, kept))
    same(function(w, x).predict(FLOATS), function(kept, FLOATS))
    a, b = placeholder((ArraySpec((4,), np.float32), ArraySpec((4,), np.float32)))
    same(function(a, b).predict((FLOATS, kept)), function(FLOATS, kept))
    same(function(b, a).predict((FLOATS, kept)), function(kept, FLOATS))


@pytest.mark.parametrize("function", BINARY)
def test_python_numbers_stay_python_numbers(function: Callable[..., Any]) -> None:
    x = placeholder(float)
    for formula, wanted in [(function(x, 2.0), function(3.0, 2.0)), (function(2.0, x), function(2.0, 3.0))]:
        assert formula.predict(3.0) == wanted
        assert type(formula.predict(3.0)) is type(wanted)


@pytest.mark.parametrize("function", BITWISE)
@pytest.mark.parametrize("other", [True, np.True_, np.array([True, False, True])], ids=["bool", "bool_", "array"])
def test_bitwise_on_booleans(function: Callable[..., Any], other: Any) -> None:
    data = np.array([True, True, False])
    x = array_of(3, dtype=np.bool_)
    same(function(x, other).predict(data), function(data, other))
    same(function(other, x).predict(data), function(other, data))


@pytest.mark.parametrize("function", BITWISE)
def test_bitwise_on_integers(function: Callable[..., Any]) -> None:
    data = np.array([12, 7, 1])
    x = array_of(3, dtype=np.int64)
    same(function(x, 10).predict(data), function(data, 10))
    same(function(10, x).predict(data), function(10, data))
    assert str(function(10, x)).startswith("10 ")


@pytest.mark.parametrize(
    ("function", "data"),
    [
        (operator.neg, np.array([1.5, -2.0], np.float32)),
        (operator.pos, np.array([1.5, -2.0], np.float32)),
        (abs, np.array([1.5, -2.0], np.float32)),
        (operator.invert, np.array([True, False])),
        (operator.invert, np.array([1, -7])),
    ],
)
def test_unary(function: Callable[..., Any], data: Any) -> None:
    x = array_of(2, dtype=data.dtype)
    same(function(x).predict(data), function(data))


def test_plus_is_the_formula_itself() -> None:
    x = placeholder(float)
    assert +x is x


@pytest.mark.parametrize("other", [2.0, np.float32(2.0), np.array([1.0, 2.0, 2.5, 0.5], np.float32)])
def test_divmod(other: Any) -> None:
    x = array_of(4)
    for (quotient, rest), wanted in [
        (divmod(x, other), divmod(FLOATS, other)),
        (divmod(other, x), divmod(other, FLOATS)),
    ]:
        same(quotient.predict(FLOATS), wanted[0])
        same(rest.predict(FLOATS), wanted[1])


def test_matrix_products_in_both_orders() -> None:
    data, kernel = np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(9, dtype=np.float32).reshape(3, 3)
    x, w = array_of(None, 3), weight(kernel)
    same((x @ kernel).predict(data), data @ kernel)
    same((x @ w).predict(data), data @ kernel)
    v = array_of(3, None)
    same((kernel @ v).predict(data.T), kernel @ data.T)
    same((w @ v).predict(data.T), kernel @ data.T)


def test_a_weak_number_never_promotes() -> None:
    x = array_of(2)
    for formula in (1 + x, x * 2.5, 2**x, True + x, x / 3, sum([x, x])):
        assert formula.dtype == formula.predict(np.ones(2, np.float32)).dtype == np.float32


def test_sum_of_a_list_of_formulas() -> None:
    x, y = placeholder((ArraySpec((2,), np.float32), ArraySpec((2,), np.float32)))
    total = sum([x, y])
    same(total.predict((np.array([1, 2], np.float32), np.array([5, 7], np.float32))), np.array([6, 9], np.float32))
    a, b = placeholder((float, float))
    assert sum([a, b]).predict((1.5, 2.0)) == 3.5


def test_augmented_assignment_builds_a_new_formula() -> None:
    x = y = placeholder(float)
    y += 1.0
    y *= 2.0
    assert x.predict(3.0) == 3.0
    assert y.predict(3.0) == 8.0


def test_a_list_is_an_array() -> None:
    x = array_of(3, dtype=np.float64)
    same((x - [1.0, 2.0, 3.0]).predict(np.ones(3)), np.array([0.0, -1.0, -2.0]))
    same(([1, 2, 3] * x).predict(np.ones(3)), np.array([1.0, 2.0, 3.0]))


def test_a_layer_beside_a_formula_has_its_input() -> None:
    x = placeholder(float)
    assert (x + Exp(Identity())).predict(0.0) == 1.0
    assert (Exp(Identity()) + x).predict(0.0) == 1.0
    with pytest.raises(DTypeError, match=r"Exp\(Identity\(\)\) has no spec for its input: wrap\(layer, spec\)"):
        literal(1.0) + Exp(Identity())


# What a formula cannot be before it runs.

ADVICE = [
    (bool, r"x has no truth value before it runs: if_\(condition, then, otherwise\) and where"),
    (lambda x: x and 1.0, "no truth value"),
    (lambda x: not x, "no truth value"),
    (lambda x: 0.0 < x < 1.0, "& and | combine comparisons"),
    (lambda x: 1.0 if x > 0.0 else 2.0, r"x > 0\.0 has no truth value"),
    (lambda x: min(x, 1.0), "no truth value"),
    (lambda x: x + 1.0 in [x, 2.0], r"f\.layer == g\.layer"),
    (list, r"cannot be iterated over before it runs: take parts by index"),
    (lambda x: (lambda a, b: a)(*x), "cannot be iterated over"),
    (len, r"no len\(\): see formula\.shape"),
    (reversed, r"no len\(\)"),
    (lambda x: 1.0 in x, "'in' has no answer"),
    (float, r"x is no number before it runs: formula\.predict\(data\) gives one"),
    (int, "is no number"),
    (complex, "is no number"),
    (range, "is no number"),
    (math.exp, "is no number"),
    (lambda x: [1, 2][x], "is no number"),
]


@pytest.mark.parametrize(("use", "words"), ADVICE)
def test_what_needs_a_value_says_what_to_do_instead(use: Callable[..., Any], words: str) -> None:
    with pytest.raises(TypeError, match=words.replace("|", r"\|")):
        use(placeholder(float))


def test_a_formula_never_changes() -> None:
    x = placeholder(float)
    with pytest.raises(AttributeError, match="a formula never changes: spec cannot be set"):
        x.spec = 3
    with pytest.raises(AttributeError, match="a formula never changes: layer cannot be deleted"):
        del x.layer
    with pytest.raises(TypeError, match="item assignment"):
        x[0] = 1.0


@pytest.mark.parametrize(
    ("build", "name", "way"),
    [
        (lambda x: weight(1.0), "value", "formula.layer.set(value) rebinds the value of a weight"),
        (lambda x: weight(1.0), "optimizer", "set_optimizers(formula, {'**': ...}) gives a weight another optimizer"),
        (lambda x: x * 2.0, "operand2", "formula.at('operand2').set(...) gives another formula"),
        (
            lambda x: sy.sum(x),
            "axis",
            "formula.with_layer(attrs.evolve(formula.layer, axis=...)) gives another formula",
        ),
        (lambda x: x * 2.0, "layer", "formula.with_layer(layer) gives another formula"),
        (lambda x: x * 2.0, "value", ""),
    ],
    ids=["value", "optimizer", "operand", "attribute", "layer", "other"],
)
def test_an_assignment_names_the_way_out(build: Callable[[Any], Any], name: str, way: str) -> None:
    formula = build(placeholder(float))
    with pytest.raises(AttributeError) as caught:
        setattr(formula, name, 2.0)
    assert str(caught.value) == f"a formula never changes: {name} cannot be set" + (f"; {way}" if way else "")


def test_the_ways_out_of_an_assignment_are_there() -> None:
    w = weight(1.0)
    w.layer.set(2.0)
    set_optimizers(w, {"**": SGD(0.5)})
    assert (w.value, w.layer.optimizer) == (2.0, SGD(0.5))
    rows = placeholder(ArraySpec((2, 3)))
    doubled, total = rows * 2.0, sy.sum(rows, axis=0)
    assert doubled.at("operand2").set(3.0).layer == (rows * 3.0).layer
    assert total.with_layer(attrs.evolve(total.layer, axis=1)).shape == (2,)


# What cannot stand beside a formula.

WRONG = [
    None,
    "text",
    b"text",
    1j,
    np.complex64(1j),
    np.ones(4, complex),
    np.array([1, None]),
    np.array([1.0, 2.0], object),
    np.array(["text"]),
    np.datetime64("2020-01-01"),
    np.array(["2020-01-01"], "M8[D]"),
    np.zeros(4, [("field", float)]),
    Fraction(1, 2),
    Decimal("1.5"),
    datetime.timedelta(1),
    {},
    {1.0},
    float,
    len,
    ...,
    slice(1),
    (1.0, 2.0),
    [[1.0], [2.0, 3.0]],
    np.ma.array([1.0, 2.0, 3.0, 4.0], mask=[0, 1, 0, 0]),
    Input(3.0),
    object(),
]


@pytest.mark.parametrize("other", WRONG, ids=lambda other: type(other).__name__)
@pytest.mark.parametrize("function", [operator.add, operator.matmul, operator.le])
def test_wrong_operands_are_one_clear_error(function: Callable[..., Any], other: Any) -> None:
    x = array_of(4)
    for operands in ((x, other), (other, x)):
        with pytest.raises(TypeError) as caught:
            function(*operands)
        assert caught.value.__cause__ is None
        # Each message offers a way out: data that fits, or how to get there.
        assert any(word in str(caught.value) for word in ("give", "data are", "use ", "a tuple", "predict", "cast"))


def test_a_matrix_is_no_array() -> None:
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix([[1.0, 2.0]])
    x = array_of(2)
    for build in (lambda: x * matrix, lambda: matrix * x, lambda: x + matrix):
        with pytest.raises(DTypeError, match=r"matrix computes by rules of its own.*np\.asarray\(matrix\)"):
            build()


def test_other_subclasses_of_arrays_are_arrays() -> None:
    class Named(np.ndarray):
        pass

    data = np.array([1.0, 2.0]).view(Named)
    formula = array_of(2, dtype=np.float64) * data
    assert type(formula.layer.operand2.data) is np.ndarray  # type: ignore[attr-defined]  # a Times
    same(formula.predict(np.array([3.0, 4.0])), np.array([3.0, 8.0]))


def test_a_list_of_formulas_is_no_operand() -> None:
    x = placeholder(float)
    with pytest.raises(DTypeError, match="a list of formulas: stack or concat join them"):
        x * [x, x]


def test_integers_of_any_size() -> None:
    x = array_of(2)
    huge = 10**30
    same((x * huge).predict(np.ones(2, np.float32)), np.ones(2, np.float32) * huge)
    assert (placeholder(int) * huge).predict(3) == 3 * huge


@pytest.mark.parametrize(
    ("dtype", "number"), [(np.int8, 300), (np.uint8, -1), (np.int64, 2**70), (np.float32, 10**400)]
)
def test_integers_that_a_dtype_cannot_hold(dtype: Any, number: int) -> None:
    x = array_of(2, dtype=dtype)
    for formula in (x + number, number * x):
        with pytest.raises(DTypeError, match=r"^(add|multiply)\(.*(out of bounds|too large)"):
            formula.predict(np.ones(2, dtype))


def test_empty_arrays() -> None:
    x = array_of(None, 3)
    nothing = np.empty((0, 3), np.float32)
    same((2.0 * x + np.ones(3, np.float32)).predict(nothing), nothing)
    same((x @ weight(np.ones((3, 2), np.float32))).predict(nothing), np.empty((0, 2), np.float32))


# Formulas as keys.


def test_hash_is_that_of_the_layer() -> None:
    x = placeholder(float)
    first, second = x * 2.0, x * 2.0
    assert first is not second
    assert hash(first) == hash(second) == hash(first.layer)
    assert first.layer == second.layer
    assert first.layer != (x * 3.0).layer
    assert {first: "kept"}[first] == "kept"


def test_a_weight_looks_up_its_gradient() -> None:
    x, w, unused = placeholder(float), weight(2.0), weight(3.0)
    found = (x * w).forward(5.0).gradients()
    assert isinstance(found, Gradients)
    assert found[w] == 5.0
    assert found[w.layer] == 5.0
    assert w in found
    assert unused not in found
    with pytest.raises(KeyError, match=r"did not reach weight\(3\.0\)"):
        found[unused]


def test_what_two_placeholders_start_does_not_combine() -> None:
    x, y = placeholder(float), placeholder(float)
    for build in (
        lambda: x + y,
        lambda: stack([x, y]),
        lambda: take(array_of(3), array_of(2, dtype=np.int64)),
    ):
        with pytest.raises(
            ValueError, match=r"two different placeholder calls.*x, y = placeholder\(\(float, float\)\)"
        ):
            build()


def test_a_chain_of_twenty_thousand_operations() -> None:
    x = formula = array_of(2)
    for _ in range(20_000):
        formula = formula + 1.0
    assert formula.predict(np.zeros(2, np.float32)).tolist() == [20_000.0, 20_000.0]
    assert str(formula).splitlines()[0].endswith(" + 1.0")
    assert len(str(formula)) < 2000
    with pytest.raises(ShapeError, match=r"add\(x \+ 1\.0 \+ 1\.0"):
        Plus(formula.layer, np.ones(3)).predict(np.zeros(2, np.float32))
    with pytest.raises(ShapeError, match=r"\.\.\.: float32 \(2,\), array\(\[1\., 1\., 1\.\]\)"):
        formula + np.ones(3)
    assert x.predict(np.ones(2, np.float32)).tolist() == [1.0, 1.0]


def test_a_layer_beside_a_formula_builds_one_on_either_side() -> None:
    x = sy.placeholder(float)
    assert isinstance(x == Literal(1.0), sy.Symbolic)
    assert isinstance(Literal(1.0) == x, sy.Symbolic)


def test_the_branches_of_an_if_give_one_kind_of_data() -> None:
    x = sy.placeholder(ArraySpec((), np.float32))
    f = sy.if_(x > 0, x, 0.5)
    assert f.spec == ArraySpec((), np.float32)
    for at in (np.float32(2.0), np.float32(-2.0)):
        assert type(f.predict(at)) is np.float32
    at = Input(np.float32(2.0))
    assert type(f.forward(at).gradients()[at]) is np.float32


def test_a_name_does_not_meet_itself_on_another_axis() -> None:
    x, y = sy.placeholder((ArraySpec(("Batch", 1), np.float64), ArraySpec(("Batch",), np.float64)))
    with pytest.raises(ShapeError, match="Batch against Batch"):
        x - y
    assert (sy.expand_dims(y, axis=1) - sy.expand_dims(y, axis=0)).shape == ("Batch", "Batch")
    assert (x[:, 0] - y).shape == ("Batch",)
