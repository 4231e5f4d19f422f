"""Simplified formulas over integers that wrap around, booleans and floats of several dtypes: the same value."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import (
    Abs,
    Cast,
    Divide,
    FloorDivide,
    Greater,
    Identity,
    Item,
    LessEqual,
    Literal,
    Maximum,
    Minimum,
    Minus,
    Negative,
    Plus,
    Power,
    Remainder,
    Times,
    Where,
)
from layertree.core.spec import spec_of
from layertree.rewrite.simplify import simplify

DATA = {
    "u": np.array([0, 1, 100, 200, 255], np.uint8),
    "c": np.array([-128, -1, 0, 5, 127], np.int8),
    "i": np.array([-(2**31), -3, 0, 7, 2_000_000_000], np.int32),
    "k": np.array([-(2**62), -3, 0, 7, 2**62], np.int64),
    "b": np.array([False, True, False, True, True]),
    "f": np.array([-2.0, 0.5, 1.0, 3.0, 4.0], np.float32),
    "d": np.array([-0.75, 0.25, 2.0, 3.0, -8.0]),
    "n": 3,
    "r": -0.5,
    "t": True,
}
INPUT = tuple(DATA.values())
LEAVES = {name: Item(Identity(), position) for position, name in enumerate(DATA)}
U, C, I, K, B, F, D, N, R, T = LEAVES.values()

NUMBERS = [0, 1, -1, 2, 100, 200, 0.0, 1.0, -1.0, 2.0, 0.5, True, False]
NUMBERS += [np.uint8(200), np.uint8(1), np.int8(100), np.int32(2), np.float32(0.5), np.float64(2.0), np.True_]
DTYPES = [np.dtype(name) for name in ("uint8", "int8", "int32", "int64", "bool", "float32", "float64")]
SMOOTH = [Plus, Plus, Minus, Minus, Times, Times, Divide, Maximum, Minimum]
STEPS = [FloorDivide, Remainder, Greater, LessEqual]
LARGEST = 1e10


def value_of(formula):
    """The value by the interpreter; None where it cannot be computed, or floats are too large to be told apart."""
    try:
        value = formula.predict(INPUT)
    except (TypeError, ValueError, ArithmeticError):
        return None
    if np.asarray(value).dtype.kind == "O":  # a Python integer beyond 64 bits
        return None
    is_float = np.asarray(value).dtype.kind == "f"
    return None if is_float and not (np.abs(value) < LARGEST).all() else value


def is_exact(formula):
    """Whether no rounding comes before a value, so that a step in it is the same for all orders of computation."""
    return formula in LEAVES.values() or isinstance(formula, Literal) or is_whole(value_of(formula))


def is_whole(value):
    return np.asarray(value).dtype.kind in "iub"


def is_far_from_zero(value):
    return bool((np.abs(np.asarray(value, float)) > 1e-2).all())


@st.composite
def nodes(draw, made):
    """A node over some that are there already."""
    one, two = (draw(st.sampled_from(made) | st.sampled_from(NUMBERS).map(Literal)) for _ in range(2))
    kind = draw(st.sampled_from(["smooth"] * 6 + ["step", "negative", "negative", "abs", "power", "where", "cast"]))
    if kind == "step" and is_exact(one) and is_exact(two):
        return draw(st.sampled_from(STEPS))(one, two)
    if kind in ("negative", "abs"):
        return (Negative if kind == "negative" else Abs)(one)
    if kind == "power":
        return Power(one, draw(st.sampled_from([0, 1, 2, 3, 2.0, 200] if is_whole(value_of(one)) else [1, 2, 3])))
    if kind == "where":
        return Where(B, one, two)
    if kind == "cast":
        dtypes = DTYPES if is_exact(one) else DTYPES[-2:]
        return Cast(one, draw(st.sampled_from(dtypes)))
    operation = draw(st.sampled_from(SMOOTH))
    return operation(one, two) if operation is not Divide or is_far_from_zero(value_of(two)) else Plus(one, two)


@st.composite
def formulas(draw):
    """A formula, and how large the floats in it are."""
    made = draw(st.lists(st.sampled_from(list(LEAVES.values())), min_size=1, max_size=3))
    scale = 0.0
    for _ in range(draw(st.integers(2, 8))):
        node = draw(nodes(made))
        value = value_of(node)
        if value is not None:
            made.append(node)
            scale = max(scale, *np.abs(np.ravel(np.asarray(value, float))))
    return made[-1], scale


def assert_same(found, wanted, tolerance):
    assert type(found) is type(wanted)
    assert np.shape(found) == np.shape(wanted)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    if is_whole(wanted):
        np.testing.assert_array_equal(found, wanted)
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=tolerance)


@settings(max_examples=400)
@given(formulas())
def test_the_value_is_the_interpreter_s(drawn):
    formula, scale = drawn
    found = simplify(formula, spec_of(INPUT)).predict(INPUT)
    assert_same(found, value_of(formula), 1e-6 * scale)


@pytest.mark.parametrize(
    "formula",
    [
        Divide(Times(Minus(255, U), 2), 255.0),
        Divide(Negative(U), 2.0),
        Times(F, Negative(U)),
        Minus(F, Negative(U)),
        Plus(Minus(0, U), F),
        Divide(Plus(U, U), 2),
        Times(Times(U, 2), 0.5),
        Plus(Plus(U, 100), 0.5),
        Times(F, Times(2, U)),
        Divide(Times(I, 2), 2.0),
        Times(-1, B),
        Minus(0, B),
        Times(B, -1.0),
        Minus(0.0, B),
        Plus(Plus(U, 100), 200),
        Times(Times(U, 100), 200),
        Plus(Times(200, U), Times(100, U)),
        Times(Power(U, 200), Power(U, 200)),
        Power(Power(U, 100), 100),
        Negative(Plus(U, U)),
        Abs(Negative(U)),
        Times(np.uint8(200), Times(np.uint8(100), D)),
        Plus(Times(np.True_, D), Times(np.True_, D)),
        Where(B, Where(B, 0.1, F), D),
        Maximum(Minus(C, 1), Negative(Negative(C))),
    ],
)
def test_what_wraps_around_is_left_as_it_is(formula):
    found = simplify(formula, spec_of(INPUT)).predict(INPUT)
    wanted = formula.predict(INPUT)
    assert np.asarray(wanted).any()
    assert_same(found, wanted, 0.0)


@pytest.mark.parametrize(
    ("formula", "simple"),
    [
        (Plus(Plus(F, 1.0), 2), Plus(F, 3.0)),
        (Times(2.0, Times(3.0, D)), Times(6.0, D)),
        (Plus(Plus(N, 100), 200), Plus(N, 300)),
        (Negative(Negative(F)), F),
        (Plus(F, F), Times(2, F)),
    ],
)
def test_floats_of_one_dtype_and_numbers_are_gathered(formula, simple):
    assert simplify(formula, spec_of(INPUT)) == simple


@pytest.mark.parametrize("leaf", [U, C, I, K, B, F, D])
def test_what_computes_nothing_serves_every_dtype(leaf):
    spec = spec_of(INPUT)
    assert simplify(Where(True, leaf, leaf), spec) == leaf
    assert simplify(Maximum(Times(leaf, True), leaf), spec) == Maximum(leaf, leaf)
    assert simplify(Where(Greater(leaf, 0), Where(Greater(leaf, 0), leaf, False), leaf), spec) == leaf
