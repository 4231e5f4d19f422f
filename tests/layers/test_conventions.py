"""The numeric conventions, on the tape and in the derivative tree."""

import numpy as np
import pytest

from layertree import Identity, LogSumExp, Max, MaxPool2D, Min, ShapeError
from layertree.core.spec import spec_of
from layertree.rewrite.reverse_mode import INPUT, derivatives
from tests.layers.checks import close
from tests.layers.conventions import CASES, Case, check_case

every_case = pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])


@every_case
def test_convention(case: Case) -> None:
    check_case(case)


@every_case
def test_convention_holds_in_the_derivative_tree(case: Case) -> None:
    tree = derivatives(case.layer, spec_of(case.input), case.delta)[INPUT]
    close(tree.forward(case.input).value, case.expected, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("cls", [Max, Min, LogSumExp])
def test_extremum_of_nothing_is_an_error(cls: type) -> None:
    with pytest.raises(ShapeError, match="nothing to choose from"):
        cls(Identity()).forward(np.ones((0,)))


def test_a_window_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(ShapeError, match="does not fit"):
        MaxPool2D(Identity(), (3, 3), (1, 1)).forward(np.ones((1, 2, 2, 1)))
