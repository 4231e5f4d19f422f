"""The numeric conventions, on the tape and in the derivative tree."""

import numpy as np
import pytest

import symbolic as sy
from layertree import (
    Identity,
    Input,
    LogSumExp,
    Max,
    MaxPool2D,
    Min,
    ShapeError,
    compile,
)
from layertree.core.spec import spec_of
from layertree.rewrite.reverse_mode import INPUT, derivatives
from layertree.typing import ArraySpec
from tests.layers.checks import close
from tests.layers.conventions import CASES
from tests.layers.conventions.case import Case, check_case, check_product, is_settled
from tests.layers.conventions.kinks import KINKS, Kink, check_kink

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


settled = [case for case in CASES if is_settled(case)]


@pytest.mark.parametrize("case", settled, ids=[case.id for case in settled])
def test_the_jacobian_vector_product_is_that_of_the_gradient(case: Case) -> None:
    check_product(case)


@pytest.mark.parametrize("kink", KINKS, ids=[kink.id for kink in KINKS])
def test_second_order_at_kinks(kink: Kink) -> None:
    check_kink(kink)


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
