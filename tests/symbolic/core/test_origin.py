"""Formulas of one placeholder call have one origin; others cannot be combined."""

from __future__ import annotations

import pytest

from layertree import Plus
from symbolic import placeholder, weight
from symbolic.core.origin import Origin, common_origin, input_spec


def test_the_origin_of_operands_is_that_of_the_ones_with_an_input() -> None:
    x, w = placeholder(float), weight(2.0)
    layer = Plus(x.layer, w.layer)
    assert common_origin(layer, [x, w]) is x.origin
    assert common_origin(layer, iter([w, x, x])) is x.origin
    assert common_origin(layer, [w]) is None
    assert common_origin(layer, []) is None


def test_operands_of_two_origins_are_an_error_that_shows_the_operation() -> None:
    x, y = placeholder(float), placeholder(float)
    with pytest.raises(ValueError, match="two different placeholder calls"):
        common_origin(Plus(x.layer, y.layer), [x, y])


def test_formulas_without_an_input_have_the_empty_tuple_as_its_spec() -> None:
    x = placeholder(float)
    assert input_spec(None) == ()
    assert input_spec(x.origin) is x.spec
    assert input_spec(Origin((x.spec,))) == (x.spec,)
