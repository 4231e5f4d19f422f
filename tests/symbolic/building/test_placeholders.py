"""Placeholders and their specs, composition, copies, and data that does not fit."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, Literal, NewType

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, Exp, Identity, Input, ShapeError, Weight, parameters
from layertree.typing import ArraySpec, Bool, Float32, Float64, Int64
from symbolic import Symbolic, literal, placeholder, weight, wrap
from tests.symbolic.support import array_of

Batch = NewType("Batch", int)
Features = NewType("Features", int)

# Specs.

SPECS: list[tuple[Any, str]] = [
    (float, "float"),
    (int, "int"),
    (bool, "bool"),
    (np.float32, "float32 ()"),
    (np.bool_, "bool ()"),
    (ArraySpec((3,)), "float64 (3,)"),
    (ArraySpec(("Batch", None, np.int64(3)), np.int64), "int64 (Batch, ?, 3)"),
    (ArraySpec(()), "float64 ()"),
    (ArraySpec(5, "float32"), "float32 (5,)"),
    (ArraySpec("Batch", "f4"), "float32 (Batch,)"),
    (ArraySpec(None, "f4"), "float32 (?,)"),
    (ArraySpec([2, 3]), "float64 (2, 3)"),
    (Float32[Batch, Features], "float32 (Batch, Features)"),
    (Float64[Batch, Literal[8]], "float64 (Batch, 8)"),
    (Int64[Batch], "int64 (Batch,)"),
    (Bool[int, Any], "bool (?, ?)"),
    (Float32[()], "float32 ()"),
    (np.ndarray[tuple[Batch, int], np.dtype[np.int8]], "int8 (Batch, ?)"),
]


@pytest.mark.parametrize(("given", "shown"), SPECS, ids=[shown for _, shown in SPECS])
def test_specs(given: Any, shown: str) -> None:
    x = placeholder(given)
    assert repr(x.spec) == shown
    assert x.layer == Identity()


def test_tuples_of_specs() -> None:
    parts = placeholder((float, (Float32[Batch, Features], Int64[Batch]), int))
    assert [repr(part.spec) for part in parts] == [
        "float",
        "(float32 (Batch, Features), int64 (Batch,))",
        "int",
    ]
    assert [str(part) for part in parts] == ["x[0]", "x[1]", "x[2]"]
    assert placeholder(tuple[float, int])[1].spec == placeholder((float, int))[1].spec
    (only,) = placeholder((float,))
    assert only.predict((2.5,)) == 2.5


def test_what_a_formula_says_of_itself() -> None:
    x = placeholder(Float32[Batch, Literal[8]])
    assert (x.shape, x.ndim, x.dtype) == (("Batch", 8), 2, np.float32)
    assert x.T.shape == (8, "Batch")
    assert placeholder(float).dtype == np.float64
    assert weight(np.ones((2, 3), np.float32)).shape == (2, 3)
    assert weight(2.5).value == 2.5
    assert literal(2.5).value == 2.5
    with pytest.raises(AttributeError, match="x has a value only when it runs"):
        x.value


WRONG_SPECS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: "float", TypeError, "'float' is no spec: give float, int, bool, ArraySpec"),
    (lambda: [float, float], TypeError, "or a tuple of these"),
    (lambda: 3, TypeError, "3 is no spec"),
    (lambda: None, TypeError, "None is no spec"),
    (lambda: complex, TypeError, "is no spec"),
    (lambda: str, TypeError, "is no spec"),
    (lambda: (), TypeError, "() is no spec"),
    (lambda: (float, ()), TypeError, "() is no spec"),
    (lambda: (float, "int"), TypeError, "'int' is no spec"),
    (lambda: float | int, TypeError, "is no spec"),
    (lambda: list[float], TypeError, "is no spec"),
    (lambda: ArraySpec, TypeError, "is no spec"),
    (lambda: np.dtype("f4"), TypeError, "dtype('float32') is no spec"),
    (lambda: np.ndarray, TypeError, "is no spec"),
    (lambda: Float32, TypeError, "leaves the number of axes open"),
    (lambda: np.ndarray[tuple[Any, ...], np.dtype[np.float32]], TypeError, "leaves the number of axes open"),
    (lambda: np.ndarray[Any, np.dtype[np.float32]], TypeError, "leaves the number of axes open"),
    (lambda: np.ndarray[tuple[Batch], np.dtype[Any]], TypeError, "leaves the dtype open"),
    (lambda: Float32[Batch, str], TypeError, "<class 'str'> is no dimension"),
    (lambda: np.complex64, DTypeError, "complex64 is not allowed: give one of real numbers or of booleans"),
    (lambda: np.str_, DTypeError, "real numbers or of booleans"),
    (lambda: np.datetime64, DTypeError, "real numbers or of booleans"),
    (lambda: np.floating, DTypeError, "give a dtype, such as np.float32"),
    (lambda: ArraySpec((3,), object), DTypeError, "object is not allowed"),
    (lambda: ArraySpec((3,), "bogus"), DTypeError, "'bogus' is not allowed: give a dtype"),
    (lambda: ArraySpec((3,), None), DTypeError, "None is not allowed: give a dtype"),
    (lambda: ArraySpec((3, -1)), ValueError, "(3, -1) is not allowed: a size is not negative"),
    (lambda: ArraySpec((1.5,)), TypeError, "a dimension is a size, a name or None"),
    (lambda: ArraySpec(1.5), TypeError, "a dimension is a size, a name or None"),
    (lambda: ArraySpec((True,)), TypeError, "a dimension is a size, a name or None"),
    (lambda: ArraySpec(("",)), TypeError, "a dimension is a size, a name or None"),
]


@pytest.mark.parametrize(("spec", "error", "words"), WRONG_SPECS)
def test_wrong_specs(spec: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        placeholder(spec())
    assert words in str(caught.value)
    assert caught.value.__cause__ is None


def test_wrap() -> None:
    assert str(2.0 * wrap(Exp(Identity()), float)) == "2.0 * exp(x)"
    assert wrap(Exp(Identity()), ArraySpec(("B",), np.float32)).shape == ("B",)
    with pytest.raises(TypeError, match="wrap takes a layer: 3 is none"):
        wrap(3, float)  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(DTypeError, match=r"exp\(x: \(float, float\)\): an operand is a tuple"):
        wrap(Exp(Identity()), (float, float))


@pytest.mark.parametrize("value", [1, True, None, "text", 1j, (1.0, 2.0), np.ones(3, int), np.ones(2, object)])
def test_what_is_no_weight(value: Any) -> None:
    with pytest.raises(DTypeError):
        weight(value)


def test_an_error_of_a_weight_is_short() -> None:
    with pytest.raises(DTypeError, match=r"^Weight\(<int64 \(100, 100\)>\): .* cast to float") as caught:
        weight(np.zeros((100, 100), np.int64))
    assert len(str(caught.value)) < 200


# Data.

PAIR: Any = (ArraySpec(("B", 3), np.float32), ArraySpec(("B",), np.int64))
ROWS = np.ones((2, 3), np.float32)
MISFITS: list[tuple[Any, Any, type[Exception], str]] = [
    (float, np.ones(1), ShapeError, "the input is a float64 array of shape (1,), but float is wanted"),
    (float, (3.0,), DTypeError, "the input is (float,), but float is wanted"),
    (float, None, DTypeError, "the input is missing, but float is wanted"),
    (float, "3.0", DTypeError, "'3.0' cannot be computed with"),
    (float, 1j, DTypeError, "1j cannot be computed with"),
    (float, {}, DTypeError, "{} cannot be computed with"),
    (int, 3.0, DTypeError, "the input is a float, but int is wanted: cast it to int64"),
    (bool, 1, DTypeError, "the input is an int, but bool is wanted: cast it to bool"),
    (ArraySpec((3,), np.float32), np.ones(4, np.float32), ShapeError, "but float32 (3,) is wanted"),
    (ArraySpec((3,), np.float32), np.ones((1, 3)), ShapeError, "a float64 array of shape (1, 3), but float32 (3,)"),
    (ArraySpec((3,), np.float32), 1.0, ShapeError, "the input is a float, but float32 (3,) is wanted"),
    (ArraySpec((3,), np.float32), [1.0, 2.0], ShapeError, "shape (2,), but float32 (3,) is wanted"),
    (ArraySpec((3,), np.float32), (1.0, 2.0, 3.0), DTypeError, "the input is (float, float, float), but float32 (3,)"),
    (ArraySpec((3,), np.float32), np.ones(3, complex), DTypeError, "complex128 cannot be computed with"),
    (ArraySpec((3,), np.float32), np.array(["a", "b", "c"]), DTypeError, "<U1 cannot be computed with"),
    (ArraySpec((3,), np.float32), np.array([1, 2, None]), DTypeError, "object cannot be computed with"),
    (ArraySpec((3,), np.float32), np.ma.array([1.0, 2.0, 3.0]), DTypeError, "MaskedArray computes by rules of its own"),
    (ArraySpec((3,), np.int64), np.ones(3), DTypeError, "but int64 (3,) is wanted: cast it to int64"),
    (PAIR, ROWS, DTypeError, "but a tuple of 2 is wanted: (float32 (B, 3), int64 (B,))"),
    (PAIR, None, DTypeError, "the input is missing, but a tuple of 2 is wanted"),
    (PAIR, (ROWS,), ShapeError, "the input is (float32 array of shape (2, 3),), 1 missing: a tuple of 2 is wanted"),
    (PAIR, (ROWS, np.ones(2, int), 1.0), ShapeError, "1 too many: a tuple of 2 is wanted"),
    (PAIR, (), ShapeError, "2 missing"),
    (PAIR, [ROWS, np.ones(2, int)], DTypeError, "makes no array, since its parts differ in shape: several values are"),
    (PAIR, (ROWS, 2), ShapeError, "part 1 of the input is an int, but int64 (B,) is wanted"),
    (PAIR, (ROWS, np.ones(2)), DTypeError, "part 1 of the input is a float64 array of shape (2,), but int64 (B,)"),
    (PAIR, (np.ones((2, 4)), np.ones(2, int)), ShapeError, "part 0 of the input is a float64 array of shape (2, 4)"),
    (PAIR, (ROWS, np.ones(4, int)), ShapeError, "shape (4,), but int64 (B,) is wanted, and B is 2"),
    (PAIR, ((ROWS,), np.ones(2, int)), DTypeError, "part 0 of the input is (float32 array of shape (2, 3),), but"),
    ((float, (float, float)), (1.0, (2.0,)), ShapeError, "part 1 of the input is (float,), 1 missing"),
    ((float, (float, float)), (1.0, 2.0, 3.0), ShapeError, "the input is (float, float, float), 1 too many"),
    ((float, (float, float)), (1.0, (2.0, (3.0,))), DTypeError, "part 1 of part 1 of the input is (float,), but float"),
]


def identity_of(spec: Any) -> Symbolic[Any, Any]:
    """The formula of an input of some spec, as it is."""
    return wrap(Identity(), spec)


@pytest.mark.parametrize(("spec", "data", "error", "words"), MISFITS, ids=[words for *_, words in MISFITS])
@pytest.mark.parametrize("run", ["predict", "forward", "train"])
def test_data_that_does_not_fit(run: str, spec: Any, data: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        getattr(identity_of(spec), run)(data)
    assert words in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_data_that_does_not_fit_changes_no_weight() -> None:
    x, y = placeholder((float, float))
    w = weight(2.0)
    formula = (w * x - y) ** 2.0
    with pytest.raises(ShapeError, match="1 missing"):
        formula.train((1.0,))
    assert w.value == 2.0


FITS: list[tuple[Any, Any]] = [
    (float, 3.0),
    (float, np.float32(3.0)),
    (float, np.array(3.0)),
    (float, True),
    (ArraySpec((), np.float32), 3.0),
    (ArraySpec((None, 3), np.float32), np.ones((0, 3), np.float32)),
    (ArraySpec(("A", "A"), np.float32), np.ones((2, 2), np.float32)),
    (ArraySpec((3,), np.float32), [1.0, 2.0, 3.0]),
    (ArraySpec((3,), np.int64), np.ones(3, np.uint8)),
    (PAIR, (ROWS, np.ones(2, int))),
]


@pytest.mark.parametrize(("spec", "data"), FITS)
def test_data_that_fits(spec: Any, data: Any) -> None:
    given = identity_of(spec).predict(data)
    for one, other in zip(
        given if isinstance(given, tuple) else [given], data if isinstance(data, tuple) else [data], strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_tapes_as_parts_of_the_input() -> None:
    x, y = placeholder((float, float))
    first = Input(2.0)
    assert (x * y).predict((first, 3.0)) == 6.0
    assert (x * y).forward((first, 3.0)).gradients()[first] == 3.0
    a, b = placeholder(((float, float), float))
    assert (a[0] * b).forward(((first, 1.0), 3.0)).gradients()[first] == 3.0


# Composition by call.


def test_one_argument() -> None:
    x, w = placeholder(float), weight(3.0)
    f, g = x * w, x + 1.0
    assert f(g).predict(2.0) == 9.0
    assert g(f).predict(2.0) == 7.0
    assert f(f).predict(2.0) == 18.0
    assert parameters(f(f)) == (w.layer,)
    assert f(g).forward(2.0).gradients()[w] == 3.0


def test_several_arguments_are_a_tuple() -> None:
    a, b = placeholder((float, float))
    x = placeholder(float)
    difference = a - b
    for formula in (difference(x * 2.0, x), difference((x * 2.0, x)), difference(x * 2.0, 3.0)):
        assert formula.predict(3.0) == 3.0
    c, d = placeholder((float, (float, float)))
    nested = c * d[0] - d[1]
    assert nested(x, (x, 1.0)).predict(3.0) == 8.0
    assert nested((x, (x, 1.0))).predict(3.0) == 8.0


def test_the_input_is_that_of_the_argument() -> None:
    images = array_of("N", 4)
    model = array_of(None, 4) @ weight(np.ones((4, 2), np.float32))
    composed = model(images)
    assert composed.shape == ("N", 2)
    assert (composed + images[:, :2]).shape == ("N", 2)
    assert model(array_of(7, 4)).shape == (7, 2)
    # With another dtype the result has another one, too.
    assert model(array_of(7, 4, dtype=np.float64)).dtype == np.float64
    assert model.shape == (None, 2)


def test_composition_with_data() -> None:
    x = placeholder(float)
    assert (x * 2.0)(3.0).predict() == 6.0
    model = array_of(None, 2) * 2.0
    assert model(np.ones((3, 2), np.float32)).predict().tolist() == [[2.0, 2.0]] * 3
    assert model([[1.0, 2.0]]).predict().tolist() == [[2.0, 4.0]]
    w = weight(2.0)
    assert w(x) is w


WRONG_CALLS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda f: f(array_of(None, 5)), ShapeError, "(x @ weight(<float32 (3, 4)>))(x: float32 (?, 5)): the argument is"),
    (lambda f: f(array_of(3)), ShapeError, "the argument is float32 (3,), but float32 (B, 3) is wanted"),
    (lambda f: f(placeholder(float)), ShapeError, "the argument is float, but float32 (B, 3) is wanted"),
    (lambda f: f(*placeholder((float, float))), DTypeError, "the argument is (float, float), but float32 (B, 3)"),
    (lambda f: f(), DTypeError, "but float32 (B, 3) is wanted"),
    (lambda f: f(None), DTypeError, "None is no operand"),
    (lambda f: f("text"), DTypeError, "'text' cannot be computed with"),
    (lambda f: f(Input(1.0)), DTypeError, "is a tape, the result of a run; a formula is built from formulas and data"),
    (lambda f: f(f), ShapeError, "the argument is float32 (B, 4), but float32 (B, 3) is wanted"),
    (lambda f: f(array_of("C", 3)), ShapeError, "the argument is float32 (C, 3), but float32 (B, 3) is wanted"),
    (lambda f: f([array_of("B", 3)]), DTypeError, "is a list of formulas"),
    (lambda f: (f + 0.0)(Exp(Identity())), DTypeError, "has no spec for its input: wrap(layer, spec) gives it one"),
]


@pytest.mark.parametrize(("call", "error", "words"), WRONG_CALLS)
def test_wrong_arguments(call: Callable[[Any], Any], error: type[Exception], words: str) -> None:
    formula = array_of("B", 3) @ weight(np.ones((3, 4), np.float32))
    with pytest.raises(error) as caught:
        call(formula)
    assert words in str(caught.value)


WRONG_PAIRS: list[tuple[Callable[..., Any], type[Exception], str]] = [
    (lambda f, a, b: f(b, a), DTypeError, "part 1 of the argument is float32 (B, 3), but int64 (B,) is wanted"),
    (lambda f, a, b: f(a), DTypeError, "but a tuple of 2 is wanted: (float32 (B, 3), int64 (B,))"),
    (lambda f, a, b: f(a, b, b), ShapeError, "1 too many: a tuple of 2 is wanted"),
    (lambda f, a, b: f((a,)), ShapeError, "1 missing"),
    (lambda f, a, b: f(a[:4], np.zeros(5, int)), ShapeError, "but int64 (B,) is wanted, and B is 4"),
    (lambda f, a, b: f(array_of("B", 3), array_of("B", dtype=np.int64)), ValueError, "two different placeholder calls"),
]


@pytest.mark.parametrize(("call", "error", "words"), WRONG_PAIRS)
def test_wrong_pairs_of_arguments(call: Callable[..., Any], error: type[Exception], words: str) -> None:
    x, y = placeholder(PAIR)
    a, b = placeholder((ArraySpec((4, 3), np.float32), ArraySpec((4,), np.int64)))
    if "(B, 3), but int64" in words:
        a, b = placeholder((ArraySpec(("B", 3), np.float32), ArraySpec(("B", 3), np.float32)))
    with pytest.raises(error) as caught:
        call(sy.sum(x, axis=1) * y, a, b)
    assert words in str(caught.value)


def test_a_misfit_inside_of_a_composition_names_the_operation() -> None:
    square = array_of(None, None)
    product = square @ square
    with pytest.raises(ShapeError, match=r"matmul\(x: float32 \(2, 3\), x: float32 \(2, 3\)\): shapes"):
        product(array_of(2, 3))
    assert product(array_of(3, 3)).shape == (3, 3)


# Pickles and copies.


def test_parts_of_one_pickle_still_combine() -> None:
    x, y = placeholder((float, float))
    w = weight(2.0, name="slope")
    parts = pickle.loads(pickle.dumps({"x": x, "y": y, "product": w * x, "w": w}))
    formula = parts["product"] + parts["y"] - parts["x"]
    assert formula.predict((3.0, 10.0)) == 13.0
    assert str(formula) == "weight(2.0, name='slope') * x[0] + x[1] - x[0]"
    assert formula.forward((3.0, 10.0)).gradients()[parts["w"]] == 3.0
    with pytest.raises(ValueError, match="two different placeholder calls"):
        parts["x"] + x
    parts["w"].layer.set(5.0)
    assert (parts["product"].predict((1.0, 1.0)), w.value) == (5.0, 2.0)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_spec_and_layer(protocol: int) -> None:
    formula = sy.sum(array_of("B", 3) * np.array([1, 2, 3], np.float32), axis=1)
    twin = pickle.loads(pickle.dumps(formula, protocol))
    assert twin.layer == formula.layer
    assert (twin.spec, str(twin)) == (formula.spec, str(formula))
    with pytest.raises(ShapeError, match=r"float32 \(B, 3\) is wanted"):
        twin.predict(np.ones((2, 4), np.float32))


def test_copies() -> None:
    x, w = placeholder(float), weight(2.0)
    formula = w * x
    assert copy.copy(formula) is formula
    twin = copy.deepcopy(formula)
    twin.train(1.0)
    assert isinstance(parameters(twin)[0], Weight)
    assert parameters(twin)[0].value == 1.99
    assert w.value == 2.0
    # A deep copy is over the same input.
    assert (twin + x).predict(1.0) == 2.99
    first, second = copy.deepcopy((formula, w))
    assert parameters(first) == (second.layer,)
