"""Programs by specification: which data fit the program at hand, and which programs are kept."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from layertree._spec import spec_of
from layertree.program.cache import Cache, fitting


def deep(leaf: Any) -> Any:
    """A tuple in a tuple, deeper than Python recurses."""
    for _ in range(5000):
        leaf = (leaf,)
    return leaf


SAMPLES: list[Any] = [
    1.0,
    1,
    True,
    np.float32(1.0),
    np.float64(1.0),
    np.int64(1),
    np.ones(3),
    np.ones((3, 1)),
    np.ones(4),
    np.ones(3, np.float32),
    np.ones(3, np.int64),
    np.ones(3, np.dtype(np.float64).newbyteorder()),
    np.ones(0),
    (1.0,),
    (1.0, 1.0),
    (1.0, 1),
    (np.ones(3), 1.0),
    (np.ones(3), np.ones(3)),
    (np.ones(3), (np.ones(3), 1.0)),
    (np.ones(3), (np.ones(3), 1)),
    ((np.ones(3), np.ones(3)), 1.0),
    (np.ones(3), ()),
    deep(1.0),
    deep(1),
]


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_data_fit_the_spec_that_is_theirs_and_no_other(number: int) -> None:
    fits = fitting(spec_of(SAMPLES[number]))
    assert [place for place, data in enumerate(SAMPLES) if fits(data)] == [number]


def test_what_has_to_be_made_data_first_does_not_fit() -> None:
    class Mine(np.ndarray[Any, Any]):
        pass

    fits = fitting(spec_of(np.ones(3)))
    assert fits(np.ones(3))
    assert not any(map(fits, ([1.0, 1.0, 1.0], np.ones(3).view(Mine), None, (np.ones(3),))))
    assert not fitting(spec_of(np.float64(1.0)))(np.array(1.0))
    assert not fitting(spec_of((np.ones(3), 1.0)))([np.ones(3), 1.0])


def test_nothing_is_given_to_a_program_of_no_input() -> None:
    fits = fitting(())
    assert fits(None)
    assert not any(map(fits, (0.0, (), (None,))))


def test_the_program_that_was_asked_for_longest_ago_is_dropped() -> None:
    count = itertools.count(1)
    programs = Cache(lambda _: next(count), 2)
    assert [programs.get(data)[1] for data in (1.0, 1, 1.0, True, 1.0, 1)] == [1, 2, 1, 3, 1, 4]


def test_there_is_no_last_program_before_one_is_asked_for() -> None:
    programs = Cache(str, 2)
    programs.for_spec(spec_of(1))
    with pytest.raises(RuntimeError, match="nothing is compiled yet"):
        _ = programs.last
    assert programs.get(1.0)[1] == programs.last == "float"
