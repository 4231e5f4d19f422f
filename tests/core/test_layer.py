"""Layers as case classes: fields, checks, equality, match, printing, evolving."""

import copy
import pickle

import attrs
import numpy as np
import pytest

import layertree
from layertree import (
    SGD,
    Adam,
    Bernoulli,
    Compose,
    Concat,
    Conv2D,
    Count,
    GetItem,
    Hook,
    Identity,
    If,
    Layer,
    Less,
    Literal,
    MatMul,
    Negative,
    Pad,
    PermuteDims,
    Plus,
    Put,
    Reshape,
    State,
    Sum,
    Times,
    Tuple,
    Weight,
    attribute,
    inference,
    layer,
    nodes,
    operand,
    operands,
    set_optimizers,
)
from layertree.core.errors import FrozenLayerError
from layertree.layers import families

NAMES = {name: getattr(family, name) for family in families() for name in family.__all__}
NAMES = {name: getattr(np, name) for name in np.__all__} | NAMES | vars(layertree)


def rebuilt(text):
    """The value of printed code: assignments, then one expression."""
    *assignments, last = text.splitlines()
    scope = dict(NAMES)
    exec("\n".join(assignments), scope)
    return eval(last, scope)


FORMULAS = [
    Times(Plus(Literal(1.0), Identity()), Literal(-2.0)),
    Sum(Identity(), axis=(0, -1), keepdims=True),
    GetItem(Identity(), (slice(1, None), ..., None, -1)),
    Concat((Identity(), Literal(np.arange(6.0).reshape(1, 6)), Identity()), axis=1),
    Tuple((Identity(),)),
    Literal(np.arange(20, dtype=np.float32).reshape(4, 5) / 3),
    Literal(np.float32(1 / 3)),
    Literal(np.array([True, False])),
    Literal((1.0, np.arange(2), True)),
    Literal(float("nan")),
    Literal(float("-inf")),
    Literal(np.array([np.nan, np.inf])),
    Literal(np.zeros((0, 3), np.float32)),
    If(Less(Identity(), 1.0), Identity(), Compose(Negative(Identity()), Plus(Identity(), 1.0))),
    Conv2D(Identity(), np.ones((2, 2, 1, 1)), stride=(2, 1), groups=1),
    Plus(shared := Times(Identity(), 3.0), Times(shared, shared)),
]


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: type(f).__name__)
def test_printed_code_rebuilds_the_layer(formula):
    assert rebuilt(format(formula, "full")) == formula


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: type(f).__name__)
def test_copies_are_equal(formula):
    assert pickle.loads(pickle.dumps(formula)) == formula
    assert copy.deepcopy(formula) == formula
    assert copy.copy(formula) == formula
    assert hash(pickle.loads(pickle.dumps(formula))) == hash(formula)


def test_all_of_them_differ():
    for i, first in enumerate(FORMULAS):
        for second in FORMULAS[i + 1 :]:
            assert first != second


def test_weights_print_as_code():
    w = Weight(np.float32(2.0), name="slope", optimizer=Adam(0.1))
    assert repr(w) == (
        "Weight(float32(2.0), name='slope', optimizer=Adam(rate=0.1, beta1=0.9, beta2=0.999, epsilon=1e-08))"
    )
    twin = rebuilt(repr(w))
    assert (twin.value, twin.name, twin.optimizer) == (w.value, w.name, w.optimizer)


def test_shared_nodes_print_once():
    a = Plus(Identity(), 1.0)
    assert repr(Times(a, a)) == "a = Plus(Identity(), Literal(1.0))\nTimes(a, a)"
    assert format(Times(a, a), "formula") == "a = x + 1.0\na * a"


def test_the_formula_format_reads_as_written():
    x, w = Identity(), Weight(2.0)
    assert format(Times(Plus(1.0, x), w), "formula") == "(1.0 + x) * weight(2.0)"
    assert format(Compose(Times(x, x), Plus(x, 1.0)), "formula") == "a = x + 1.0\na * a"
    with pytest.raises(ValueError, match="'code', 'full', 'formula'"):
        format(x, "html")


def test_large_arrays_are_shortened_unless_full():
    formula = Plus(Identity(), Literal(np.ones((100, 3))))
    assert repr(formula) == "Plus(Identity(), Literal(<float64 (100, 3)>))"
    assert len(format(formula, "full")) > 900


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (1.0, 1),
        (1, True),
        (1.0, np.float64(1.0)),
        (np.float32(1.0), np.float64(1.0)),
        (0.0, -0.0),
        (np.ones(2), np.ones(2, np.float32)),
        (np.ones(2), np.ones((2, 1))),
        (np.ones(2), np.zeros(2)),
    ],
)
def test_literals_differ_by_type_dtype_shape_and_bits(first, second):
    assert Literal(first) == Literal(copy.copy(first))
    assert Literal(first) != Literal(second)


def test_literals_of_nan_are_equal():
    assert Literal(float("nan")) == Literal(float("nan"))
    assert Literal(np.array([np.nan])) == Literal(np.array([np.nan]))


def test_attributes_tell_layers_apart():
    assert Sum(Identity(), axis=1) != Sum(Identity(), axis=0)
    assert Sum(Identity(), axis=1) != Sum(Identity(), axis=(1,))


def test_a_hook_is_compared_by_identity():
    assert Hook(Identity(), print) == Hook(Identity(), print)
    assert Hook(Identity(), print) != Hook(Identity(), repr)


def test_case_classes_match():
    formula = Negative(PermuteDims(Weight(5.0), (1, 0)))
    match formula:
        case Negative(PermuteDims(Weight(w), axes)):
            assert (w, axes) == (5.0, (1, 0))
        case _:
            pytest.fail("no match")
    match Plus(Literal(1.0), Identity()):
        case Plus(Literal(float(1.0)), Identity()):
            pass
        case _:
            pytest.fail("no match")


def test_layers_never_change():
    formula = Sum(Identity(), axis=0)
    with pytest.raises(FrozenLayerError, match=r"attrs\.evolve\(layer, axis=\.\.\.\)"):
        formula.axis = 1
    with pytest.raises(FrozenLayerError):
        del formula.axis
    with pytest.raises(FrozenLayerError):
        Literal(1.0).data = 2.0
    with pytest.raises(FrozenLayerError):
        Weight(1.0).cell = None
    with pytest.raises(FrozenLayerError, match=r"^Sum\.axis cannot be deleted: a layer never changes$"):
        del formula.axis
    assert attrs.evolve(formula, axis=1) == Sum(Identity(), axis=1)


@pytest.mark.parametrize(
    ("layer", "name", "way"),
    [
        (Plus(1.0, Identity()), "operand2", "a layer never changes. attrs.evolve(layer, operand2=...) makes a changed"),
        (Plus(1.0, Identity()), "left", "attrs.evolve(layer, operand1=..., operand2=...) makes a changed copy"),
        (Literal(1.0), "data", "a layer never changes. attrs.evolve(layer, data=...) makes a changed copy"),
        (Literal(1.0), "value", "a layer never changes. attrs.evolve(layer, data=...) makes a changed copy"),
        (Identity(), "value", "a layer never changes"),
        (Weight(1.0), "value", "its method set(value) rebinds the value"),
        (Weight(1.0), "name", "attrs.evolve(layer, name=...) makes another Weight, with the same value"),
        (Weight(1.0), "optimizer", "set_optimizers(layer, {'**': ...}) gives a weight another optimizer"),
        (Weight(1.0), "rate", "it is none of value, name, optimizer, and set(value) rebinds the value"),
        (State(1.0, Count()), "value", "its method set(value) rebinds the value"),
        (State(1.0, Count()), "rule", "attrs.evolve(layer, rule=...) makes another State, with the same value"),
    ],
    ids=lambda one: one if isinstance(one, str) else type(one).__name__,
)
def test_an_assignment_names_the_way_out(layer, name, way):
    before = layer.value if isinstance(layer, (Weight, State)) else layer
    with pytest.raises(FrozenLayerError) as caught:
        setattr(layer, name, 2.0)
    assert str(caught.value).startswith(f"{type(layer).__name__}.{name} cannot be set: ")
    assert way in str(caught.value)
    assert before == (layer.value if isinstance(layer, (Weight, State)) else layer)


def test_the_ways_out_of_an_assignment_are_there():
    weight = Weight(1.0, name="w")
    weight.set(2.0)
    set_optimizers(weight, {"**": SGD(0.5)})
    other = attrs.evolve(weight, name="k")
    assert (weight.value, weight.optimizer, other.name, other.value) == (2.0, SGD(0.5), "k", 2.0)
    assert attrs.evolve(Literal(1.0), data=2.0) == Literal(2.0)
    with pytest.raises(FrozenLayerError, match="rebinds the value"):
        weight.value += 1.0
    assert weight.value == 2.0


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (
            lambda: Sum(Identity(), axis="0"),
            TypeError,
            "Sum.axis = '0' is not allowed: give int or a tuple of int or None",
        ),
        (lambda: Sum(Identity(), axis=1.5), TypeError, "Sum.axis"),
        (lambda: Sum(Identity(), axis=True), TypeError, "Sum.axis"),
        (lambda: Sum(Identity(), keepdims=1), TypeError, "Sum.keepdims = 1 is not allowed: give bool"),
        (lambda: Reshape(Identity(), 3), TypeError, "Reshape.shape = 3"),
        (lambda: Reshape(Identity(), (2, -2)), ValueError, "Reshape.shape = (2, -2) is not allowed"),
        (lambda: Conv2D(Identity(), Identity(), groups=0), ValueError, "int of at least 1"),
        (lambda: Conv2D(Identity(), Identity(), stride=(1, 2, 3)), TypeError, "a tuple of (int, int)"),
        (lambda: Conv2D(Identity(), Identity(), dilation=(0, 1)), ValueError, "Conv2D.dilation"),
        (lambda: layertree.Dropout(Identity(), True, 1.5), ValueError, "Dropout.rate = 1.5 is not allowed"),
        (lambda: layertree.Dropout(Identity(), True, "no"), TypeError, "float from 0.0 to 1.0"),
        (lambda: layertree.Cast(Identity(), "floaty"), TypeError, "Cast.dtype = 'floaty'"),
        (lambda: GetItem(Identity(), 1.5), TypeError, "GetItem.index = 1.5"),
        (lambda: GetItem(Identity(), [True]), TypeError, "GetItem.index"),
        (lambda: Put(Identity(), Identity(), "a"), TypeError, r"Put.index = 'a' is not allowed: give integers, slices"),
        (lambda: Pad(Identity(), ((0, 0), (-1, 0))), ValueError, "of at least 0"),
        (lambda: Bernoulli(Identity(), 0, 0.5, seed=2**64), ValueError, "Bernoulli.seed"),
        (lambda: Concat(Identity()), TypeError, "a tuple of operands"),
        (lambda: Plus(Identity()), TypeError, "operand2"),
        (lambda: Plus(Identity(), object()), TypeError, ""),
        (lambda: Adam(rate=-1.0), ValueError, "Adam.rate = -1.0"),
        (lambda: Adam(beta1="x"), TypeError, "Adam.beta1 = 'x'"),
        (lambda: Literal(np.array(["a"])), TypeError, "<U1"),
    ],
)
def test_a_bad_value_names_layer_field_value_and_what_is_allowed(build, error, words):
    with pytest.raises(error) as caught:
        build()
    assert words in str(caught.value)


def test_attributes_take_their_canonical_form():
    formula = Sum(Identity(), axis=[np.int64(0), 1])
    assert formula == Sum(Identity(), axis=(0, 1))
    assert type(formula.axis[0]) is int
    assert layertree.Cast(Identity(), float).dtype == np.float64
    assert type(layertree.Dropout(Identity(), True, 1).rate) is float


def test_a_field_without_a_kind_is_refused():
    with pytest.raises(TypeError, match="operand"):

        @layer
        class Wrong(Layer):
            """No kind."""

            a: Layer


@layer
class Scaled(Layer):
    """A user's own layer, with a help text."""

    operand: Layer = operand()
    factor: float = attribute(default=2.0, minimum=0.0, help="by how much")

    def compute(self, xp, a):
        return xp.multiply(a, self.factor)

    def gradient(self, xp, delta, output, a):
        return (lambda: xp.multiply(delta, self.factor),)


def test_a_layer_of_a_users_own():
    x = layertree.Input(3.0)
    formula = Plus(Scaled(Identity()), 1.0)
    assert formula.forward(x).gradients()[x] == 2.0
    assert repr(Scaled(Identity(), 3)) == "Scaled(Identity(), factor=3.0)"
    assert repr(Scaled(Identity())) == "Scaled(Identity())"
    assert format(Scaled(Identity(), 3), "formula") == "scaled(x, factor=3.0)"
    assert pickle.loads(pickle.dumps(formula)) == formula
    assert attrs.fields(Scaled).factor.metadata["help"] == "by how much"
    from layertree.core.spec import spec_of
    from layertree.rewrite.reverse_mode import INPUT, derivatives

    assert derivatives(formula, spec_of(1.0))[INPUT].predict(1.0) == 2.0


@layer
class Joined(Layer):
    """A user's own layer of any number of operands."""

    first: Layer = operand()
    rest: tuple = operands()

    def compute(self, xp, *values):
        total = values[0]
        for value in values[1:]:
            total = xp.add(total, value)
        return total


def test_variadic_operands_keep_their_place():
    formula = Joined(Identity(), (1.0, Identity(), Weight(3.0)))
    assert formula.predict(2.0) == 8.0
    assert copy.deepcopy(formula).predict(2.0) == 8.0
    assert [type(node).__name__ for node in nodes(formula)] == ["Identity", "Literal", "Identity", "Weight", "Joined"]


def test_inference_is_kept_and_shares_weights():
    w, s = Weight(1.0), State(5.0, layertree.Average())
    formula = Times(w, layertree.RunningAverage(Identity(), s))
    assert inference(formula) == Times(w, s)
    assert inference(formula) is inference(formula)
    assert inference(inference(formula)) is inference(formula)


def test_generic_aliases_make_plain_layers():
    assert Identity[float, float]() == Identity()
    assert MatMul(Identity(), Identity()) == MatMul(Identity(), Identity())


def test_attributes_compare_by_what_they_say():
    nan, other = float("nan"), float("inf") - float("inf")
    first, second = (Pad(Identity(), ((1, 0),), value=value) for value in (nan, other))
    assert first == second
    assert hash(first) == hash(second)
    assert Pad(Identity(), ((1, 0),), value=-0.0) != Pad(Identity(), ((1, 0),), value=0.0)


def test_an_index_of_either_layer_is_kept_as_json():
    for made in (GetItem(Identity(), slice(1, None)), Put(Identity(), Identity(), slice(1, None))):
        assert made.index == ((1, None, None),)
        assert pickle.loads(pickle.dumps(made)) == made
