"""Nodes replaced, parts exchanged, outputs picked: what changes, what is shared, and what it means for the values."""

import math
from functools import partial

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import (
    Compose,
    Cos,
    Dropout,
    DTypeError,
    Exp,
    Greater,
    Hook,
    Identity,
    If,
    Item,
    Literal,
    Negative,
    Plus,
    ReLU,
    ShapeError,
    Sin,
    StopGradient,
    Sum,
    Times,
    Tuple,
    UnknownPathError,
    Weight,
    at,
    count,
    find,
    map_layers,
    named_nodes,
    nodes,
    prune,
    replace,
    substitute,
)
from layertree.typing import ArraySpec
from symbolic import cross_entropy, dense, placeholder, relu, sigmoid, tanh, weight
from symbolic.core.symbolic import Symbolic
from tests.symbolic.support import array_of
from tests.test_random_formulas import formulas

X = Identity()


def network(units=3):
    x = array_of("Batch", 4)
    return dense(relu(dense(x, 8, name="first")), units, name="second")


# Replacing


def test_a_shared_node_changes_for_all_that_use_it():
    shared = Sin(X)
    formula = Times(shared, Plus(shared, Sin(1.0)))
    made = at(formula, "operand1").set(Exp(X))
    assert made == Times(Exp(X), Plus(Exp(X), Sin(1.0)))
    assert made.operand1 is made.operand2.operand1
    assert made.operand2.operand2 is formula.operand2.operand2
    assert at(formula, "operand2/operand1").set(Exp(X)) == made


def test_the_input_and_constants_change_in_their_place_alone():
    one = Literal(1.0)
    formula = Times(Plus(one, X), Plus(one, X))
    assert at(formula, "operand1/operand1").set(2.0) == Times(Plus(2.0, X), Plus(1.0, X))
    assert at(formula, "operand2/operand2").set(2.0) == Times(Plus(1.0, X), Plus(1.0, 2.0))
    assert at(formula, "*/operand1").set(2.0) == Times(Plus(2.0, X), Plus(2.0, X))
    assert replace(formula, Literal, 2.0) == Times(Plus(2.0, X), Plus(2.0, X))
    assert replace(formula, X, 2.0) == Times(Plus(1.0, 2.0), Plus(1.0, 2.0))


def test_a_weight_is_one_thing_wherever_it_stands():
    w, v = Weight(2.0, name="w"), Weight(3.0)
    formula = Times(w, Plus(w, 1.0))
    for where in ("w", "operand1", "operand2/operand1", w, Weight):
        assert at(formula, where).set(v) == Times(v, Plus(v, 1.0))


def test_one_place_of_a_shared_node():
    w = Weight(2.0, name="w")
    formula = Times(w, Plus(w, Exp(w)))
    untied = at(formula, "operand2/operand1").set(3.0, only_here=True)
    assert untied == Times(w, Plus(3.0, Exp(w)))
    assert untied.operand2.operand2 is formula.operand2.operand2
    assert at(formula, "operand2").apply(Negative, only_here=True) == Times(w, Negative(Plus(w, Exp(w))))
    assert at(formula, Exp).set(w, only_here=True) == Times(w, Plus(w, w))
    assert at(formula, "").set(3.0, only_here=True) == Literal(3.0)
    with pytest.raises(ValueError, match="means 2"):
        at(Plus(Exp(w), Exp(X)), Exp).set(1.0, only_here=True)
    with pytest.raises(UnknownPathError):
        at(formula, "operand2/argument").set(1.0, only_here=True)
    with pytest.raises(UnknownPathError):
        at(formula, Sin(X)).set(1.0, only_here=True)


def test_a_function_sees_nodes_over_their_new_operands():
    formula = Sin(Exp(Sin(X)))
    assert replace(formula, Sin, lambda node: Cos(node.operand)) == Cos(Exp(Cos(X)))
    assert replace(formula, Sin, StopGradient) == StopGradient(Sin(Exp(StopGradient(Sin(X)))))
    assert replace(formula, "operand/*", lambda node: node) is formula


def test_attributes_change_by_evolving():
    formula = Plus(Dropout(X, True, 0.5), Sum(X, axis=0))
    made = at(formula, Dropout).apply(lambda node: attrs.evolve(node, rate=0.25))
    assert made == Plus(Dropout(X, True, 0.25), Sum(X, axis=0))


def test_what_is_replaced_within_what_is_replaced():
    assert replace(Exp(Sin(X)), ["", "operand"], Literal(1.0)) == Literal(1.0)
    assert replace(Exp(Sin(X)), ["", "operand"], Negative) == Negative(Exp(Negative(Sin(X))))


def test_map_layers_calls_once_for_each_distinct_node():
    shared = Sin(X)
    seen = []
    made = map_layers(Times(shared, Plus(shared, X)), lambda node: seen.append(node) or node)
    assert made == Times(shared, Plus(shared, X))
    assert [type(node) for node in seen] == [Identity, Sin, Plus, Times]


def test_map_layers_keeps_what_is_shared_and_lifts_values():
    shared = Sin(X)
    made = map_layers(Times(shared, Plus(shared, 5.0)), lambda node: 2.0 if isinstance(node, Literal) else node)
    assert made == Times(Sin(X), Plus(Sin(X), 2.0))
    assert made.operand1 is made.operand2.operand1


def test_regions_are_changed_too():
    formula = If(Greater(X, 0.0), Sin(X), Compose(Sin(X), Exp(X)))
    assert replace(formula, Sin, lambda node: Cos(node.operand)) == If(Greater(X, 0.0), Cos(X), Compose(Cos(X), Exp(X)))
    assert formula.at("otherwise/outer/operand").set(2.0).otherwise == Compose(Sin(2.0), Exp(X))


@pytest.mark.parametrize("change", [lambda node: None, lambda node: print(node, end="")])
def test_a_function_that_returns_nothing_is_told_so(change):
    with pytest.raises(TypeError, match="the function of x returned None: return the node"):
        map_layers(Sin(X), change)
    with pytest.raises(TypeError, match=r"the function of sin.x. returned None"):
        replace(Sin(X), Sin, change)


@pytest.mark.parametrize("where", ["operand/kernel", "dense/*", "dense*/**", Exp(X)])
def test_what_is_not_there_is_not_silently_left_alone(where):
    with pytest.raises(UnknownPathError):
        replace(Sin(X), where, 2.0)


def test_a_type_or_a_predicate_may_mean_nothing():
    formula = Sin(X)
    assert replace(formula, Exp, 2.0) is formula
    assert replace(formula, lambda node: False, 2.0) is formula
    assert map_layers(formula, lambda node: node) is formula


def test_looking():
    formula = Times(Sin(X), Plus(Sin(X), 1.0))
    assert formula.at("operand2/operand2").get() == Literal(1.0)
    assert formula.at(Sin).nodes == (Sin(X), Sin(X))
    assert formula.at(Exp).nodes == ()
    with pytest.raises(ValueError, match=r"one node is wanted, and .* means 2"):
        formula.at(Sin).get()


def test_set_and_apply_are_told_apart():
    with pytest.raises(TypeError, match="apply takes a function"):
        Sin(X).at("operand").set(lambda node: node)
    with pytest.raises(TypeError, match="set takes a layer"):
        Sin(X).at("operand").apply(2.0)


# Formulas


def test_a_formula_stays_one_of_its_input():
    model = network()
    kernel, bias = find(model, "second/*")
    made = substitute(model, {kernel: np.zeros((8, 5), np.float32), bias: weight(np.ones(5, np.float32))})
    assert isinstance(made, Symbolic)
    assert str(made.spec) == "float32 (Batch, 5)"
    assert made.origin is model.origin
    assert made.predict(np.ones((2, 4), np.float32)).tolist() == [[1.0] * 5] * 2
    assert str(model.spec) == "float32 (Batch, 3)"
    assert (made + made).spec == made.spec
    assert model.at("second/bias").set(1.0).predict(np.ones((2, 4), np.float32)).shape == (2, 3)


def test_what_does_not_fit_is_an_error_on_the_line_of_the_change():
    model = network()
    wrong = weight(np.zeros((7, 3), np.float32))
    with pytest.raises(ShapeError) as caught:
        model.at("second/kernel").set(wrong)  # here
    message = str(caught.value)
    assert message.startswith("matmul(relu(")
    assert message.splitlines()[-1].endswith('model.at("second/kernel").set(wrong)  # here')
    assert "changed at" in message
    with pytest.raises(DTypeError, match=r"changed at .*replace.model"):
        replace(model, ReLU, lambda node: Item(node.operand, 0))


def test_functions_build_with_bare_layers():
    model = network()
    made = replace(model, ReLU, lambda node: 2.0 * tanh(node.operand))
    assert find(made, ReLU) == ()
    assert "2.0 * tanh(x @ " in str(made)
    assert str(made.spec) == "float32 (Batch, 3)"
    assert map_layers(model, lambda node: sigmoid(node.operand) if isinstance(node, ReLU) else node).spec == model.spec


def test_functions_build_within_the_outer_part_of_a_composition():
    images, labels = placeholder((ArraySpec(("Batch", 4), np.float32), ArraySpec(("Batch",), np.int64)))
    objective = cross_entropy(network()(images * 2.0), labels)
    made = replace(objective, ReLU, lambda node: tanh(node.operand) + tanh(node))
    assert made.spec == objective.spec
    assert len([node for node in nodes(made) if type(node).__name__ == "Tanh"]) == 2
    data = np.ones((2, 4), np.float32), np.array([0, 1])
    assert made.predict(data) != objective.predict(data)


def test_formulas_of_another_input_are_refused():
    x, y = placeholder(float), placeholder(float)
    formula = tanh(x) + 1.0
    for change in (
        lambda: formula.at("operand2").set(y),
        lambda: replace(formula, "operand1", lambda node: y * 2.0),
        lambda: substitute(formula, {x: y}),
    ):
        with pytest.raises(ValueError, match="two different placeholder calls"):
            change()
    assert formula.at("operand2").set(x).predict(1.0) == math.tanh(1.0) + 1.0


def test_a_formula_without_an_input_takes_the_one_it_gets():
    x, w = placeholder(float), weight(2.0, name="w")
    made = substitute(w * w + 1.0, {w: x})
    assert made.origin is x.origin
    assert made.predict(3.0) == 10.0


def test_within_an_outer_part_a_formula_of_its_own_input_fits():
    x, y = placeholder(float), placeholder(float)
    formula = tanh(y)(2.0 * x)
    made = formula.at("outer").set(y * y)
    assert made.predict(3.0) == 36.0
    with pytest.raises(ValueError, match="two different placeholder calls"):
        formula.at("inner").set(y * y)


def test_a_formula_is_a_function_to_apply():
    x = placeholder(float)
    formula = tanh(2.0 * x) + 1.0
    assert formula.at("operand1/operand").apply(x * x).predict(3.0) == math.tanh(36.0) + 1.0


# Substituting


def test_all_at_once():
    a, b = Sin(X), Cos(X)
    assert substitute(Times(a, Plus(b, a)), {a: b, b: a}) == Times(b, Plus(a, b))


def test_equal_parts_are_the_same_and_the_largest_go_first():
    assert substitute(Plus(Sin(X), Sin(Identity())), {Sin(X): 2.0}) == Plus(2.0, 2.0)
    assert substitute(Exp(Sin(X)), {X: 3.0, Sin(X): 2.0}) == Exp(2.0)
    assert substitute(Exp(X), [(X, Exp(X))]) == Exp(Exp(X))


def test_the_outer_part_of_a_composition_has_another_input():
    w = Weight(2.0)
    formula = Plus(Compose(Times(Sin(X), w), Exp(X)), Sin(X))
    assert substitute(formula, {X: 3.0}) == Plus(Compose(Times(Sin(X), w), Exp(3.0)), Sin(3.0))
    assert substitute(formula, {Sin(X): 3.0}) == Plus(Compose(Times(Sin(X), w), Exp(X)), 3.0)
    assert substitute(formula, {w: 3.0}) == Plus(Compose(Times(Sin(X), 3.0), Exp(X)), Sin(X))
    with pytest.raises(
        ValueError, match=r"^x depends on the input, and would take the place of weight.2.0. in the outer"
    ):
        substitute(formula, {w: X})
    with pytest.raises(UnknownPathError, match=r"stands in the outer part of a composition alone"):
        substitute(formula, {Times(Sin(X), w): 3.0})
    squared = Times(X, X)
    assert substitute(Compose(squared, squared), {X: 3.0}) == Compose(squared, Times(3.0, 3.0))


def test_a_part_that_is_not_there():
    with pytest.raises(UnknownPathError, match=r"cos.x. is no part of sin.x."):
        substitute(Sin(X), {Cos(X): 1.0})


@settings(max_examples=60)
@given(formulas(), formulas(), st.floats(-1.5, 1.5))
def test_to_substitute_the_input_is_to_compose(formula, inner, at):
    if any(node == X for node in nodes(formula)):
        try:
            made = substitute(formula, {X: inner})
        except UnknownPathError:  # the input is that of an outer part alone
            made = formula
        assert made.predict(at) == Compose(formula, inner).predict(at)


# Pruning


def test_parts_of_tuples():
    a, b = Sin(X), Exp(Plus(X, 1.0))
    assert prune(Tuple((a, b)), 1) == b
    assert prune(Tuple((a, b)), [1, 0]) == Tuple((b, a))
    assert prune(Plus(Item(Tuple((a, b)), 0), 1.0)) == Plus(a, 1.0)
    pair = Compose(Tuple((Sin(X), Cos(X))), Exp(X))
    assert prune(pair, 0) == Compose(Sin(X), Exp(X))
    assert prune(Compose(pair, Negative(X)), 1) == Compose(Compose(Cos(X), Exp(X)), Negative(X))
    with pytest.raises(UnknownPathError, match="no node at 'operands/2'"):
        prune(Tuple((a, b)), 2)


def test_internals_become_outputs():
    model = network()
    hidden = prune(model, "operand1/operand1")
    assert str(hidden.spec) == "float32 (Batch, 8)"
    assert count(hidden, Weight) == 2
    both = prune(model, [ReLU, ""])
    x = np.ones((2, 4), np.float32)
    assert np.array_equal(both.predict(x)[0], hidden.predict(x))
    assert np.array_equal(both.predict(x)[1], model.predict(x))
    assert hidden.predict(x).any()


def test_within_an_outer_part_the_input_goes_through_the_inner_one():
    formula = Negative(Compose(Sin(Times(X, 2.0)), Exp(X)))
    assert prune(formula, "operand/outer/operand") == Compose(Times(X, 2.0), Exp(X))
    assert prune(formula, "operand/inner") == Exp(X)
    with pytest.raises(ValueError, match="means 2"):
        prune(Plus(Sin(X), Sin(1.0)), Sin)


@settings(max_examples=60)
@given(formulas(), st.floats(-1.5, 1.5))
def test_a_node_that_is_picked_has_the_value_that_it_had(formula, x):
    for path, node in named_nodes(formula):
        if node.__control__ == "cell":
            continue
        seen: list[float] = []
        at(formula, str(path)).apply(partial(Hook, function=seen.append)).predict(x)
        picked = prune(formula, str(path)).predict(x)
        assert not seen or any(picked == one or (picked != picked and one != one) for one in seen)


@settings(max_examples=60)
@given(formulas(), st.floats(-1.5, 1.5))
def test_what_keeps_each_value_keeps_the_whole(formula, x):
    whole = formula.predict(x)
    made = map_layers(formula, StopGradient)
    assert made.predict(x) == whole or whole != whole
    assert count(made) == 2 * count(formula)
    assert replace(formula, "**", lambda node: node) is formula
