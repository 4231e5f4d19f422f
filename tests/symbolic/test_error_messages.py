"""How an error is worded: what is shortened, what is written out, and where it says that the formula was written."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import IndexRangeError, ShapeError
from layertree.typing import ArraySpec
from symbolic import placeholder
from tests.symbolic.support import array_of, user_frame


def test_the_reason_alone_is_not_shortened_but_operands_are() -> None:
    x = array_of(2, 3)
    long = x
    for _ in range(100):
        long = sy.tanh(long + 1.0)
    with pytest.raises(ShapeError) as caught:
        long @ x
    operation = str(caught.value).split("shapes")[0]
    assert operation.startswith("matmul(tanh(tanh(")
    assert operation.endswith("...: float32 (2, 3), x: float32 (2, 3)): ")
    assert len(operation) < 130


def test_shared_parts_are_written_out_in_a_message() -> None:
    x = array_of(2, 3)
    shared = x + 1.0
    with pytest.raises(ShapeError, match=r"matmul\(\(x \+ 1\.0\) \* \(x \+ 1\.0\): float32 \(2, 3\), x: float32"):
        (shared * shared) @ x


def test_a_diamond_is_shown_in_no_time() -> None:
    x = array_of(2, 3)
    deep = x
    for _ in range(200):
        deep = deep + deep
    with pytest.raises(ShapeError, match=r"x \+ x \+ \(x \+ x\).*\.\.\.: float32 \(2, 3\)"):
        deep @ x


def test_a_mistake_in_a_function_of_the_user_is_shown_there() -> None:
    def block(x: Any) -> Any:
        return x @ np.ones((4, 4))

    with pytest.raises(ShapeError) as caught:
        block(array_of(2, 3))
    frame = user_frame(caught.value)
    assert frame.name == "block"
    assert frame.line == "return x @ np.ones((4, 4))"
    assert str(caught.value).endswith(f"written at {__file__}:{frame.lineno}: return x @ np.ones((4, 4))")


def test_a_long_line_is_shortened() -> None:
    with pytest.raises(ShapeError) as caught:
        array_of(2, 3) + np.ones(2)  # and a comment that makes this line quite a bit longer than a message bears
    written = str(caught.value).split(": ")[-1]
    assert written.startswith("array_of(2, 3) + np.ones(2)  # and")
    assert written.endswith("...")
    assert len(written) == 100


def test_an_error_of_a_formula_without_a_source() -> None:
    with pytest.raises(ShapeError, match=r"written at <text>:2$"):
        exec(compile("\nx + ones(2)", "<text>", "exec"), {"x": array_of(2, 3), "ones": np.ones})


def test_an_index_that_only_the_data_holds() -> None:
    x, i = placeholder((ArraySpec((None,), np.float32), ArraySpec((None,), np.int64)))
    formula = x[i]
    with pytest.raises(IndexRangeError) as caught:
        formula.predict((np.ones(2, np.float32), np.array([0, 7])))
    message = str(caught.value)
    assert message.startswith("take(x[0]: float32 (2,), x[1]: int64 (2,)): index 7 is out of bounds")
    assert message.endswith("formula = x[i]")


def test_other_errors_get_a_note() -> None:
    def fail(value: Any) -> None:
        raise RuntimeError("no")

    formula = sy.hook(2.0 * placeholder(float), fail)
    with pytest.raises(RuntimeError, match="no") as caught:
        formula.predict(3.0)
    (note,) = caught.value.__notes__
    assert note.startswith("in hook(2.0 * x: float)\n  written at ")
    assert note.endswith("formula = sy.hook(2.0 * placeholder(float), fail)")


def test_a_deep_copy_remembers_where_it_was_written() -> None:
    formula = placeholder(ArraySpec((None,))) + np.ones(3)
    with pytest.raises(ShapeError, match=r"written at .*: formula = placeholder"):
        copy.deepcopy(formula).predict(np.ones(2))
