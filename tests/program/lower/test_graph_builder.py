"""The graph builder: value numbering, constant folding, and the scopes of branches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from layertree.core.spec import WEAK
from layertree.program.ir.operations import Body
from layertree.program.lower.namespace import LoweringNamespace
from tests.program.graphs import BOOL, FLOAT, shown, spec


@pytest.fixture
def xp() -> Any:
    return LoweringNamespace()


def test_an_operation_that_is_there_is_not_recorded_again(xp: Any) -> None:
    x, y = xp.leaf("input", (0,), FLOAT), xp.leaf("input", (1,), FLOAT)
    assert xp.exp(x) is xp.exp(x)
    assert xp.subtract(x, y) is not xp.subtract(y, x)
    assert xp.leaf("input", (0,), FLOAT) is x
    assert shown(xp.ops) == ["input", "input", "exp 0", "subtract 0 1", "subtract 1 0"]


class Function:
    """Functions that print alike."""

    def __call__(self) -> None: ...

    def __repr__(self) -> str:
        return "f"


def test_attributes_and_specs_tell_operations_apart(xp: Any) -> None:
    x = xp.leaf("input", (), FLOAT)
    assert len({id(xp.append("f", (x,), {"a": one}, FLOAT)) for one in (1, True, 1.0, "1", np.float32(1))}) == 5
    assert xp.append("f", (x,), {"a": 1}, FLOAT) is xp.append("f", (x,), {"a": 1}, FLOAT)
    assert xp.append("f", (x,), {"a": 1}, WEAK[int]) is not xp.append("f", (x,), {"a": 1}, FLOAT)
    first, second = Function(), Function()
    assert xp.append("f", (x,), {"a": first}, FLOAT) is xp.append("f", (x,), {"a": first}, FLOAT)
    assert xp.append("f", (x,), {"a": first}, FLOAT) is not xp.append("f", (x,), {"a": second}, FLOAT)


def test_a_hook_is_recorded_each_time(xp: Any) -> None:
    x = xp.leaf("input", (), FLOAT)
    for _ in range(2):
        assert xp.hook(x, function=print) is x
    assert shown(xp.ops) == ["input", "hook 0", "hook 0"]


def test_equal_numbers_are_one_constant(xp: Any) -> None:
    different = [1, 1.0, True, 0.0, -0.0, math.nan, np.float32(1.0), np.float64(1.0), np.array(1.0)[()] * 2]
    assert len({id(xp.constant(data)) for data in different}) == len(different)
    assert xp.constant(math.nan) is xp.constant(-math.nan * 0.0) is xp.constant(float("nan"))
    array = np.ones(3)
    assert xp.constant(array) is xp.constant(array)
    assert xp.constant(array) is not xp.constant(np.ones(3))


def test_a_constant_of_one_number_takes_no_memory(xp: Any) -> None:
    made = xp.filled(2, spec(3, 4, dtype=np.float32))
    assert made is xp.filled(2, spec(3, 4, dtype=np.float32))
    assert made is not xp.filled(2, spec(4, 3, dtype=np.float32))
    assert made is not xp.filled(2, spec(3, 4))
    data = made.attributes["data"]
    assert (data.strides, data.dtype, data.tolist()) == ((0, 0), np.float32, [[2.0] * 4] * 3)
    assert type(xp.filled(2, FLOAT).attributes["data"]) is float
    assert type(xp.filled(2, spec(dtype=np.float32)).attributes["data"]) is np.float32


def test_masks_are_one_where_their_shapes_are_too(xp: Any) -> None:
    mask = np.array([[True, False]])
    assert xp.mask(mask) is xp.mask(mask.copy())
    assert xp.mask(mask) is not xp.mask(mask.T)
    assert xp.mask(mask) is not xp.mask(~mask)


def test_the_identity_has_its_shape_twice(xp: Any) -> None:
    made = xp.identity(spec(2, 3))
    assert made is xp.identity(spec(2, 3))
    assert made.spec == spec(2, 3, 2, 3)
    np.testing.assert_array_equal(made.attributes["data"].reshape(6, 6), np.eye(6))


def test_numbers_are_computed_at_once(xp: Any) -> None:
    for made, data in [
        (xp.add(1.0, 2), 3.0),
        (xp.multiply(2, 3), 6),
        (xp.multiply(np.float32(0.1), 3.0), np.float32(0.1) * np.float32(3.0)),
        (xp.exp(1000.0), math.inf),
        (xp.log(-1.0), math.nan),
        (xp.divide(np.float64(1.0), np.float64(0.0)), np.float64(math.inf)),
        (xp.greater(2.0, 1.0), True),
        (xp.exp(np.float32(1.0)), np.exp(np.float32(1.0))),
        (xp.pow(np.float32(2.0), 0.5), np.float32(2.0) ** np.float32(0.5)),
    ]:
        assert made.name == "constant"
        assert type(made.attributes["data"]) is type(data)
        np.testing.assert_equal(made.attributes["data"], data)


def test_constants_of_one_number_are_computed_in_their_shape(xp: Any) -> None:
    ones = xp.filled(1, spec(2, 3, dtype=np.float32))
    made = xp.add(ones, 2.0)
    assert (made.name, made.attributes["fill"], made.spec) == ("constant", 3.0, ones.spec)
    assert xp.add(ones, xp.filled(1, spec(3))).spec == spec(2, 3)
    array = xp.constant(np.ones(3))
    assert xp.add(array, 2.0).name == "add"
    # Of what does not go element by element, the numbers alone do not tell the result.
    assert xp.cumulative_sum(ones, axis=-1).name == "cumulative_sum"
    assert xp.matmul(ones, xp.filled(1, spec(3, 2))).name == "matmul"


def test_what_numpy_lacks_is_recorded_in_standard_names(xp: Any) -> None:
    x = xp.leaf("input", (), spec(2, 3))
    result = xp.log_softmax(x, axis=-1)
    names = [one.name for one in xp.ops]
    assert names.count("exp") == names.count("log") == 1
    assert not {"log_softmax", "logsumexp"} & set(names)
    assert result.spec == spec(2, 3)


def test_what_is_known_outside_is_known_in_a_branch_and_not_the_reverse(xp: Any) -> None:
    x, condition = xp.leaf("input", (0,), FLOAT), xp.leaf("input", (1,), BOOL)
    outside = xp.exp(x)
    bodies: list[Body] = []
    for _ in range(2):
        xp.enter_branch()
        assert xp.exp(x) is outside
        results = (xp.sin(xp.add(outside, 2.0)),)
        assert xp.sin(xp.add(outside, 2.0)) is results[0]
        bodies.append(Body(xp.leave_branch(), results))
    result = xp.branch(condition, tuple(bodies), FLOAT)
    after = xp.sin(xp.add(outside, 2.0))
    assert after not in (*bodies[0].results, *bodies[1].results)
    assert xp.exp(result) is not outside
    # Constants and what is given belong to all of the program.
    assert shown(xp.ops) == [
        *["input", "input", "exp 0", "constant", "add 2 3", "sin 4", "add 2 3", "sin 6"],
        *["cond 1", "result 8", "add 2 3", "sin 10", "exp 9"],
    ]


def test_a_branch_gives_nested_tuples(xp: Any) -> None:
    condition, x = xp.leaf("input", (0,), BOOL), xp.leaf("input", (1,), spec(3))
    bodies = tuple([Body([], (x, x, x)) for _ in range(2)])
    first, (second, (), third) = xp.branch(condition, bodies, (spec(3), (spec(3), (), spec(3))))
    assert [one.attributes["position"] for one in (first, second, third)] == [0, 1, 2]
    assert {one.inputs for one in (first, second, third)} == {(xp.ops[2],)}


def test_each_operation_belongs_to_the_layer_that_is_read(xp: Any) -> None:
    x = xp.leaf("input", (), FLOAT)
    xp.layer = layer = object()
    first = xp.exp(x)
    xp.layer = object()
    assert xp.exp(x).layer is layer
    assert [x.layer, first.layer, xp.sin(x).layer] == [None, layer, xp.layer]


def test_what_values_answer(xp: Any) -> None:
    x = xp.leaf("input", (), spec(2, 3, dtype=np.float32))
    assert (xp.shape(x), xp.ndim(x), xp.dtype(x)) == ((2, 3), 2, np.float32)
    assert (xp.shape(1.0), xp.ndim(1.0), xp.dtype(1)) == ((), 0, int)


@pytest.mark.parametrize("name", ["no_such_name", "_apart", "ndarray_"])
def test_a_name_that_nobody_has(xp: Any, name: str) -> None:
    with pytest.raises(AttributeError, match=f"the lowering namespace has no '{name}'"):
        getattr(xp, name)
