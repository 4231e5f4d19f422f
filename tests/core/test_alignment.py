"""Aligned memory: where it begins, and that a copy is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import Weight
from layertree.core.alignment import ALIGNMENT, aligned, aligned_copy


@pytest.mark.parametrize("nbytes", [1, 63, 64, 65, 1000])
def test_bytes_begin_on_a_line(nbytes: int) -> None:
    memory = aligned(nbytes)
    assert memory.nbytes == nbytes
    assert memory.ctypes.data % ALIGNMENT == 0


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int8, np.bool_])
@pytest.mark.parametrize("shape", [(5,), (2, 3), (0, 3), (2, 3, 4)])
def test_a_copy_has_the_elements_and_memory_of_its_own(shape: tuple[int, ...], dtype: type[np.generic]) -> None:
    given: np.ndarray[Any, Any] = np.ones(shape, dtype)
    given[..., 1:] = 0
    copy = aligned_copy(given)
    assert copy.size == 0 or copy.ctypes.data % ALIGNMENT == 0
    assert copy.flags.writeable
    np.testing.assert_array_equal(copy, given, strict=True)
    assert not np.shares_memory(copy, given)


def test_a_copy_keeps_the_order_of_axes() -> None:
    given: Any = np.arange(6.0).reshape(2, 3).T
    copy = aligned_copy(given)
    np.testing.assert_array_equal(copy, given)
    assert copy.flags.f_contiguous
    assert not np.shares_memory(copy, given)
    np.testing.assert_array_equal(aligned_copy(given[:, ::2]), given[:, ::2])


def test_the_values_of_weights_begin_on_a_line() -> None:
    for size in range(1, 20):
        assert Weight(np.ones(size)).value.ctypes.data % ALIGNMENT == 0
