"""A pool of daemon threads: a caller hands over all tasks but the first, and runs that one itself.

``concurrent.futures`` would serve as well, but costs more: handing over one task and collecting its value takes 11 to
15 us here and 19 to 21 us there, and its import takes 4 to 11 ms (two cores, Python 3.11).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from layertree.program.runtime.blas_threads import one_thread
from layertree.program.runtime.frame import Caller

if TYPE_CHECKING:
    from queue import SimpleQueue

R = TypeVar("R")

Outcome: TypeAlias = tuple[Any, BaseException | None]
"""The value of a task that is done, or the error that it raised."""

Share: TypeAlias = tuple[Caller, tuple[object, ...]]
"""The blocks of one thread, and the caller of functions that the thread uses."""

_idle: list[SimpleQueue[Any]] = []
_growing = Lock()


def _forget_threads() -> None:
    """In a child process, which has none of these threads: no thread is idle, and none holds the lock."""
    global _growing
    _idle.clear()
    _growing = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def run_all(tasks: Sequence[Callable[[], R]]) -> list[R]:
    """Run all tasks at once, and return their values in order. When all are done the first error is raised."""
    pending = [_started(task) for task in tasks[1:]]
    first = _outcome(tasks[0])
    outcomes = [first, *[answers.get() for answers in pending]]
    for _, error in outcomes:
        if error is not None:
            raise error
    return [value for value, _ in outcomes]


def in_threads(loop: Callable[[Any], None], shares: Iterable[Share]) -> None:
    """Run a loop over the blocks of each share in a thread of its own, with one thread of BLAS in each."""
    with one_thread():
        run_all([partial(call, loop, blocks) for call, blocks in shares])


def in_turn(loop: Callable[[Any], None], shares: Iterable[Share]) -> None:
    """Run a loop over the blocks of each share, one share after the other, with the results of ``in_threads``."""
    for call, blocks in shares:
        call(loop, blocks)


def _outcome(task: Callable[[], object]) -> Outcome:
    try:
        return task(), None
    except BaseException as error:
        return None, error


def _started(task: Callable[[], object]) -> SimpleQueue[Outcome]:
    """Hand a task to an idle thread, or to a new one; the queue that is returned receives the outcome."""
    from queue import SimpleQueue  # loaded with the first thread

    answers: SimpleQueue[Outcome] = SimpleQueue()
    try:
        queue = _idle.pop()
    except IndexError:
        queue = SimpleQueue[Any]()
        with _growing:
            Thread(target=_serve, args=(queue,), name="layertree", daemon=True).start()
    queue.put((task, answers))
    return answers


def _serve(queue: SimpleQueue[Any]) -> None:
    """The life of a thread: take a task, note that the thread is idle again, and answer."""
    while True:
        task, answers = queue.get()
        outcome = _outcome(task)
        del task
        _idle.append(queue)
        answers.put(outcome)
        del answers, outcome
