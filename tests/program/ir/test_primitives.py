"""What passes know of primitives by name agrees with what code generation can write."""

from __future__ import annotations

import pytest

from layertree import kernels
from layertree.program.codegen import templates
from layertree.program.ir.primitives import FILL_A_BUFFER, fills_a_buffer, is_elementwise


@pytest.mark.parametrize("name", sorted(FILL_A_BUFFER))
def test_what_fills_a_buffer_has_a_template_or_a_kernel(name: str) -> None:
    assert name in templates._TEMPLATES or callable(getattr(kernels, name))


def test_templates_are_of_primitives_that_fill_a_buffer() -> None:
    assert all(map(fills_a_buffer, templates._TEMPLATES))
    assert [name for name in FILL_A_BUFFER if is_elementwise(name)] == [
        name for name in FILL_A_BUFFER if name in ("where", "masked")
    ]


def test_kinds_of_primitives() -> None:
    assert is_elementwise("exp")
    assert not is_elementwise("matmul")  # a ufunc of NumPy's, but not elementwise
    assert fills_a_buffer("exp")
    assert not fills_a_buffer("cumulative_sum")
    assert not fills_a_buffer("getitem")
