"""Each rule of simplification is proven: both sides are evaluated, on values with the properties that it requires."""

from decimal import Decimal, localcontext
from functools import wraps
from inspect import signature

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layertree import (
    BitwiseInvert,
    BroadcastLike,
    BroadcastTo,
    Cast,
    Compose,
    Divide,
    Greater,
    Identity,
    Item,
    Literal,
    Log,
    Max,
    Mean,
    Min,
    Minus,
    Negative,
    PermuteDims,
    Plus,
    Power,
    Reshape,
    ReshapeLike,
    Sum,
    TakeDiagonal,
    Times,
    Tuple,
    Weight,
    Where,
)
from layertree.core.spec import ArraySpec, spec_of
from layertree.core.structure import children_of, post_order, rebuild, transform
from layertree.rewrite.folding import ROOM, collects_difference_from_one, keeps_products, keeps_quotients
from layertree.rewrite.pattern import AttributeWildcard, ComputedAttribute, Number, Rule, Wildcard, form
from layertree.rewrite.rules import RULES
from layertree.rewrite.simplify import simplify

X = Identity()
FLOAT = spec_of(1.0)
PLACES = ("a", "b", "c", "d")

# What the attributes of a rule are in its proof, by the class of its pattern, and shapes other than (2, 3).
SETTINGS = {
    BroadcastTo: {"first": (2, 2, 3), "second": (4, 2, 2, 3), "shape": (2, 3)},
    Cast: {"dtype": np.dtype(np.float64)},
    PermuteDims: {"axes": (0, -1), "first": (-1, 0), "second": (1, 0)},
    Reshape: {"second": (6, 1), "shape": (2, 3)},
    TakeDiagonal: {"axes": 1},
    **{cls: {"axis": 1, "keepdims": True} for cls in (Sum, Mean, Max, Min)},
}
INNER = {"first": (3, 2), "start": -2, "stop": 0, "parts": 3, "axis": 1, "keepdims": True, "reason": "they have to"}
SHAPES = {
    **{cls: {"a": (2, 1)} for cls in (Sum, Mean, Max, Min)},
    ReshapeLike: {"b": (3, 2), "c": (6, 1)},
}

EDGES = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 1e-308, -1e-308, 1e300, -1e300, 1e-300, 1e150, 1.0, -1.0]
# One number a byte, since one draw of all bytes takes a tenth of the time of 24 draws: half of the bytes are edges.
SMALL = [*np.linspace(-4, 4, 111).round(2), *np.arange(-4, 4.5, 0.5)]
NUMBERS = np.array([*SMALL, *np.resize(EDGES, 256 - len(SMALL))])
DATA = st.binary(min_size=24, max_size=24).map(lambda drawn: NUMBERS[np.frombuffer(drawn, np.uint8)].reshape(4, 6))
COEFFICIENTS = st.sampled_from([-3.0, -2, -1.0, 0.5, 2, 3.0, 50.0, 0.02]) | st.sampled_from(
    [0, *EDGES, 1e200, -1e200, 1e-200, 1e5, 1e-5]
)


def variables(tree):
    return {node.name: node for node in post_order(tree) if isinstance(node, Wildcard)}


def conditions(tree):
    """The variables that stand where booleans do."""
    found = {children_of(node)[0] for node in post_order(tree) if isinstance(node, (Where, BitwiseInvert))}
    return {node.name for node in found if isinstance(node, Wildcard)}


def shape_of(rule, name):
    pattern = rule.pattern
    if "scalar" in variables(pattern)[name].where:
        return ()
    if pattern == ReshapeLike(Wildcard("a"), Wildcard("b")):
        return (2, 3)
    if name == "a" and type(pattern) in (Plus, Minus, Times, Divide, Where):
        inner = any(isinstance(child, BroadcastLike) for child in children_of(pattern))
        return (3,) if inner else (2, 3)
    return SHAPES.get(type(pattern), {}).get(name, (2, 3))


def allowed(values, properties):
    """Values with some properties."""
    if "finite" in properties or "moderate" in properties:
        largest = np.finfo(float).max / (4 * ROOM)
        values = np.clip(np.nan_to_num(values, nan=2.0), -largest, largest)
    if "moderate" in properties:
        values = np.where(values < 0, -1.0, 1.0) * np.clip(np.abs(values), 1 / ROOM, ROOM)
    if "nonnegative" in properties or "signless" in properties:
        values = np.abs(values)
    if "unsigned" in properties or "signless" in properties:
        values = np.where(values == 0, 0.0, values)
    return np.where(values == 0, 1.5, values) if "nonzero" in properties else values


def operands(rule, data, extra=()):
    """The data of a rule's wildcards; those that its condition asks about have some more properties."""
    known = variables(rule.pattern)
    asked = () if rule.when is None else signature(rule.when).parameters
    found = []
    for name, values in zip(PLACES, data, strict=True):
        shape = shape_of(rule, name) if name in known else (2, 3)
        properties = known[name].where if name in known else ()
        chosen = np.resize(allowed(values, properties + (tuple(extra) if name in asked else ())), shape)[()]
        found.append(chosen > 0 if name in conditions(rule.pattern) else chosen)
    return tuple(found)


def filled(rule, tree, numbers):
    """A side of a rule as a formula: variables are parts of a tuple input, numbers constants."""
    known = INNER | SETTINGS.get(type(rule.pattern), {})

    def change(node, children):
        if isinstance(node, Wildcard):
            return Item(X, PLACES.index(node.name))
        if isinstance(node, Number):
            return Literal(numbers[node.name])
        if isinstance(node, Literal) and type(node.data) is int and tree is rule.pattern:
            return Literal(float(node.data))  # a constant of a pattern is one of any dtype
        attributes = {name: getattr(node, name) for name in node.__layout__.attributes}
        if not any(isinstance(value, (AttributeWildcard, ComputedAttribute)) for value in attributes.values()):
            return rebuild(node, children)
        for name, value in attributes.items():
            if isinstance(value, AttributeWildcard):
                attributes[name] = known[value.name]
            elif isinstance(value, ComputedAttribute):
                attributes[name] = value.value(known)
        return type(node)(*children, **attributes)

    return transform(tree, change)


each_rule = pytest.mark.parametrize(
    "rule", RULES, ids=lambda rule: repr(rule.pattern)[:70].replace("Wildcard(name=", "(")
)


def freed(rule, is_known):
    """The rule without required properties, which the data have; its condition receives ``is_known`` for each."""

    def change(node, children):
        if isinstance(node, Wildcard):
            return Wildcard(node.name)
        if not children:
            return node
        return form(type(node), *children, **{name: getattr(node, name) for name in node.__layout__.attributes})

    return Rule(transform(rule.pattern, change), transform(rule.replacement, change), told(rule.when, is_known))


def told(when, is_known):
    if when is None:
        return None

    @wraps(when)
    def condition(**given):
        return when(**{name: (lambda name: is_known) if callable(one) else one for name, one in given.items()})

    return condition


ARITHMETIC = {
    Plus: lambda a, b: a + b,
    Minus: lambda a, b: a - b,
    Times: lambda a, b: a * b,
    Divide: lambda a, b: a / b,
    Negative: lambda a: -a,
    Power: lambda a, b: a**b,
}


def magnitudes(tree, values):
    """How large the results of all operations would be if no number were too large or too small, as decimals."""
    found, made = [], {}
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 40, 10**8, -(10**8)
        context.clear_traps()
        for node in post_order(tree):
            if isinstance(node, Item):
                made[id(node)] = np.vectorize(Decimal, otypes=[object])(values[node.position])
            elif isinstance(node, Literal):
                made[id(node)] = np.array(Decimal(node.data), object)
            elif type(node) in ARITHMETIC:
                result = ARITHMETIC[type(node)](*[made[id(child)] for child in children_of(node)])
                made[id(node)] = np.asarray(result, object)
                found.append(np.vectorize(abs, otypes=[object])(made[id(node)]))
            elif not isinstance(node, Identity):
                return []
    return found


def room(rule):
    """The factor by which a rule may change an intermediate result; that of one that collects terms is 2."""
    leaves = [node for node in post_order(rule.pattern) if isinstance(node, (Number, Wildcard))]
    moves = any(node.moderate if isinstance(node, Number) else "moderate" in node.where for node in leaves)
    return ROOM if moves or rule.when in (keeps_products, keeps_quotients) else 2


def at_the_edge(sizes, shape, factor):
    """Where an intermediate result is almost too large or too small."""
    largest, least = np.finfo(float).max, np.finfo(float).smallest_subnormal
    zones = [
        (Decimal(largest) / factor, Decimal(largest) * factor),
        (Decimal(least) / factor, Decimal(np.finfo(float).tiny) * factor),
    ]
    edge = np.zeros(shape, bool)
    for size in sizes:
        for low, high in zones:
            edge |= np.vectorize(lambda x, low=low, high=high: x.is_finite() and low <= x <= high)(size)
    return edge


def largest_of(sizes, shape):
    found = np.zeros(shape)
    for size in sizes:
        finite = np.vectorize(lambda x: float(x) if x.is_finite() and x < Decimal("1e308") else 0.0)(size)
        found = np.maximum(found, finite)
    return found


@each_rule
@settings(max_examples=40)
@given(
    data=DATA,
    m=COEFFICIENTS,
    n=COEFFICIENTS,
    i=st.sampled_from([1, 2, 3.0, 7]),
    j=st.integers(1, 3),
    is_known=st.booleans(),
)
def test_a_rule_holds(rule, data, m, n, i, j, is_known):
    """NaN stays NaN, infinity and zero keep their signs, and what is finite stays finite and the same.

    The rule itself says for which numbers it applies. The one exception is what is almost too large or too small.
    """
    values = operands(rule, data, ("finite", "unsigned") if is_known else ())
    if isinstance(rule.pattern, Log):
        values = tuple(np.where(np.abs(one) < np.inf, np.clip(one, -700, 700), one) for one in values)
    left = filled(rule, rule.pattern, {"m": m, "n": n, "i": i, "j": j})
    right = simplify(left, spec_of(values), [freed(rule, is_known)])
    with np.errstate(all="ignore"):
        before, after = left.predict(values), right.predict(values)
    assert (before.dtype, before.shape) == (after.dtype, after.shape)
    if before.dtype.kind == "b":
        np.testing.assert_array_equal(after, before)
        return
    sizes = magnitudes(left, values) + magnitudes(right, values)
    counts = ~at_the_edge(sizes, before.shape, room(rule))
    margin = 1e-9 + 1e-12 * largest_of(sizes, before.shape)
    with np.errstate(all="ignore"):
        same = np.abs(after - before) <= margin + 1e-9 * np.abs(before)
    same |= (before == after) | (np.isnan(before) & np.isnan(after))
    same &= np.isfinite(before) == np.isfinite(after)
    if not isinstance(rule.pattern, Log):  # exp(-0.0) is 1, so only the rule gives -0.0 back
        same &= (before != 0) | (after != 0) | (np.signbit(before) == np.signbit(after))
    assert same[counts].all(), (left, right, before, after)


@each_rule
def test_a_rule_is_reached(rule):
    """No rule is dead: alone, it rewrites what its pattern says, where its properties can be proven."""
    values = operands(rule, np.linspace(-2.0, 3.0, 24).reshape(4, 6))
    asked = () if rule.when is None else signature(rule.when).parameters
    known = [
        known_to_be(Wildcard(name, where=("finite",)) if name in asked else variables(rule.pattern).get(name), value)
        for name, value in zip(PLACES, values, strict=True)
    ]
    m = 0.5 if rule.when is collects_difference_from_one else 3.0  # a - 3 a is 0.0 for 0.0, and -2 a is -0.0
    pattern = filled(rule, rule.pattern, {"m": m, "n": 2.0, "i": 2, "j": 3})
    formula = Compose(pattern, Tuple(tuple(known)))
    found = simplify(formula, FLOAT, [rule])
    assert found != simplify(formula, FLOAT, [])
    np.testing.assert_allclose(found.predict(2.0), formula.predict(2.0), rtol=1e-12)


def known_to_be(variable, data):
    """A formula, no constant, in the shape and kind of some data, of which is known what a variable asks for."""
    weight = Weight(np.where(data, 1.0, -1.0)) if data.dtype.kind == "b" else Weight(data)
    if data.dtype.kind == "b":
        return Greater(weight, 0.0)
    if variable is None or not variable.where:
        return weight
    return Where(Greater(weight, 0.0), np.full(data.shape, 2.0), np.full(data.shape, 3.0))


@each_rule
def test_a_rule_requires_its_properties(rule):
    """Where nothing is known of the operands, a rule that requires properties does nothing."""
    if not any(variable.where for variable in variables(rule.pattern).values()):
        return
    formula = filled(rule, rule.pattern, {})
    spec = (ArraySpec((2, 3), np.float64),) * 4
    assert simplify(formula, spec, [rule]) == formula
