"""What is meant: by path, pattern, type, predicate, part; and the errors for what is not there."""

import pytest

from layertree import (
    Compose,
    Exp,
    Identity,
    Layer,
    Literal,
    Plus,
    Sin,
    Times,
    Tuple,
    UnknownPathError,
    Weight,
    count,
    find,
    layer,
    scope,
)
from layertree.rewrite.selection import weights_in
from symbolic import placeholder, sin, weight

with scope("encoder"):
    KERNEL, BIAS = Weight(2.0, name="kernel"), Weight(1.0, name="bias")
with scope("decoder"):
    OTHER = Weight(3.0, name="kernel")
X = Identity()
INNER = Plus(Times(X, KERNEL), BIAS)
FORMULA = Times(Exp(INNER), Plus(OTHER, Sin(INNER)))


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("", [FORMULA]),
        ("operand1", [Exp(INNER)]),
        ("operand1/operand/operand1/operand1", [X]),
        ("operand2/*", [OTHER, Sin(INNER)]),
        ("**/operand", [INNER]),
        ("encoder/kernel", [KERNEL]),
        ("*/kernel", [KERNEL, OTHER]),
        ("encoder/*", [KERNEL, BIAS]),
        ("**/operand2", [KERNEL, BIAS, Sin(INNER), Plus(OTHER, Sin(INNER))]),
        ("nowhere/*", []),
        (Plus, [INNER, Plus(OTHER, Sin(INNER))]),
        (Weight, [KERNEL, BIAS, OTHER]),
        (Literal, []),
        (lambda node: isinstance(node, Weight) and node.value > 1.5, [KERNEL, OTHER]),
        (Plus(Times(Identity(), KERNEL), BIAS), [INNER]),
        (OTHER, [OTHER]),
        ([Sin, "operand1", BIAS], [BIAS, Exp(INNER), Sin(INNER)]),
        ([], []),
    ],
)
def test_find(where, found):
    assert list(find(FORMULA, where)) == found
    assert count(FORMULA, where) == len(found)


def test_count_of_all():
    assert count(FORMULA) == 10
    assert count(Times(INNER, INNER)) == 6


def test_formulas_are_found_and_looked_into():
    x = placeholder(float)
    w = weight(2.0, name="w")
    s = sin(x * w)
    formula = s + 1.0
    assert find(formula, s) == (s.layer,)
    assert find(formula, w) == find(formula, "w") == (w.layer,)
    assert find(formula, [s, w]) == (w.layer, s.layer)


def test_all_variadic_parts():
    formula = Tuple(tuple(Times(Identity(), float(i)) for i in range(12)))
    assert [node.data for node in find(formula, "operands/*/operand2")] == [float(i) for i in range(12)]
    assert find(formula, "operands/11") == (formula.operands[11],)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("encoder/kernal", "no node at 'encoder/kernal': near it are 'encoder/kernel', 'decoder/kernel'"),
        ("decoder/0123456789abcdefghij", "at 'decoder/0123456789abcdefghij': near it is 'decoder/kernel'"),
        ("operand1/argument", "no node at 'operand1/argument': operand1 is Exp, with operand"),
        ("operand2/operand1/operand1", "'operand2/operand1/operand1': operand2/operand1 is Weight, with nothing below"),
        (
            "xyz",
            "no node at 'xyz': the formula is Times, with operand1, operand2; "
            "the weights and states are 'encoder/kernel', 'encoder/bias', 'decoder/kernel'",
        ),
        ("/operand1", "no node at '/operand1': the formula is Times, with operand1, operand2; the weights"),
    ],
)
def test_unknown_paths_name_the_nearest(where, message):
    with pytest.raises(UnknownPathError) as caught:
        find(FORMULA, where)
    assert message in str(caught.value)
    assert isinstance(caught.value, KeyError)


def test_an_unknown_path_in_a_formula_of_many_weights_names_a_few():
    formula = Tuple(tuple(Weight(1.0) for _ in range(30)))
    with pytest.raises(UnknownPathError) as caught:
        find(formula, "qqq")
    assert "operands/7, ...; the weights and states are 'weight_0'" in str(caught.value)
    assert str(caught.value).endswith("'weight_7', ...")


@pytest.mark.parametrize("where", [3, None, 1.0])
def test_what_says_nothing_is_refused(where):
    with pytest.raises(TypeError, match=r"where = .* is not allowed: give a path"):
        find(FORMULA, where)


@pytest.mark.parametrize(
    ("where", "weights"),
    [
        (None, (KERNEL, BIAS, OTHER)),
        ("operand1", (KERNEL, BIAS)),
        ("operand2/operand1", (OTHER,)),
        ("**", (KERNEL, BIAS, OTHER)),
        ("encoder/*", (KERNEL, BIAS)),
        (INNER, (KERNEL, BIAS)),
        (Weight, (KERNEL, BIAS, OTHER)),
        (lambda weight: weight.value < 2.5, (KERNEL, BIAS)),
        ([OTHER, "**/bias"], (BIAS, OTHER)),
        (lambda weight: False, ()),
    ],
)
def test_weights_that_are_meant(where, weights):
    assert weights_in(FORMULA, where) == weights


@pytest.mark.parametrize("where", ["decoder/bias", "encoder/*/x", Exp(X), "operand1/operand/operand1/operand1"])
def test_no_weights_there(where):
    with pytest.raises(UnknownPathError):
        weights_in(FORMULA, where)


def test_a_part_without_weights_is_told_so():
    with pytest.raises(UnknownPathError, match=r"^x has no weight$"):
        weights_in(FORMULA, X)
    with pytest.raises(UnknownPathError, match=r"^x has no weight$"):
        weights_in(FORMULA, Identity())


def test_a_predicate_on_weights_sees_weights_alone():
    seen = []
    weights_in(FORMULA, lambda weight: seen.append(type(weight)))
    assert seen == [Weight] * 3


def test_a_layer_of_a_users_own_that_is_callable_is_a_part():
    @layer
    class Called(Plus):
        def __call__(self, node):
            raise AssertionError

    called = Called(X, 1.0)
    assert isinstance(called, Layer)
    assert find(Compose(called, 2.0), called) == (called,)
