"""Pictures of runs: values, deltas, next values of weights, steps, heat maps."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from layertree import (
    SGD,
    ClosedTapeError,
    Compose,
    Exp,
    Greater,
    Identity,
    If,
    Input,
    Item,
    Log,
    Plus,
    ReLU,
    Sqrt,
    Sum,
    Times,
    Weight,
    Where,
    draw,
    parameters,
    steps,
    stop_gradient,
    summary,
)
from layertree.drawing import labels, picture
from layertree.drawing.heatmap import is_image, picture_of, png, statistics
from layertree.drawing.layout import placed
from layertree.drawing.model import Graph
from layertree.drawing.picture import size_of
from layertree.drawing.runs import run_of
from layertree.layers import families
from symbolic import placeholder, weight
from tests.drawing.pictures import perceptron, seed


def test_the_deltas_of_a_picture_are_those_of_gradients() -> None:
    formula = perceptron()
    x = Input(np.eye(3))
    with formula.forward(x) as tape:
        run = run_of(tape)
        found = tape.gradients(retain=True)
        leaves = [one for one in run.tapes if one.is_trainable and not one.upstream]
        assert len(leaves) == 4
        for leaf in leaves:
            key = leaf if leaf.key is None else leaf.key
            np.testing.assert_array_equal(run.deltas[id(leaf)], found[key])


def test_deltas_of_a_masked_side_are_zero() -> None:
    x = Input(np.array([-1.0, 0.0, 2.0]))
    formula = Sum(Where(Greater(Identity(), 0.0), Log(Identity()), 0.0))
    with formula.forward(x) as tape:
        run = run_of(tape)
        assert run.deltas[id(x)].tolist() == [0.0, 0.0, 0.5]
        assert all(np.isfinite(delta).all() for delta in run.sent.values()), "the slope at 0 is infinite"


def test_next_values_are_those_of_backward_and_drawing_changes_nothing() -> None:
    formula = perceptron()
    cells = [node.cell for node in parameters(formula)]
    before = [cell.value for cell in cells]
    with formula.forward(np.eye(3)) as tape:
        updates = run_of(tape).updates
        draw(tape)
        assert all(cell.value is old for cell, old in zip(cells, before, strict=True))
        tape.backward()
    for cell in cells:
        np.testing.assert_array_equal(updates[id(cell)][1], cell.value)
    assert len(updates) == len(cells) == len(summary(formula).rows)


def test_an_array_output_has_deltas_where_one_is_given() -> None:
    with Exp(Identity()).forward(Input(np.zeros(2))) as tape:
        assert not run_of(tape).deltas
        assert len(run_of(tape, np.array([1.0, 2.0])).deltas) == 2
        assert draw(tape, delta=np.array([1.0, 2.0])).svg.count("<image") == draw(tape).svg.count("<image") + 2


def test_a_closed_tape_is_an_error() -> None:
    tape = seed().forward(3.0)
    tape.close()
    with pytest.raises(ClosedTapeError):
        draw(tape)


def test_steps_go_forward_then_backward_then_update() -> None:
    found = steps(seed(), 3.0)
    assert [frame.stage for frame in found.frames] == ["forward"] * 5 + ["backward"] * 4 + ["update"]
    assert found.sentences[4] == "Times receives 4.0 and 2.0 and gives 8.0"
    assert found.sentences[5].startswith("Times receives 1.0 and sends 2.0 to its first operand and 4.0 to its second")
    assert found.sentences[-1] == "the weight goes from 2.0 to 1.96 by SGD(rate=0.01)"
    sizes = {size_of(frame.graph, placed(frame.graph)) for frame in found.frames}
    assert len(sizes) == 1, "all frames are of one size, so that a moving picture does not jump"
    html = found._repr_mimebundle_()["text/html"]
    assert html.count("<figure") == len(found.frames)


def test_each_frame_shows_more_than_the_one_before() -> None:
    shown = [
        sum(not chip.is_blank for part in (*frame.graph.nodes, *frame.graph.edges) for chip in part.chips)
        for frame in steps(seed(), 3.0).frames
    ]
    assert shown == sorted(shown)
    assert shown[0] < shown[-1]
    assert all(sum(node.is_active for node in frame.graph.nodes) == 1 for frame in steps(seed(), 3.0).frames)


def test_steps_without_deltas_end_forward_and_many_are_cut() -> None:
    assert {frame.stage for frame in steps(Exp(Identity()), np.zeros(2)).frames} == {"forward"}
    formula: Any = Identity()
    for _ in range(50):
        formula = Exp(Times(formula, 0.0))
    found = steps(formula, 1.0)
    assert len(found.frames) == 60
    assert found.note in repr(found)
    assert "are shown" in found.note


def test_steps_of_a_branch() -> None:
    formula = If(Greater(Identity(), 0.0), Times(Identity(), Weight(3.0)), Plus(Identity(), 1.0))
    assert "If receives True and gives 6.0, the value of the branch that is taken" in steps(formula, 2.0).sentences


def test_sentences_name_nodes_as_pictures_do() -> None:
    formula = If(Greater(Identity(), 0.0), Sqrt(Times(Identity(), Weight(3.0))), Plus(Identity(), 1.0))
    found = steps(formula, 3.0)
    for frame in found.frames:
        (active,) = [node.title for node in frame.graph.nodes if node.is_active]
        subject = {"x": "the input", "Input": "the input", "Weight": "the weight", "0.0": "the constant"}.get(active)
        assert frame.sentence.startswith(f"{subject or active} ")
    assert {node.title for node in found.frames[0].graph.nodes} >= {"If", "Greater", "Sqrt", "Times"}


def test_an_operation_of_one_operand_sends_to_its_operand() -> None:
    one = steps(ReLU(Times(Identity(), Weight(2.0))), 3.0).sentences
    assert "ReLU receives 1.0 and sends 1.0 to its operand" in one
    assert "Times receives 1.0 and sends 2.0 to its first operand and 3.0 to its second operand" in one


def titled(graph: Graph, title: str) -> list[str]:
    """The texts of the visible chips of the nodes of a title."""
    return [chip.text for node in graph.nodes if node.title == title for chip in node.chips if not chip.is_blank]


def test_a_weight_that_is_used_twice_shows_the_sum_of_its_deltas() -> None:
    w = Weight(2.0, name="w", optimizer=SGD(0.1))
    formula = Plus(Times(Identity(), w), Times(w, 2.0))
    with formula.forward(3.0) as tape:
        assert titled(draw(tape).graph, "w") == ["2.0", "\N{N-ARY SUMMATION} 5.0", "\N{RIGHTWARDS ARROW} 1.5"]
    found = steps(formula, 3.0)
    assert "the weight w receives 5.0, the sum of 2 deltas" in found.sentences
    assert found.sentences[-1] == "the weight w goes from 2.0 to 1.5 by SGD(rate=0.1) with 5.0, the sum of its deltas"
    before, after = [
        titled(frame.graph, "w") for frame in found.frames if "w" in [n.title for n in frame.graph.nodes if n.is_active]
    ][1:]
    assert before == ["2.0", "\N{N-ARY SUMMATION} 5.0"], "the sum is there from the step on in which it is complete"
    assert after == ["2.0", "\N{N-ARY SUMMATION} 5.0", "\N{RIGHTWARDS ARROW} 1.5"]


def test_a_weight_in_two_runs_of_a_formula_takes_one_step_with_the_sum() -> None:
    w = Weight(2.0, name="w", optimizer=SGD(0.1))
    inner = Times(Identity(), w)
    found = steps(Compose(inner, inner), 3.0)
    assert found.sentences[-1] == "the weight w goes from 2.0 to 0.8 by SGD(rate=0.1) with 12.0, the sum of its deltas"
    assert sum(frame.stage == "update" for frame in found.frames) == 1
    partial, whole = [frame.graph for frame in found.frames if frame.sentence == "the weight w receives 6.0"]
    assert titled(partial, "w") == ["2.0"] * 2
    assert titled(whole, "w") == ["2.0", "\N{N-ARY SUMMATION} 12.0"] * 2


def test_every_node_with_several_users_shows_the_sum_of_its_deltas() -> None:
    shared = Exp(Identity())
    with Times(shared, shared).forward(Input(0.0)) as tape:
        graph = draw(tape).graph
    assert titled(graph, "Exp") == ["\N{N-ARY SUMMATION} 2.0"]
    assert titled(graph, "Input") == ["0.0"], "one user: the delta is at the edge"
    with Times(Identity(), Identity()).forward(Input(3.0)) as tape:
        assert titled(draw(tape).graph, "Input") == ["3.0", "\N{N-ARY SUMMATION} 6.0"]
    assert (
        "Exp receives 2.0, the sum of 2 deltas, and sends 2.0 to its operand"
        in steps(Times(shared, shared), 0.0).sentences
    )


def test_an_integer_is_taken_as_forward_takes_it() -> None:
    x = placeholder(float)
    formula = (1.0 + x) * weight(2.0)
    found = steps(formula, 1)
    assert found.sentences[4] == f"Times receives 2.0 and 2.0 and gives {formula.forward(1).value}"
    assert found.sentences[-1] == "the weight goes from 2.0 to 1.98 by SGD(rate=0.01)"
    assert found.note == "the input is an int, which has no gradient: give floats for its deltas"
    squared = steps(x**2, 3)
    assert squared.sentences[-1] == f"Power receives 3 and 2 and gives {(x**2).predict(3)}"
    assert squared.note == "the output is an int, which has no gradient: the steps end forward"
    assert squared.note in repr(squared)
    assert not steps(formula, 1.0).note
    assert not steps(formula, Input(1.0)).note
    assert not steps(placeholder(int) * weight(2.0), 3).note, "an integer is what this formula wants"


def test_steps_of_a_tuple_go_back_to_its_parts() -> None:
    found = steps(Times(Item(Identity(), 0), Item(Identity(), 1)), (2.0, 3.0))
    assert {frame.stage for frame in found.frames} == {"forward", "backward"}
    assert found.sentences[-1] == "the input receives deltas of 2 parts"
    one = steps(Item(Identity(), 1), (2.0, 3.0))
    assert one.sentences[-1] == "the input receives deltas of 1 part"
    assert "deltas of 1 part<" in one.svg


def test_steps_without_an_input_show_none() -> None:
    assert steps(Identity()).sentences == ("the input is None",)
    assert ">None<" in steps(Identity()).svg


@pytest.mark.parametrize("given", [None, 3, "x"])
def test_steps_of_other_things_are_an_error(given: Any) -> None:
    with pytest.raises(TypeError, match=f"the steps of a formula are drawn, not those of {given!r}"):
        steps(given)


def test_an_update_that_overflows_is_drawn_as_it_is_made() -> None:
    kernel = Weight(np.full(2, -1e308), optimizer=SGD(1e308))
    with Sum(Times(Identity(), kernel)).forward(np.full(2, 1e308)) as tape:
        after = run_of(tape).updates[id(kernel.cell)][1]
        assert "<svg" in draw(tape).svg
        tape.backward()
    np.testing.assert_array_equal(after, kernel.value)
    assert np.isinf(kernel.value).all()


def test_all_steps_have_one_layout_and_one_picture_of_each_array(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: (calls.append(name), function(*given))[1]

    for module in (sys.modules["layertree.drawing.steps"], picture):  # the package has the function of that name
        monkeypatch.setattr(module, "placed", counted("layout", placed))
    monkeypatch.setattr(labels, "picture_of", counted("picture", picture_of))
    found = steps(perceptron(), np.eye(3))
    made = len(calls)
    assert 0 < made == calls.count("picture")
    for show in (lambda: found.svg, lambda: found.moving_svg, lambda: found.html, found._repr_mimebundle_):
        show()
    assert calls[made:] == ["layout"] * 4


def test_the_root_of_steps_is_blank_before_its_value_and_its_delta() -> None:
    chips = [[chip.is_blank for chip in frame.graph.nodes[0].chips] for frame in steps(seed(), 3.0).frames]
    assert chips == [[True, True]] * 4 + [[False, True]] + [[False, False]] * 5


def test_weights_are_marked_trainable_or_frozen() -> None:
    picture = draw(Plus(stop_gradient(Exp(Weight(1.0, name="a"))), Weight(2.0, name="b")))
    marks = {node.title: node.chips[-1].text for node in picture.graph.nodes if node.family == "weight"}
    assert marks == {"a": "frozen", "b": "trains"}


def test_families_of_nodes_are_the_modules_of_their_classes() -> None:
    known = {family.__name__.rpartition(".")[2] for family in families()} | {"weight", "constant", "input"}
    assert {node.family for node in draw(perceptron()).graph.nodes} <= known
    assert {node.family for node in draw(perceptron()).graph.nodes} >= {"linear_algebra", "reduction", "weight"}


def test_a_heat_map_has_an_element_a_cell_and_distinct_signs() -> None:
    address, width, height = picture_of(np.array([[-1.0, 0.0, 1.0], [np.nan, np.inf, -np.inf]]))
    assert address.startswith("data:image/png;base64,")
    assert (width, height) == (18, 12)
    assert picture_of(np.zeros((1000, 1000)))[1:] <= (120, 72)
    assert picture_of(np.zeros((0, 3)))[1:] == (6, 6)


def test_images_are_shown_as_images() -> None:
    assert is_image(np.zeros((28, 28), np.uint8))
    assert is_image(np.zeros((5, 5, 3), np.uint8))
    assert not is_image(np.zeros((28, 28)))
    assert picture_of(np.zeros((28, 28), np.uint8))[1:] == (56, 56)


def test_a_png_has_its_pixels() -> None:
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    data = png(pixels)
    start = data.index(b"IDAT")
    length = int.from_bytes(data[start - 4 : start], "big")
    rows = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + length]), np.uint8).reshape(2, 13)
    np.testing.assert_array_equal(rows[:, 1:].reshape(2, 4, 3), pixels)
    assert (rows[:, 0] == 0).all()


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.array([1.0, 3.0]), "float64 (2,): least 1, mean 2, greatest 3"),
        (np.array([np.nan]), "float64 (1,): no finite element"),
        (np.array([True, False]), "bool (2,): least 0, mean 0.5, greatest 1"),
        (np.array([1e308, 1e308, 1e308]), "float64 (3,): least 1e+308, mean 1e+308, greatest 1e+308"),
        (np.array([1e308, -1e308]), "float64 (2,): least -1e+308, mean 0, greatest 1e+308"),
        (np.array([5e-324, 0.0]), "float64 (2,): least 0, mean 0, greatest 4.941e-324"),
        (np.array([0.1, 0.1, 0.1]), "float64 (3,): least 0.1, mean 0.1, greatest 0.1"),
        (np.float16([65504.0, 65504.0]), "float16 (2,): least 6.55e+04, mean 6.55e+04, greatest 6.55e+04"),
        (np.zeros((0, 3)), "float64 (0, 3): no finite element"),
        (
            np.broadcast_to(2.0, (10**5, 10**5)),
            "float64 (100000, 100000), each 10000th element: least 2, mean 2, greatest 2",
        ),
    ],
)
def test_statistics(array: np.ndarray[Any, Any], said: str) -> None:
    assert statistics(array) == said


VALUES: dict[str, Any] = {
    f"{np.dtype(kind).name} {shape}": np.full(shape, value, kind)
    for kind, value in (
        (np.float64, -1.7e308),
        (np.float32, 3e38),
        (np.float16, 65504.0),
        (np.longdouble, np.finfo(np.longdouble).max),
        (np.float64, 5e-324),
        (np.float64, np.nan),
        (np.int64, -(2**63)),
        (np.uint64, 2**64 - 1),
        (np.uint8, 255),
        (np.bool_, True),
    )
    for shape in ((), (1,), (2,), (0,), (0, 3), (2, 0, 2), (9, 9, 3), (2,) * 8)
}


@pytest.mark.parametrize("name", VALUES)
def test_data_of_each_kind_and_shape_have_a_chip(name: str) -> None:
    value = VALUES[name]
    with np.errstate(all="warn"):
        chip = labels.value_chip(value, "value")
    assert chip.text or chip.image
    assert (chip.image is not None) == (value.size >= 2)


def test_opposite_elements_at_the_ends_of_the_range_have_opposite_colours() -> None:
    assert picture_of(np.array([[1.7e308, -1.7e308]])) == picture_of(np.array([[1.0, -1.0]]))


@pytest.mark.parametrize(
    "number",
    [10**5000, -(10**5000), float("nan"), np.longdouble("1e4000"), np.float16(1), True],
    ids=["huge", "minus huge", "NaN", "long", "half", "boolean"],
)
def test_any_number_is_drawn(number: Any) -> None:
    for shown in (draw(Identity().forward(number)), draw(Times(Identity(), number)), steps(Identity(), number)):
        assert shown.svg.startswith("<svg")


def test_runs_are_drawn_while_another_thread_trains() -> None:
    weight = Weight(np.ones(4), optimizer=SGD(1e-3))
    formula = Sum(Times(Identity(), weight))
    stop = Event()

    def train() -> None:
        while not stop.is_set():
            formula.train(np.ones(4), 1.0)

    trainer = Thread(target=train)
    trainer.start()
    try:
        for _ in range(5):
            with formula.forward(np.ones(4)) as tape:
                assert draw(tape).svg.startswith("<svg")
            assert draw(formula).graph.nodes
            assert steps(formula, np.ones(4)).frames
    finally:
        stop.set()
        trainer.join()
