"""Runs: the taping reading, which forward and train use, and the evaluating one, which predict uses."""

from __future__ import annotations

from typing import Any

import numpy as np

from layertree.core.data import PYTHON_NUMBERS, as_data, describe, described
from layertree.core.diagnostics import misfit, name_path
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.core.identity import Identity
from layertree.core.nested import folded
from layertree.core.structure import post_order
from layertree.core.tape import Tape
from layertree.layers import layer_of
from layertree.namespaces import NUMPY, SCALAR
from layertree.sweep.plan import plan_of
from layertree.sweep.reading import Demands, Reading, Request
from layertree.sweep.sweep import sweep
from layertree.tape.commit import snapshot
from layertree.tape.explain import better_error
from layertree.tape.external import ExternalTape, kept
from layertree.tape.tapes import CellTape, Constant, KeptTape, OperationTape, next_serial


def forward(layer: Any, data: Any) -> Any:
    """The output tape of a layer for an input tape, or for plain data."""
    root, source = layer.__layer__(), lift_tape(data)
    layer.check_input(source.value)
    with np.errstate(all="ignore"):
        try:
            return sweep(root, source, Taping(root))
        except Exception as error:
            name_path(error, root)
            raise


def lift_tape(data: Any) -> Any:
    """A tape as it is, a tuple with tapes in it as the tape of a Tuple, plain data as a constant."""
    if is_a(data, tuple):
        data = folded(data, _kept, _joined)
    return kept(data) if isinstance(data, Tape) else Constant(data)


def _kept(data: Any) -> Any:
    return kept(data) if isinstance(data, Tape) else data


def _joined(_: Any, parts: list[Any]) -> Any:
    """A tuple of data as it is; where tapes are in it, the tape of a Tuple."""
    are_tapes = [isinstance(part, Tape) for part in parts]
    if not any(are_tapes):
        return tuple(parts)
    upstream = tuple([part if is_tape else Constant(part) for part, is_tape in zip(parts, are_tapes, strict=True)])
    values = tuple([tape.value for tape in upstream])
    return OperationTape(layer_of("tuple")((Identity(),) * len(parts)), NUMPY, values, values, upstream)


def evaluate(root: Any, data: Any, formula: Any) -> Any:
    """The output value of a tree of layers for some data; ``formula`` is the one the user called, for checks."""
    source = lift_tape(data).value
    formula.check_input(source)
    with np.errstate(all="ignore"):
        try:
            return sweep(root, source, Evaluating(root), release=True)
        except Exception as error:
            name_path(error, formula.__layer__())
            raise


def train(layer: Any, data: Any, delta: Any) -> Any:
    """One step on some data; the value before it."""
    with forward(layer, data) as tape:
        value = tape.value
        tape.backward(delta)
        return value


def compute(node: Any, values: tuple[Any, ...]) -> tuple[Any, Any]:
    """The namespace for some values, and what a node computes from them in it."""
    xp = SCALAR
    for value in values:  # as in ``namespace_for``, without a call
        if type(value) is not float and type(value) not in PYTHON_NUMBERS:
            xp = NUMPY
            break
    try:
        # Python calls with a tuple of arguments take three times as long as those that name them.
        if len(values) == 2:
            result = node.compute(xp, values[0], values[1])
        elif len(values) == 1:
            result = node.compute(xp, values[0])
        else:
            result = node.compute(xp, *values)
        if type(result) is float:
            return xp, result
        if type(result) is not np.ndarray and type(result) not in PYTHON_NUMBERS:
            result = _result(result)
    except Exception as error:
        better = better_error(error, node, values)
        try:
            if better is None:
                raise
            raise better from None
        finally:
            del better  # its traceback holds this frame, so a name here would keep both, and the data, from being freed
    if type(result) is np.ndarray and result.ndim == 0:
        result = result[()]
    return xp, result


def _result(given: Any) -> Any:
    """What a ``compute`` returned, as data; DTypeError for None, which a forgotten ``return`` gives, and the like."""
    if is_a(given, (np.generic, tuple)):
        return given
    if given is None:
        raise DTypeError("its compute returned None, but a number, an array or a tuple of these is wanted")
    return as_data(given)


def cells_of(root: Any) -> tuple[Any, ...]:
    """All cells that a tree reads, kept by its root."""
    plan = plan_of(root)
    if not plan.has_regions:
        return plan.cells
    known: tuple[Any, ...] | None = root.__dict__.get("_cells")
    if known is None:
        found = {node.cell: None for node in post_order(root) if node.__control__ == "cell"}
        known = root.__dict__["_cells"] = tuple(found)
    return known


class _Run(Reading[Any]):
    """What both readings share: the cells as they stood when the run began."""

    def __init__(self, root: Any) -> None:
        cells = list(cells_of(root))
        self.contents = dict(zip(cells, snapshot(cells), strict=True)) if cells else {}

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Demands[Any]:
        if node.__has_tape__:  # a compiled formula runs itself
            return self.apply(node, inputs)
        return (yield from super().call(node, inputs, source, context))

    def free(self, node: Any, context: Any) -> Any:
        raise DTypeError(f"a variable of spec {node.spec!r} has no value: it was used outside of its function")


class Taping(_Run):
    """The reading whose results are tapes."""

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        upstream = tuple(inputs)
        if node.__has_tape__:
            made = node.tape(namespace_for([tape.value for tape in upstream]), *upstream)
            return ExternalTape(made, upstream, node)
        if len(upstream) == 2:
            first, second = upstream
            values = first.value, second.value
        else:
            values = tuple([tape.value for tape in upstream])
        xp, value = compute(node, values)
        if type(value) is np.ndarray:
            value.setflags(write=False)  # gradients are going to read it
        return OperationTape(node, xp, value, values, upstream)

    def constant(self, node: Any, context: Any) -> Any:
        return node

    def cell(self, node: Any, context: Any) -> Any:
        return CellTape(node, self.contents[node.cell][0])

    def cond(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Demands[Any]:
        branch = yield Request(chosen(node, inputs[0].value), source, context)
        return RegionTape(node, branch, (inputs[0], branch))


class Evaluating(_Run):
    """The reading whose results are values."""

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        if node.__has_tape__:
            return node.tape(namespace_for(inputs), *map(Constant, inputs)).value
        return compute(node, tuple(inputs))[1]

    def constant(self, node: Any, context: Any) -> Any:
        return node.data

    def cell(self, node: Any, context: Any) -> Any:
        return self.contents[node.cell][0]

    def cond(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Demands[Any]:
        return (yield Request(chosen(node, inputs[0]), source, context))


def namespace_for(values: Any) -> Any:
    """The scalar namespace where all values are Python numbers, else NumPy's."""
    for value in values:
        if type(value) is not float and type(value) not in PYTHON_NUMBERS:
            return NUMPY
    return SCALAR


def chosen(node: Any, condition: Any) -> Any:
    """The branch of an If that its condition takes."""
    if not isinstance(condition, (bool, np.bool_)):
        error = DTypeError(
            f"the condition of an If is one boolean, but this is {described(condition)}; "
            "for arrays use where(condition, then, otherwise)"
        )
        raise misfit(error, node, [describe(condition)])
    return node.then if condition else node.otherwise


class RegionTape(KeptTape[Any, Any]):
    """The tape of an If: the branch's value, with the condition and the branch upstream."""

    __slots__ = ("layer",)

    def __init__(self, layer: Any, branch: Any, upstream: tuple[Any, ...]) -> None:
        self.value = branch.value
        self.upstream = upstream
        self.layer = layer
        self.is_trainable = branch.is_trainable
        self.is_active = any(tape.is_active for tape in upstream)
        self.serial = next_serial()

    def pullbacks(self, delta: Any) -> tuple[Any, ...]:
        return (None, lambda: delta)
