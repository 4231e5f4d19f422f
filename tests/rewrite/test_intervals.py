"""What simplification knows of values holds for every input, and is enough for what it is for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import (
    Abs,
    Cast,
    Cos,
    Divide,
    Exp,
    GELUTanhGate,
    Greater,
    Identity,
    Log,
    Maximum,
    Mean,
    Minimum,
    Minus,
    Negative,
    Plus,
    Power,
    ReLU,
    Sigmoid,
    Sign,
    Sin,
    Sqrt,
    Sum,
    SumTo,
    Tanh,
    Times,
    Where,
    ZerosLike,
)
from layertree.core.spec import ArraySpec, spec_of
from layertree.namespaces.hash_consing import Inlining, source_of
from layertree.namespaces.tree import Derivation
from layertree.rewrite.intervals import bounds_of, has_property
from layertree.sweep.sweep import sweep

X = Identity()
FLOAT = spec_of(1.0)
INTEGERS = ArraySpec((3,), np.int64)

UNARY = [Abs, Cos, Exp, GELUTanhGate, Log, Negative, ReLU, Sigmoid, Sign, Sin, Sqrt, Tanh, lambda a: Times(a, a)]
UNARY += [lambda a: Power(a, 2), lambda a: Power(a, -1.0), lambda a: Mean(a), lambda a: SumTo(Times(a, X), X)]
BINARY = [Plus, Minus, Times, Divide, Maximum, Minimum, Power, lambda a, b: Where(Greater(a, b), a, b)]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, -1e300, np.inf, -np.inf, np.nan, 0.5, -3.0]


@st.composite
def formulas(draw):
    made = [X, draw(st.sampled_from([0.0, 2.0, -1.5, 1e200, np.inf]))]
    made = [X, Plus(ZerosLike(X), made[1]), Greater(X, 0.0)]
    for _ in range(draw(st.integers(1, 6))):
        pick = st.sampled_from(made)
        if draw(st.booleans()):
            made.append(draw(st.sampled_from(UNARY))(draw(pick)))
        else:
            made.append(draw(st.sampled_from(BINARY))(draw(pick), draw(pick)))
    return made[-1]


def value_of(formula, spec):
    xp = Derivation()
    return sweep(formula, source_of(xp, formula, spec), Inlining(xp))


@settings(max_examples=200)
@given(formulas(), st.lists(st.sampled_from(SPECIAL), min_size=3, max_size=3))
def test_every_value_is_within_its_bounds(formula, numbers):
    data = np.array(numbers)
    try:
        value = value_of(formula, spec_of(data))
    except TypeError:
        return  # minus of booleans
    low, high, nan = bounds_of(value)
    given = formula.predict(data)
    found = np.asarray(given, float)
    real = found[~np.isnan(found)]
    margin = 64 * np.finfo(given.dtype).eps if given.dtype.kind == "f" else 0.0  # exp of a boolean is a float16
    assert (real >= low - margin * abs(low) if np.isfinite(low) else real >= low).all()
    assert (real <= high + margin * abs(high) if np.isfinite(high) else real <= high).all()
    assert nan or not np.isnan(found).any()
    if has_property(value, "finite"):
        assert np.isfinite(found).all()
    if has_property(value, "moderate"):
        assert ((np.abs(found) >= 1 / 65) & (np.abs(found) <= 65)).all()
    if has_property(value, "nonnegative"):
        assert (real >= 0).all()
    if has_property(value, "nonzero"):
        assert (real != 0).all()
    if has_property(value, "unsigned"):
        assert not (np.signbit(real) & (real == 0)).any()


def known(formula, spec=FLOAT):
    return {name for name in ("finite", "nonnegative", "nonzero") if has_property(value_of(formula, spec), name)}


@pytest.mark.parametrize(
    ("formula", "properties"),
    [
        (X, set()),
        (Exp(X), {"nonnegative"}),  # it underflows
        (Times(X, X), {"nonnegative"}),
        (Power(X, 2), {"nonnegative"}),
        (Power(X, 3), set()),
        (Plus(1.0, Times(X, X)), {"nonnegative", "nonzero"}),
        (Plus(1.0, Times(X, Sin(X))), set()),
        (Sigmoid(X), {"nonnegative"}),
        (GELUTanhGate(X), {"nonnegative"}),
        (Tanh(X), set()),
        (Plus(2.0, Tanh(X)), {"nonnegative", "nonzero"}),  # NaN for NaN, so not finite
        (Where(Greater(X, 0.0), 2.0, -3.0), {"finite"}),  # an interval has no holes
        (Where(Greater(X, 0.0), -2.0, -3.0), {"finite", "nonzero"}),
        (Divide(Where(Greater(X, 0.0), 2.0, 3.0), 4.0), {"finite", "nonnegative", "nonzero"}),
        (Divide(2.0, Where(Greater(X, 0.0), 0.0, 3.0)), {"nonnegative"}),
        (Minus(Abs(X), 1.0), set()),
        (Sqrt(Abs(X)), {"nonnegative"}),
        (Sum(Abs(X)), {"nonnegative"}),
        (ZerosLike(X), {"finite", "nonnegative"}),
        (Times(np.inf, ZerosLike(X)), {"nonnegative"}),  # NaN
    ],
)
def test_proven_properties(formula, properties):
    assert known(formula) == properties


def test_integers_are_finite_but_wrap_around():
    assert known(X, INTEGERS) == {"finite"}
    assert known(Times(X, X), INTEGERS) == {"finite"}
    assert known(X, ArraySpec((3,), np.uint8)) == {"finite", "nonnegative"}
    assert known(Cast(X, np.dtype(np.float64)), INTEGERS) == set()  # none of its bounds is a number


def test_a_constant_may_become_zero_or_infinite_in_a_smaller_dtype():
    small = ArraySpec((3,), np.float32)
    assert known(Plus(Times(X, X), 1e-300)) == {"nonnegative", "nonzero"}
    assert known(Plus(Times(X, X), 1e-300), small) == {"nonnegative"}
    assert known(Plus(ZerosLike(X), 1e300), ArraySpec((3,))) == {"finite", "nonnegative", "nonzero"}
    assert known(Plus(ZerosLike(X), 1e300), small) == {"nonnegative", "nonzero"}


def test_what_is_moderate():
    def of(*numbers):
        return has_property(value_of(Where(Greater(X, 0.0), *numbers), FLOAT), "moderate")

    assert all(of(*numbers) for numbers in [(2.0, 3.0), (-2.0, -64.0), (1 / 64, 64.0)])
    assert not any(of(*numbers) for numbers in [(2.0, 65.0), (0.01, 1.0), (-2.0, 3.0), (2.0, np.nan), (0.0, 1.0)])


def test_a_deep_formula():
    formula = X
    for _ in range(5_000):
        formula = Plus(Abs(formula), 1.0)
    assert known(formula) == {"nonnegative", "nonzero"}
