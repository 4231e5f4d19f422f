"""Constants of one number: which kind of number stands for them beside other operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree.program.numbers import number_of
from tests.program.graphs import FLOAT, filled, op, source, spec


def number_beside(dtype: Any, *others: Any) -> Any:
    read = filled(2, spec(3, dtype=dtype))
    return number_of(read, op("add", read, *others))


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
