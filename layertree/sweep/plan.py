"""Plan: the order in which a sweep reads the nodes of a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree.core.dynamic import type_of
from layertree.core.structure import operands_of, post_order

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer

Step: TypeAlias = tuple[Any, int, tuple[int, ...], str | None, tuple[int, ...]]
"""A node, its key, the keys of its operands, its control, and the keys of the results that are released after it."""


class Plan:
    """The topological order of a tree's nodes without the root, which keeps the plan: so no reference cycle arises.

    ``nodes``, ``keys`` (ids), ``inputs`` (keys of the operands) and ``controls`` have one item a node; ``operands`` are
    the keys of the root's operands. Parallel lists give the garbage collector fewer objects to traverse than a tuple
    for each node.
    """

    __slots__ = (
        "_lasts",
        "cells",
        "controls",
        "has_branches",
        "has_regions",
        "inputs",
        "keys",
        "nodes",
        "operands",
        "reused",
    )

    cells: tuple[Any, ...]
    has_branches: bool
    has_regions: bool
    operands: tuple[int, ...]
    reused: frozenset[int]

    def __init__(self, root: AnyLayer) -> None:
        self.nodes: list[Any] = []
        self.keys: list[int] = []
        self.inputs: list[tuple[int, ...]] = []
        self.controls: list[str | None] = []
        self._walk(root)
        self.cells = tuple({node.cell: None for node in self._nodes_of("cell")})
        # A branch reads results of the enclosing formula, so no result is released while there are branches.
        self.has_branches = "cond" in self.controls
        self.has_regions = self.has_branches or "call" in self.controls
        # Operands of several Composes: the outer formulas may have nodes in common, whose results are shared.
        inputs = Counter(id(node.inner) for node in self._nodes_of("call"))
        self.reused = frozenset(key for key, uses in inputs.items() if uses > 1)
        for steps in (self.nodes, self.keys, self.controls):
            steps.pop()
        self.operands = self.inputs.pop()
        self._lasts: list[tuple[int, ...]] | None = None

    def _nodes_of(self, wanted: str) -> Iterator[Any]:
        return (node for node, control in zip(self.nodes, self.controls, strict=True) if control == wanted)

    def _walk(self, root: AnyLayer) -> None:
        """The depth-first post-order of ``post_order``, which also records keys, operands and controls."""
        nodes, keys, inputs, controls = self.nodes, self.keys, self.inputs, self.controls
        done: set[int] = set()
        stack: list[Any] = [root]
        while stack:
            node = stack.pop()
            below: tuple[int, ...] = ()
            if type_of(node) is tuple:  # keys of finished operands; the next item of the stack is their node
                below, node = node, stack.pop()
            elif id(node) in done:
                continue
            else:
                done.add(id(node))
                layout = node.__layout__
                operands = operands_of(node) if layout.variadic else layout.pick(node)
                if len(operands) == 2:  # most operations: no loop, for speed
                    first, second = operands
                    one, other = id(first), id(second)
                    stack.append(node)
                    stack.append((one, other))
                    if other not in done:
                        stack.append(second)
                    if one not in done:
                        stack.append(first)
                    continue
                if operands:
                    stack += (node, tuple(map(id, operands)))
                    stack += [each for each in reversed(operands) if id(each) not in done]
                    continue
            nodes.append(node)
            keys.append(id(node))
            inputs.append(below)
            controls.append(node.__control__)

    def steps(self, release: bool) -> Iterator[Step]:
        """The nodes in topological order, with ``release`` each with the keys of the results whose last use it is."""
        lasts = self._last_uses() if release and not self.has_branches else repeat(())
        return zip(self.nodes, self.keys, self.inputs, self.controls, lasts, strict=False)

    def _last_uses(self) -> list[tuple[int, ...]]:
        """For each node, the operands that no later node uses (liveness); computed at first use."""
        if self._lasts is None:
            used = set(self.operands)
            found: list[tuple[int, ...]] = []
            for keys in reversed(self.inputs):
                found.append(tuple(set(keys) - used))
                used.update(keys)
            self._lasts = found[::-1]
        return self._lasts


def plan_of(root: AnyLayer) -> Plan:
    """The plan of a tree, computed once and kept in the root."""
    plan: Plan | None = root.__dict__.get("_plan")
    if plan is None:
        plan = root.__dict__["_plan"] = Plan(root)
    return plan


def nodes_of(root: AnyLayer) -> list[Any]:
    """All distinct nodes of a tree in post-order, regions included."""
    plan = plan_of(root)
    return post_order(root) if plan.has_regions else [*plan.nodes, root]
