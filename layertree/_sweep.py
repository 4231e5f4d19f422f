"""The one sweep: a tree is read node by node in a reading, which says what a node's result is.

The taping reading makes tapes, the evaluating one values, the spec reading shapes and dtypes, the tree reading
tapes of layers. A result is known by (layer, input): what two formulas share over one input is read once. A layer
with regions asks for the reading of a formula by a generator that yields ``Request``; the sweep keeps a stack of
its own, so depth is bounded by memory alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any, NamedTuple, Protocol

from layertree._structure import operands_of, post_order


class Request(NamedTuple):
    """A region's wish: read ``body`` over ``source``, in ``context`` (what a reading knows about the region)."""

    body: Any
    source: Any
    context: Any


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

    def cond(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Request, Any, Any]:
        """The result of an If, which asks for its branches."""
        ...

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Request, Any, Any]:
        """The result of a Compose, which asks for its outer formula."""
        ...


class Step(NamedTuple):
    """One node of a plan: its key, those of its operands, and those whose last use this is."""

    node: Any
    key: int
    operands: tuple[int, ...]
    last_uses: tuple[int, ...]


class Plan(NamedTuple):
    """The order of a tree's nodes. It leaves out the root, which keeps it, so that no cycle arises.

    ``has_branches``: branches share the results of the formula around them, so nothing is let go meanwhile.
    ``reused`` are the operands that several Composes take as input: their outer formulas may have nodes in common.
    """

    steps: list[Step]
    operands: tuple[int, ...]
    has_branches: bool
    reused: frozenset[int]


def plan_of(root: Any) -> Plan:
    """The plan of a tree, made once and kept by its root."""
    plan: Plan | None = root.__dict__.get("_plan")
    if plan is None:
        plan = root.__dict__["_plan"] = _plan(root)
    return plan


def _plan(root: Any) -> Plan:
    order = post_order(root, operands_of)
    keys = [tuple(map(id, operands_of(node))) for node in order]
    used: set[int] = set(keys[-1])
    steps: list[Step] = []
    for node, operands in zip(reversed(order[:-1]), reversed(keys[:-1]), strict=True):
        last = tuple(set(operands) - used)
        used.update(last)
        steps.append(Step(node, id(node), operands, last))
    steps.reverse()
    inputs = Counter(operands[0] for node, operands in zip(order, keys, strict=True) if node._control == "call")
    reused = frozenset(key for key, uses in inputs.items() if uses > 1)
    return Plan(steps, keys[-1], any(node._control == "cond" for node in order), reused)


class _Frame:
    """A formula in the course of being read."""

    __slots__ = (
        "body_releases",
        "context",
        "generator",
        "pending",
        "position",
        "reading",
        "release",
        "results",
        "root",
        "source",
    )

    def __init__(
        self, root: Any, source: Any, context: Any, reading: Reading, results: dict[int, Any], release: bool
    ) -> None:
        self.root = root
        self.source = source
        self.context = context
        self.reading = reading
        self.results = results
        self.release = release
        self.body_releases = release
        self.position = 0
        self.pending = 0
        self.generator: Generator[Request, Any, Any] | None = None

    def proceed(self, answer: Any) -> Request | None:
        """Read on, with the answer to the last wish, until there is another wish or the formula is done."""
        if self.generator is not None:
            request = self._send(answer)
            if request is not None:
                return request
        key = id(self.root)
        if key in self.results:
            return None
        plan = plan_of(self.root)
        return self._operations(plan) or self._read(self.root, key, plan.operands)

    def _operations(self, plan: Plan) -> Request | None:
        results, apply = self.results, self.reading.apply
        release = self.release and not plan.has_branches
        for position in range(self.position, len(plan.steps)):
            node, key, operands, last_uses = plan.steps[position]
            if key in results:
                continue
            if node._control is None:
                results[key] = apply(node, [results[operand] for operand in operands])
            else:
                request = self._read(node, key, operands)
                if request is not None:
                    self.position = position
                    return request
            if release:
                for operand in last_uses:
                    results.pop(operand, None)
        self.position = len(plan.steps)
        return None

    def _read(self, node: Any, key: int, operands: tuple[int, ...]) -> Request | None:
        """Read a node of any sort: an operation, a leaf, or one with regions."""
        control, reading, results = node._control, self.reading, self.results
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
        self.body_releases = control == "call" and operands[0] not in plan_of(self.root).reused
        self.generator, self.pending = start(node, inputs, self.source, self.context), key
        return self._send(None)

    def _send(self, answer: Any) -> Request | None:
        assert self.generator is not None
        try:
            return self.generator.send(answer)
        except StopIteration as stop:
            self.generator = None
            self.results[self.pending] = stop.value
            return None


def sweep(root: Any, source: Any, reading: Reading, *, release: bool = False) -> Any:
    """Read ``root`` over ``source``. With ``release``, results are let go at their last use."""
    memos: dict[tuple[int, int], dict[int, Any]] = {}
    kept: list[Any] = []  # what the keys of the memos stand for has to outlive them
    frames: list[_Frame] = []
    wish: Request | None = Request(root, source, None)
    answer: Any = None
    while True:
        if wish is not None:
            kept.append(wish)
            key = (id(wish.source), id(wish.context))
            # A formula around this one, or after it, may need the results that both share: then those stay.
            alone = key not in memos and (not frames or frames[-1].body_releases)
            memo = memos.setdefault(key, {})
            frames.append(_Frame(wish.body, wish.source, wish.context, reading, memo, release and alone))
        frame = frames[-1]
        wish = frame.proceed(answer)
        if wish is None:
            answer = frame.results[id(frame.root)]
            frames.pop()
            if not frames:
                return answer
