"""Paths: how they read, and what patterns of them match."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layertree import Compose, Exp, Greater, Identity, If, Plus, Tuple, Weight, named_nodes, path_of, scope
from layertree.core.errors import UnknownPathError
from layertree.core.paths import Path, Pattern, end_of, follow
from tests.test_random_formulas import formulas


def test_a_path_reads_as_text():
    path = Path(Path(Path(), "then"), "operands", "3")
    assert (str(path), repr(path), path.parts) == ("then/operands/3", "then/operands/3", ("then", "operands", "3"))
    assert path == "then/operands/3"
    assert path == Path(None, "then", "operands", "3")
    assert path != Path(Path(), "then")
    assert path != 3
    assert {path: 1}["then/operands/3"] == 1
    assert str(Path()) == ""


def test_a_long_path_is_shown_without_its_middle():
    path = Path()
    for i in range(50):
        path = Path(path, f"s{i}")
    assert path.brief() == "s0/s1/s2/s3/s4/s5/.../s44/s45/s46/s47/s48/s49 (50 steps)"
    assert Path(None, *"abcdefghijkl").brief() == "a/b/c/d/e/f/g/h/i/j/k/l"


@pytest.mark.parametrize(
    ("pattern", "matched", "other"),
    [
        ("", "", "a"),
        ("a/b", "a/b", "a/b/c"),
        ("a/b", "a/b", "a"),
        ("a/*/c", "a/b/c", "a/c"),
        ("a/*/c", "a/b/c", "a/b/b/c"),
        ("a/**/c", "a/c", "a/c/d"),
        ("a/**/c", "a/b/b/c", "b/c"),
        ("**/c", "c", "c/a"),
        ("**/c", "a/b/c", "a/c/b"),
        ("**", "", None),
        ("**", "a/b", None),
        ("a/**", "a", "b/a"),
        ("a/**", "a/b/c", ""),
        ("**/b/**/d", "a/b/d", "a/d/b"),
        ("d*_1/[kb]*", "dense_1/kernel", "dense_1/scale"),
        ("operand?", "operand1", "operand"),
        ("operand[12]", "operand2", "operand3"),
        ("*", "a", "a/b"),
        ("*", "a", ""),
    ],
)
def test_patterns(pattern, matched, other):
    assert Pattern(pattern).matches(matched)
    assert other is None or not Pattern(pattern).matches(other)


def reference(segments, parts):
    """The same by recursion."""
    if not segments:
        return not parts
    if segments[0] == "**":
        return reference(segments[1:], parts) or (bool(parts) and reference(segments, parts[1:]))
    return bool(parts) and fnmatchcase(parts[0], segments[0]) and reference(segments[1:], parts[1:])


@given(
    st.lists(st.sampled_from(["a", "b", "*", "**", "a*"]), max_size=5),
    st.lists(st.sampled_from(["a", "b", "ab"]), max_size=6),
)
def test_patterns_match_as_their_definition_says(segments, parts):
    assert Pattern("/".join(segments)).matches("/".join(parts)) == reference(segments, parts)


def test_the_way_to_each_kind_of_child():
    formula = If(Greater(Identity(), 0.0), Tuple((Exp(Identity()), 1.0)), Compose(Exp(Identity()), Weight(2.0)))
    with scope("dense"):
        named = Plus(Weight(1.0, name="kernel"), Weight(2.0))
    assert [str(path) for path, _ in named_nodes(formula)] == [
        "condition/operand1",
        "condition/operand2",
        "condition",
        "then/operands/0/operand",
        "then/operands/0",
        "then/operands/1",
        "then",
        "weight_0",
        "otherwise/outer/operand",
        "otherwise/outer",
        "otherwise",
        "",
    ]
    assert [str(path) for path, _ in named_nodes(named)] == ["dense/kernel", "dense/weight_0", ""]


def test_the_path_of_a_shared_node_is_that_of_the_first_visit():
    shared = Exp(Identity())
    formula = Plus(Plus(1.0, shared), shared)
    assert path_of(formula, shared) == "operand1/operand2"
    assert path_of(Plus(shared, Plus(1.0, shared)), shared) == "operand1"


def test_the_path_of_an_equal_node():
    assert path_of(Plus(1.0, Exp(Identity())), Exp(Identity())) == "operand2"
    with pytest.raises(UnknownPathError, match=r"exp.x. is no part of 1.0 . x"):
        path_of(Plus(1.0, Identity()), Exp(Identity()))


@given(formulas())
def test_every_path_leads_to_its_node(formula):
    for path, node in named_nodes(formula):
        edges, rest = follow(formula, path.parts)
        if node.__control__ == "cell":
            assert rest in (("weight_0",), ("weight_1",))
        else:
            assert rest == ()
            assert end_of(formula, edges) is node
