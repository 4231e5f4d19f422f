"""The fields of a layer class in a module whose annotations are text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import Identity, Layer, Tape, attribute, layer, operand
from symbolic import placeholder
from symbolic.building.operations import apply_layer


@layer
class Scaled(Layer[Tape[Any, Any], Tape[Any, Any]]):
    argument: Layer[Tape[Any, Any], Tape[Any, Any]] = operand()
    factors: tuple[float, ...] = attribute(minimum=0.0, help="one a column")
    dtype: np.dtype[Any] | None = attribute(default=None, help="of the result")

    def compute(self, xp: Any, a: Any) -> Any:
        return xp.multiply(a, self.factors[0])


def test_attributes_are_checked_where_annotations_are_text() -> None:
    assert Scaled.__annotations__["factors"] == "tuple[float, ...]"
    assert Scaled(Identity(), (2, 3)).factors == (2.0, 3.0)
    assert Scaled(Identity(), (2.0,)).predict(3.0) == 6.0
    assert Scaled(Identity(), (2.0,), np.dtype(np.float32)).dtype == np.float32
    with pytest.raises(ValueError, match=r"Scaled\.factors = \(-1\.0,\) is not allowed"):
        Scaled(Identity(), (-1.0,))
    with pytest.raises(TypeError, match=r"Scaled\.factors = 'a' is not allowed"):
        Scaled(Identity(), "a")  # type: ignore[arg-type]  # refused by type checkers, too


def test_a_type_that_is_not_known_is_an_error_of_the_class() -> None:
    with pytest.raises(TypeError, match=r"Lost\.depth has the type 'Missing'"):

        @layer
        class Lost(Layer[Tape[Any, Any], Tape[Any, Any]]):
            depth: Missing = attribute(help="")  # type: ignore[name-defined]  # noqa: F821  # the point of the test


def test_a_class_that_looks_at_its_operands_is_constructed() -> None:
    @layer
    class Twice(Layer[Any, Any]):
        operand: Layer[Any, Any] = operand()

        def __attrs_post_init__(self) -> None:
            made.append(self.operand)

        def compute(self, xp: Any, a: Any) -> Any:
            return xp.add(a, a)

    @layer
    class Plain(Layer[Any, Any]):
        operand: Layer[Any, Any] = operand()

    made: list[Any] = []
    assert not Twice.__layout__.plain
    assert Plain.__layout__.plain
    assert apply_layer(Twice, placeholder(float)).predict(2.0) == 4.0
    assert made == [Identity()]
