"""The table of weights and states, in wide and in narrow terminals."""

import numpy as np
import pytest

from layertree import (
    SGD,
    Average,
    Compose,
    Greater,
    Identity,
    If,
    Input,
    Item,
    Literal,
    Plus,
    RunningAverage,
    State,
    StopGradient,
    Times,
    Tuple,
    Weight,
    draw,
    scope,
    summary,
)
from layertree.text.units import bytes_text


def formula():
    with scope("encoder"), scope("attention"):
        kernel = Weight(np.zeros((784, 100), np.float32), name="kernel")
        bias = Weight(np.zeros(100, np.float32), name="bias", optimizer=SGD(0.5))
        mean = State(np.zeros(784, np.float32), Average(0.9))
    return Plus(Times(RunningAverage(Identity(), mean), kernel), Plus(bias, Weight(1.0)))


WIDE = """\
name                       shape       count  trains  dtype    rule
encoder/attention/state_0  784           784  no      float32  Average(momentum=0.9)
encoder/attention/kernel   784 x 100  78,400  yes     float32
encoder/attention/bias     100           100  yes     float32  SGD(rate=0.5)
weight_0                   number          1  yes     float64
4 cells, 79,285 numbers, 78,501 train, 317.1 kB"""

NARROW = """\
name             shape       count
enco...n/state_0 784           784
encod...n/kernel 784 x 100  78,400
encod...ion/bias 100           100
weight_0         number          1
4 cells, 79,285 numbers,
78,501 train, 317.1 kB"""


def test_wide():
    assert summary(formula()).table(100) == WIDE


@pytest.mark.parametrize("width", [*range(30, 90), 200])
def test_no_line_is_longer_than_the_terminal(width):
    lines = summary(formula()).table(width).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[1].split()[0].endswith("ate_0")
    assert any("78,400" in line for line in lines)


def test_what_a_narrow_terminal_leaves_out():
    columns = {width: summary(formula()).table(width).splitlines()[0].split() for width in (80, 60, 50, 40)}
    assert columns == {
        80: ["name", "shape", "count", "trains", "dtype"],
        60: ["name", "shape", "count", "trains"],
        50: ["name", "shape", "count"],
        40: ["name", "shape", "count"],
    }


def test_rules_are_shown_where_there_are_some():
    assert "rule" not in summary(Times(Identity(), Weight(2.0))).table(100)


def test_numbers():
    found = summary(formula())
    assert [row.name for row in found] == [
        "encoder/attention/state_0",
        "encoder/attention/kernel",
        "encoder/attention/bias",
        "weight_0",
    ]
    assert [(row.shape, row.count, row.trainable) for row in found[1:3]] == [
        ((784, 100), 78400, True),
        ((100,), 100, True),
    ]
    assert (found.total_count, found.trainable_count, found.bytes) == (79285, 78501, 4 * 79284 + 8)
    assert (found[0].rule, found[1].rule, found[0].dtype) == (Average(0.9), None, np.float32)


def test_a_shared_weight_is_one_row():
    w = Weight(1.0, name="w")
    assert [row.name for row in summary(Plus(w, Times(w, Weight(2.0))))] == ["w", "weight_0"]


def test_none_at_all():
    assert repr(summary(Plus(Identity(), 1.0))) == "no weights and no states"
    assert summary(Identity()).total_count == 0


def test_one_of_each():
    assert summary(Weight(1.0)).table(80).splitlines()[-1] == "1 cell, 1 number, 1 train, 8 B"


@pytest.mark.parametrize(
    ("make", "trains"),
    [
        (lambda w: Compose(StopGradient(Identity()), Plus(w, 1.0)), False),
        (lambda w: Compose(Times(Identity(), StopGradient(Identity())), Plus(w, 1.0)), True),
        (lambda w: Compose(Plus(Identity(), Literal(1.0)), w), True),
        (lambda w: Plus(Compose(Literal(1.0), w), Identity()), False),
        (lambda w: Item(Tuple((w, Identity())), 1), False),
        (lambda w: Item(Tuple((w, Identity())), 0), True),
    ],
)
def test_a_weight_trains_where_a_run_gives_it_a_delta(make, trains):
    w = Weight(2.0, name="w")
    layer = make(w)
    with layer.forward(Input(3.0)) as tape:
        assert (w in tape.gradients()) == trains
    assert summary(layer)[0].trainable == trains
    marks = [chip.text for node in draw(layer).graph.nodes if node.title == "w" for chip in node.chips]
    assert ("trains" in marks) == trains


def test_many_rows_are_shown_without_the_middle():
    lines = summary(Tuple(tuple(Weight(1.0) for _ in range(1000)))).table(80).splitlines()
    assert len(lines) == 203
    assert lines[100].startswith("weight_99 ")
    assert lines[101].split() == ["...", "...", "...", "...", "..."]
    assert lines[-2].startswith("weight_999 ")


def test_two_cells_of_one_name():
    with pytest.raises(ValueError, match="'w'"):
        summary(Plus(Weight(1.0, name="w"), Weight(1.0, name="w")))


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (2.5e9, "2.5 GB"), (3e15, "3000.0 TB")]
)
def test_bytes(size, text):
    assert bytes_text(int(size)) == text


def test_a_weight_that_no_delta_reaches_does_not_train():
    frozen, condition, live = Weight(1.0, name="frozen"), Weight(2.0, name="condition"), Weight(3.0, name="live")
    formula = If(Greater(condition, 0.0), Times(StopGradient(frozen), live), Times(live, live))
    assert {row.name: row.trainable for row in summary(formula).rows} == {
        "condition": False,
        "frozen": False,
        "live": True,
    }
