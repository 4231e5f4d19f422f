"""What passes know of primitives by name agrees with what code generation can write."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from layertree import kernels
from layertree.program.codegen import templates
from layertree.program.codegen.batch_program import PartedProgram, planned
from layertree.program.ir import indexing_maps as maps
from layertree.program.ir.operations import Graph
from layertree.program.ir.primitives import PRIMITIVES, Primitive, fills_a_buffer, is_elementwise
from layertree.program.passes.axis_propagation import Rows, reading_of
from layertree.program.report.costs import flops_of
from tests.program.graphs import op, source, spec

FILLING = sorted(filter(fills_a_buffer, PRIMITIVES))


@pytest.mark.parametrize("name", FILLING)
def test_what_fills_a_buffer_has_a_template_or_a_kernel(name: str) -> None:
    assert name in templates._TEMPLATES or callable(getattr(kernels, name))


def test_templates_are_of_primitives_that_fill_a_buffer() -> None:
    assert all(map(fills_a_buffer, templates._TEMPLATES))
    assert list(filter(is_elementwise, FILLING)) == ["masked", "where"]


def test_kinds_of_primitives() -> None:
    assert is_elementwise("exp")
    assert not is_elementwise("matmul")  # a ufunc of NumPy's, but not elementwise
    assert fills_a_buffer("exp")
    assert not fills_a_buffer("cumulative_sum")
    assert not fills_a_buffer("getitem")


def _centred(x: Any, out: Any) -> None:
    """Each row without its mean."""
    np.subtract(x, x.mean(axis=-1, keepdims=True), out=out)


def test_a_new_primitive_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its kernel it is emitted, laid out in the arena, counted, and split over a batch."""
    entry = Primitive(maps.leading(lambda op: 1), lambda op: 2 * math.prod(op.shape), fills=True)
    monkeypatch.setitem(PRIMITIVES, "centred", entry)
    monkeypatch.setattr(kernels, "centred", _centred, raising=False)
    rows, columns = 4096, 64
    x = source(spec(rows, columns))
    doubled = op("add", x, x)
    centred = op("centred", doubled)
    total = op("sum", op("exp", centred), kind=spec(columns), axis=(0,))
    graph = Graph([x, doubled, centred, total.inputs[0], total], (x,), (total, centred))
    assert flops_of(centred) == 2 * rows * columns
    assert reading_of(centred, [Rows(0, 1)], rows) == Rows(0, 1)
    data = np.random.default_rng(0).standard_normal((rows, columns))
    wanted = 2 * data - 2 * data.mean(axis=-1, keepdims=True)
    for threads in (1, 2):
        program = planned(graph, (), threads)
        assert (type(program) is PartedProgram) == (threads == 2)
        found = program.run(program.frame(), (data,), (), (), ())
        np.testing.assert_allclose(found[0], np.exp(wanted).sum(axis=0), rtol=1e-12)
        np.testing.assert_allclose(found[1], wanted, rtol=1e-12, atol=1e-14)
        assert "kernels.centred(" in program.text
