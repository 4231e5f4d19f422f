"""Where values live, and whose memory they read; which reshapes are views, told as NumPy does it, without a copy."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layertree.program.codegen.liveness import liveness_of, reshapes_in_place
from layertree.program.ir.operations import Op
from tests.program.graphs import BOOL, FLOAT, branch, graph_of, number, op, source, spec


@st.composite
def strided_arrays(draw):
    """Arrays whose axes were exchanged, cut, turned round and repeated, of 24 elements or fewer before that."""
    array = np.empty(draw(st.sampled_from([(), (1,), (24,), (4, 6), (2, 3, 4), (2, 1, 3, 2), (3, 0, 2)])))
    array = array.transpose(draw(st.permutations(range(array.ndim))))
    steps = st.sampled_from([slice(None), slice(None), slice(None, None, 2), slice(None, None, -1), slice(1, None)])
    array = array[tuple([draw(steps) for _ in array.shape])]
    return np.broadcast_to(array, (*draw(st.sampled_from([(), (1,), (2,)])), *array.shape))


def shapes(size):
    """The shapes of so many elements."""
    sizes = [part for part in range(1, size + 1) if size % part == 0] or [0]
    return st.lists(st.sampled_from(sizes), max_size=4).filter(lambda shape: np.prod(shape, dtype=int) == size)


@given(st.data())
def test_what_reshapes_in_place_is_what_numpy_does_not_copy(data):
    array = data.draw(strided_arrays())
    shape = tuple(data.draw(shapes(array.size)))
    is_view = bool(np.may_share_memory(array.reshape(shape), array))
    assert reshapes_in_place(array, shape) == (is_view or not array.size)


@pytest.mark.parametrize(
    ("shape", "is_view"),
    [((24,), False), ((3, 8), True), ((3, 2, 4), True), ((3, 1, 4, 2), True), ((6, 4), False), ((2, 12), False)],
)
def test_axes_that_were_exchanged(shape, is_view):
    assert reshapes_in_place(np.empty((8, 3)).T, shape) == is_view


def kinds_of(*ops, outputs=(), written=()):
    storage = liveness_of(graph_of(*ops, outputs=outputs), written)
    return [storage.locations[one] for one in ops]


def test_where_each_kind_of_value_lives():
    x, n, w = source(spec(3, 4), 0), source(FLOAT, 1), Op("cell", (), {"key": "w"}, spec(3, 4))
    ops = [
        (x, "leaf"),
        (n, "leaf"),
        (w, "leaf"),
        (number(np.ones(3)), "leaf"),
        (op("exp", n), "number"),
        (op("sum", x, kind=spec(), axis=(0, 1)), "number"),
        (op("exp", x), "buffer"),
        (op("reshape", x, kind=spec(12), shape=(12,)), "view"),
        (op("broadcast_to", n, kind=spec(3, 4), shape=(3, 4)), "view"),
        (op("add", x, w), "output"),
        (op("masked", x, x, kind=spec(3, 4), value=0.0), "buffer"),  # no expression makes it
        (op("sin", x), "given"),
        (op("bernoulli", n, kind=spec(3, dtype=np.bool_), shape=(3,)), "fresh"),
    ]
    results = (ops[9][0], ops[10][0], ops[7][0], x, ops[11][0])
    assert kinds_of(*[one for one, _ in ops], outputs=results, written=[ops[11][0]]) == [kind for _, kind in ops]


def test_a_view_reads_the_memory_of_what_it_shows():
    x = source(spec(3, 4))
    buffer = op("exp", x)
    turned = op("transpose", buffer, kind=spec(4, 3), axes=(1, 0))
    row = op("getitem", turned, kind=spec(3), index=(0,))
    storage = liveness_of(graph_of(x, buffer, turned, row, outputs=()))
    assert [storage.bases[one] for one in (x, buffer, turned, row)] == [(), (buffer,), (buffer,), (buffer,)]


def test_a_reshape_that_has_to_copy_has_memory_of_its_own():
    x = source(spec(3, 4))
    buffer = op("exp", x)
    turned = op("transpose", buffer, kind=spec(4, 3), axes=(1, 0))
    flat, rows = (
        op("reshape", turned, kind=spec(12), shape=(12,)),
        op("reshape", turned, kind=spec(2, 2, 3), shape=(2, 2, 3)),
    )
    storage = liveness_of(graph_of(x, buffer, turned, flat, rows, outputs=()))
    assert [storage.locations[one] for one in (turned, flat, rows)] == ["view", "buffer", "view"]
    assert [storage.bases[one] for one in (flat, rows)] == [(flat,), (buffer,)]


def test_a_constant_has_the_layout_of_its_data():
    for data, kind in [(np.ones((4, 3)).T, "buffer"), (np.ones((3, 4)), "view")]:
        constant = number(data)
        assert kinds_of(constant, op("reshape", constant, kind=spec(12), shape=(12,))) == ["leaf", kind]


def test_how_long_memory_is_read():
    x = source(spec(3))
    first, second = op("exp", x), op("sin", x)
    view = op("reshape", first, kind=spec(1, 3), shape=(1, 3))
    third = op("cos", second)
    last = op("tan", view)
    unread = op("exp", third)
    storage = liveness_of(graph_of(x, first, second, view, third, last, unread, outputs=(second,)))
    assert [storage.last_use.get(one) for one in (third, last, unread)] == [6, None, None]
    assert storage.last_use[first] == 5  # by its view
    # An output is handed out: its own array is made anew, so no memory is kept for it.
    assert (storage.locations[second], second in storage.last_use) == ("output", False)


def test_a_view_that_is_handed_out_keeps_its_memory_to_the_end():
    x = source(spec(3))
    buffer = op("exp", x)
    view = op("reshape", buffer, kind=spec(1, 3), shape=(1, 3))
    storage = liveness_of(graph_of(x, buffer, view, op("sin", x), outputs=(view, view)))
    assert storage.last_use[buffer] == len(storage.order) == 4


def test_what_is_written_for_the_caller_is_memory_too():
    x = source(spec(3))
    given, other = op("exp", x), op("sin", x)
    storage = liveness_of(graph_of(x, given, other, outputs=(given,)), [given])
    assert (storage.bases[given], storage.last_use[given]) == ((given,), 3)


def test_the_result_of_a_branch_may_be_the_memory_of_either_side():
    x, condition = source(spec(3), 0), source(BOOL, 1)
    outside = op("exp", x)
    then, otherwise = op("sin", x), op("reshape", outside, kind=spec(3), shape=(3,))
    cond, result = branch(condition, [then], [otherwise])
    reader = op("cos", result)
    storage = liveness_of(graph_of(x, condition, outside, cond, result, reader, outputs=()))
    assert storage.order == [x, condition, outside, then, otherwise, cond, result, reader]
    assert [storage.locations[one] for one in (then, otherwise, cond, result)] == ["buffer", "view", "cond", "result"]
    assert set(storage.bases[result]) == {then, outside}
    assert storage.last_use[then] == storage.last_use[outside] == storage.order.index(reader)


def test_one_memory_on_both_sides_is_one():
    x, condition = source(spec(3), 0), source(BOOL, 1)
    outside = op("exp", x)
    cond, result = branch(condition, [outside], [outside])
    for body in cond.bodies:
        body.ops.clear()
    storage = liveness_of(graph_of(x, condition, outside, cond, result, outputs=(result,)))
    assert storage.bases[result] == (outside,)
    assert storage.last_use[outside] == len(storage.order)


def test_a_function_of_someone_else_may_give_what_it_was_given():
    x, n = source(spec(3), 0), source(FLOAT, 1)
    first, second = op("exp", x), op("sin", x)
    made = op("of_mine", first, second, first, n, kind=spec(3))
    storage = liveness_of(graph_of(x, n, first, second, made, op("cos", made), outputs=()))
    assert (storage.locations[made], storage.bases[made]) == ("fresh", (first, second))
    assert storage.last_use[first] == storage.last_use[second] == 5


def test_results_of_a_chain():
    x = source(spec(3))
    fused = op("fused", x, chain=SimpleNamespace())
    first, second = op("result", fused, position=0), op("result", fused, position=1)
    assert kinds_of(x, fused, first, second, outputs=(second,)) == ["leaf", "fused", "buffer", "output"]


def test_an_empty_graph():
    storage = liveness_of(graph_of(outputs=()))
    assert (storage.locations, storage.bases, storage.last_use, storage.order) == ({}, {}, {}, [])
