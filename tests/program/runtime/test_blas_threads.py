"""BLAS with one thread while several of ours run, and as it was before when they are done, whatever comes between."""

from __future__ import annotations

from typing import Any

import pytest

from layertree.program.runtime import blas_threads as blas


class Library:
    """A BLAS of some threads; with ``interrupts`` Ctrl-C comes right after as many calls."""

    def __init__(self, threads: int, interrupts: int = 0) -> None:
        self.threads = threads
        self.interrupts = interrupts

    def get(self) -> int:
        """The number of threads."""
        return self.threads

    def set(self, threads: int) -> None:
        """Set it."""
        self.threads = threads
        if self.interrupts:
            self.interrupts -= 1
            raise KeyboardInterrupt


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Any:
    made = Library(4)
    monkeypatch.setattr(blas, "control", lambda: blas.Control(made.get, made.set))
    return made


def test_all_that_ask_have_one_thread_until_the_last_is_done(library: Library) -> None:
    with blas.one_thread():
        with blas.one_thread():
            assert library.threads == 1
        assert library.threads == 1
    assert library.threads == 4


def test_an_error_within_changes_nothing(library: Library) -> None:
    with pytest.raises(ZeroDivisionError), blas.one_thread():
        raise ZeroDivisionError
    assert library.threads == 4


def test_an_interrupt_on_the_way_in_changes_nothing(library: Library) -> None:
    library.interrupts = 1
    with pytest.raises(KeyboardInterrupt), blas.one_thread():
        pass
    assert library.threads == 4
    library.threads = 3
    with blas.one_thread():
        assert library.threads == 1
    assert library.threads == 3
