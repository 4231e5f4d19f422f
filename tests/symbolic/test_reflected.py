"""An object on the right of a formula that knows the operator gets its turn."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import pytest

import symbolic as sy
from layertree import DTypeError
from symbolic import placeholder


class Other:
    """A class with operators of its own."""

    def _answer(self, formula: object) -> tuple[Other, object]:
        return self, formula

    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _answer
    __rand__ = __ror__ = __rxor__ = __lt__ = __gt__ = __le__ = __ge__ = _answer
    __eq__ = __ne__ = _answer  # type: ignore[assignment]  # as NumPy's, which gives an array
    __hash__ = None  # type: ignore[assignment]  # as NumPy's


STRANGERS = [object(), None, "text", Fraction(1, 2), {}, [None]]
OPERATORS = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow),
    *(operator.matmul, operator.and_, operator.or_, operator.xor),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
]


@pytest.mark.parametrize("function", OPERATORS)
def test_the_reflected_method_is_asked(function: Any) -> None:
    x, other = placeholder(float), Other()
    found = function(x, other)
    assert found[0] is other
    assert found[1] is x


@pytest.mark.parametrize("function", OPERATORS)
@pytest.mark.parametrize(
    "value", [object(), None, "text", Fraction(1, 2), {}, [None]], ids=lambda one: type(one).__name__
)
def test_an_object_without_an_answer_is_the_error_of_an_operand(function: Any, value: object) -> None:
    with pytest.raises(DTypeError):
        function(placeholder(float), value)


def test_the_formula_of_an_object_with_a_layer_is_no_reflected_call() -> None:
    x = placeholder(float)
    assert isinstance(sy.add(x, sy.weight(1.0).layer), sy.Symbolic)
