"""Where values live: which reshapes are views, told as NumPy does it, without a copy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layertree.program.storage import reshapes_in_place


@st.composite
def strided_arrays(draw):
    """Arrays whose axes were exchanged, cut, turned round and repeated, of 24 elements or fewer before that."""
    array = np.empty(draw(st.sampled_from([(), (1,), (24,), (4, 6), (2, 3, 4), (2, 1, 3, 2), (3, 0, 2)])))
    array = array.transpose(draw(st.permutations(range(array.ndim))))
    steps = st.sampled_from([slice(None), slice(None), slice(None, None, 2), slice(None, None, -1), slice(1, None)])
    array = array[tuple([draw(steps) for _ in array.shape])]
    return np.broadcast_to(array, (*draw(st.sampled_from([(), (1,), (2,)])), *array.shape))


def shapes(size):
    """The shapes of so many elements."""
    sizes = [part for part in range(1, size + 1) if size % part == 0] or [0]
    return st.lists(st.sampled_from(sizes), max_size=4).filter(lambda shape: np.prod(shape, dtype=int) == size)


@given(st.data())
def test_what_reshapes_in_place_is_what_numpy_does_not_copy(data):
    array = data.draw(strided_arrays())
    shape = tuple(data.draw(shapes(array.size)))
    is_view = bool(np.may_share_memory(array.reshape(shape), array))
    assert reshapes_in_place(array, shape) == (is_view or not array.size)


@pytest.mark.parametrize(
    ("shape", "is_view"),
    [((24,), False), ((3, 8), True), ((3, 2, 4), True), ((3, 1, 4, 2), True), ((6, 4), False), ((2, 12), False)],
)
def test_axes_that_were_exchanged(shape, is_view):
    assert reshapes_in_place(np.empty((8, 3)).T, shape) == is_view
