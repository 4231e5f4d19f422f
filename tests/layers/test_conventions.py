"""The numeric conventions, on the tape and in the derivative tree."""

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    GELUTanh,
    Hypot,
    Identity,
    Input,
    Item,
    Layer,
    Literal,
    LogAddExp,
    LogSumExp,
    Max,
    MaxPool2D,
    Min,
    Plus,
    Power,
    ShapeError,
    SiLU,
    VectorNorm,
    compile,
)
from layertree.core.spec import spec_of
from layertree.layers.shape import Concat, ExpandDims
from layertree.rewrite.derive import push_forward
from layertree.rewrite.reverse_mode import INPUT, derivatives
from layertree.typing import ArraySpec
from tests.layers.checks import close
from tests.layers.conventions import CASES, Case, check_case

every_case = pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])


@every_case
def test_convention(case: Case) -> None:
    check_case(case)


@every_case
def test_convention_holds_in_the_derivative_tree(case: Case) -> None:
    tree = derivatives(case.layer, spec_of(case.input), case.delta)[INPUT]
    close(tree.forward(case.input).value, case.expected, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("cls", [Max, Min, LogSumExp])
def test_extremum_of_nothing_is_an_error(cls: type) -> None:
    with pytest.raises(ShapeError, match="nothing to choose from"):
        cls(Identity()).forward(np.ones((0,)))


def test_a_window_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(ShapeError, match="does not fit"):
        MaxPool2D(Identity(), (3, 3), (1, 1)).forward(np.ones((1, 2, 2, 1)))


def is_settled(case: Case) -> bool:
    """Whether the deltas of a case are finite: then the Jacobian-vector product has to agree with them."""
    finite = all(np.isfinite(np.asarray(part, float)).all() for part in (case.expected, case.delta))
    return finite and np.size(case.input) > 0


settled = [case for case in CASES if is_settled(case)]


@pytest.mark.parametrize("case", settled, ids=[case.id for case in settled])
def test_the_jacobian_vector_product_is_that_of_the_gradient(case: Case) -> None:
    """The product with a tangent and then with the delta is the product of the gradient with the tangent."""
    tangent = np.random.default_rng(0).uniform(0.5, 1.5, np.shape(case.input))
    tangent = tangent if np.ndim(case.input) else float(tangent)
    product = push_forward(case.layer, spec_of(case.input), Identity(), Literal(tangent))
    wanted = np.sum(np.multiply(case.expected, tangent))
    given = 0.0 if product is None else np.sum(np.multiply(case.delta, product.forward(case.input).value))
    np.testing.assert_allclose(given, wanted, rtol=1e-12, atol=1e-14)


_FIRST: Layer[Any, Any] = Item(Identity(), 0)
_SECOND: Layer[Any, Any] = Item(Identity(), 1)
_PAIR: Layer[Any, Any] = Concat((ExpandDims(_FIRST, axis=0), ExpandDims(_SECOND, axis=0)), axis=0)
KINKS: list[tuple[str, Layer[Any, Any], Any, Any]] = [
    ("hypot", Hypot(_FIRST, _SECOND), (0.0, 0.0), [[0.0, 0.0], [0.0, 0.0]]),
    (
        "norm of a pair",
        VectorNorm(_PAIR),
        (0.0, 0.0),
        [[0.0, 0.0], [0.0, 0.0]],
    ),
    ("power at base 0", Power(_FIRST, _SECOND), (0.0, 2.0), [[2.0, 0.0], [0.0, 0.0]]),
    ("power at exponent 0", Power(_FIRST, _SECOND), (2.0, 0.0), [[0.0, 0.5], [0.5, np.log(2.0) ** 2]]),
    ("logaddexp", LogAddExp(_FIRST, _SECOND), (-np.inf, -np.inf), [[0.0, 0.0], [0.0, 0.0]]),
    ("silu and gelu at inf", Plus(SiLU(_FIRST), GELUTanh(_SECOND)), (np.inf, np.inf), [[0.0, 0.0], [0.0, 0.0]]),
    ("silu and gelu at -inf", Plus(SiLU(_FIRST), GELUTanh(_SECOND)), (-np.inf, -np.inf), [[0.0, 0.0], [0.0, 0.0]]),
]


@pytest.mark.parametrize(("layer", "point", "hessian"), [kink[1:] for kink in KINKS], ids=[kink[0] for kink in KINKS])
def test_second_order_at_kinks(layer: Layer[Any, Any], point: Any, hessian: Any) -> None:
    first = derivatives(layer, spec_of(point))[INPUT]
    for i, row in enumerate(hessian):
        second = derivatives(first[i], spec_of(point)).get(INPUT, {})
        for j, wanted in enumerate(row):
            found = second[j].forward(point).value if j in second else 0.0
            np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_the_square_of_a_norm_has_a_hessian_at_0() -> None:
    x = sy.placeholder(ArraySpec((2,)))
    norm = sy.vector_norm(x)
    for square in (norm**2, norm * norm, norm**2.0):
        for hessian in (sy.hessian(square, x), compile(sy.hessian(square, x))):
            assert hessian.predict(np.zeros(2)).tolist() == [[2.0, 0.0], [0.0, 2.0]]


def test_the_second_derivative_of_a_fit_by_its_exponent() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0])
    found = sy.hessian(lambda b: sy.sum((x**b - x**1.5) ** 2))(1.2)
    assert found == pytest.approx(24.4518010, rel=1e-8)


def test_the_deviation_of_one_element_is_nan_and_so_is_its_gradient() -> None:
    x = sy.placeholder(ArraySpec((1,)))
    for name in ("std", "var"):
        formula = getattr(sy, name)(x, correction=1)
        source = Input(np.array([3.0]))
        tape = formula.forward(source)
        assert np.isnan(tape.value)
        assert np.isnan(tape.gradients()[source]).all()
        assert np.isnan(compile(sy.grad(formula, x)).predict(np.array([3.0]))).all()
    assert sy.jvp(sy.std)(3.5, 1.0) == 0.0


def test_derivatives_do_not_square_what_the_output_is() -> None:
    x = sy.placeholder(ArraySpec((1,), np.float32))
    point = np.array([1e-20], np.float32)
    for formula in (sy.sum(1e-30 * x**-1), sy.sum(1e-30 * x**-1.0), sy.sum(1e-30 / x)):
        source = Input(point)
        np.testing.assert_allclose(formula.forward(source).gradients()[source], [-1e10], rtol=1e-6)
        for slope in (sy.grad(formula, x), compile(sy.grad(formula, x))):
            np.testing.assert_allclose(slope.predict(point), [-1e10], rtol=1e-6)
