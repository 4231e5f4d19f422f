"""A compiled formula is a layer like any other: it derives, composes, simplifies, and is copied and rewritten."""

from __future__ import annotations

import copy
import pickle
from contextvars import ContextVar
from typing import Any

import numpy as np
import pytest

from layertree import Exp, Identity, Literal, Plus, Times, Tuple, Weight, compile, freeze, replace, simplify
from layertree.core.spec import spec_of
from layertree.typing import ArraySpec
from symbolic import grad, hook, placeholder, sin, sum, tanh, value_and_grad, vmap, weight


def test_its_derivative_is_that_of_the_formula() -> None:
    x = placeholder(float)
    program = compile(sin(x) * x)
    assert grad(program, spec=float).predict(0.7) == pytest.approx(grad(sin(x) * x).predict(0.7))


def test_it_composes_and_compiles_again() -> None:
    inner = compile(tanh(placeholder(float) * weight(0.5)))
    whole = Plus(Exp(inner), Times(inner, 2.0))
    wanted = np.exp(np.tanh(0.35)) + 2.0 * np.tanh(0.35)
    assert whole.predict(0.7) == pytest.approx(wanted)
    assert compile(whole).predict(0.7) == pytest.approx(wanted)
    assert simplify(Plus(inner, 0.0), spec_of(1.0)).predict(0.7) == pytest.approx(np.tanh(0.35))


def test_it_maps_over_examples() -> None:
    x = placeholder(ArraySpec((3,)))
    data = np.arange(12.0).reshape(4, 3)
    mapped = vmap(sum(sin(x)))
    np.testing.assert_allclose(compile(mapped).predict(data), np.sin(data).sum(-1))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_deep_copy_has_weights_of_its_own(duplicate: Any) -> None:
    w = Weight(2.0)
    program = compile(Times(Identity(), w))
    assert program.predict(3.0) == 6.0
    twin = duplicate(program)
    w.set(5.0)
    assert (program.predict(3.0), twin.predict(3.0)) == (15.0, 6.0)
    (leaf,) = twin.cells
    leaf.set(1.0)
    assert twin.predict(3.0) == 3.0
    with twin.forward(3.0) as tape:
        assert tape.gradients()[leaf] == 3.0


def test_surgery_reaches_its_formula() -> None:
    w = Weight(2.0)
    program = compile(Tuple((Times(Identity(), w), w)))
    frozen = freeze(program)
    w.set(5.0)
    assert frozen.predict(3.0) == frozen.forward(3.0).value == (6.0, 2.0)
    assert replace(program, Weight, Literal(1.0)).predict(3.0) == (3.0, 1.0)
    assert program.predict(3.0) == (15.0, 5.0)


def test_the_same_formula_compiled_twice_is_equal() -> None:
    formula = sin(placeholder(float))
    assert compile(formula) == compile(formula)
    assert hash(compile(formula)) == hash(compile(formula))


def test_gradients_of_several_weights() -> None:
    x, w, b = placeholder(float), weight(0.5), weight(0.25)
    formula = tanh(x * w + b)
    value, deltas = compile(value_and_grad(formula, [w, b])).predict(0.3)
    with compile(formula).forward(0.3) as tape:
        found = tape.gradients()
        assert (tape.value, found[w], found[b]) == pytest.approx((value, *deltas))


def test_a_hook_sees_the_context_of_each_run() -> None:
    number = ContextVar("number", default=0)
    seen: list[int] = []
    x = placeholder(ArraySpec((3,)))
    program = compile(sum(hook(x * 2.0, lambda _: seen.append(number.get()))))
    for i in (1, 2):
        number.set(i)
        assert program.predict(np.ones(3)) == 6.0
    assert seen == [1, 2]


def test_a_program_that_changes_nothing_gives_an_array_of_its_own() -> None:
    x = placeholder(ArraySpec((3,)))
    data = np.array([-0.0, 1.0, 2.0])
    for formula in (x + 0.0, x * 1.0, x - 0.0, 0.0 + x):
        found = compile(formula).predict(data)
        assert not np.shares_memory(found, data)
        data[1] = 5.0
        assert found[1] == 1.0
        data[1] = 1.0
