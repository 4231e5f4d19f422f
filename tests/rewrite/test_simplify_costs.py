"""What derivatives cost after simplification, in nodes."""

import pytest

from layertree import (
    Cos,
    DTypeError,
    Identity,
    Item,
    Layer,
    Literal,
    Minus,
    Plus,
    Power,
    Sin,
    Sum,
    Tanh,
    Times,
    Tuple,
    Weight,
    layer,
    nodes,
    operand,
)
from layertree.core.spec import ArraySpec, spec_of
from layertree.namespaces.spec import infer_spec
from layertree.rewrite.derive import derive, value_and_derivatives
from layertree.rewrite.simplify import simplify, simplify_all
from symbolic import hvp, placeholder, sin
from tests.layers.samples import SAMPLES

X = Identity()


@layer
class Box(Layer):
    """A black box: it makes a tape of its own."""

    operand: Layer = operand()

    def tape(self, xp, upstream):
        return upstream


FLOAT = spec_of(1.0)


def size(*formulas):
    """How many distinct nodes some formulas of one input have together."""
    return len(list(nodes(Tuple(formulas)))) - 1


def has_a_sum(sample):
    return sample.differentiable and not isinstance(infer_spec(sample.layer, spec_of(sample.input)), tuple)


@pytest.mark.parametrize("sample", [pytest.param(one, id=one.id) for one in SAMPLES if has_a_sum(one)])
def test_a_gradient_has_at_most_six_times_the_nodes_of_the_forward_formula(sample):
    """With the nodes of the forward formula that it uses; by all operands together it is hardly more."""
    forward = Sum(sample.layer)
    targets = [X] if len(sample.operands) == 1 else [Item(X, i) for i in sample.differentiable]
    found = [one for one in derive(forward, spec_of(sample.input), targets) if one is not None]
    assert len(found) == len(targets) or (sample.cls is Power and found == [])  # a ** 0 is 1
    assert max(map(size, found), default=0) <= 6 * size(forward)
    assert size(*found) <= 6 * size(forward)


def chain(length, step):
    formula = X
    for _ in range(length):
        formula = step(formula)
    return formula


@pytest.mark.parametrize(
    "step",
    [
        Sin,
        lambda x: Tanh(Plus(Times(x, Weight(0.5)), Weight(0.1))),
        lambda x: Times(Sin(x), Cos(x)),
        lambda x: Plus(Times(x, x), Literal(0.3)),
    ],
    ids=["sin", "recurrent", "shared", "square"],
)
def test_gradients_and_products_with_the_hessian_grow_with_the_formula(step):
    """Twice the length has twice the nodes, not four times; where numbers are gathered, which is up to 64, to a few."""
    sizes = []
    for length in (50, 100, 200):
        gradient = derive(chain(length, step), FLOAT, [X])[0]
        product = derive(gradient, FLOAT, [X], Cos(X))[0]
        sizes.append((size(gradient), size(product)))
    (first, product), (second, twice), (third, fourfold) = sizes
    assert third - second == 2 * (second - first) > 0
    assert fourfold - twice == pytest.approx(2 * (twice - product), abs=4)
    assert twice > product
    assert fourfold < 12 * size(chain(200, step))


def test_hvp_is_linear():
    def of(length):
        x = placeholder(float)
        y = x
        for _ in range(length):
            y = sin(y) * x
        return len(list(nodes(hvp(y).layer)))

    assert of(200) - of(100) == 2 * (of(100) - of(50)) > 0


def test_derivatives_share_their_nodes_with_one_another_and_with_the_value():
    weights = [Weight(0.1 * i) for i in range(40)]
    formula = X
    for weight in weights:
        formula = Tanh(Times(weight, formula))
    value, found = value_and_derivatives(formula, FLOAT, weights)
    assert value is formula
    assert size(value, *found) < 6 * size(formula)
    assert sum(map(size, found)) > 40 * size(formula)
    apart = [derive(formula, FLOAT, [weight])[0] for weight in weights]
    assert apart == found


def test_what_is_not_asked_for_is_not_derived():
    w, v = Weight(0.5), Weight(0.25)
    formula = Times(Sin(Times(w, X)), Cos(Times(v, X)))
    by_w = derive(formula, FLOAT, [w, v])[0]
    assert derive(formula, FLOAT, [w]) == [by_w]
    box = Plus(Box(Times(v, X)), Sin(Times(w, X)))
    assert derive(box, FLOAT, [w]) == derive(Sin(Times(w, X)), FLOAT, [w])
    with pytest.raises(DTypeError, match="has no derivative as a formula"):
        derive(box, FLOAT, [v])


def test_formulas_simplified_together_share_what_is_equal():
    first, second = simplify_all([Minus(Sin(X), 0.0), Times(Sin(Identity()), 1.0)], FLOAT)
    assert first is second
    assert first == simplify(Sin(X), FLOAT)
    sums = simplify_all([Sum(Times(X, 2.0)), Times(X, 2.0)], ArraySpec((3,)))
    assert sums[0].operand is sums[1]
    assert simplify_all([], FLOAT) == []


def test_depth_is_no_limit():
    assert simplify(chain(25_000, lambda x: Minus(Times(1.0, x), 0.0)), FLOAT) is X
    recurrent = chain(3_000, lambda x: Tanh(Times(Weight(0.5), x)))
    (gradient,) = derive(recurrent, FLOAT, [X])
    assert size(recurrent) < size(gradient) < 3 * size(recurrent)
