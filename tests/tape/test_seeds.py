"""Seeds: the deltas that a way back starts from, the default one, and which are refused."""

import numpy as np
import pytest

from layertree import DTypeError, Exp, Greater, Identity, Input, Parts, ShapeError, Sin, Times, Tuple


@pytest.mark.parametrize(
    ("data", "delta"),
    [(2.0, 1.0), (np.float32(2.0), np.float32(1.0)), (np.full((1, 1), 2.0), np.ones((1, 1)))],
)
def test_the_default_seed(data, delta):
    x = Input(data)
    found = Times(Identity(), 3.0).forward(x).gradients()[x]
    assert np.array_equal(found, 3.0 * delta)
    assert np.shape(found) == np.shape(data)


@pytest.mark.parametrize(
    ("output", "delta", "error", "words"),
    [
        (np.ones((2, 3)), None, ShapeError, r"give one of shape \(2, 3\)"),
        (np.ones((2, 3)), np.ones((3, 2)), ShapeError, r"shape \(3, 2\)"),
        (np.ones((2, 3)), np.ones(2), ShapeError, r"shape \(2,\)"),
        (np.ones((2, 3)), 1.0, ShapeError, "float"),
        (2.0, np.ones(1), ShapeError, "give a number"),
        (2.0, "1", DTypeError, "str"),
        ((2.0, 3.0), None, ShapeError, "each part"),
        ((2.0, 3.0), (1.0,), ShapeError, "1 part"),
        ((2.0, 3.0), Parts({5: 1.0}), ShapeError, "part 5"),
        ((2.0, 3.0), 1.0, DTypeError, "tuple or Parts"),
    ],
)
def test_a_seed_that_does_not_fit_is_an_error_and_uses_nothing_up(output, delta, error, words):
    tape = Identity().forward(Input(output))
    with pytest.raises(error, match=words):
        tape.backward(delta)
    tape = Times(Identity(), 1.0).forward(Input(output)) if not isinstance(output, tuple) else None
    if tape is not None:
        with pytest.raises(error, match=words):
            tape.backward(delta)
        assert len(tape.upstream) == 2


def test_a_boolean_output_has_no_seed():
    with pytest.raises(DTypeError, match="bool"):
        Greater(Identity(), 0.0).train(1.0)


def test_a_seed_is_cast_to_the_dtype_of_the_output():
    x = Input(np.ones(2, np.float32))
    found = Exp(Identity()).forward(x).gradients(np.ones(2, np.float64))[x]
    assert found.dtype == np.float32


def test_the_seed_scales():
    x = Input(3.0)
    assert Times(Identity(), Identity()).forward(x).gradients(2.5)[x] == 15.0


def test_an_output_with_parts_takes_parts():
    x = Input(3.0)
    tape = Tuple((Times(Identity(), Identity()), Sin(Identity()))).forward(x)
    assert tape.value == (9.0, np.sin(3.0))
    assert tape.gradients(Parts({0: 2.0}), retain=True)[x] == 12.0
    assert tape.gradients((1.0, None))[x] == 6.0
