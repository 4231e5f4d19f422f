"""NumPy's protocols: ufuncs and functions of NumPy build formulas, or say why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symbolic as sy
from layertree import DTypeError
from layertree.typing import ArraySpec
from symbolic import Symbolic, placeholder
from tests.symbolic.support import array_of

DATA = np.array([[0.5, 1.0, 2.5], [3.0, 0.25, 1.5]], np.float32)
OTHER = np.array([[1.5, 1.0, 2.0], [0.5, 0.25, 3.5]], np.float32)

UFUNCS_OF_ONE = [np.exp, np.log, np.sin, np.cos, np.sqrt, np.tanh, np.floor, np.sign, np.abs, np.negative, np.square]
UFUNCS_OF_TWO = [
    np.add,
    np.subtract,
    np.multiply,
    np.divide,
    np.floor_divide,
    np.remainder,
    np.power,
    np.maximum,
    np.minimum,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
    np.equal,
    np.not_equal,
]


def same(formula: Any, data: Any, wanted: Any) -> None:
    """A formula, whose value for some data is NumPy's, of the dtype and shape that it promised."""
    assert isinstance(formula, Symbolic)
    given = formula.predict(data)
    assert given.dtype == formula.dtype == np.asarray(wanted).dtype
    assert given.shape == np.shape(wanted)
    np.testing.assert_allclose(given, wanted, rtol=1e-6)


@pytest.mark.parametrize("ufunc", UFUNCS_OF_ONE)
def test_ufuncs_of_one_operand(ufunc: Any) -> None:
    same(ufunc(array_of(2, 3)), DATA, ufunc(DATA))


@pytest.mark.parametrize("ufunc", UFUNCS_OF_TWO)
def test_ufuncs_of_two_operands(ufunc: Any) -> None:
    x = array_of(2, 3)
    same(ufunc(x, OTHER), DATA, ufunc(DATA, OTHER))
    same(ufunc(OTHER, x), DATA, ufunc(OTHER, DATA))
    same(ufunc(x, 2.0), DATA, ufunc(DATA, 2.0))


def test_ufuncs_on_booleans() -> None:
    x = array_of(2, 3)
    same(np.bitwise_and(x > 1.0, x < 2.0), DATA, np.bitwise_and(DATA > 1.0, DATA < 2.0))
    same(np.invert(x > 1.0), DATA, ~(DATA > 1.0))


def test_positive_and_divmod() -> None:
    x = array_of(2, 3)
    assert np.positive(x) is x
    for formula, wanted in zip(np.divmod(x, OTHER), np.divmod(DATA, OTHER), strict=True):
        same(formula, DATA, wanted)


@pytest.mark.parametrize("scalar", [np.float32(2.0), np.float64(2.0), np.int8(2)])
def test_scalars_on_the_left(scalar: Any) -> None:
    x = array_of(2, 3)
    same(scalar * x, DATA, scalar * DATA)
    same(scalar - x, DATA, scalar - DATA)
    assert isinstance((scalar * x).layer.operand1.data, type(scalar))  # type: ignore[attr-defined]  # a Times


def test_matrix_products() -> None:
    x = array_of(2, 3)
    same(np.matmul(OTHER.T, x), DATA, OTHER.T @ DATA)
    same(OTHER.T @ x, DATA, OTHER.T @ DATA)
    same(x @ OTHER.T, DATA, DATA @ OTHER.T)


FUNCTIONS: list[tuple[str, Callable[[Any], Any]]] = [
    ("sum", lambda x: np.sum(x)),
    ("sum-axis", lambda x: np.sum(x, axis=0)),
    ("sum-by-position", lambda x: np.sum(x, 1)),
    ("sum-axes-kept", lambda x: np.sum(x, axis=(0, 1), keepdims=True)),
    ("mean", lambda x: np.mean(x, axis=1)),
    ("max", lambda x: np.max(x, axis=1)),
    ("amax", lambda x: np.amax(x, axis=1)),
    ("min", lambda x: np.min(x, 0)),
    ("amin", lambda x: np.amin(x)),
    ("argmax", lambda x: np.argmax(x, axis=1)),
    ("argmax-flat", lambda x: np.argmax(x)),
    ("argmax-flat-kept", lambda x: np.argmax(x, keepdims=True)),
    ("where", lambda x: np.where(x > 1.0, x, 0.0)),
    ("where-array", lambda x: np.where(OTHER > 1.0, x, OTHER)),
    ("concatenate", lambda x: np.concatenate([x, x])),
    ("concatenate-axis", lambda x: np.concatenate([x, OTHER], axis=1)),
    ("concatenate-by-position", lambda x: np.concatenate((OTHER, x), 1)),
    ("concat", lambda x: np.concat([x, 2.0 * x])),
    ("stack", lambda x: np.stack([x, OTHER], axis=1)),
    ("reshape", lambda x: np.reshape(x, (3, 2))),
    ("reshape-rest", lambda x: np.reshape(x, (-1,))),
    ("transpose", lambda x: np.transpose(x, (1, 0))),
    ("permute_dims", lambda x: np.permute_dims(x, (1, 0))),
    ("matrix_transpose", lambda x: np.matrix_transpose(x)),
    ("expand_dims", lambda x: np.expand_dims(x, 1)),
    ("squeeze", lambda x: np.squeeze(np.expand_dims(x, 1), 1)),
    ("squeeze-axis", lambda x: np.squeeze(np.expand_dims(x, 0), axis=(0,))),
    ("take", lambda x: np.take(x, [2, 0], axis=1)),
    ("take-by-position", lambda x: np.take(x, np.array([[1, 0]]), 0)),
    ("broadcast_to", lambda x: np.broadcast_to(x, (2, 2, 3))),
    ("zeros_like", lambda x: np.zeros_like(x)),
    ("ones_like", lambda x: np.ones_like(x)),
]


@pytest.mark.parametrize("call", [call for _, call in FUNCTIONS], ids=[name for name, _ in FUNCTIONS])
def test_functions(call: Callable[[Any], Any]) -> None:
    same(call(array_of(2, 3)), DATA, call(DATA))


def test_a_look_up_in_an_array_by_a_formula() -> None:
    i = array_of(None, dtype=np.int64)
    rows = np.array([1, 1, 0])
    same(sy.take(DATA, i), rows, DATA[rows])
    # NumPy asks the array alone, not the indices.
    with pytest.raises(TypeError, match="is no array before it runs"):
        np.take(DATA, i, axis=0)


def test_both_operands_are_formulas() -> None:
    x, y = placeholder((ArraySpec((2, 3), np.float32), ArraySpec((2, 3), np.float32)))
    assert_array_equal(np.maximum(x, y).predict((DATA, OTHER)), np.maximum(DATA, OTHER))
    assert_array_equal(np.where(x > y, x, y).predict((DATA, OTHER)), np.maximum(DATA, OTHER))
    assert_array_equal(np.concat([x, y]).predict((DATA, OTHER)), np.concat([DATA, OTHER]))


# What builds no formula says so, and what does.


def _into_an_array(x: Any) -> None:
    y = np.zeros((2, 3), np.float32)
    y += x


REFUSED: list[tuple[str, Callable[[Any], Any], str]] = [
    ("reduce", lambda x: np.add.reduce(x), r"np\.add\.reduce builds no formula: np\.add does, and sum, mean, max"),
    ("accumulate", lambda x: np.multiply.accumulate(x), r"np\.multiply\.accumulate builds no formula"),
    ("outer", lambda x: np.multiply.outer(x, x), r"np\.multiply\.outer builds no formula"),
    ("at", lambda x: np.add.at(np.zeros(3), [0], x), r"np\.add\.at builds no formula"),
    ("out", lambda x: np.exp(x, out=np.zeros((2, 3))), r"np\.exp cannot write a formula into an array.*drop out"),
    ("in-place", _into_an_array, r"np\.add cannot write a formula into an array.*y = y \+ formula"),
    ("where", lambda x: np.exp(x, where=True), r"np\.exp builds no formula with where=True"),
    ("dtype", lambda x: np.exp(x, dtype=float), r"np\.exp builds no formula with dtype=<class 'float'>"),
    ("unknown-ufunc", lambda x: np.heaviside(x, x), r"np\.heaviside builds no formula\. The ufuncs that do: .*exp"),
    ("several-outputs", lambda x: np.modf(x), r"np\.modf builds no formula"),
    ("einsum", lambda x: np.einsum("ij->i", x), r"np\.einsum builds no formula.*concatenate.*reshape"),
    ("norm", lambda x: np.linalg.norm(x), r"np\.linalg\.norm builds no formula"),
    ("allclose", lambda x: np.allclose(x, x), r"np\.allclose builds no formula"),
    ("mean-dtype", lambda x: np.mean(x, dtype=float), r"np\.mean builds mean\(x, axis, keepdims\): .*'dtype'"),
    ("sum-out", lambda x: np.sum(x, out=np.zeros(())), r"np\.sum builds sum\(x, axis, keepdims\): .*'out'"),
    ("sum-too-many", lambda x: np.sum(x, 0, float), r"np\.sum builds sum\(x, axis, keepdims\): too many"),
    ("where-alone", lambda x: np.where(x > 0.0), r"np\.where builds where\(condition, then, otherwise\): missing"),
    ("transpose", lambda x: np.transpose(x), r"np\.transpose builds permute_dims\(x, axes\): missing"),
    ("take-flat", lambda x: np.take(x, [0]), r"np\.take without an axis reads the flattened array"),
    ("asarray", lambda x: np.asarray(x), r"x is no array before it runs: formula\.predict\(data\) gives one"),
    ("float-array", lambda x: np.array([x, x], dtype=float), "is no array before it runs"),
    ("index-of-array", lambda x: np.ones(3)[x], "is no array before it runs"),
    ("full", lambda x: np.full(3, x), "is no array before it runs"),
]


@pytest.mark.parametrize(
    ("call", "words"), [(call, words) for _, call, words in REFUSED], ids=[name for name, _, _ in REFUSED]
)
def test_what_builds_no_formula(call: Callable[[Any], Any], words: str) -> None:
    with pytest.raises(TypeError, match=words) as caught:
        call(array_of(2, 3))
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.array([x, x]),
        lambda x: np.array([x, x], dtype=object),
        lambda x: np.asarray([[x], [1.0]]),
        lambda x: np.array([1.0, 2.0]) * x,
        lambda x: np.array([1.0, 2.0]) @ x,
        lambda x: np.add(np.ones(2), x),
        lambda x: np.frompyfunc(abs, 1, 1)(x),
        lambda x: np.vectorize(abs)(x),
        lambda x: np.array([1.0, None]) * x,
        lambda x: np.stack([np.ones(2), x]),
    ],
)
def test_a_formula_never_ends_up_in_an_array(make: Callable[[Any], Any]) -> None:
    try:
        made = make(array_of(2))
    except TypeError:
        return
    assert isinstance(made, Symbolic)
    assert made.dtype.kind == "f"


def test_wrong_operands_of_functions_are_errors_of_the_formula() -> None:
    with pytest.raises(DTypeError, match="cannot be computed with"):
        np.maximum(array_of(2), "text")
    with pytest.raises(DTypeError, match="cannot be computed with"):
        np.concatenate([array_of(2), np.array(["text"])])


def test_the_namespace_is_this_package() -> None:
    x = array_of(2, 3)
    xp = x.__array_namespace__()
    assert xp is sy
    assert str(xp.exp(x)) == "exp(x)"
    assert x.__array_namespace__(api_version="2024.12") is sy
