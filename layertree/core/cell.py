"""Cells: the mutable state of formulas. A forward pass reads cells; ``commit`` and ``set`` rebind their content."""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, Protocol, TypeAlias

import numpy as np

from layertree.core.alignment import aligned_copy
from layertree.core.data import Data, as_data, described, read_only, require_plain_class
from layertree.core.deltas import Delta
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError

# Held only while contents are rebound or read together, never during a computation.
rebinding: Lock = Lock()
if hasattr(os, "register_at_fork"):  # a child process finds the lock free, and all cells before or after a commit
    os.register_at_fork(before=rebinding.acquire, after_in_parent=rebinding.release, after_in_child=rebinding.release)


class Changing:
    """Whether several cells are being rebound, or may be at any time (no GIL): ``replaced`` then takes the lock."""

    __slots__ = ("now",)

    now: bool

    def __init__(self) -> None:
        self.now = _THREADS_RUN_AT_ONCE

    def __enter__(self) -> None:
        self.now = True

    def __exit__(self, *error: object) -> None:
        self.now = _THREADS_RUN_AT_ONCE


_THREADS_RUN_AT_ONCE = not getattr(sys, "_is_gil_enabled", lambda: True)()
changing: Changing = Changing()
"""Code that compares and then rebinds several cells enters this context inside of ``rebinding``."""


def replaced(cell: Cell, old: Content, new: Content) -> bool:
    """Compare and swap: rebind one cell if its content still is ``old``; whether that was so.

    The lock is taken only while several cells are being rebound. Otherwise no function is called between comparison and
    assignment, so the interpreter switches no thread there.
    """
    if changing.now:
        with rebinding:
            if cell.content is not old:
                return False
            cell.content = new
            return True
    if cell.content is not old:
        return False
    cell.content = new
    return True


def snapshot(cells: Sequence[Cell]) -> list[Content]:
    """The contents of several cells between two commits; a single one is always consistent."""
    if len(cells) == 1:
        return [cells[0].content]
    with rebinding:
        contents = [cell.content for cell in cells]
    return contents  # noqa: RET504  # outside of the lock, so that no interrupt comes between value and release


Content = tuple[Data, Any]
"""The value of a cell and the state of its update rule; replaced together, never changed.

A plain pair, since a step makes one for each cell and an object of a class takes five times as long to make.
"""


RuleState: TypeAlias = Any
"""The state of an update rule: nested tuples of numbers and arrays, of a structure that each rule chooses."""


class UpdateRule(Protocol):
    """How contributions change a cell: an optimizer, ``Average``, ``Count``. Formulas over ``xp``, like a layer's."""

    def start(self, xp: Any, value: Data) -> RuleState:
        """The state before the first update."""

    def combine(self, xp: Any, contributions: list[Delta]) -> Delta:
        """The contributions to one commit, combined to one."""

    def update(self, xp: Any, value: Data, contribution: Delta, state: RuleState, /) -> tuple[Data, RuleState]:
        """The new value and the new state."""
        ...


class Cell:
    """A value that commits rebind, with its update rule, its name, and the scope in which it was made.

    A cell without a name is named by its ``role`` in a block (``kernel``), else by its kind, with a number where
    several cells share that name.
    """

    __slots__ = ("__weakref__", "content", "name", "role", "rule", "scope", "scoped_rule")

    content: Content
    rule: UpdateRule | None
    scoped_rule: UpdateRule | None
    scope: str
    name: str | None
    role: str | None

    def __init__(self, value: Data, rule: UpdateRule | None, scoped_rule: UpdateRule | None, name: str | None) -> None:
        self.content = _own(value), None
        self.rule = rule
        self.scoped_rule = scoped_rule
        self.scope = "/".join(_scope.get())
        self.name = name
        self.role = None

    def set(self, value: Data) -> None:
        """Rebind the value to one of the same kind, dtype and shape; the state stays."""
        require_no_update("set")
        own = _own(as_data(value))
        self.check(self.value, own, "was given", "set")
        with rebinding, changing:
            self.content = like(self.value, own), self.state

    def check(self, value: Data, given: Data, verb: str, other: str) -> None:
        """Raise ShapeError unless ``given`` has the shape of ``value``, DTypeError unless it has real numbers."""
        if type(value) is type(given) is float:
            return
        require_plain_class(given)
        fits = np.shape(given) == np.shape(value)
        if fits and np.asarray(given).dtype.kind in "biuf":
            return
        words = f"the cell {self.path or 'without a name'} holds {described(value)} and {verb} {described(given)}"
        if not fits:
            raise ShapeError(f"{words} for {other}: give one of shape {np.shape(value)}")
        raise DTypeError(f"{words} for {other}: give real numbers")

    @property
    def value(self) -> Data:
        """The value after the last commit."""
        return self.content[0]

    @property
    def state(self) -> Any:
        """The class and the state of the rule of the last update, or None before the first update."""
        return self.content[1]

    @property
    def path(self) -> str | None:
        """The name with the scopes around it, or None for a cell without a name."""
        if self.name is None:
            return None
        return f"{self.scope}/{self.name}" if self.scope else self.name

    def __deepcopy__(self, memo: dict[int, Any]) -> Cell:
        return self.copy_with(self.content, memo)

    def copy_with(self, content: Content, memo: dict[int, Any]) -> Cell:
        """A deep copy whose content is a copy of the given one; ``memo`` is that of ``copy.deepcopy``."""
        twin = Cell.__new__(Cell)
        memo[id(self)] = twin
        twin.__setstate__(copy.deepcopy((content, *self.__getstate__()[1:]), memo))
        return twin

    def restore(self, content: Content) -> None:
        """Give a cell that was just unpickled the content that its formula had when it was pickled."""
        value, state = content
        self.content = _own(value), state

    def __getstate__(self) -> tuple[Any, ...]:
        return (self.content, self.rule, self.scoped_rule, self.scope, self.name, self.role)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        content, self.rule, self.scoped_rule, self.scope, self.name, self.role = state
        self.restore(content)


def _own(value: Data) -> Data:
    """A read-only copy of an array, owned by the cell."""
    if is_a(value, np.ndarray):
        value = aligned_copy(value)
        value.flags.writeable = False
    return value


def like(old: Data, new: Data) -> Data:
    """A new value in the kind of the old one: a float for a float, an array of the same dtype and shape."""
    if type(old) is float or type(old) is int:
        return type(old)(new)
    if np.asarray(new).dtype != old.dtype:
        new = np.asarray(new).astype(old.dtype)
    if isinstance(old, np.ndarray):
        new = np.asarray(new)
        return read_only(new)
    return old.dtype.type(new)


_scope: ContextVar[tuple[str, ...]] = ContextVar("scope", default=())
updating: ContextVar[bool] = ContextVar("updating", default=False)
_optimizer: ContextVar[UpdateRule | None] = ContextVar("optimizer", default=None)


@contextmanager
def scope(name: str) -> Generator[None]:
    """Prefix the names of the cells made inside: ``encoder/kernel``. Scopes nest.

    >>> from layertree import Weight
    >>> with scope("encoder"):
    ...     w = Weight(1.0, name="kernel")
    >>> w.path
    'encoder/kernel'
    """
    if not is_a(name, str) or not name:
        raise TypeError(f"scope takes a name, a string that is not empty: got {name!r}")
    before = _scope.get()
    try:  # an interrupt may arrive between any two instructions, so not after the change
        _scope.set((*before, name))
        yield
    finally:
        _scope.set(before)


@contextmanager
def optimizer(rule: UpdateRule) -> Generator[None]:
    """The optimizer of the weights made inside, unless they or ``fit`` name another.

    >>> from layertree import SGD, Weight
    >>> with optimizer(SGD(0.5)):
    ...     w = Weight(1.0)
    >>> w.optimizer
    SGD(rate=0.5)
    """
    require_rule(rule)
    before = _optimizer.get()
    try:
        _optimizer.set(rule)
        yield
    finally:
        _optimizer.set(before)


is_updating: Callable[[], bool] = updating.get
"""Whether an update rule is running in this context."""


def require_no_update(what: str) -> None:
    """Raise RuntimeError inside of an update rule: the enclosing commit would see a changed cell and never end."""
    if is_updating():
        raise RuntimeError(f"{what} within an update rule: a rule computes the next value, and changes nothing itself")


def require_rule(rule: object) -> None:
    """Raise TypeError unless ``rule`` is an optimizer or another update rule."""
    if isinstance(rule, type) or not callable(getattr(rule, "update", None)):
        raise TypeError(
            f"an update rule is wanted, such as SGD(0.1) for a weight or Average(0.9) for a state: got {rule!r}"
        )


def first_given(*rules: UpdateRule | None) -> UpdateRule | None:
    """The first rule that is not None; a user's rule may be false, so ``or`` does not serve."""
    return next((rule for rule in rules if rule is not None), None)


def scoped_optimizer() -> UpdateRule | None:
    """The optimizer of the enclosing ``with optimizer(...)``, or None."""
    return _optimizer.get()
