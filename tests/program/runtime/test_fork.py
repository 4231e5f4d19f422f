"""A child process that is forked while other threads compile, train or compute finds no lock held."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from layertree import Identity, Layer, Times, Weight, compile, layer, operand
from layertree.core.cell import rebinding
from layertree.program.runtime import blas_threads, threads
from layertree.typing import ArraySpec
from symbolic import placeholder, sum, weight
from tests.program.forks import in_child, needs_fork

pytestmark = [needs_fork, pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")]


@contextmanager
def elsewhere(work: Callable[[threading.Event, threading.Event], object]) -> Iterator[threading.Event]:
    """Some work in another thread, from when it has set the first event; the second one lets it end."""
    begun, end = threading.Event(), threading.Event()
    thread = threading.Thread(target=work, args=(begun, end))
    thread.start()
    assert begun.wait(20)
    try:
        yield end
    finally:
        end.set()
        thread.join()


def test_while_another_thread_compiles() -> None:
    events: list[threading.Event] = []

    @layer
    class Slow(Layer[Any, Any]):
        """Its operand, which takes a while to compile."""

        operand: Layer[Any, Any] = operand()

        def compute(self, xp: Any, a: Any) -> Any:
            if events and threading.current_thread() is not threading.main_thread():
                events[0].set()
                events[1].wait(20)
            return xp.add(a, 1.0)

    program: Any = compile(Times(Slow(Identity()), 2.0))

    def work(begun: threading.Event, end: threading.Event) -> None:
        events[:] = begun, end
        program.predict(1.0)

    with elsewhere(work):
        assert in_child(lambda: program.predict(1.0)) == 0


def test_while_another_thread_commits() -> None:
    formula: Any = Times(Weight(2.0), Weight(3.0))
    step = compile(formula, train=True)

    def work(begun: threading.Event, end: threading.Event) -> None:
        with rebinding:
            begun.set()
            end.wait(0.2)  # the fork waits for it

    with elsewhere(work):
        assert in_child(lambda: (formula.train(), step(None))) == 0
    assert not rebinding.locked()


def test_while_another_thread_uses_threads() -> None:
    found = blas_threads.control()
    before = found.get() if found is not None else 1
    x = placeholder(ArraySpec((2000, 50)))
    step = compile(sum((x * weight(np.ones(50))) ** 2 + x), train=True, threads=2)
    data = np.ones((2000, 50))
    step(data)

    def work(begun: threading.Event, end: threading.Event) -> None:
        with blas_threads.one_thread(), threads._growing, blas_threads._using:
            begun.set()
            end.wait(20)

    def child() -> None:
        assert found is None or found.get() == before
        step(data)
        assert found is None or found.get() == before

    with elsewhere(work):
        assert in_child(child) == 0


def test_a_fork_inside_of_a_context_of_one_thread() -> None:
    found = blas_threads.control()
    if found is None:
        pytest.skip("the number of threads of BLAS cannot be set")
    before = found.get()

    def child() -> None:
        context.__exit__(None, None, None)
        assert found.get() == before
        with blas_threads.one_thread():
            assert found.get() == 1
        assert found.get() == before

    context = blas_threads.one_thread()
    with context:
        assert in_child(child) == 0
    assert found.get() == before
