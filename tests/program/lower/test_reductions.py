"""Reductions by kernels: into arrays of any layout."""

from __future__ import annotations

import numpy as np
import pytest

from layertree import kernels


@pytest.mark.parametrize("whole", [(4, 6), (4, 1), (1, 6)])
def test_a_sum_over_the_last_axis_goes_to_a_part_of_an_array(whole: tuple[int, int]) -> None:
    """As what a block of several heads and rows gives does."""
    sums = np.zeros(whole)
    part = sums[:2, :3]
    rows = np.random.default_rng(0).standard_normal((*part.shape, 5))
    kernels.sum_of_last(rows, part)
    np.testing.assert_allclose(sums[:2, :3], rows.sum(-1), rtol=1e-12)
    assert np.abs(sums).sum() == pytest.approx(np.abs(rows.sum(-1)).sum())
