"""Walks that users ask for: weights, and cells by name."""

import pytest

from layertree import Count, Identity, Plus, State, Times, Weight, named_cells, nodes, parameters, scope


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
