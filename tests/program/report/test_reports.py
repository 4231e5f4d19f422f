"""What a program tells of itself: its schedule, its memory, how long each layer takes."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np
import pytest

from layertree import SGD, Adam, DTypeError, ShapeError, compile, parameters
from layertree.program.codegen import batch_program as parts
from layertree.program.report.profile import Profile
from layertree.program.report.schedule import schedule_text
from layertree.typing import ArraySpec
from symbolic import dropout, exp, mean, nn, placeholder, relu, sum, tanh, weight
from tests.program.networks import IMAGE, batch, convolutional, mlp


def split_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layertree.program.passes.batch_splitting.WORTH", 1)
    monkeypatch.setattr(parts, "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(parts, "CACHED_BYTES", 1 << 12)


# --- memory


def test_the_arena_is_used_again() -> None:
    x = placeholder(ArraySpec((1000,)))
    w = weight(np.ones(1000))
    step = compile(mean(tanh(tanh(tanh(x) * w) * w)), train=True)
    step(np.ones(1000))
    memory = step.memory
    assert memory.without_reuse >= memory.arena >= memory.peak >= 8000
    assert memory.without_reuse > memory.arena
    assert memory.arena % 64 == 0
    assert memory.results == 2 * 8000
    assert sum_of(memory) == memory.peak


def sum_of(memory: Any) -> int:
    return int(np.sum([share.bytes for share in memory.shares]))


def test_shares_name_layers_and_lines() -> None:
    step = compile(convolutional(), train=True)
    step(batch(4, *IMAGE))
    first = step.memory.shares[0]
    assert first.bytes == max(share.bytes for share in step.memory.shares)
    assert any("Conv2D, conv2d(" in share.place and "networks.py" in share.place for share in step.memory.shares)
    shown = repr(step.memory)
    assert shown.startswith("arena ")
    assert "without reuse" in shown.splitlines()[0]
    assert first.place.splitlines()[0] in shown


def test_a_formula_of_numbers_takes_no_arena() -> None:
    program = compile(placeholder(float) * 2.0 + 1.0)
    program.predict(3.0)
    assert (program.memory.arena, program.memory.peak, program.memory.results) == (0, 0, 0)


def test_parts_have_an_arena_each(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compile(convolutional(), train=True).reserve(batch(12, *IMAGE))
    split_small(monkeypatch)
    one, two = [compile(convolutional(), train=True, threads=n).reserve(batch(12, *IMAGE)) for n in (1, 2)]
    assert one.arena < whole.arena < one.without_reuse
    assert one.arena < two.arena
    assert one.without_reuse == two.without_reuse == whole.without_reuse


# --- reserve and limit


@pytest.mark.parametrize("train", [False, True])
def test_reserve_compiles_ahead(train: bool) -> None:
    objective = mlp()
    program: Any = compile(objective, train=True) if train else compile(objective)
    before = [w.value for w in parameters(objective)]
    memory = program.reserve((ArraySpec((4, 6), np.float32), ArraySpec((4,), np.int64)))
    assert memory == program.memory
    assert memory.arena > 0
    source = program.source
    run = program if train else program.predict
    assert all(w.value is one for w, one in zip(parameters(objective), before, strict=True))
    run(batch(4, 6))
    assert program.source is source  # nothing was compiled anew
    assert program.reserve(batch(4, 6)).arena == memory.arena


def test_reserve_takes_specs_of_all_kinds() -> None:
    program = compile(placeholder(float) * 2.0)
    assert program.reserve(float).arena == 0
    assert "multiply = 2.0 * x" in program.source
    nothing = compile(weight(1.0) * 2.0)
    assert nothing.reserve(None).arena == 0
    with pytest.raises(ShapeError, match=r"a program is made for sizes, but float64 \(Batch, 3\) names some"):
        compile(sum(placeholder(ArraySpec(("Batch", 3))))).reserve(ArraySpec(("Batch", 3)))


@pytest.mark.parametrize("train", [False, True])
def test_reserve_checks_its_spec(train: bool) -> None:
    x, w = placeholder(ArraySpec(("Batch", 3))), weight(1.0)
    objective = sum(x * w)
    program: Any = compile(objective, train=True) if train else compile(objective)
    run = program if train else program.predict
    for spec in (float, ArraySpec((2,)), ArraySpec((2, 4)), (float, float)):
        with pytest.raises((ShapeError, DTypeError), match="the input is"):
            program.reserve(spec)
    with pytest.raises(ShapeError, match="the input is a float"):
        run(1.0)
    program.reserve(ArraySpec((2, 3)))
    with pytest.raises(ShapeError, match="the input is a float"):
        run(1.0)
    assert run(np.ones((2, 3))) == 6.0


@pytest.mark.parametrize("train", [False, True])
def test_a_limit_says_which_layers_need_how_much(train: bool) -> None:
    objective, data = convolutional(), batch(4, *IMAGE)
    free: Any = compile(objective, train=True) if train else compile(objective)
    needed = free.reserve(data).arena
    tight: Any = compile(objective, train=True, limit=needed - 1) if train else compile(objective, limit=needed - 1)
    with pytest.raises(MemoryError) as caught:
        tight.reserve(data)
    message = str(caught.value)
    assert "the program for (float32 (4, 8, 8, 1), int64 (4,)) needs an arena of" in message
    assert f"({needed} bytes)" in message
    assert "Conv2D, conv2d(" in message
    assert "networks.py" in message
    assert "kB  " in message
    with pytest.raises(MemoryError):
        tight(data) if train else tight.predict(data)
    enough: Any = compile(objective, train=True, limit=needed) if train else compile(objective, limit=needed)
    assert enough.reserve(data).arena == needed
    assert tight.reserve(batch(1, *IMAGE)).arena < needed  # a smaller batch fits


def test_a_limit_that_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="limit"):
        compile(mlp(), limit=-1)
    with pytest.raises(ValueError, match="limit"):
        compile(mlp(), train=True, limit=-1)


# --- the schedule


def test_the_schedule_has_shapes_buffers_and_bytes() -> None:
    step = compile(mlp(), train=True, optimizer=SGD(0.1))
    assert str(step) == repr(step)  # nothing to show yet
    step(batch(4, 6))
    program = step._programs.last.program
    lines = schedule_text(program, 140).splitlines()
    assert lines[0] == "input (float32 (4, 6), int64 (4,))"
    views = [op for op in program.liveness.order if op.inputs and program.liveness.locations[op] == "view"]
    assert len(views) > 1
    assert lines[1] == f"step, without {len(views)} views of values:"
    assert lines[2].split() == ["operation", "value", "dtype", "shape", "buffer", "bytes", "layer"]
    product = lines[3].split()
    assert product == ["matmul", "dense", "float32", "(4,", "5)", "0", "80", "B", "MatMul", "dense/kernel"]
    assert any("in place 0" in line and line.endswith("ReLU") for line in lines)
    assert not any(line.startswith("transpose") for line in lines)
    assert any("new value" in line and line.endswith("SGD") for line in lines)
    assert lines[-2] == (
        "buffer: where in the arena, in bytes; in place: over a value that is read no more; new value: of a cell"
    )
    assert lines[-1].startswith("arena ")
    assert len(lines) == 5 + len([op for op in program.liveness.order if op.inputs]) - len(views)


@pytest.mark.parametrize("width", [70, 80, 100, 140])
def test_no_line_of_the_schedule_is_wider_than_the_terminal(width: int) -> None:
    step = compile(mlp(), train=True, optimizer=Adam(0.1))
    step(batch(4, 6))
    lines = schedule_text(step._programs.last.program, width).splitlines()
    assert max(map(len, lines)) <= width
    assert {"operation", "shape", "buffer", "bytes", "layer"} <= set(lines[2].split())
    assert ("value" in lines[2].split()) == (width >= 100)
    assert any("pow(0.9, new_add" in line for line in lines) == (width >= 140)
    assert max(map(len, step.memory.text(width).splitlines())) <= width
    assert "results" in "".join(step.memory.text(width).splitlines()[:2])
    assert max(map(len, step.profile(batch(4, 6), runs=1).table(width).splitlines())) <= max(width, 74)


def test_what_is_no_terminal_has_one_width(monkeypatch: pytest.MonkeyPatch) -> None:
    step = compile(mlp(), train=True, optimizer=Adam(0.1))
    step(batch(4, 6))
    program = step._programs.last.program
    monkeypatch.setattr("sys.stdout", io.StringIO())
    for width in ("60", "200"):
        monkeypatch.setenv("COLUMNS", width)
        assert str(step) == schedule_text(program, 100) != schedule_text(program, 200)
        assert repr(step.memory) == step.memory.text(100)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert str(step) == schedule_text(program, 200)
    assert repr(step.memory) == step.memory.text(200)


def test_the_schedule_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    split_small(monkeypatch)
    step = compile(convolutional(), train=True, threads=2)
    step(batch(12, *IMAGE))
    shown = str(step)
    for title in ("\nbefore", "\npart of ", " at a time), without ", "\nafter"):
        assert title in shown


def test_the_schedule_of_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layertree.program.passes.elementwise_fusion.BLOCK", 8)
    x = placeholder(ArraySpec((50,)))
    program = compile(sum(tanh(exp(x) * 2.0 + 1.0)))
    program.predict(np.zeros(50))
    shown = str(program)
    assert [line.split()[0] for line in shown.splitlines() if " block " in line] == ["exp", "multiply", "add", "tanh"]


def test_a_compiled_layer_prints_its_code_until_it_has_run() -> None:
    program: Any = compile(dropout(exp(placeholder(float)), 0.5))
    assert str(program) == repr(program)
    program.predict(0.0)  # in inference mode, which is a program of its own
    assert str(program).startswith("input float\nstep:\n")
    assert "exp(x)" in program.source
    assert "Compiled(" in repr(program)


# --- the profile


def test_each_layer_has_its_times() -> None:
    objective = mlp()
    step = compile(objective, train=True, optimizer=Adam(0.01))
    contents = [w.cell.content for w in parameters(objective)]
    found = step.profile(batch(4, 6), runs=3)
    assert all(w.cell.content is one for w, one in zip(parameters(objective), contents, strict=True))
    names = [row.name for row in found]
    assert names[:3] == ["MatMul dense/kernel", "Plus dense/bias", "ReLU"]
    assert names.count("Adam") == 1
    layers = [row for row in found if row.name != "Adam"]
    assert all(row.forward > 0 for row in layers)
    products = [row for row in layers if row.name.startswith("MatMul")]
    assert len(products) == 2
    assert all(row.backward > 0 and row.update == 0 for row in products)
    adam = next(row for row in found if row.name == "Adam")
    assert adam.update > 0 == adam.forward == adam.backward
    assert found.seconds == pytest.approx(found.forward + found.backward + found.update)
    assert found.forward == pytest.approx(np.sum([row.forward for row in found]))


def test_arithmetic_and_bytes_of_a_product() -> None:
    rows = placeholder(ArraySpec((7, 5), np.float32))
    program = compile(rows @ weight(np.ones((5, 3), np.float32)))
    (row,) = program.profile(np.ones((7, 5), np.float32))
    assert row.flops == 2 * 7 * 5 * 3
    assert row.bytes == 4 * (7 * 5 + 5 * 3 + 7 * 3)
    assert row.forward > 0 == row.backward


def test_arithmetic_of_a_step() -> None:
    """The gradient of a layer that needs no delta of its input is one product, else it is two."""
    step = compile(mlp(), train=True, optimizer=SGD(0.1))
    found = step.profile(batch(4, 6))
    first, second = [row.flops for row in found if row.name.startswith("MatMul")]
    assert first == 2 * (2 * 4 * 6 * 5)
    assert second == 3 * (2 * 4 * 5 * 3)
    relu_row = next(row for row in found if row.name == "ReLU")
    assert relu_row.flops == 3 * 4 * 5  # the maximum; which elements are positive, and what is let through
    sgd = next(row for row in found if row.name == "SGD")
    assert sgd.flops == 6 * 5 + 5 + 5 * 3 + 3


def test_the_profile_of_parts_counts_the_whole_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compile(convolutional(), train=True, optimizer=SGD(0.1)).profile(batch(12, *IMAGE))
    split_small(monkeypatch)
    step = compile(convolutional(), train=True, optimizer=SGD(0.1), threads=2)
    found = step.profile(batch(12, *IMAGE))
    assert "def part(" in step.source
    for name in ("Conv2D conv2d/kernel", "MatMul dense/kernel", "MaxPool2D"):
        wanted = [row.flops for row in whole if row.name == name]
        assert [row.flops for row in found if row.name == name] == wanted
        assert wanted[0] > 0


def test_the_profile_of_numbers_and_of_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    x = placeholder(float)
    found = compile(tanh(exp(x) * 2.0)).profile(0.5)
    assert [row.name for row in found] == ["Exp", "Times", "Tanh"]
    monkeypatch.setattr("layertree.program.passes.elementwise_fusion.BLOCK", 8)
    a = placeholder(ArraySpec((48,)))
    chain = compile(sum(tanh(exp(a) * 2.0))).profile(np.zeros(48))
    assert {row.name: row.flops for row in chain} == {"Exp": 48, "Times": 48, "Tanh": 48, "Sum": 48}


def test_the_table() -> None:
    step = compile(mlp(), train=True, optimizer=SGD(0.1))
    found = step.profile(batch(4, 6), runs=2)
    assert isinstance(found, Profile)
    assert isinstance(found[:2], Profile)
    assert found[-1].name == "SGD"
    lines = found.table(100).splitlines()
    assert lines[0].split() == ["layer", "forward", "backward", "update", "share", "FLOP", "bytes", "formula"]
    assert len(lines) == len(found) + 2
    assert lines[-1].startswith("total")
    assert "100%" in lines[-1]
    assert repr(found).splitlines()[0].startswith("layer")
    row = found[0]
    assert row.formula == "x[0] @ weight(<float32 (6, 5)>)"
    assert "networks.py" in row.place
    assert row.seconds == row.forward + row.backward
    with pytest.raises(ValueError, match="runs = 0"):
        step.profile(batch(4, 6), runs=0)


def test_the_profile_of_a_formula_in_inference_mode() -> None:
    x = placeholder(ArraySpec((3,)))
    program: Any = compile(dropout(relu(nn.dense(x, 2)), 0.5))
    names = [row.name for row in program.profile(np.ones(3))]
    assert "Dropout" in names  # what is profiled is the formula as it stands, like forward


def test_long_programs_tell_of_themselves_in_time() -> None:
    """The texts of layers are made when they are asked for: each walks down its formula."""
    x = placeholder(float)
    h = x
    for _ in range(400):
        h = tanh(h * weight(0.5))
    step = compile(h, train=True, optimizer=SGD(0.1))
    found = step.profile(0.5, runs=1)
    assert len(found) == 801
    lines = found.table(120).splitlines()
    assert len(lines) == 203
    assert lines[101].strip() == "..."
    step.reserve(0.5)
    assert step.memory.arena == 0
    assert len(str(step).splitlines()) > 1600
