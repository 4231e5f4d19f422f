"""How values run over a batch: what a primitive gives for some rows is its rows of what it gives for all."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest

from layertree.core.spec import spec_of
from layertree.program.codegen.program import build
from layertree.program.ir.operations import Graph, Op
from layertree.program.passes.axis_propagation import SUM, NotSplit, Reading, Rows, reading_of, sliced_axis
from tests.program.graphs import op, source, spec

SIZE = 6
FULL: Reading = None


class Case(NamedTuple):
    """A primitive over operands of some shapes and readings, with the shape and the reading of what it gives."""

    name: str
    shapes: list[tuple[int, ...]]
    readings: list[Reading]
    shape: tuple[int, ...]
    expected: Reading
    attributes: Any = MappingProxyType({})


R0, R1, R2 = Rows(0, 1), Rows(1, 1), Rows(2, 1)
SLICE = slice(None)

CASES = [
    Case("exp", [(6, 3)], [R0], (6, 3), R0),
    Case("add", [(6, 3), (6, 3)], [R0, R0], (6, 3), R0),
    Case("add", [(6, 3), (3,)], [R0, FULL], (6, 3), R0),
    Case("add", [(6, 3), ()], [R0, FULL], (6, 3), R0),
    Case("add", [(6, 3), (6, 3)], [R0, FULL], (6, 3), R0),
    Case("add", [(1, 3), (6, 3)], [FULL, R0], (6, 3), R0),
    Case("add", [(6, 1), (2, 6, 4)], [R0, R1], (2, 6, 4), R1),
    Case("add", [(2, 6, 4), (6, 4)], [R1, FULL], (2, 6, 4), R1),
    Case("multiply", [(12, 3), (12, 1)], [Rows(0, 2), FULL], (12, 3), Rows(0, 2)),
    Case("astype", [(6, 3)], [R0], (6, 3), R0, {"dtype": np.dtype(np.float64)}),
    Case("sum", [(6, 3)], [R0], (3,), SUM, {"axis": (0,)}),
    Case("sum", [(6, 3)], [R0], (6,), R0, {"axis": (1,)}),
    Case("sum", [(2, 6, 3)], [R1], (6,), R0, {"axis": (0, 2)}),
    Case("sum", [(2, 6, 3)], [R1], (3,), SUM, {"axis": (0, 1)}),
    Case("max", [(2, 6, 3)], [R1], (6, 3), R0, {"axis": (0,)}),
    Case("min", [(6, 3)], [R0], (6,), R0, {"axis": (1,)}),
    Case("argmax", [(2, 6, 3)], [R1], (6, 3), R0, {"axis": 0}),
    Case("sum_of_rows", [(6, 3)], [R0], (3,), SUM),
    Case("sum_of_rows", [(3, 6)], [R1], (6,), R0),
    Case("sum_of_last", [(6, 3)], [R0], (6,), R0),
    Case("sum_of_last", [(3, 6)], [R1], (3,), SUM),
    Case("max_of_last", [(6, 3)], [R0], (6,), R0),
    Case("reshape", [(6, 4)], [R0], (24,), Rows(0, 4), {"shape": (24,)}),
    Case("reshape", [(24,)], [Rows(0, 4)], (6, 2, 2), R0, {"shape": (6, 2, 2)}),
    Case("reshape", [(24,)], [Rows(0, 4)], (12, 2), Rows(0, 2), {"shape": (12, 2)}),
    Case("reshape", [(2, 6, 3)], [R1], (2, 18), Rows(1, 3), {"shape": (2, 18)}),
    Case("reshape", [(2, 3, 6, 4)], [R2], (6, 6, 2, 2), R1, {"shape": (6, 6, 2, 2)}),
    Case("transpose", [(6, 3, 2)], [R0], (2, 6, 3), R1, {"axes": (2, 0, 1)}),
    Case("broadcast_to", [(6, 1)], [R0], (6, 5), R0, {"shape": (6, 5)}),
    Case("broadcast_to", [(6,)], [R0], (4, 6), R1, {"shape": (4, 6)}),
    Case("matmul", [(6, 3), (3, 4)], [R0, FULL], (6, 4), R0),
    Case("matmul", [(4, 3), (3, 6)], [FULL, R1], (4, 6), R1),
    Case("matmul", [(3, 6), (6, 4)], [R1, R0], (3, 4), SUM),
    Case("matmul", [(6,), (6, 4)], [R0, R0], (4,), SUM),
    Case("matmul", [(3, 6), (6,)], [R1, R0], (3,), SUM),
    Case("matmul", [(6,), (6,)], [R0, R0], (), SUM),
    Case("matmul", [(6, 3), (3,)], [R0, FULL], (6,), R0),
    Case("matmul", [(3,), (3, 6)], [FULL, R1], (6,), R0),
    Case("matmul", [(6, 2, 3), (3, 4)], [R0, FULL], (6, 2, 4), R0),
    Case("matmul", [(6, 2, 3), (6, 3, 4)], [R0, R0], (6, 2, 4), R0),
    Case("matmul", [(6, 2, 3), (6, 3, 4)], [R0, FULL], (6, 2, 4), R0),
    Case("matmul", [(2, 3), (6, 3, 4)], [FULL, R0], (6, 2, 4), R0),
    Case("matmul", [(6, 2, 3), (3,)], [R0, FULL], (6, 2), R0),
    Case("matmul", [(2, 6, 3), (3,)], [R1, FULL], (2, 6), R1),
    Case("matmul", [(3,), (6, 3, 4)], [FULL, R0], (6, 4), R0),
    Case("matmul", [(5, 6, 3), (5, 3, 4)], [R1, FULL], (5, 6, 4), R1),
    Case("getitem", [(6, 3)], [R0], (6,), R0, {"index": (SLICE, 1)}),
    Case("getitem", [(2, 6, 3)], [R1], (1, 6), R1, {"index": (0, None, SLICE, -1)}),
    Case("getitem", [(2, 6, 3)], [R1], (2, 6, 2), R1, {"index": (Ellipsis, slice(0, 2))}),
    Case("put", [(6,)], [R0], (6, 3), R0, {"shape": (6, 3), "indices": ((SLICE, 1),)}),
    Case("put", [(6,), (6, 1)], [R0, R0], (6, 3), R0, {"shape": (6, 3), "indices": ((SLICE, 1), (SLICE, slice(2, 3)))}),
    Case("concat", [(6, 3), (6, 2)], [R0, R0], (6, 5), R0, {"axis": 1}),
    Case("concat", [(6, 3), (6, 2)], [R0, FULL], (6, 5), R0, {"axis": -1}),
    Case("pad", [(6, 3, 2)], [R0], (6, 5, 2), R0, {"widths": ((1, 1), (0, 0)), "value": 0.5}),
    Case("windows", [(6, 5, 2)], [R0], (6, 3, 3, 2), R0, {"window": (3,), "stride": (1,), "dilation": (1,)}),
    Case("fold", [(6, 3, 3, 2)], [R0], (6, 5, 2), R0, {"shape": (6, 5, 2), "stride": (1,), "dilation": (1,)}),
    Case("max_pool2d", [(6, 4, 4, 2)], [R0], (6, 2, 2, 2), R0, {"window": (2, 2), "stride": (2, 2)}),
    Case("take", [(5, 3), (6,)], [FULL, R0], (6, 3), R0, {"axis": 0}),
    Case("take", [(5, 3), (4, 6)], [FULL, R1], (4, 6, 3), R1, {"axis": 0}),
    Case("scatter_add", [(4, 6, 3), (4, 6)], [R1, R1], (5, 3), SUM, {"shape": (5, 3), "axis": 0}),
    Case("take", [(3, 5), (6, 2)], [FULL, R0], (3, 6, 2), R1, {"axis": -1}),
    Case("scatter_add", [(6, 3), (6,)], [R0, R0], (5, 3), SUM, {"shape": (5, 3), "axis": 0}),
    Case("scatter_add", [(3, 6), (6,)], [R1, R0], (3, 5), SUM, {"shape": (3, 5), "axis": 1}),
    Case("scatter_add", [(4, 6), (4,)], [R1, FULL], (5, 6), R1, {"shape": (5, 6), "axis": 0}),
    Case("put", [(6,), (6,)], [R0, FULL], (6, 3), R0, {"shape": (6, 3), "indices": ((SLICE, 1), (SLICE, 2))}),
    Case("take", [(4, 6), (2,)], [R1, FULL], (2, 6), R1, {"axis": 0}),
    Case("pick", [(6, 4), (6,)], [R0, R0], (6,), R0),
    Case("pick", [(6, 4), (6,)], [R0, FULL], (6,), R0),
    Case("pick", [(6, 4), (6,)], [FULL, R0], (6,), R0),
    Case("unpick", [(6,), (6,)], [R0, R0], (6, 4), R0, {"shape": (6, 4)}),
    Case("unpick", [(), (6,)], [FULL, R0], (6, 4), R0, {"shape": (6, 4)}),
]


def resized(shape: tuple[int, ...], reading: Reading, rows: int) -> tuple[int, ...]:
    if not isinstance(reading, Rows):
        return shape
    return (*shape[: reading.axis], rows * reading.unit, *shape[reading.axis + 1 :])


def rows_of(array: Any, reading: Reading, start: int, stop: int) -> Any:
    """Some rows of an array; all of one that has none."""
    if not isinstance(reading, Rows):
        return array
    taken = slice(start * reading.unit, stop * reading.unit)
    return array[(SLICE,) * reading.axis + (taken,)]


def ops_of(case: Case, rows: int = SIZE) -> tuple[list[Op], Op]:
    """The primitive over some rows, and its operands; what is one for all rows is whole."""
    operands = [
        source(spec(*resized(shape, reading, rows)), place)
        for place, (shape, reading) in enumerate(zip(case.shapes, case.readings, strict=True))
    ]
    shape = resized(case.shape, case.expected, rows)
    attributes = dict(case.attributes) | ({"shape": shape} if "shape" in case.attributes else {})
    kind = spec(*shape, dtype=np.int64 if case.name == "argmax" else np.float64)
    return operands, op(case.name, *operands, kind=kind, **attributes)


def of_data(result: Op, data: list[Any]) -> tuple[list[Op], Op]:
    """The primitive over operands of the specs of some data, and these operands."""
    pairs = zip(result.inputs, data, strict=True)
    operands = [attrs.evolve(one, spec=spec_of(np.asarray(array)[()])) for one, array in pairs]
    return operands, attrs.evolve(result, inputs=tuple(operands))


def value_of(operands: list[Op], result: Op, data: list[Any]) -> Any:
    program = build(Graph([*operands, result], tuple(operands), (result,)))
    return program.run(program.frame(), tuple(data), (), (), ())[0]


def data_of(case: Case) -> list[Any]:
    """Numbers for the operands of a primitive; the second one of what looks up are indices."""
    generator = np.random.default_rng(0)
    data = [generator.standard_normal(shape) if shape else generator.standard_normal() for shape in case.shapes]
    if case.name in ("take", "scatter_add", "pick", "unpick"):
        whole = case.shapes[0] if case.name in ("take", "pick") else case.shape
        data[1] = generator.integers(0, whole[case.attributes.get("axis", -1)], case.shapes[1])
    return data


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}{case.shapes}")
def test_rows_of_the_result_are_the_result_of_rows(case: Case) -> None:
    operands, whole = ops_of(case)
    assert reading_of(whole, case.readings, SIZE) == case.expected
    data = data_of(case)
    operands, whole = of_data(whole, data)
    expected = value_of(operands, whole, data)
    parts: list[Any] = []
    for start, stop in [(0, 2), (2, 6)]:
        given: list[Any] = []
        for place, (one, operand, reading) in enumerate(zip(data, operands, case.readings, strict=True)):
            rows = reading
            if reading is None and isinstance(case.expected, Rows):
                axis = sliced_axis(whole, case.expected, place)
                rows = None if axis is None else Rows(axis, operand.spec.shape[axis] // SIZE)
            given.append(rows_of(one, rows, start, stop))
        _, part = ops_of(case, stop - start)
        part_operands, part = of_data(part, given)
        found = value_of(part_operands, part, given)
        if case.expected == SUM:
            parts.append(found)
        else:
            np.testing.assert_allclose(found, rows_of(expected, case.expected, start, stop), rtol=1e-14)
    if case.expected == SUM:
        np.testing.assert_allclose(parts[0] + parts[1], expected, rtol=1e-13)
        assert not np.allclose(parts[0], expected)


def test_maxima_go_back_to_where_they_were_row_by_row() -> None:
    case = Case("max_unpool2d", [(6, 2, 2, 1), (6, 2, 2, 1), (6, 4, 4, 1)], [R0, R0, R0], (6, 4, 4, 1), R0)
    assert reading_of(ops_of(case)[1], case.readings, SIZE) == R0


NOT_SPLIT = [
    Case("add", [(6, 6), (6, 6)], [R0, R1], (6, 6), FULL),
    Case("add", [(12,), (12,)], [Rows(0, 2), R0], (12,), FULL),
    Case("max", [(6, 3)], [R0], (3,), FULL, {"axis": (0,)}),
    Case("argmax", [(6, 3)], [R0], (3,), FULL, {"axis": 0}),
    Case("max_of_last", [(3, 6)], [R1], (3,), FULL),
    Case("reshape", [(6, 4)], [R0], (4, 6), FULL, {"shape": (4, 6)}),
    Case("reshape", [(6, 6)], [R1], (36,), FULL, {"shape": (36,)}),
    Case("reshape", [(6, 4)], [R0], (3, 8), FULL, {"shape": (3, 8)}),
    Case("matmul", [(3, 6), (6, 4)], [R1, FULL], (3, 4), FULL),
    Case("matmul", [(3, 6), (6, 4)], [FULL, R0], (3, 4), FULL),
    Case("matmul", [(6, 3), (3, 6)], [R0, R1], (6, 6), FULL),
    Case("matmul", [(3, 12), (12, 4)], [Rows(1, 2), R0], (3, 4), FULL),
    Case("matmul", [(6, 2, 3), (5, 3, 6)], [R0, R2], (6, 2, 6), FULL),
    Case("getitem", [(6, 3)], [R0], (3,), FULL, {"index": (1,)}),
    Case("getitem", [(6, 3)], [R0], (2, 3), FULL, {"index": (slice(0, 2),)}),
    Case("getitem", [(6, 3)], [R0], (6, 3), FULL, {"index": (slice(None, None, -1),)}),
    Case("put", [(6, 3)], [R0], (8, 3), FULL, {"shape": (8, 3), "indices": ((slice(0, 6),),)}),
    Case("concat", [(6, 3), (6, 3)], [R0, R0], (12, 3), FULL, {"axis": 0}),
    Case("concat", [(6, 3), (6, 3)], [R0, R0], (12, 3), FULL, {"axis": -2}),
    Case("take", [(6, 3), (4,)], [R0, FULL], (4, 3), FULL, {"axis": 0}),
    Case("take", [(6, 3), (6,)], [R0, R0], (6, 3), FULL, {"axis": 0}),
    Case("scatter_add", [(6, 6), (6,)], [R0, R0], (6, 5), FULL, {"shape": (6, 5), "axis": 1}),
    Case("fold", [(3, 6, 3, 2)], [R1], (3, 8, 2), FULL, {"shape": (3, 8, 2), "stride": (1,), "dilation": (1,)}),
    Case("scatter_add", [(6, 3), (6,)], [R0, FULL], (5, 3), FULL, {"shape": (5, 3), "axis": 0}),
    Case("pick", [(3, 6), (3,)], [R1, FULL], (3,), FULL),
    Case("unpick", [(6, 6), (6, 6)], [R0, R1], (6, 6, 4), FULL),
    Case("pad", [(3, 6, 2)], [R1], (3, 8, 2), FULL, {"widths": ((1, 1), (0, 0)), "value": 0.0}),
    Case("windows", [(3, 6, 2)], [R1], (3, 4, 3, 2), FULL, {"window": (3,), "stride": (1,), "dilation": (1,)}),
    Case("max_unpool2d", [(6, 2, 2, 1), (6, 2, 2, 1), (6, 4, 4, 1)], [R0, R1, R0], (6, 4, 4, 1), FULL),
    Case("bernoulli", [(6,)], [R0], (6,), FULL),
    Case("of_somebody", [(6, 3)], [R0], (6, 3), FULL),
]


@pytest.mark.parametrize(
    "case", [case for case in NOT_SPLIT if any(case.readings)], ids=lambda c: f"{c.name}{c.shapes}"
)
def test_what_needs_all_rows_at_once(case: Case) -> None:
    _, whole = ops_of(case)
    with pytest.raises(NotSplit):
        reading_of(whole, case.readings, SIZE)


@pytest.mark.parametrize("name", ["add", "matmul", "of_somebody", "getitem"])
def test_what_reads_no_rows_is_the_same_for_all(name: str) -> None:
    """Also what reads sums over rows."""
    made = op(name, source(spec(6, 6)), source(spec(6, 6), 1))
    for readings in ([None, None], [SUM, None], [SUM, SUM]):
        assert reading_of(made, readings, SIZE) is None


@pytest.mark.parametrize(
    ("name", "shapes", "shape", "axis", "sliced"),
    [
        ("add", [(6, 3), (6, 3)], (6, 3), 0, 0),
        ("add", [(2, 6, 3), (6, 3)], (2, 6, 3), 1, 0),
        ("add", [(6, 3), (1, 3)], (6, 3), 0, None),
        ("add", [(6, 3), (3,)], (6, 3), 0, None),
        ("add", [(6, 3), ()], (6, 3), 0, None),
        ("where", [(6, 3), (6, 3), (3,)], (6, 3), 1, 0),
        ("broadcast_to", [(6,)], (4, 6), 1, 0),
        ("matmul", [(6, 3), (3, 4)], (6, 4), 0, None),
        ("matmul", [(3, 6), (4, 3)][::-1], (4, 6), 1, 1),
        ("matmul", [(6, 2, 3), (6, 3, 4)], (6, 2, 4), 0, 0),
        ("matmul", [(6, 2, 3), (1, 3, 4)], (6, 2, 4), 0, None),
        ("matmul", [(6, 2, 3), (3, 4)], (6, 2, 4), 0, None),
        ("pick", [(6, 4), (6,)], (6,), 0, 0),
        ("unpick", [(6,), (6,)], (6, 4), 0, 0),
        ("of_somebody", [(6, 3)], (6, 3), 0, None),
    ],
)
def test_along_which_axis_an_operand_of_all_rows_is_cut(
    name: str, shapes: list[tuple[int, ...]], shape: tuple[int, ...], axis: int, sliced: int | None
) -> None:
    """The last operand, for some rows of the result."""
    made = op(name, *[source(spec(*one), place) for place, one in enumerate(shapes)], kind=spec(*shape))
    assert sliced_axis(made, Rows(axis, 1), len(shapes) - 1) == sliced
