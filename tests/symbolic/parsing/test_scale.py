"""Depth is bounded by memory alone, and what is shared is read once."""

from __future__ import annotations

from typing import Any

import pytest

import symbolic as sy
from layertree import Compose, Exp, Identity, If, Plus, Times, nodes
from symbolic import ParseError, parse, placeholder

DEPTH = 100_000


@pytest.mark.parametrize("kind", ["code", "formula"])
def test_a_long_chain_is_read_back(kind: str) -> None:
    chain: Any = Identity()
    for _ in range(DEPTH):
        chain = Exp(chain)
    assert parse(format(chain if kind == "code" else sy.Symbolic(chain, None, None), "full")) == chain


@pytest.mark.parametrize(
    "grow",
    [
        lambda f: Plus(f, 1.0),
        lambda f: Times(2.0, f),
        Exp,
        lambda f: Compose(f, Exp(Identity())),
        lambda f: If(True, f, 0.0),
        lambda f: Compose(Plus(Identity(), 1.0), f),
    ],
)
def test_chains_of_other_kinds(grow: Any) -> None:
    chain: Any = Identity()
    for _ in range(5_000):
        chain = grow(chain)
    assert parse(format(chain, "full")) == chain
    assert parse(format(sy.Symbolic(chain, None, None), "full")) == chain


def test_a_diamond_200_deep() -> None:
    x = placeholder(float)
    diamond = x
    for _ in range(200):
        diamond = diamond * diamond + 1.0
    for formula in (diamond, diamond.layer):
        text = format(formula, "full")
        found = parse(text)
        assert format(found, "full") == text
        assert found.__layer__() == diamond.layer
        assert len(list(nodes(found))) <= len(list(nodes(formula)))


def test_a_diamond_of_compositions() -> None:
    """Each doubles the one before: put in place they would never end."""
    layer: Any = Times(Identity(), 0.5)
    for _ in range(200):
        layer = Compose(layer, layer)
    formula = sy.Symbolic[Any, Any](layer, None, None)
    assert parse(format(formula, "full")) == parse(format(layer, "full")) == layer
    assert "\nb = a(a)\nc = b(b)\n" in str(formula)
    assert "\N{RING OPERATOR}" in format(formula, "unicode")


MANY = 100_000


@pytest.mark.parametrize(
    "text",
    ["(" * MANY, "[" * MANY, "sin(" * MANY, "x" + "[" * MANY, "(" * MANY + "x" + "]" * MANY, "array(" + "[" * MANY,
     "(" * MANY + "1" + ",)" * MANY, "9" * MANY, "a" * MANY, "a." * MANY, "x " * MANY, "'" * MANY, "<" * MANY,
     "sum(" + "a=1," * MANY + ")", "x" + " " * MANY + "!", "\n" * MANY, "#" * MANY, "'" + "\\" * MANY],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_what_is_wrong_a_hundred_thousand_times(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert len(str(caught.value)) < 1000


def test_what_is_right_a_hundred_thousand_times() -> None:
    assert parse("(" * MANY + "x" + ")" * MANY) == Identity()
    assert len(list(nodes(parse("-" * MANY + "x")))) == MANY + 1
    assert len(list(nodes(parse("x" + " ** x" * MANY)))) == MANY + 1
    lines = [f"a{i} = {f'a{i - 1}' if i else 'x'} + {i}" for i in range(10_000)]
    assert parse("\n".join([*lines, "a9999"]), float).predict(0.0) == sum(range(10_000))
    found: Any = parse("array([" + "1.5, " * MANY + "2.])")
    assert found.layer.data.shape == (MANY + 1,)
    assert float(found.layer.data.sum()) == 1.5 * MANY + 2
