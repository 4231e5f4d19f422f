"""Walks that users ask for: weights, and cells by name."""

import copy
import pickle

import numpy as np
import pytest

from layertree import Count, Identity, Plus, State, Times, Weight, find, named_cells, nodes, parameters, scope
from layertree.typing import ArraySpec
from symbolic import dense, layer_norm, placeholder, weight


def test_parameters_are_distinct_and_in_the_order_of_their_first_visit():
    a, b = Weight(1.0), Weight(2.0)
    formula = Plus(Times(b, Identity()), Times(a, b))
    assert parameters(formula) == (b, a)
    assert [type(node).__name__ for node in nodes(Times(a, a))] == ["Weight", "Times"]


def test_names():
    with scope("encoder"):
        a = Weight(1.0, name="kernel")
        with scope("inner"):
            b = Weight(2.0)
            c = Weight(3.0)
        counter = State(0, Count())
    d = Weight(4.0)
    formula = Plus(Plus(a, b), Plus(Plus(c, b), Plus(d, Plus(counter, a))))
    assert list(named_cells(formula)) == [
        "encoder/kernel",
        "encoder/inner/weight_0",
        "encoder/inner/weight_1",
        "weight_0",
        "encoder/state_0",
    ]


def test_two_cells_of_one_name_are_an_error():
    with pytest.raises(ValueError, match="'d'"):
        named_cells(Plus(Weight(1.0, name="d"), Weight(1.0, name="d")))
    with pytest.raises(ValueError, match="weight_0"):
        named_cells(Plus(Weight(1.0, name="weight_0"), Weight(1.0)))
    with pytest.raises(ValueError, match="weight_0"):
        named_cells(Plus(Weight(1.0), Weight(1.0, name="weight_0")))


@pytest.mark.parametrize("name", ["", 3])
def test_names_are_strings(name):
    with pytest.raises(TypeError):
        Weight(1.0, name=name)
    with pytest.raises(TypeError), scope(name):
        pass


def test_the_cells_of_blocks_go_by_their_roles():
    x = placeholder(ArraySpec(("Batch", 4), np.float32))
    hidden = layer_norm(dense(layer_norm(dense(x, 4)), 4))
    with scope("head"):
        y = dense(hidden, 2, name="dense")
    assert list(named_cells(y)) == [
        "dense/kernel",
        "dense/bias",
        "layer_norm/gain",
        "layer_norm/offset",
        "dense/kernel_1",
        "dense/bias_1",
        "layer_norm/gain_1",
        "layer_norm/offset_1",
        "head/dense/kernel",
        "head/dense/bias",
    ]
    assert len(find(y, "**/kernel")) == 2
    assert (
        list(named_cells(copy.deepcopy(y))) == list(named_cells(y)) == list(named_cells(pickle.loads(pickle.dumps(y))))
    )


def test_a_role_that_is_a_name_is_an_error():
    x = placeholder(ArraySpec(("Batch", 4), np.float32))
    with scope("dense"):
        gain = weight(np.ones(3, np.float32), name="kernel")
    with pytest.raises(ValueError, match="'dense/kernel'"):
        named_cells(dense(x, 3) * gain)
