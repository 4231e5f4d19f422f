"""What passes did, as a program explains: one line a pass, with the sizes of the graph before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import SGD, compile
from layertree.core.spec import ArraySpec
from layertree.program.codegen import batch_program as parts
from layertree.program.passes.pipeline import OPTIMIZATION, PASSES, SIMPLIFICATION
from layertree.program.report.explanation import GraphSize, size_of
from symbolic import exp, if_, mean, placeholder, sin, tanh, weight
from tests.program.graphs import branch, filled, graph_of, number, op, source, spec
from tests.program.networks import batch, convolutional, mlp


def scaled_product() -> Any:
    rows = placeholder(ArraySpec((64, 8)))
    program = compile(tanh(0.5 * (rows @ rows.mT)))
    program.reserve(rows.spec)
    return program


def test_what_a_pass_saved() -> None:
    found = scaled_product().explain()
    assert [row.name for row in found] == [one.name for one in PASSES]
    assert [row.purpose for row in found] == [one.purpose for one in PASSES]
    whole, small, arithmetic = 64 * 64, 64 * 8, 2 * 64 * 64 * 8
    before = GraphSize(3, 3 * 8 * whole, 2 * whole + arithmetic)
    after = GraphSize(3, 8 * (2 * whole + small), whole + small + arithmetic)
    changed = [row for row in found if row.before != row.after]
    assert [(row.name, row.written, row.before, row.after) for row in changed] == [
        ("product scaling", 3, before, after)
    ]
    assert [row.written for row in found if row.name != "product scaling"] == [0] * (len(found) - 1)
    assert {row.stage for row in found} == {""}


def test_one_line_a_pass() -> None:
    lines = repr(scaled_product().explain()).splitlines()
    assert len(lines) == 3 + len(PASSES)
    assert lines[0].split() == ["pass", "written", "operations", "values", "FLOP", "what", "it", "does"]
    assert lines[1].split() == ["lowered", "3", "98.3", "kB", "73.7", "k"]
    assert lines[4].split()[:7] == ["product", "scaling", "3", "-28.7", "kB", "-3.6", "k"]
    assert lines[-1].split() == ["in", "the", "end", "3", "69.6", "kB", "70.1", "k"]
    assert [line.split("  ")[0] for line in lines[2:-1]] == [one.name for one in PASSES]


def test_a_narrow_table_has_no_purposes() -> None:
    found = scaled_product().explain()
    assert max(map(len, found.table(50).splitlines())) <= 60
    assert "what no output depends on" not in found.table(50)


def test_each_row_begins_where_the_last_one_ended() -> None:
    step = compile(convolutional(), train=True, optimizer=SGD(0.1))
    step(batch(4, 8, 8, 1))
    found = step.explain()
    assert [row.before for row in found[1:]] == [row.after for row in found[:-1]]
    assert all(row.written for row in found if row.name in ("log-likelihood", "gather indices", "pooling layout"))
    program = step._programs.last.program
    assert found[-1].after == size_of(program.graph)
    assert step.explain() == found


def test_a_program_in_parts_is_explained_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layertree.program.passes.batch_splitting.WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(parts, "CACHED_BYTES", 1 << 10)
    step = compile(mlp(), train=True, optimizer=SGD(0.1), threads=1)
    step(batch(60, 6))
    program = step._programs.last.program
    assert isinstance(program, parts.PartedProgram)
    found = step.explain()
    sizes = [f"part of {rows} rows" for rows in program.parts]
    stages = list(dict.fromkeys(row.stage for row in found))
    assert stages == ["all rows", "before", *sizes, "after"]
    assert [row.name for row in found if row.stage == "all rows"] == [one.name for one in SIMPLIFICATION]
    for stage, part in zip(stages[1:], program.programs, strict=True):
        rows = [row for row in found if row.stage == stage]
        assert [row.name for row in rows] == [one.name for one in OPTIMIZATION]
        assert rows[-1].after == size_of(part.graph)
    lines = repr(found).splitlines()
    assert len(lines) == 1 + len(found) + 2 * len(stages)
    assert [line for line in lines if line.startswith("part of ")]


def test_without_a_program_there_is_nothing_to_explain() -> None:
    with pytest.raises(RuntimeError, match="nothing is compiled yet"):
        compile(mlp(), train=True).explain()


def test_options_and_branches_are_explained_too() -> None:
    x = placeholder(float)
    w = weight(2.0)
    step = compile(if_(x > 0.0, exp(x * w), sin(w)), train=True, check_finite=True)
    step(1.0)
    assert step.explain()[0].before.operations > 5


def test_what_the_size_of_a_graph_is() -> None:
    x, condition = source(spec(10, 3)), source(spec(), 1)
    view = op("transpose", x, kind=spec(3, 10), axes=(1, 0))
    total = op("sum", view, kind=spec(3), axis=(1,))
    ops = [x, condition, view, total]
    assert size_of(graph_of(*ops, outputs=(total,))) == GraphSize(1, 24, 30)
    sides = branch(condition, [op("exp", total)], [op("multiply", number(2.0), total, kind=spec(3))])
    assert size_of(graph_of(*ops, *sides, outputs=(sides[-1],))) == GraphSize(3, 24 + 2 * 24, 30 + 2 * 3)
    assert size_of(graph_of(x, filled(1.0, spec(100)), outputs=(x,))) == GraphSize(0, 0, 0)


def test_a_loop_nest_has_the_bytes_of_a_block() -> None:
    x = placeholder(ArraySpec((1000, 100)))
    program = compile(mean(exp(sin(tanh(x))), axis=(-2, -1)), threads=1)
    program.predict(np.ones((1000, 100)))
    row = program.explain()[-1]
    assert (row.name, row.written) == ("elementwise fusion", 3)
    assert row.before == GraphSize(5, 3 * 800_000, 400_001)
    # The sum of a block and the sum so far are one number each.
    assert row.after == GraphSize(6, 3 * 655 * 800 + 2 * 8, 400_003)
