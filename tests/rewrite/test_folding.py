"""Numbers are gathered where it does not show: where nothing becomes too large, too small or a NaN by it."""

import numpy as np
import pytest

from layertree import Divide, Greater, Identity, Minus, Plus, Power, Sin, Times, Where
from layertree.core.spec import ArraySpec, spec_of
from layertree.rewrite.simplify import simplify

X = Identity()
FLOAT = spec_of(1.0)


@pytest.mark.parametrize(
    "formula",
    [
        Minus(Times(3.0, X), Times(2.0, X)),
        Minus(Times(2.0, X), X),
        Minus(X, Times(0.5, X)),
        Plus(Times(3.0, X), Times(-2.0, X)),
        Plus(Plus(Sin(X), Times(3.0, X)), Times(-2.0, X)),
        Plus(Times(0.0, X), X),
        Times(1e200, Times(1e200, X)),
        Times(1e-200, Times(1e-200, X)),
        Times(1e-200, Times(1e200, X)),
        Times(0.0, Times(2.0, X)),
        Divide(Times(1e-200, X), 1e200),
        Divide(Times(1e10, X), 1e10),
        Divide(Times(100.0, X), 0.0),
        Minus(Minus(X, 1e308), 1e308),
        Plus(1e308, Plus(-1e308, X)),
        Plus(1e308, Plus(9e307, X)),
        Plus(1e308, Plus(1e308, X)),
        Plus(Times(1e308, X), Times(9e307, X)),
        Times(Power(X, 1e308), X),
        Times(Power(X, 2**53), X),
        Power(Power(X, 2.0**30 + 1), 2.0**30 + 1),
        Times(1e-300, Times(X, Sin(X))),
    ],
    ids=lambda formula: format(formula, "formula"),
)
def test_numbers_are_not_gathered_where_it_would_show(formula):
    assert simplify(formula, FLOAT) == formula


@pytest.mark.parametrize(
    ("formula", "simple"),
    [
        (Minus(Times(-3.0, X), Times(2.0, X)), Times(-5.0, X)),
        (Minus(Times(-3.0, X), X), Times(-4.0, X)),
        (Times(1e200, Times(1e-200, X)), X),
        (Times(0.5, Times(2.0, X)), X),
        (Plus(1.0, Plus(-1.0, X)), Plus(0.0, X)),
        (Minus(Minus(X, 1e307), 1e307), Minus(X, 2e307)),
        (Power(Power(X, 2.0**20), 2.0**20), Power(X, 2.0**40)),
    ],
    ids=lambda formula: format(formula, "formula"),
)
def test_numbers_are_gathered_where_it_does_not_show(formula, simple):
    assert simplify(formula, FLOAT) == simple


def test_multiples_of_what_is_finite_are_collected_whatever_their_signs():
    finite = Where(Greater(X, 0.0), 2.0, 3.0)
    assert simplify(Minus(Times(3.0, finite), Times(2.0, finite)), FLOAT) == finite
    large = Minus(Times(3e300, finite), Times(2e300, finite))
    assert simplify(large, FLOAT) == large


def test_numbers_are_gathered_in_the_dtype_of_the_whole():
    single = ArraySpec((), np.float32)
    integers = ArraySpec((), np.int32)
    for formula, spec in [
        (Times(1e30, Times(1e30, X)), single),
        (Times(100_000, Times(100_000, X)), integers),
        (Times(np.int8(100), Times(np.int8(100), X)), ArraySpec((), np.float64)),
        (Plus(Times(np.int8(100), X), Times(np.int8(101), X)), ArraySpec((), np.float64)),
        (Divide(Times(2, X), 4), integers),
        (Times(50, Times(60, X)), ArraySpec((), np.int8)),
    ]:
        assert simplify(formula, spec) == simplify(formula, spec, []), formula
    assert simplify(Times(2.0, Times(3.0, X)), single) == Times(6.0, X)
