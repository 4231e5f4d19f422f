"""The sweep: one traversal of a tree, for every reading.

The taping reading makes tapes, the evaluating one values, the spec reading shapes and dtypes, the tree reading tapes
of layers. A result is memoised by (node, source, context), so nodes that two formulas share over one input are read
once. A node with regions is read by a generator that yields demands for its regions; the sweep keeps a stack of
activations of its own instead of recursing, so depth is bounded by memory alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from layertree.sweep.hoisting import SharedNodes
from layertree.sweep.memo import Memo, Remainder
from layertree.sweep.plan import Plan, Step, plan_of
from layertree.sweep.reading import Demand, Demands, Hoist, Reading, Request, unchanged

if TYPE_CHECKING:
    from layertree.core.layer import AnyLayer

R = TypeVar("R")


def sweep(root: AnyLayer, source: R, reading: Reading[R], *, release: bool = False) -> R:
    """The result of ``root`` over ``source``, the result of its input; ``release`` frees results at their last use."""
    plan = plan_of(root)
    if plan.has_regions:
        return _Traversal(root, reading).run(source, release)  # type: ignore[no-any-return]  # of the reading's type
    results: dict[int, R] = {}
    apply = reading.apply
    for node, key, operands, control, lasts in plan.steps(release):
        if control is None:
            if len(operands) == 2:  # most operations: no loop, for speed
                first, second = operands
                results[key] = apply(node, [results[first], results[second]])
            else:
                results[key] = apply(node, [results[operand] for operand in operands])
        elif control == "source":
            results[key] = source
        elif control == "constant":
            results[key] = reading.constant(node, None)
        else:
            results[key] = _leaf(node, control, source, reading, None)
        for operand in lasts:
            results.pop(operand, None)
    if plan.operands:
        return apply(root, [results[operand] for operand in plan.operands])
    return _leaf_or_nullary(root, source, reading)


def _leaf_or_nullary(root: AnyLayer, source: R, reading: Reading[R]) -> R:
    control = root.__control__
    return reading.apply(root, []) if control is None else _leaf(root, control, source, reading, None)


def _leaf(node: Any, control: str, source: R, reading: Reading[R], context: Any) -> R:
    """The result of a node without operands."""
    if control == "source":
        return source
    if control == "constant":
        return reading.constant(node, context)
    if control == "cell":
        return reading.cell(node, context)
    return reading.free(node, context)


class _Activation:
    """The state of one formula in the course of being read: an activation record on the stack of the traversal."""

    __slots__ = (
        "_remainder",
        "body_releases",
        "closes",
        "context",
        "generator",
        "memo",
        "pending",
        "reading",
        "release",
        "remaining",
        "results",
        "root",
        "shared",
        "source",
        "walks",
    )

    def __init__(
        self,
        request: Request,
        reading: Reading[Any],
        memo: Memo,
        shared: SharedNodes | None,
        release: bool = False,
        closes: bool = False,
    ) -> None:
        self.root, self.source, self.context, inherit = request
        self.reading = reading
        self.memo = memo
        self.shared = shared
        self.results = memo.results
        self.release = release
        self.body_releases = release
        self.closes = closes
        self.remaining: Iterator[Step] | None = None
        self.pending = 0
        self.generator: Demands[Any] | None = None
        # Inside of branches many results are known already; reading the whole plan at each branch would take
        # quadratic time, so the remainder is walked instead.
        self.walks = memo.is_branch or inherit is not None
        self._remainder: Remainder | None = None

    def proceed(self, answer: Any) -> Demand | None:
        """Continue, with the answer to the last demand; the next demand, or None when the formula is finished."""
        if self.generator is not None:
            demand = self._send(answer)
            if demand is not None:
                return demand
        if self.walks and self._remainder is None:
            self._remainder = self.memo.remainder_of(self.root, self.shared)
        key = id(self.root)
        if key in self.results:
            return None
        plan = self._remainder or plan_of(self.root)
        return self._operations(plan) or self._read(self.root, key, plan.operands)

    def start_over(self, shared: SharedNodes) -> None:
        """Replace the plan by the remainder, in an order that hoists what the branches of Ifs share."""
        self.shared, self.walks = shared, True
        self.generator = self.remaining = None

    def _operations(self, plan: Plan | Remainder) -> Demand | None:
        if self.remaining is None:
            self.remaining = plan.steps(self.release)
        results = self.results
        for node, key, operands, _, lasts in self.remaining:
            if key in results:
                continue
            demand = self._read(node, key, operands)
            if demand is not None:
                return demand
            for operand in lasts:
                results.pop(operand, None)
        return None

    def _read(self, node: Any, key: int, operands: tuple[int, ...]) -> Demand | None:
        """Read one node; the first demand of a node with regions."""
        control, reading, results = node.__control__, self.reading, self.results
        if control is None:
            results[key] = reading.apply(node, [results[operand] for operand in operands])
            return None
        if control != "cond" and control != "call":
            results[key] = _leaf(node, control, self.source, reading, self.context)
            return None
        inputs = [results[operand] for operand in operands]
        start = reading.cond if control == "cond" else reading.call
        self.body_releases = (
            control == "call" and self._remainder is None and operands[0] not in plan_of(self.root).reused
        )
        self.generator, self.pending = start(node, inputs, self.source, self.context), key
        return self._send(None)

    def _send(self, answer: Any) -> Demand | None:
        assert self.generator is not None
        try:
            return self.generator.send(answer)
        except StopIteration as stop:
            self.generator = None
            self.results[self.pending] = stop.value
            return None


class _Traversal:
    """The stack of activations of a tree with regions."""

    def __init__(self, root: AnyLayer, reading: Reading[Any]) -> None:
        self._root = root
        self._reading = reading
        self._memos: dict[tuple[int, int], Memo] = {}
        self._kept: list[Request] = []  # keeps sources and contexts alive, whose ids are keys of the memos
        self._stack: list[_Activation] = []
        self._shared: SharedNodes | None = None

    def run(self, source: Any, release: bool) -> Any:
        """The result of the root over ``source``."""
        demand: Demand | None = Request(self._root, source, None)
        answer: Any = None
        while True:
            if isinstance(demand, Hoist):
                self._hoist(demand)
            elif demand is not None:
                self._enter(demand, release)
            activation = self._stack[-1]
            demand = activation.proceed(answer)
            if demand is None:
                answer = activation.results[id(activation.root)]
                self._stack.pop()
                if activation.closes:
                    activation.memo.close()
                if not self._stack:
                    return answer

    def _enter(self, request: Request, release: bool) -> None:
        """Push the activation of a region."""
        self._kept.append(request)
        key = (id(request.source), id(request.context))
        is_new = key not in self._memos
        # Results that an enclosing or a later formula over the same source shares are not released.
        alone = is_new and (not self._stack or self._stack[-1].body_releases)
        is_branch = is_new and request.inherit is not None
        if is_new:
            outer = self._stack[-1].memo if request.inherit is not None else None
            self._memos[key] = Memo() if request.inherit is None else Memo(outer, request.inherit)
        self._stack.append(
            _Activation(request, self._reading, self._memos[key], self._shared, release and alone, is_branch)
        )

    def _hoist(self, demand: Hoist) -> None:
        """Push the activations of the nodes that both branches of an If need."""
        if self._shared is None:
            self._shared = SharedNodes(self._root)
        around = self._stack[-1]
        if not around.walks:
            around.start_over(self._shared)
            return
        for node in reversed(self._shared.of(demand.node)):
            request = Request(node, around.source, around.context, unchanged)
            self._stack.append(_Activation(request, self._reading, around.memo, self._shared))
