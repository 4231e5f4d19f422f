"""Branches share: what the formula around them has read, and what both sides need, is read once."""

import pytest

from layertree import (
    Cos,
    Greater,
    Hook,
    Identity,
    If,
    Input,
    Literal,
    Minus,
    Plus,
    Sin,
    Sqrt,
    Times,
    Weight,
    compile,
    nodes,
    parameters,
)
from layertree.core.spec import spec_of
from layertree.rewrite.reverse_mode import INPUT, derivatives
from layertree.sweep.hoisting import SharedNodes
from symbolic import grad, if_, placeholder, sin, tanh, weight

x = placeholder(float)


def chain(length):
    """Both sides read what the condition has read."""
    f = x
    for _ in range(length):
        f = if_(f > 0.5, f + 1.0, f - 1.0)
    return f


def mixed(length):
    """The condition does not read what both sides share."""
    h = x * weight(0.9)
    for i in range(length):
        h = if_(x > 0.05 * i, h * sin(h) + 0.6, h - 0.1)
    return h


def nested(length):
    """Both sides branch again, and all four paths share."""
    h = x
    for i in range(length):
        first = if_(x > 0.5, h * 0.9, sin(h))
        h = if_(x > 0.03 * i, first, if_(h > 0.3, h - 0.1, tanh(h) + x * x))
    return h


def uneven(length):
    """One side branches again, the other one does not."""
    h = x
    for i in range(length):
        h = if_(x > 0.03 * i, if_(x > 0.5, h * 0.9, sin(h)), h * h + 0.3)
    return h


def residual(length):
    """What one side needs is needed after the branch anyway."""
    h = x
    for i in range(length):
        h = if_(x > 0.05 * i, sin(h), 0.1) + h * 0.4
    return h


FAMILIES = [chain, mixed, nested, uneven, residual]


def size(formula):
    return len(list(nodes(formula.__layer__())))


def raw_size(formula):
    return len({id(node) for node in nodes(derivatives(formula.__layer__(), spec_of(0.4))[INPUT])})


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("measure", [raw_size, lambda formula: size(grad(formula))], ids=["derivatives", "grad"])
def test_a_derivative_grows_with_the_branches(family, measure):
    ten, twenty, forty = [measure(family(length)) for length in (10, 20, 40)]
    assert forty - twenty <= 2.1 * (twenty - ten)
    assert forty < 4000


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("value", [0.7, 0.4, -0.2])
def test_a_derivative_is_that_of_the_interpreter(family, value):
    formula = family(12)
    tape = Input(value)
    wanted = formula.forward(tape).gradients()
    assert wanted[tape] != 0.0
    found = derivatives(formula.__layer__(), spec_of(value))
    assert found[INPUT].predict(value) == pytest.approx(wanted[tape], rel=1e-12)
    assert grad(formula).predict(value) == pytest.approx(wanted[tape], rel=1e-12)
    for cell in parameters(formula):
        assert found[cell].predict(value) == pytest.approx(wanted[cell], rel=1e-12)


@pytest.mark.parametrize(("family", "length"), [(chain, 40), (mixed, 40), (nested, 8), (uneven, 12), (residual, 8)])
@pytest.mark.parametrize("value", [0.7, 0.4])
def test_a_program_of_branches_is_that_of_the_interpreter(family, length, value):
    formula = family(length)
    tape, other = Input(value), Input(value)
    wanted, found = formula.forward(tape), compile(formula).forward(other)
    assert found.value == pytest.approx(wanted.value, rel=1e-12, abs=1e-300)
    expected, given = wanted.gradients(), found.gradients()
    assert given[other] == pytest.approx(expected[tape], rel=1e-9, abs=1e-300)
    for cell in parameters(formula):
        assert given[cell] == pytest.approx(expected[cell], rel=1e-9, abs=1e-300)


def deep(depth):
    f = Identity()
    for _ in range(depth):
        f = If(Greater(f, 0.5), Plus(f, 1.0), Minus(f, 1.0))
    return f


def test_a_deep_chain_of_branches_has_a_derivative():
    assert derivatives(deep(1_000), spec_of(0.7))[INPUT].predict(0.7) == 1.0


def test_branches_within_branches_do_not_recurse():
    w = Weight(2.0)
    formula = Identity()
    for _ in range(1_000):
        formula = If(Greater(Identity(), 0.0), Plus(formula, w), Times(w, w))
    found = derivatives(formula, spec_of(1.0))
    assert found[INPUT].predict(1.0) == 1.0
    assert found[w].predict(1.0) == 1_000.0
    assert found[w].predict(-1.0) == 4.0


def shared_by(branch):
    return SharedNodes(branch).of(branch)


h = Sin(Identity())
positive = Greater(Identity(), 0.0)


def test_what_both_sides_need_is_shared():
    assert shared_by(If(positive, Times(h, h), Minus(h, 1.0))) == (h,)


def test_what_one_side_needs_is_not_shared():
    assert shared_by(If(positive, Sqrt(h), Literal(0.0))) == ()
    assert shared_by(If(positive, Sqrt(h), Cos(Identity()))) == ()


def test_what_some_path_does_without_is_not_shared():
    inner = If(Greater(Identity(), 1.0), Sqrt(h), Literal(0.0))
    assert shared_by(If(positive, Plus(inner, h), Times(h, 2.0))) == (h,)
    assert shared_by(If(positive, inner, Times(h, 2.0))) == ()


def test_what_all_paths_need_is_shared():
    inner = If(Greater(Identity(), 1.0), Sqrt(h), Plus(h, 1.0))
    assert shared_by(If(positive, inner, Times(h, 2.0))) == (h,)
    other = If(Greater(Identity(), 2.0), Cos(h), Minus(h, 1.0))
    assert shared_by(If(positive, inner, other)) == (h,)


def test_what_is_shared_comes_after_what_it_needs():
    above = Cos(h)
    formula = If(positive, Times(above, h), Plus(h, above))
    assert shared_by(formula) == (above,)
    tail = Cos(Identity())
    assert shared_by(If(positive, Plus(tail, h), Plus(h, tail))) in ((h, tail), (tail, h))


@pytest.mark.parametrize("value", [4.0, -4.0])
def test_a_branch_not_taken_is_not_evaluated(value):
    seen = []
    root = Sqrt(Hook(Identity(), seen.append))
    inner = If(Greater(Identity(), 1.0), Times(root, root), Literal(2.0))
    formula = If(positive, Plus(inner, root), Minus(h, 1.0))
    for run in (formula, compile(formula)):
        seen.clear()
        tape = Input(value)
        output = run.forward(tape)
        assert output.value == (6.0 if value > 0.0 else formula.otherwise.predict(value))
        assert seen == [4.0] * (value > 0.0)
        assert output.gradients()[tape] == pytest.approx(1.25 if value > 0.0 else Cos(Identity()).predict(value))
    # A negative number has no root: its delta would be NaN.
    found = derivatives(formula, spec_of(value))[INPUT].predict(value)
    assert found == pytest.approx(1.25 if value > 0.0 else Cos(Identity()).predict(value))


@pytest.mark.parametrize("value", [0.5, -0.5])
def test_hooks_of_both_sides_run_in_their_order(value):
    seen = []
    shared = Hook(h, lambda found: seen.append(("shared", found)))
    alone = Hook(Identity(), lambda found: seen.append(("alone", found)))
    formula = If(positive, Plus(alone, shared), Times(shared, 2.0))
    value_of = formula.predict(value)
    wanted = list(seen)
    seen.clear()
    assert compile(formula).predict(value) == value_of
    assert seen == wanted
    assert len(wanted) == (2 if value > 0.0 else 1)


def test_a_hook_that_has_run_does_not_run_again_in_a_branch():
    seen = []
    hooked = Hook(h, seen.append)
    formula = If(Greater(hooked, 0.0), Plus(hooked, 1.0), Minus(hooked, 1.0))
    for run in (formula, compile(formula)):
        seen.clear()
        assert run.predict(0.5) == h.predict(0.5) + 1.0
        assert len(seen) == 1
