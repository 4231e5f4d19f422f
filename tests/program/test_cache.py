"""Programs by specification: which data fit the program at hand, and which programs are kept."""

from __future__ import annotations

import itertools
import re
import threading
from typing import Any

import numpy as np
import pytest

from layertree import ShapeError
from layertree.core.spec import spec_of
from layertree.program.cache import Cache, fitting, program_for
from layertree.typing import ArraySpec, Float64


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


class Checked:
    """A formula that notes what it is asked to check, and refuses arrays."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def check_input(self, data: Any) -> None:
        self.seen.append(data)
        if isinstance(data, np.ndarray):
            raise ShapeError("no arrays")


def test_the_input_is_checked_before_its_first_program_is_made() -> None:
    formula = Checked()
    programs = Cache(str, 2, formula)
    for data in (1.0, 1, 2.0, 2):
        programs.get(data)
    assert formula.seen == [1.0, 1]
    with pytest.raises(ShapeError, match="no arrays"):
        programs.get([1.0])
    assert (len(programs), programs.last) == (2, "int")


def test_a_program_that_cannot_be_made_is_not_kept() -> None:
    attempts: list[Any] = []

    def make(spec: Any) -> str:
        attempts.append(spec)
        if len(attempts) == 2:
            raise ShapeError("not now")
        return "made"

    programs = Cache(make, 4)
    programs.get(1)
    with pytest.raises(ShapeError, match="not now"):
        programs.get(1.0)
    assert (len(programs), programs.latest.spec) == (1, spec_of(1))
    assert programs.get(1.0)[1] == "made"


@pytest.mark.parametrize(
    ("batch", "spec"),
    [
        (1.5, spec_of(1.5)),
        ([1.0, 2.0], ArraySpec((2,))),
        (None, ()),
        ((), ()),
        (float, spec_of(1.0)),
        (ArraySpec((3,)), ArraySpec((3,))),
        ((float, (ArraySpec((3,)), int)), (spec_of(1.0), (ArraySpec((3,)), spec_of(1)))),
        ((1.0, 2), (spec_of(1.0), spec_of(2))),
        ((1.0, np.ones(3)), (spec_of(1.0), ArraySpec((3,)))),
    ],
)
def test_a_program_is_made_for_a_batch_or_for_its_spec(batch: Any, spec: Any) -> None:
    programs: Cache[Any] = Cache(lambda given: (given,), 4)
    assert program_for(programs, batch) == (spec,)
    assert programs.last == (spec,)
    assert len(programs) == 1


@pytest.mark.parametrize(
    ("spec", "text"),
    [(ArraySpec(("Batch",)), "Batch"), (ArraySpec((None, 2)), "?"), ((float, ArraySpec(("N",))), "N")],
)
def test_a_program_is_made_for_sizes(spec: Any, text: str) -> None:
    programs = Cache(str, 4)
    with pytest.raises(ShapeError, match=f"a program is made for sizes, but .*{re.escape(text)}.* names some"):
        program_for(programs, spec)
    assert len(programs) == 0
    with pytest.raises(TypeError, match="number of axes open"):
        program_for(programs, Float64[int, ...])


def test_two_threads_make_one_program() -> None:
    made = itertools.count(1)
    programs = Cache(lambda _: next(made), 4)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(programs.for_spec(spec_of(1.0)))) for _ in range(2)]
    with programs._lock:  # so that both wait for it
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join()
    assert found == [1, 1]
