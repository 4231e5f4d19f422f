"""Constants of one number: which kind of number, or array without axes, stands for them beside other operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree.program.ir.constants import as_array, as_scalar
from tests.program.graphs import FLOAT, filled, number, op, source, spec


def number_beside(dtype: Any, *others: Any) -> Any:
    read = filled(2, spec(3, dtype=dtype))
    return as_scalar(read, op("add", read, *others))


@pytest.mark.parametrize(("dtype", "kind"), [(np.float32, float), (np.int8, int), (np.bool_, bool)])
def test_beside_arrays_of_its_dtype_it_is_pythons(dtype: Any, kind: type) -> None:
    found = number_beside(dtype, source(spec(3, dtype=dtype)), source(FLOAT))
    assert type(found.attributes["data"]) is kind
    assert found.attributes["data"] == kind(2)
    assert (found.name, found.spec.weak) == ("constant", True)


@pytest.mark.parametrize(
    "others",
    [
        [],
        [source(FLOAT)],
        [filled(1, spec(3, dtype=np.float32))],
        [source(spec(3, dtype=np.float64))],
        [source(spec(3, dtype=np.float32)), source(spec(3, dtype=np.float64))],
    ],
    ids=["alone", "number", "filled", "wider", "both"],
)
def test_elsewhere_it_keeps_its_dtype(others: Any) -> None:
    found = number_beside(np.float32, *others)
    assert type(found.attributes["data"]) is np.float32
    assert (found.attributes["data"], found.spec) == (2.0, spec(dtype=np.float32))


def test_no_number_of_pythons_is_a_long_double() -> None:
    found = number_beside(np.longdouble, source(spec(3, dtype=np.longdouble)))
    assert type(found.attributes["data"]) is np.longdouble
    assert found.attributes["data"] == 2


ARRAYS = {dtype: source(spec(3, dtype=dtype)) for dtype in (np.float32, np.float64, np.int8, np.bool_)}


@pytest.mark.parametrize(
    ("data", "others", "dtype"),
    [
        (2.0, [np.float32], np.float32),
        (2, [np.float32], np.float32),
        (2, [np.int8], np.int8),
        (2.0, [np.int8], np.float64),
        (2.0, [np.float32, np.float64], np.float64),
        (True, [np.int8], np.int8),
        (np.float32(2.0), [np.float64], np.float32),
        (np.float64(2.0), [np.float32], np.float64),
    ],
)
def test_an_array_of_a_number_is_what_numpy_makes_of_it(data: Any, others: list[Any], dtype: Any) -> None:
    constant = number(data)
    operands = [ARRAYS[one] for one in others]
    made = as_array(constant, op("add", constant, source(FLOAT, 1), *operands, kind=operands[0].spec))
    assert (made.shape, made.dtype, made[()]) == ((), dtype, data)
    assert not made.flags.writeable
    arrays = [np.ones(3, one) for one in others]
    np.testing.assert_equal(sum(arrays, made), sum(arrays, data), strict=True)


def test_a_choice_is_in_the_dtype_of_the_whole() -> None:
    condition, constant = source(spec(3, dtype=np.bool_)), number(2.0)
    whole = op("where", condition, ARRAYS[np.float32], constant, kind=spec(3, dtype=np.float32))
    assert as_array(constant, whole).dtype == np.float32


@pytest.mark.parametrize(("data", "dtype"), [(300, np.int8), (-1, np.uint8)])
def test_a_number_that_the_dtype_does_not_hold(data: int, dtype: Any) -> None:
    constant = number(data)
    assert as_array(constant, op("add", source(spec(3, dtype=dtype)), constant)) is None
    large = number(1e300)
    assert as_array(large, op("add", ARRAYS[np.float32], large)) == np.inf
