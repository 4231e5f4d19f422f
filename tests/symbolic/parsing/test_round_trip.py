"""What ``format(f, "full")`` writes, ``parse`` reads: every layer, any formula, any data, as code and as a formula."""

from __future__ import annotations

import copy
import string
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import symbolic as sy
from layertree import (
    SGD,
    Adam,
    Average,
    Compose,
    GetItem,
    Hook,
    Identity,
    Item,
    Literal,
    Negative,
    Pad,
    Plus,
    Power,
    State,
    Times,
    Tuple,
    Weight,
    nodes,
    parameters,
    scope,
)
from layertree.core.spec import spec_of
from layertree.core.structure import rebuild, transform
from layertree.core.weight import CellLayer
from layertree.typing import ArraySpec
from layertree.updates.schedules import CosineDecay, Cycle, ExponentialDecay, InverseDecay, Scheduled
from symbolic import parse, placeholder, weight, wrap
from symbolic.parsing._calls import catalogue
from tests.layers.sample import Sample
from tests.layers.samples import IDS, SAMPLES
from tests.test_random_formulas import formulas


def cells(layer: Any) -> list[Any]:
    return [node for node in nodes(layer) if isinstance(node, CellLayer)]


def operations(layer: Any) -> list[Any]:
    return [node for node in nodes(layer) if not isinstance(node, (Identity, Literal))]


def without_cells(layer: Any) -> Any:
    """The formula with a constant in the place of each cell, so that copies of it compare."""

    def change(node: Any, children: Any) -> Any:
        return Literal(node.value) if isinstance(node, CellLayer) else rebuild(node, children)

    return transform(layer, change)


@pytest.mark.parametrize("sample", SAMPLES, ids=IDS)
def test_every_layer(sample: Sample) -> None:
    functions = [node.function for node in nodes(sample.layer) if isinstance(node, Hook)]
    formula = wrap(sample.layer, spec_of(sample.input))
    found = parse(format(formula, "full"), known=functions)
    assert format(found, "full") == format(formula, "full")
    assert (found.layer == sample.layer) is not bool(cells(sample.layer))
    from_code = parse(format(sample.layer, "full"), known=functions)
    assert format(from_code, "full") == format(sample.layer, "full")
    assert without_cells(from_code) == without_cells(sample.layer)


@settings(max_examples=150, deadline=None)
@given(formulas())
def test_random_formulas(formula: Any) -> None:
    code = format(formula, "full")
    text = format(wrap(formula, float), "full")
    for found in (parse(code), parse(text).layer, parse(text, float).layer):  # type: ignore[attr-defined]  # Symbolics
        assert without_cells(found) == without_cells(formula)
        assert [node.value for node in cells(found)] == [node.value for node in cells(formula)]
        assert format(found, "full") == code
        assert len(operations(found)) == len(operations(formula))


@settings(max_examples=100, deadline=None)
@given(formulas(), st.floats(-1.5, 1.5))
def test_what_prints_by_default_reads_as_the_same_function(formula: Any, at: float) -> None:
    """There compositions are put in place, so the tree may be another one."""
    symbol = wrap(formula, float)
    found = parse(str(symbol), float)
    assert found.predict(at) == symbol.predict(at)
    assert str(found) == str(symbol)
    assert len(parameters(found)) == str(symbol).count("weight(")


OPERATORS = [cls for cls in {sample.cls for sample in SAMPLES} if cls.__operator__ is not None]  # type: ignore[attr-defined]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_operators_in_each_other(data: Any) -> None:
    """Parentheses stand where they have to: any operators, over numbers of either sign, in any order."""
    made: list[Any] = [Identity(), *[Literal(value) for value in (1.0, -1.0, -0.0, 2, -2, True, float("-inf"))]]
    classes = sorted(OPERATORS, key=lambda cls: cls.__name__)
    for _ in range(data.draw(st.integers(1, 6))):
        cls: Any = data.draw(st.sampled_from(classes))
        made.append(cls(*[data.draw(st.sampled_from(made)) for _ in cls.__layout__.operands]))
    layer = Tuple((made[-1], Identity()))  # with an input of no spec, it is not asked whether the operands fit
    for text in (format(layer, "full"), format(sy.Symbolic(layer, None, None), "full")):
        assert parse(text) == layer


constants = st.one_of(
    st.floats(),
    st.integers(),
    st.booleans(),
    hnp.arrays(
        st.one_of(hnp.floating_dtypes(endianness="="), hnp.integer_dtypes(endianness="="), hnp.boolean_dtypes()),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.recursive(constants, lambda part: st.lists(part, max_size=3).map(tuple), max_leaves=4))
def test_constants_to_the_bit(data: Any) -> None:
    layer = Literal(data)
    assert parse(format(layer, "full")) == layer
    assert parse(format(sy.Symbolic(layer, None, None), "full")).layer == layer  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "value",
    [np.True_, np.float16(0.1), np.int8(-3), np.uint64(2**64 - 1), np.longlong(3), np.longdouble(1) / 3],
    ids=lambda value: type(value).__name__,
)
def test_numpy_scalars_of_every_kind(value: Any) -> None:
    found: Any = parse(format(Literal(value), "full"))
    assert found.data == value
    assert type(found.data) is type(value)


def test_numbers_of_thousands_of_digits() -> None:
    assert parse(format(Literal(-(10**5000)), "full")) == Literal(-(10**5000))
    assert parse(format(10**5000 + placeholder(float), "full")).__layer__() == Plus(10**5000, Identity())


def test_large_arrays_in_full() -> None:
    data = np.random.default_rng(0).standard_normal((40, 50)).astype(np.float32)
    assert parse(format(Literal(data), "full")) == Literal(data)


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=8).filter(lambda name: not any("\ud800" <= one <= "\udfff" for one in name)))
def test_names_with_anything_in_them(name: str) -> None:
    w = Weight(1.5, name=name)
    found: Any = parse(format(Plus(w, w), "full"))
    assert (found.operand1.path, found.operand1) == (name, found.operand2)
    spec = ArraySpec((name, None, 2), np.float32)
    x: Any = parse(format(placeholder(spec), "full"))
    assert x.spec == spec


TRICKY = [
    Negative(Literal(1.0)),
    Negative(Negative(Literal(-1.0))),
    Power(Negative(Identity()), Literal(2)),
    Power(Literal(-2.0), Negative(Power(Literal(2.0), Identity()))),
    Tuple(()),
    Tuple((Literal(1.0), Literal(2))),
    Tuple((Tuple((Identity(),)), Literal((1.0, (2,))))),
    Literal(()),
    Literal(((1.0,), 2)),
    Item(Tuple((Identity(), Literal(1.0))), 0),
    Item(Literal((1.0, 2.0)), 1),
    Compose(Literal(2.0), Identity()),
    Tuple((Compose(Literal(True), Identity()), Compose(Literal(False), Identity()))),
    Compose(Tuple((Identity(), Identity())), Tuple((Identity(), Literal(1.0)))),
    Compose(Compose(Negative(Identity()), Plus(Identity(), 1.0)), Identity()),
    Compose(Times(shared := Plus(Identity(), 1.0), shared), shared),
    Pad(Identity(), ((1, 0),), float("nan")),
    Plus(shared_literal := Literal(np.arange(3)), shared_literal),
]


@pytest.mark.parametrize("layer", TRICKY, ids=lambda layer: format(layer, "formula"))
def test_what_texts_could_confuse(layer: Any) -> None:
    assert parse(format(layer, "full")) == layer
    text = format(sy.Symbolic(layer, None, None), "full")
    found = parse(text)
    assert found.__layer__() == layer
    assert format(sy.Symbolic(found.__layer__(), None, None), "full") == text


def test_an_index_is_told_from_a_part_by_the_spec() -> None:
    array, pair = ArraySpec((2, 2), np.float32), (float, float)
    assert parse("x[0]", array).layer == GetItem(Identity(), (0,))
    assert parse("x[-1]", pair).layer == Item(Identity(), 1)
    x = placeholder(array)
    first, second = placeholder((array, float))
    inner = (x[0] + x[1])[0]
    formula = inner(first[0][None, :] + first) * second
    again = parse(format(formula, "full"))
    assert again.__layer__() == formula.layer


def test_compositions_whose_parts_have_other_specs() -> None:
    x, y = placeholder((float, ArraySpec((3,), np.float64)))
    pair = x * y[0]
    t = placeholder(float)
    formula = pair(sy.sin(t), t * np.ones(3))
    text = format(formula, "full")
    assert text.splitlines()[1:] == ["(x[0] * x[1][0])((sin(x), x * array([1., 1., 1.])))"]
    assert parse(text).__layer__() == formula.layer


def test_weights_come_back_with_their_names_optimizers_and_scopes() -> None:
    with scope("encoder"):
        w = weight(np.float32([1, 2]), name="kernel", optimizer=Adam(0.1, epsilon=1e-6))
    formula = w * w + State(0.5, Average(0.25), name="mean")
    for text in (format(formula, "full"), format(formula.layer, "full")):
        kernel, mean = [node for node in nodes(parse(text)) if isinstance(node, CellLayer)]
        assert (kernel.path, mean.path) == ("encoder/kernel", "mean")
        assert kernel.optimizer == Adam(0.1, epsilon=1e-6)
        assert (mean.rule, mean.value) == (Average(0.25), 0.5)
        assert kernel.value.tolist() == [1.0, 2.0]
        assert kernel.value.dtype == np.float32


def test_a_parsed_formula_is_independent_of_the_one_it_was_written_from() -> None:
    formula = placeholder(float) * weight(2.0, name="slope")
    twin = parse(format(formula, "full"))
    parameters(twin)[0].set(5.0)
    assert (formula.predict(1.0), twin.predict(1.0)) == (2.0, 5.0)
    assert copy.deepcopy(twin).predict(1.0) == 5.0


def test_names_of_shared_parts_avoid_nothing_that_is_a_function() -> None:
    assert not [name for name in catalogue() if name in string.ascii_lowercase]


def test_optimizers_are_data() -> None:
    found: Any = parse("weight(1.0, optimizer=SGD(rate=0.5))")
    assert found.layer.optimizer == SGD(0.5)


@pytest.mark.parametrize(
    "schedule", [CosineDecay(5, 2, 0.1), Cycle((0.1, 0.2)), ExponentialDecay(0.2), InverseDecay(0.3)]
)
def test_schedules(schedule: Any) -> None:
    rule = Scheduled(Adam(0.1), schedule)
    formula = weight(2.0, optimizer=rule) * placeholder(float)
    for text in (format(formula, "full"), format(formula.layer, "full")):
        assert cells(parse(text))[0].cell.rule == rule


def test_a_composition_with_a_constant_tuple() -> None:
    a, b = placeholder((float, float))
    formula = (a * b)((0.25, 0.5))
    read: Any = parse(format(formula, "full"))
    assert read.layer == formula.layer
    assert read.predict() == 0.125
    assert parse(format(formula.layer, "full")) == formula.layer
    first, rest = placeholder((float, (float, ArraySpec((2,)))))
    nested = (rest[1] * first)((0.25, (0.5, np.ones(2))))
    assert parse(format(nested, "full")).layer == nested.layer  # type: ignore[attr-defined]  # a Symbolic


def test_arrays_of_long_doubles() -> None:
    data = np.array([np.longdouble(1) / 3, np.longdouble("1.1"), 1e300, np.inf, np.nan], np.longdouble)
    x = placeholder(ArraySpec((5,), np.longdouble))
    formula = x * data + data[0]
    for text in (format(formula, "full"), format(formula.layer, "full")):
        read = parse(text)
        assert getattr(read, "layer", read) == formula.layer
    # The bytes that a long double of 80 bits leaves unused are no part of its identity.
    made = Literal(np.longdouble(repr(data[0]).split("'")[1]))
    assert made == Literal(data[0])
    assert hash(made) == hash(Literal(data[0]))
