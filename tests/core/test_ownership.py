"""What a formula, a gradient or a copy holds is its own: no write of a caller, and no commit meanwhile, changes it."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Literal, Plus, Tuple, Weight, commit, compile
from layertree.core.cell import Cell
from layertree.typing import ArraySpec
from symbolic import exp, literal, placeholder, take, weight, where

VECTOR = ArraySpec((2,))


def test_a_literal_owns_its_array() -> None:
    given = np.ones(2)
    parts = (given, (given, 1.0))
    made, nested = Literal(given), Literal(parts)
    given[:] = 5.0
    assert made.data.tolist() == [1.0, 1.0]
    assert nested.data[1][0].tolist() == [1.0, 1.0]
    assert not made.data.flags.writeable
    assert made == Literal(np.ones(2))


def test_an_array_that_nobody_can_change_is_not_copied() -> None:
    given = np.ones(2)
    given.setflags(write=False)
    assert Literal(given).data is given
    view = np.ones(4)[:2]
    view.setflags(write=False)
    assert not np.shares_memory(Literal(view).data, view)


def test_a_promise_saves_the_copy() -> None:
    given = np.ones(2)
    for made in (Literal(given, copy=False), literal(given, copy=False).layer):
        assert np.shares_memory(made.data, given)
        assert not made.data.flags.writeable


@pytest.mark.parametrize("run", [lambda f: f, compile], ids=["interpreted", "compiled"])
def test_a_formula_never_changes(run: Any) -> None:
    x = placeholder(VECTOR)
    constant, mask, indices = np.ones(2), np.array([True, False]), np.array([0, 1])
    formulas = [x + exp(literal(constant)), x * constant, where(mask, x, 2.0 * x), take(x, indices, axis=0)]
    runs = [run(formula) for formula in formulas]
    data = np.array([3.0, 4.0])
    before = [one.predict(data).tolist() for one in runs]
    constant[:], mask[:], indices[:] = 5.0, False, 0
    assert [one.predict(data).tolist() for one in runs] == before
    assert before[2] == [3.0, 8.0]


def test_gradients_own_their_arrays() -> None:
    w = weight(np.zeros(2), optimizer=SGD(1.0))
    delta = np.ones(2)
    found = (w + 0.0).forward(None).gradients(delta)
    delta[:] = 100.0
    commit(found)
    assert w.value.tolist() == [-1.0, -1.0]


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))], ids=["copy", "pickle"]
)
@pytest.mark.parametrize("value", [0.0, np.zeros(3)], ids=["number", "array"])
def test_a_copy_sees_one_commit(copied: Any, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (Weight(value, optimizer=SGD(1.0)) for _ in range(2))
    tree = Tuple((first, Plus(second, 1.0)))
    given = Cell.__getstate__

    def committing(cell: Cell) -> tuple[Any, ...]:
        """Another thread commits before each cell is read."""
        commit({one: one.value + 1.0 for one in (first, second)})
        return given(cell)

    monkeypatch.setattr(Cell, "__getstate__", committing)
    twin = copied(tree)
    monkeypatch.undo()
    values = [np.asarray(leaf.value).tolist() for leaf in (twin.operands[0], twin.operands[1].operand1)]
    assert values[0] == values[1] == np.asarray(value).tolist()
    assert np.asarray(first.value).tolist() != np.asarray(value).tolist()
    assert not isinstance(value, np.ndarray) or not twin.operands[0].value.flags.writeable
