"""The decorator that makes a formula of an annotated function."""

import functools
from collections.abc import Callable
from typing import Any, Literal, NewType

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, ShapeError, parameters
from layertree.typing import ArraySpec, Float32, Int64
from symbolic import Formula, Symbolic, formula, placeholder, weight
from tests.symbolic.support import array_of

Batch = NewType("Batch", int)
Rows = Float32[Batch, Literal[4]]


def test_one_parameter() -> None:
    @formula
    def line(x: Formula[float, float]) -> Formula[float, float]:
        return (1.0 + x) * weight(2.0)

    assert isinstance(line, Symbolic)
    assert line.predict(3.0) == 8.0
    assert str(line) == "(1.0 + x) * weight(2.0)"


def test_several_parameters_are_a_tuple() -> None:
    @formula
    def loss(logits: Formula[Any, Rows], labels: Formula[Any, Int64[Batch]]) -> Any:
        return sy.cross_entropy(logits, labels)

    assert loss.predict((np.zeros((3, 4), np.float32), np.array([0, 1, 2]))) == np.float32(np.log(4.0))
    images, labels = placeholder((ArraySpec(("Batch", 4), np.float32), ArraySpec(("Batch",), np.int64)))
    assert loss(2.0 * images, labels).shape == ()
    with pytest.raises(ShapeError, match="and Batch is 3"):
        loss.predict((np.zeros((3, 4), np.float32), np.array([0, 1])))


@pytest.mark.parametrize(
    "annotation", [float, Formula[float, float], Formula[Any, float], "float", "Formula[Any, float]"]
)
def test_what_an_annotation_can_be(annotation: Any) -> None:
    def double(x):
        return 2.0 * x

    double.__annotations__["x"] = annotation
    assert formula(double).predict(1.5) == 3.0


def test_dimensions_in_annotations() -> None:
    @formula
    def total(x: Formula[Rows, Rows]) -> Any:
        return sy.sum(x, axis=1)

    assert total.shape == ("Batch",)
    with pytest.raises(ShapeError, match=r"float32 \(Batch, 4\) is wanted"):
        total.predict(np.ones((2, 3), np.float32))


def test_a_tuple_as_parameter() -> None:
    @formula
    def product(pair: tuple[float, float]) -> Any:
        return pair[0] * pair[1]

    assert product.predict((2.0, 3.0)) == 6.0


def test_several_results() -> None:
    @formula
    def both(x: float, y: float) -> Any:
        return x * y, (x, 1.0)

    assert both.predict((2.0, 3.0)) == (6.0, (2.0, 1.0))


def test_a_constant_result() -> None:
    @formula
    def constant(x: float) -> Any:
        return 3.0

    assert constant.predict(1.0) == 3.0


def test_the_function_runs_once_and_its_weights_are_made_once() -> None:
    runs = []

    @formula
    def line(x: float) -> Any:
        runs.append(x)
        return weight(2.0) * x + weight(1.0)

    assert len(runs) == 1
    before = parameters(line)
    line.train(1.0)
    twice = line(line)
    assert len(runs) == 1
    assert parameters(line) == parameters(twice) == before
    assert [w.value for w in before] == [1.99, 0.99]


def test_formulas_inside_of_a_function() -> None:
    w = weight(3.0)
    x = placeholder(float)
    scaled = w * x

    @formula
    def inner(x: float) -> Any:
        return x + 1.0

    @formula
    def outer(x: float) -> Any:
        return scaled(inner(x)) - inner(scaled(x))

    assert outer.predict(2.0) == 9.0 - 7.0
    assert parameters(outer) == (w.layer,)


def test_methods() -> None:
    class Model:
        def __init__(self) -> None:
            self.slope = weight(2.0)

        def line(self, x: float) -> Any:
            return self.slope * x

    model = Model()
    line = formula(model.line)
    line.train(1.0)
    assert model.slope.value == 1.99


def _bare(x):
    return x


def _second_bare(x: float, y):
    return x


def _no_parameter() -> Any:
    return 1.0


def _many(*x: float) -> Any:
    return x[0]


def _by_name(x: float, *, y: float) -> Any:
    return x


def _unknown(x: "Missing") -> Any:  # type: ignore[name-defined]  # the point of the test  # noqa: F821
    return x


def _unknown_result(x: float) -> "Missing":  # type: ignore[name-defined]  # likewise  # noqa: F821
    return x


def _complex(x: complex) -> Any:
    return x


def _open(x: Symbolic[Any, Any]) -> Any:
    return x


def _none(x: float) -> Any:
    return None


def _list(x: float) -> Any:
    return [x, x]


def _other_input(x: float) -> Any:
    return 2.0 * placeholder(float)


def _and(x: float) -> Any:
    return x > 0.0 and x


def _misfit(x: Rows) -> Any:
    return x + np.ones(3)


WRONG: list[tuple[Any, type[Exception], str]] = [
    (
        _bare,
        TypeError,
        "_bare: the parameter x needs to be positional, and an annotation that gives its spec, such as x",
    ),
    (_second_bare, TypeError, "_second_bare: the parameter y needs"),
    (_no_parameter, TypeError, "_no_parameter has no parameter to be the input of a formula"),
    (_many, TypeError, "_many: the parameter *x: float needs to be positional"),
    (_by_name, TypeError, "_by_name: the parameter y: float needs to be positional"),
    (_unknown, TypeError, "_unknown: an annotation is not known where the function is defined: name 'Missing'"),
    (_unknown_result, TypeError, "_unknown_result: an annotation is not known"),
    (_complex, TypeError, "<class 'complex'> is no spec"),
    (_open, TypeError, "leaves the data of the input open: write Formula[float, float]"),
    (_none, DTypeError, "_none returned what is no formula: None is no operand"),
    (_list, DTypeError, "_list returned what is no formula"),
    (_other_input, ValueError, "_other_input returned 2.0 * x, a formula of another placeholder than its parameters"),
    (_and, TypeError, "x > 0.0 has no truth value"),
    (_misfit, ShapeError, "add(x: float32 (Batch, 4), array([1., 1., 1.]): float64 (3,))"),
    (len, TypeError, "len: the parameter obj needs to be positional, and an annotation"),
    (3, TypeError, "formula makes one of an annotated function: got 3"),
    (2.0 * array_of(2), TypeError, "formula makes one of an annotated function: got 2.0 * x"),
    (functools.partial(_by_name, y=1.0), TypeError, "formula makes one of an annotated function"),
]


@pytest.mark.parametrize(("function", "error", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_what_makes_no_formula(function: Callable[..., Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        formula(function)
    assert words in str(caught.value)
    assert caught.value.__cause__ is None
