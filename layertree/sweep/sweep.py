"""The one sweep: a tree is read node by node in a reading, which says what a node's result is.

The taping reading makes tapes, the evaluating one values, the spec reading shapes and dtypes, the tree reading
tapes of layers. A result is known by (layer, input): what two formulas share over one input is read once. A layer
with regions asks for the reading of a formula by a generator that yields ``Request``; the sweep keeps a stack of
its own, so depth is bounded by memory alone.

A branch may have a context of its own, as what is read there counts there only. By ``inherit`` it still knows what the
formula around it has read, and by ``Ahead`` that formula reads first what both branches need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from itertools import repeat
from typing import Any, NamedTuple, Protocol, TypeAlias

from layertree.core.dynamic import type_of
from layertree.core.structure import operands_of, post_order
from layertree.sweep.hoisting import Sharing
from layertree.sweep.memo import Rest, Scope, Step
from layertree.sweep.memo import as_it_is as as_it_is


class Request(NamedTuple):
    """A region's wish: read ``body`` over ``source``, in ``context`` (what a reading knows about the region).

    With ``inherit`` the body is a branch whose context is new: what is read there counts there alone, and a result of
    the formula around it is seen from there as ``inherit(result)``, asked for once a branch.
    """

    body: Any
    source: Any
    context: Any
    inherit: Callable[[Any], Any] | None = None


class Ahead(NamedTuple):
    """An If's wish before those for its branches: read here what both of them need. The answer means nothing."""

    node: Any


Wish: TypeAlias = Request | Ahead


class Reading(Protocol):
    """What a sweep makes of a node."""

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        """The result of an operation, from the results of its operands."""

    def constant(self, node: Any, context: Any) -> Any:
        """The result of a Literal."""

    def cell(self, node: Any, context: Any) -> Any:
        """The result of a Weight or State."""

    def free(self, node: Any, context: Any) -> Any:
        """The result of a free variable."""

    def cond(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Wish, Any, Any]:
        """The result of an If, which asks for its branches."""
        ...

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Request, Any, Any]:
        """The result of a Compose, which asks for its outer formula."""
        ...


class Plan:
    """The order of a tree's nodes. It leaves out the root, which keeps it, so that no cycle arises.

    ``inputs`` are the keys of each node's operands, ``controls`` say how a node is read, and ``operands`` are the keys
    of the root's. These are lists side by side: a tuple for each node would be one more thing for the collector to
    walk over.
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

    def __init__(self, root: Any) -> None:
        self.nodes: list[Any] = []
        self.keys: list[int] = []
        self.inputs: list[tuple[int, ...]] = []
        self.controls: list[str | None] = []
        self._walk(root)
        self.cells = tuple({node.cell: None for node in self._nodes_of("cell")})
        # Branches share the results of the formula around them, so nothing is let go meanwhile.
        self.has_branches = "cond" in self.controls
        self.has_regions = self.has_branches or "call" in self.controls
        # The operands that several Composes take as input: their outer formulas may have nodes in common.
        inputs = Counter(id(node.inner) for node in self._nodes_of("call"))
        self.reused = frozenset(key for key, uses in inputs.items() if uses > 1)
        for steps in (self.nodes, self.keys, self.controls):
            steps.pop()
        self.operands = self.inputs.pop()
        self._lasts: list[tuple[int, ...]] | None = None

    def _nodes_of(self, wanted: str) -> Iterator[Any]:
        return (node for node, control in zip(self.nodes, self.controls, strict=True) if control == wanted)

    def _walk(self, root: Any) -> None:
        """``post_order`` once more, which keeps what it meets on its way."""
        nodes, keys, inputs, controls = self.nodes, self.keys, self.inputs, self.controls
        done: set[int] = set()
        stack: list[Any] = [root]
        while stack:
            node = stack.pop()
            below: tuple[int, ...] = ()
            if type_of(node) is tuple:  # the keys of operands, which are done; below them on the stack is their node
                below, node = node, stack.pop()
            elif id(node) in done:
                continue
            else:
                done.add(id(node))
                operands = operands_of(node)
                if len(operands) == 2:  # most operations: done without a loop
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
        """The nodes in their order. With ``release``, what is needed no more is let go."""
        lasts = self._last_uses() if release and not self.has_branches else repeat(())
        return zip(self.nodes, self.keys, self.inputs, self.controls, lasts, strict=False)

    def _last_uses(self) -> list[tuple[int, ...]]:
        """For each node those of its operands that no later one uses; found out when first asked for."""
        if self._lasts is None:
            used = set(self.operands)
            found: list[tuple[int, ...]] = []
            for keys in reversed(self.inputs):
                found.append(tuple(set(keys) - used))
                used.update(keys)
            self._lasts = found[::-1]
        return self._lasts


def plan_of(root: Any) -> Plan:
    """The plan of a tree, made once and kept by its root."""
    plan: Plan | None = root.__dict__.get("_plan")
    if plan is None:
        plan = root.__dict__["_plan"] = Plan(root)
    return plan


def nodes_of(root: Any) -> list[Any]:
    """All distinct nodes of a tree, each after those below it, regions included: as its plan has them, where it has."""
    plan = plan_of(root)
    return post_order(root) if plan.has_regions else [*plan.nodes, root]


class _Frame:
    """A formula in the course of being read."""

    __slots__ = (
        "_rest",
        "body_releases",
        "closes",
        "context",
        "generator",
        "pending",
        "reading",
        "release",
        "remaining",
        "results",
        "root",
        "scope",
        "sharing",
        "source",
        "walks",
    )

    def __init__(
        self,
        wish: Request,
        reading: Reading,
        scope: Scope,
        sharing: Sharing | None,
        release: bool = False,
        closes: bool = False,
    ) -> None:
        self.root, self.source, self.context, inherit = wish
        self.reading = reading
        self.scope = scope
        self.sharing = sharing
        self.results = scope.results
        self.release = release
        self.body_releases = release
        self.closes = closes
        self.remaining: Iterator[Step] | None = None
        self.pending = 0
        self.generator: Generator[Wish, Any, Any] | None = None
        # Where much may be known already, to go through all of a plan at each branch would take a square.
        self.walks = scope.is_branch or inherit is not None
        self._rest: Rest | None = None

    def proceed(self, answer: Any) -> Wish | None:
        """Read on, with the answer to the last wish, until there is another wish or the formula is done."""
        if self.generator is not None:
            request = self._send(answer)
            if request is not None:
                return request
        if self.walks and self._rest is None:
            self._rest = self.scope.rest_of(self.root, self.sharing)
        key = id(self.root)
        if key in self.results:
            return None
        plan = self._rest or plan_of(self.root)
        return self._operations(plan) or self._read(self.root, key, plan.operands)

    def start_over(self, sharing: Sharing) -> None:
        """Leave the plan for what is to be read still, in an order that knows about branches."""
        self.sharing, self.walks = sharing, True
        self.generator = self.remaining = None

    def _operations(self, plan: Plan | Rest) -> Wish | None:
        if self.remaining is None:
            self.remaining = plan.steps(self.release)
        results, apply = self.results, self.reading.apply
        for node, key, operands, control, lasts in self.remaining:
            if key in results:
                continue
            if control is None:
                if len(operands) == 2:  # most operations: done without a loop
                    first, second = operands
                    inputs = [results[first], results[second]]
                else:
                    inputs = [results[operand] for operand in operands]
                results[key] = apply(node, inputs)
            elif control == "constant":
                results[key] = self.reading.constant(node, self.context)
            else:
                request = self._read(node, key, operands)
                if request is not None:
                    return request
            for operand in lasts:
                results.pop(operand, None)
        return None

    def _read(self, node: Any, key: int, operands: tuple[int, ...]) -> Wish | None:
        """Read a node of any sort: an operation, a leaf, or one with regions."""
        control, reading, results = node.__control__, self.reading, self.results
        if control == "source":
            results[key] = self.source
            return None
        if control == "constant":
            results[key] = reading.constant(node, self.context)
            return None
        if control == "cell":
            results[key] = reading.cell(node, self.context)
            return None
        if control == "free":
            results[key] = reading.free(node, self.context)
            return None
        inputs = [results[operand] for operand in operands]
        if control is None:
            results[key] = reading.apply(node, inputs)
            return None
        start = reading.cond if control == "cond" else reading.call
        self.body_releases = control == "call" and self._rest is None and operands[0] not in plan_of(self.root).reused
        self.generator, self.pending = start(node, inputs, self.source, self.context), key
        return self._send(None)

    def _send(self, answer: Any) -> Wish | None:
        assert self.generator is not None
        try:
            return self.generator.send(answer)
        except StopIteration as stop:
            self.generator = None
            self.results[self.pending] = stop.value
            return None


def sweep(root: Any, source: Any, reading: Reading, *, release: bool = False) -> Any:
    """Read ``root`` over ``source``. With ``release``, results are let go at their last use."""
    scopes: dict[tuple[int, int], Scope] = {}
    kept: list[Any] = []  # what the keys of the scopes stand for has to outlive them
    frames: list[_Frame] = []
    sharing: Sharing | None = None
    wish: Wish | None = Request(root, source, None)
    answer: Any = None
    while True:
        if isinstance(wish, Ahead):
            if sharing is None:
                sharing = Sharing(root)
            around = frames[-1]
            if not around.walks:
                around.start_over(sharing)
            else:
                for node in reversed(sharing.of(wish.node)):
                    request = Request(node, around.source, around.context, as_it_is)
                    frames.append(_Frame(request, reading, around.scope, sharing))
        elif wish is not None:
            kept.append(wish)
            key = (id(wish.source), id(wish.context))
            # A formula around this one, or after it, may need the results that both share: then those stay.
            is_new = key not in scopes
            alone = is_new and (not frames or frames[-1].body_releases)
            is_branch = is_new and wish.inherit is not None
            if is_new:
                scopes[key] = Scope(frames[-1].scope, wish.inherit) if wish.inherit is not None else Scope()
            frames.append(_Frame(wish, reading, scopes[key], sharing, release and alone, is_branch))
        frame = frames[-1]
        wish = frame.proceed(answer)
        if wish is None:
            answer = frame.results[id(frame.root)]
            frames.pop()
            if frame.closes:
                frame.scope.close()
            if not frames:
                return answer
