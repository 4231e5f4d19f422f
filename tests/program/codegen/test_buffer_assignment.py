"""The memory plan: what is alive at one time never lies in one place, and nothing is larger than it has to be."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import SGD, Adam, compile, parameters
from layertree.core.alignment import ALIGNMENT
from layertree.program.codegen.buffer_assignment import BufferAssignment, LiveRange, assign_buffers
from layertree.program.codegen.liveness import liveness_of
from layertree.program.ir.operations import Op
from layertree.program.passes import batch_splitting as split
from layertree.program.passes import elementwise_fusion as fuse
from layertree.typing import ArraySpec
from symbolic import exp, if_, mean, placeholder, sum, tanh, weight
from tests.program.graphs import BOOL, branch, filled, graph_of, op, source, spec
from tests.program.networks import IMAGE, batch, convolutional, mlp
from tests.program.test_random import array_formulas, arrays


def plan_of(program: Any) -> BufferAssignment:
    return program._programs.last.program.memory


def require_sound(plan: BufferAssignment) -> None:
    """No two stretches that are taken at one time overlap, and each lies within the arena."""
    for life in plan.live_ranges:
        assert life.offset % ALIGNMENT == life.nbytes % ALIGNMENT == 0 < life.nbytes
        assert 0 <= life.offset <= life.offset + life.nbytes <= plan.nbytes
        assert life.start <= life.stop
    for one, other in combinations(plan.live_ranges, 2):
        if one.start <= other.stop and other.start <= one.stop:
            assert one.offset + one.nbytes <= other.offset or other.offset + other.nbytes <= one.offset
    peak = int(np.sum([life.nbytes for life in plan.at_the_peak()]))
    assert peak <= plan.nbytes
    moments = [life.start for life in plan.live_ranges]
    assert peak == max((taken_at(plan, moment) for moment in moments), default=0)


def taken_at(plan: BufferAssignment, moment: int) -> int:
    return int(np.sum([life.nbytes for life in plan.live_ranges if life.start <= moment <= life.stop]))


@pytest.mark.parametrize("rule", [SGD(0.1), Adam(0.01)], ids=["SGD", "Adam"])
@pytest.mark.parametrize("make", [mlp, convolutional])
def test_networks(make: Any, rule: Any) -> None:
    step = compile(make(), train=True, optimizer=rule)
    step.reserve(batch(4, *((6,) if make is mlp else IMAGE)))
    plan = plan_of(step)
    assert len(plan.live_ranges) > 10
    require_sound(plan)
    assert plan.nbytes < plan.without_reuse


@settings(max_examples=60, deadline=None)
@given(array_formulas(), st.integers(0, 2**16))
def test_random_steps(formula: Any, seed: int) -> None:
    data = arrays((3, 4), seed)
    if not any(w in formula.forward(data).gradients() for w in parameters(formula)):
        return
    step = compile(formula, train=True, optimizer=Adam(0.01))
    step.reserve(data)
    require_sound(plan_of(step))


def test_chains_and_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layertree.program.passes.elementwise_fusion.BLOCK", 8)
    monkeypatch.setattr(split, "WORTH", 1 << 40)
    x = placeholder(ArraySpec((50,)))
    chain = tanh(exp(x * weight(0.5)) * 2.0 + 1.0)
    step = compile(sum(chain * chain) + mean(chain), train=True)
    step.reserve(ArraySpec((50,)))
    require_sound(plan_of(step))
    branch: Any = compile(if_(sum(x) < 0.0, tanh(exp(x)) * x, exp(tanh(x)) + x))
    branch.reserve(ArraySpec((50,)))
    require_sound(plan_of(branch))
    for data in (np.ones(50), -np.ones(50)):
        np.testing.assert_allclose(branch.predict(data), branch.formula.predict(data), rtol=1e-12)
    assert "cond" in str(branch)


def test_a_chain_of_equal_sizes_takes_one_buffer() -> None:
    x = placeholder(ArraySpec((100,)))
    program: Any = compile(sum(tanh(exp(tanh(exp(x))))))
    program.reserve(ArraySpec((100,)))
    plan = plan_of(program)
    assert [life.nbytes for life in plan.live_ranges] == [832]  # 800 bytes, to the next line of the cache
    assert plan.nbytes == 832
    assert plan.without_reuse == 4 * 832


def test_the_peak_of_lives() -> None:
    lives = [LiveRange(None, 0, 64, 0, 2), LiveRange(None, 64, 128, 1, 1), LiveRange(None, 64, 64, 2, 3)]
    plan = BufferAssignment({}, {}, {}, 192, 256, tuple(lives))
    assert plan.at_the_peak() == lives[:2]
    assert BufferAssignment({}, {}, {}, 0, 0).at_the_peak() == []


LINE = ALIGNMENT // 8
"""So many float64 fill a stretch."""


def planned(*ops: Op, outputs: Any = (), written: Any = ()) -> BufferAssignment:
    plan = assign_buffers(liveness_of(graph_of(*ops, outputs=outputs), written))
    require_sound(plan)
    return plan


def test_the_last_reader_takes_over_the_buffer() -> None:
    x = source(spec(LINE))
    first = op("exp", x)
    second = op("sin", first)
    third = op("add", x, second)
    plan = planned(x, first, second, third, op("sum", third, kind=spec(), axis=(0,)))
    assert plan.overwritten == {second: first, third: second}
    assert (plan.nbytes, plan.without_reuse) == (ALIGNMENT, 3 * ALIGNMENT)
    assert len({id(plan.slices[one]) for one in (first, second, third)}) == 1


def test_a_shared_value_is_not_written_over_while_it_is_read() -> None:
    x = source(spec(LINE))
    shared = op("exp", x)
    first = op("sin", shared)
    second = op("add", first, shared)
    plan = planned(x, shared, first, second, op("sum", second, kind=spec(), axis=(0,)))
    assert plan.overwritten == {second: first}
    assert plan.nbytes == 2 * ALIGNMENT


def test_what_is_read_by_a_view_is_not_written_over() -> None:
    x = source(spec(4, 4))
    buffer = op("exp", x)
    turned = op("transpose", buffer, kind=spec(4, 4), axes=(1, 0))
    total = op("add", buffer, turned)
    plan = planned(x, buffer, turned, total, op("sin", total))
    assert total not in plan.overwritten
    assert plan.slices[buffer].offset != plan.slices[total].offset


def test_a_view_alone_keeps_its_memory_too() -> None:
    x = source(spec(4, 4))
    buffer = op("exp", x)
    turned = op("transpose", buffer, kind=spec(4, 4), axes=(1, 0))
    other = op("sin", x)
    total = op("add", other, turned)
    plan = planned(x, buffer, turned, other, total, op("tan", total))
    assert plan.slices[other].offset != plan.slices[buffer].offset


@pytest.mark.parametrize(
    "name", ["matmul", "other dtype", "other shape", "condition", "otherwise", "kept to the end", "input"]
)
def test_what_may_not_be_written_over(name: str) -> None:
    x = source(spec(4, 4))
    buffer, flags = op("exp", x), op("greater", x, x, kind=spec(4, 4, dtype=np.bool_))
    result = {
        "matmul": op("matmul", buffer, buffer),
        "other dtype": op("greater", buffer, x, kind=spec(4, 4, dtype=np.bool_)),
        "other shape": op("add", buffer, source(spec(3, 4, 4), 1), kind=spec(3, 4, 4)),
        "condition": op("where", flags, flags, flags),
        "otherwise": op("where", flags, x, buffer, kind=spec(4, 4)),
        "input": op("sin", x),
    }.get(name, op("sin", buffer))
    outputs = (op("reshape", buffer, kind=spec(16), shape=(16,)),) if name == "kept to the end" else ()
    beside = [one for one in result.inputs if one.name == "input" and one is not x]
    plan = planned(x, *beside, buffer, flags, result, *outputs, op("sin", result), outputs=outputs)
    assert result not in plan.overwritten


def test_a_choice_may_take_the_place_of_what_is_chosen() -> None:
    x = source(spec(4, 4))
    flags, buffer = op("greater", x, x, kind=spec(4, 4, dtype=np.bool_)), op("exp", x)
    zero = filled(0.0, spec(4, 4))
    chosen = op("where", flags, buffer, zero, kind=spec(4, 4))
    plan = planned(x, flags, buffer, zero, chosen, op("sin", chosen))
    assert plan.overwritten[chosen] is buffer
    # The line of a choice works on integers meanwhile; they are free afterwards.
    (work,) = plan.workspaces[chosen]
    assert (work.shape, work.dtype.itemsize) == ((4, 4), 8)


def test_a_stretch_that_is_free_is_taken_again() -> None:
    x, rows = source(spec(LINE), 0), source(spec(4, LINE), 1)
    large = op("exp", rows)
    small = op("sum", large, kind=spec(LINE), axis=(0,))
    again = op("matmul", rows, op("reshape", small, kind=spec(LINE, 1), shape=(LINE, 1)), kind=spec(4, 1))
    plan = planned(x, rows, large, small, again.inputs[1], again, op("exp", again))
    assert [plan.slices[one].offset for one in (large, small, again)] == [0, 4 * ALIGNMENT, 0]
    assert plan.nbytes == 5 * ALIGNMENT


def test_stretches_that_touch_become_one() -> None:
    x = source(spec(LINE), 0)
    parts = [op("exp", x, kind=spec(LINE), number=number) for number in range(3)]
    joined = op("concat", *parts, kind=spec(3 * LINE), axis=0)
    after = op("matmul", op("reshape", joined, kind=spec(3, LINE), shape=(3, LINE)), x, kind=spec(3))
    large = op("take", source(spec(9, LINE), 1), source(spec(3, dtype=np.int64), 2), kind=spec(3, LINE), axis=0)
    plan = planned(x, *large.inputs, *parts, joined, after.inputs[0], large, after, op("exp", large), op("sin", after))
    assert [plan.slices[one].offset for one in (*parts, joined)] == [0, ALIGNMENT, 2 * ALIGNMENT, 3 * ALIGNMENT]
    assert plan.slices[large].offset == 0
    assert plan.nbytes == 6 * ALIGNMENT + ALIGNMENT


def test_what_the_caller_gives_takes_no_place() -> None:
    x = source(spec(LINE))
    given, output = op("exp", x), op("sin", x)
    plan = planned(x, given, output, outputs=(output, given), written=[given])
    assert (plan.slices, plan.nbytes, plan.without_reuse) == ({}, 0, 0)


def test_both_sides_of_a_branch_are_kept_for_its_reader() -> None:
    x, condition = source(spec(LINE), 0), source(BOOL, 1)
    then, otherwise, between = op("exp", x), op("sin", x), op("tan", x)
    cond, result = branch(condition, [then], [otherwise])
    last = op("add", result, between)
    plan = planned(x, condition, cond, result, between, last, op("cos", last))
    assert len({plan.slices[one].offset for one in (then, otherwise, between)}) == 3


def test_what_blocks_make_beside_others_has_its_place_before_the_first_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuse, "BLOCK", 8)
    x = source(spec(4, 4))
    first = op("exp", op("sin", op("exp", x)))
    inner = [first.inputs[0].inputs[0], first.inputs[0]]
    other = op("matmul", first, first)
    stack = op("stack", first, other, kind=spec(2, 4, 4))
    total = op("sum", stack, kind=spec(4, 4), axis=(0,))
    last = op("matmul", total, x)
    graph, _ = fuse.fuse(graph_of(x, *inner, first, other, stack, total, last, outputs=(last,)), ())
    plan = assign_buffers(liveness_of(graph))
    require_sound(plan)
    chain, result, *_, stack = [one for one in graph.ops if one.name in ("fused", "result", "stack")]
    (life,) = [one for one in plan.live_ranges if one.offset == plan.slices[stack].offset and one.stop > one.start]
    assert life.start == graph.ops.index(chain)
    assert plan.slices[result].offset == plan.slices[stack].offset


def test_an_empty_plan() -> None:
    plan = planned()
    assert (plan.slices, plan.nbytes, plan.live_ranges) == ({}, 0, ())
