"""Names and comments of a program's source: unique, readable, and after what the formula calls things."""

from __future__ import annotations

import keyword
from types import SimpleNamespace
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layertree import SGD, Exp, Identity, MatMul, Plus, Sin, Weight, compile, scope
from layertree.program.codegen.names import Names
from layertree.program.ir.naming import LayerComments, is_of_update, named_layer, names_of_cells, preferred_name
from layertree.program.ir.operations import Op
from layertree.typing import ArraySpec
from symbolic import exp, placeholder, weight
from tests.program.graphs import FLOAT, op, source

X: Any = Identity()


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        ("exp", "exp"),
        ("encoder/Kernel", "encoder_kernel"),
        ("  two words! ", "two_words"),
        ("2nd", "v_2nd"),
        ("lambda", "v_lambda"),
        ("", "value"),
        ("--", "value"),
        ("x", "x_1"),
        ("sum", "sum_1"),
        ("buffers", "buffers_1"),
    ],
)
def test_a_wish_becomes_a_variable(wish: str, name: str) -> None:
    assert Names().take(wish) == name


def test_a_name_is_given_out_once() -> None:
    names = Names(frozenset(("sin_2",)))
    assert [names.take("exp") for _ in range(3)] == ["exp", "exp_1", "exp_2"]
    assert names.take("exp_1") == "exp_1_1"
    assert [names.take("sin") for _ in range(3)] == ["sin", "sin_1", "sin_3"]


def test_a_name_that_was_given_back_is_taken_by_the_same_wish_alone() -> None:
    names = Names()
    first, second = names.take("exp"), names.take("exp")
    names.give(first)
    assert names.take("exp") == "exp_2"  # whoever wants a new one gets a new one
    assert names.take("sin", again=True) == "sin"
    assert names.take("exp", again=True) == first
    assert names.take("exp", again=True) == "exp_3"
    names.give(second)
    names.give("exp_3")
    assert {names.take("exp", again=True), names.take("Exp", again=True)} == {second, "exp_3"}


@given(st.lists(st.text(max_size=6), max_size=30))
def test_names_are_variables_and_all_different(wishes: list[str]) -> None:
    names = Names()
    found = [names.take(one) for one in wishes]
    assert len(set(found)) == len(found)
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in found)
    assert not {"x", "np", "weights", "sum", "step"} & set(found)


def cell_of(weight: Any, name: str = "kernel") -> Op:
    return Op("cell", (), {"key": weight.cell, "name": name}, FLOAT)


def of_layer(made: Op, layer: Any, origin: Any = None) -> Op:
    """An operation of a layer, maybe one that belongs to another's gradient or to an update."""
    if origin is not None:
        layer.__dict__["_origin"] = origin
    return attrs.evolve(made, layer=layer)


def test_leaves_go_by_their_own_names() -> None:
    assert preferred_name(source(FLOAT)) == "x"
    assert preferred_name(source(FLOAT, 1, 0)) == "x_1_0"
    assert preferred_name(cell_of(Weight(2.0))) == "kernel"
    assert preferred_name(Op("state", (), {"key": (0, 1), "name": "state"}, FLOAT)) == "state"


def test_an_operation_goes_by_the_scope_of_the_cell_it_reads() -> None:
    with scope("net"), scope("dense"):
        inner = cell_of(Weight(2.0))
    bare = cell_of(Weight(2.0))
    x = source()
    assert preferred_name(of_layer(op("add", x, x), Plus(X, X))) == "add"
    assert preferred_name(of_layer(op("multiply", x, inner), Plus(X, X))) == "dense"
    assert preferred_name(of_layer(op("multiply", x, bare), Plus(X, X))) == "multiply"
    view = op("transpose", op("reshape", inner, shape=(1, 1)), axes=(1, 0))
    assert preferred_name(of_layer(op("matmul", x, view), Plus(X, X))) == "dense"
    assert preferred_name(of_layer(op("multiply", x, op("exp", inner)), Plus(X, X))) == "multiply"


def test_what_belongs_to_a_gradient_goes_by_the_layer() -> None:
    with scope("dense"):
        w = Weight(2.0)
    x = source()
    assert preferred_name(of_layer(op("multiply", x, cell_of(w)), Plus(X, X), MatMul(X, w))) == "d_dense"
    assert preferred_name(of_layer(op("cos", x), Exp(X), Plus(Weight(1.0), w))) == "d_dense"
    assert preferred_name(of_layer(op("cos", x), Exp(X), Sin(X))) == "d_sin"


def test_what_an_update_makes_goes_by_the_cell() -> None:
    with scope("dense"):
        read = cell_of(Weight(2.0), "dense_kernel")
    made = of_layer(op("subtract", read, source()), Plus(X, X), SGD(0.1))
    assert preferred_name(made) == "dense_kernel"
    assert is_of_update(made)
    assert not is_of_update(of_layer(op("cos", source()), Exp(X), Sin(X)))
    assert not is_of_update(source())


def test_the_result_of_a_chain_goes_by_what_it_is_there() -> None:
    inner = of_layer(op("exp", source()), Exp(X), Sin(X))
    fused = op("fused", source(), chain=SimpleNamespace(results=(source(), inner)))
    assert preferred_name(op("result", fused, position=1)) == "d_sin"
    assert preferred_name(op("result", op("cond", source()), position=1)) == "result"


def test_comments_tell_the_layer_and_its_cells() -> None:
    with scope("dense"):
        kernel, offset = Weight(2.0, name="kernel"), Weight(1.0)
    layer = Plus(Plus(kernel, X), offset)
    names = names_of_cells(layer)
    assert list(names.values()) == ["dense/kernel", "dense/weight_0"]
    comments = LayerComments(names)
    assert comments.of(of_layer(op("add", source()), layer)) == "Plus dense/weight_0"
    assert comments.of(of_layer(op("exp", source()), Exp(X), layer.operand1)) == "gradient of Plus dense/kernel"
    assert comments.of(of_layer(op("subtract", source()), Exp(X), SGD(0.1))) == "SGD"
    assert comments.of(source()) == ""
    assert named_layer(Plus(kernel, kernel), {}) == "Plus dense/kernel, dense/kernel"
    assert named_layer(Plus(offset, X), {}) == "Plus"  # it has no name, and none was given
    assert named_layer(Sin(X), names) == "Sin"


@pytest.mark.parametrize(("name", "shown"), [("a\nb", "a\\nb"), ("größe\\'", "größe\\'"), ("\ud800", "\\ud800")])
def test_a_comment_is_one_line(name: str, shown: str) -> None:
    layer = Plus(Weight(2.0, name=name), X)
    assert LayerComments(names_of_cells(layer)).of(of_layer(op("add", source()), layer)) == f"Plus {shown}"


@pytest.mark.parametrize("name", ["a\nraise SystemExit", "a\r1/0", "\x00", "\ud800", "x²", "ﬁ", "a\u2028b"])
def test_any_name_makes_a_program(name: str) -> None:
    """A name may come from a file: it is never code, and never another name."""
    x: Any = placeholder(ArraySpec((3,)))
    formula = exp(x * weight(np.ones(3), name=name)) * weight(np.full(3, 2.0), name="fi")
    program = compile(formula)
    np.testing.assert_allclose(program.predict(np.zeros(3)), [2.0] * 3)
    plain = compile(exp(x * weight(np.ones(3), name="plain")) * weight(np.full(3, 2.0), name="fi"))
    plain.predict(np.zeros(3))
    assert len(program.source.splitlines()) == len(plain.source.splitlines())


def test_each_cell_has_one_name() -> None:
    w = Weight(2.0)
    assert list(names_of_cells(Plus(w, Plus(w, Weight(2.0)))).values()) == ["weight_0", "weight_1"]
    assert names_of_cells(Sin(X)) == {}
