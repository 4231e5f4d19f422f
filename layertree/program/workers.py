"""Threads that wait for work: a step hands them its parts, and takes the last one itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from layertree.program import blas

if TYPE_CHECKING:
    from queue import SimpleQueue

_idle: list[SimpleQueue[Any]] = []
_growing = Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # a child has none of these threads


def run_all(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run all tasks at once, and return what they give, in order. When all are done the first error is raised."""
    waiting = [_started(task) for task in tasks[1:]]
    first = _outcome(tasks[0])
    outcomes = [first, *[answers.get() for answers in waiting]]
    for _, error in outcomes:
        if error is not None:
            raise error
    return [value for value, _ in outcomes]


def in_threads(loop: Callable[[Any], None], shares: Iterable[tuple[Callable[..., Any], Any]]) -> None:
    """Run a loop over the blocks of each share at once, each as it says how to call it, and BLAS with one thread."""
    with blas.one_thread():
        run_all([partial(call, loop, blocks) for call, blocks in shares])


def in_turn(loop: Callable[[Any], None], shares: Iterable[tuple[Callable[..., Any], Any]]) -> None:
    """Run a loop over the blocks of each share, one after the other: the same results, for who watches each line."""
    for call, blocks in shares:
        call(loop, blocks)


def _outcome(task: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return task(), None
    except BaseException as error:
        return None, error


def _started(task: Callable[[], Any]) -> SimpleQueue[Any]:
    """Hand a task to a thread that waits, or to a new one."""
    from queue import SimpleQueue

    answers: SimpleQueue[Any] = SimpleQueue()
    try:
        queue = _idle.pop()
    except IndexError:
        queue = SimpleQueue[Any]()
        with _growing:
            Thread(target=_work, args=(queue,), name="layertree", daemon=True).start()
    queue.put((task, answers))
    return answers


def _work(queue: SimpleQueue[Any]) -> None:
    while True:
        task, answers = queue.get()
        outcome = _outcome(task)
        del task
        _idle.append(queue)
        answers.put(outcome)
        del answers, outcome
