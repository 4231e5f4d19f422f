"""Runs: the taping reading, which forward and train use, and the evaluating reading, which predict uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from layertree.core.cell import Cell, Content, snapshot
from layertree.core.data import PYTHON_NUMBERS, Data, as_data, describe, described, is_empty_batch
from layertree.core.deltas import seed
from layertree.core.diagnostics import misfit, name_path
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError
from layertree.core.identity import Compose, Identity
from layertree.core.nested import folded
from layertree.core.structure import post_order
from layertree.core.tape import AnyTape, Tape
from layertree.layers import layer_of
from layertree.namespaces import NUMPY, SCALAR
from layertree.sweep.plan import plan_of
from layertree.sweep.reading import Demands, Reading, Request
from layertree.sweep.sweep import sweep
from layertree.tape.explain import better_error
from layertree.tape.external import ExternalTape, kept
from layertree.tape.tapes import CellTape, Constant, KeptTape, OperationTape, next_serial

if TYPE_CHECKING:
    from layertree.core.free import Free
    from layertree.core.layer import AnyLayer
    from layertree.core.literal import Literal
    from layertree.core.weight import CellLayer
    from layertree.layers.control import If

R = TypeVar("R")


def forward(layer: AnyLayer, data: Data) -> AnyTape:
    """The output tape of a layer for an input tape, or for plain data."""
    root = layer.__layer__()
    source = Constant[Any, Any](data) if type(data) is float else lift_tape(data)
    layer.check_input(source.value)
    with np.errstate(all="ignore"):
        try:
            return sweep(root, source, Taping(root))
        except Exception as error:
            name_path(error, root)
            raise


def lift_tape(data: Data) -> AnyTape:
    """A tape as it is, a tuple with tapes among its parts as the tape of a Tuple, plain data as a constant."""
    if is_a(data, tuple):
        data = folded(data, _kept, _joined)
    return kept(data) if isinstance(data, Tape) else Constant(data)


def _kept(data: Data) -> Any:
    return kept(data) if isinstance(data, Tape) else data


def _joined(_: Any, parts: list[Any]) -> Any:
    """A tuple of data as it is; with tapes among its parts, the tape of a Tuple."""
    are_tapes = [isinstance(part, Tape) for part in parts]
    if not any(are_tapes):
        return tuple(parts)
    upstream = tuple([part if is_tape else Constant(part) for part, is_tape in zip(parts, are_tapes, strict=True)])
    values = tuple([tape.value for tape in upstream])
    return OperationTape(layer_of("tuple")((Identity(),) * len(parts)), NUMPY, values, values, upstream)


def evaluate(root: AnyLayer, data: Data, formula: AnyLayer) -> Data:
    """The output value of a tree of layers for some data; ``formula`` is the one the user called, for checks."""
    source = lift_tape(data).value
    formula.check_input(source)
    with np.errstate(all="ignore"):
        try:
            return sweep(root, source, Evaluating(root), release=True)
        except Exception as error:
            name_path(error, formula.__layer__())
            raise


def train(layer: AnyLayer, data: Data, delta: Any) -> Data:
    """One step on some data; the value before the step. A batch without examples changes nothing."""
    source = None if type(data) is float else lift_tape(data)
    with forward(layer, data if source is None else source) as tape:
        value = tape.value
        if source is not None and is_empty_batch(source.value):
            seed(value, delta)  # for the errors that a step would raise
        else:
            tape.backward(delta)
        return value


def compute(node: Any, values: tuple[Data, ...]) -> tuple[Any, Data]:
    """The namespace for some values, and the result of a node's ``compute`` in that namespace."""
    xp = namespace_for(values)
    try:
        # Python calls with a tuple of arguments take three times as long as those that name them.
        if len(values) == 2:
            result = node.compute(xp, values[0], values[1])
        elif len(values) == 1:
            result = node.compute(xp, values[0])
        else:
            result = node.compute(xp, *values)
        return xp, result if type(result) is float else _as_value(result)
    except Exception as error:
        _raise_explained(error, node, values)


def _raise_explained(error: Exception, node: Any, values: tuple[Data, ...]) -> NoReturn:
    """Raise the error of a ``compute`` again, or a better one that names the operation."""
    better = better_error(error, node, values)
    try:
        if better is None:
            raise error
        raise better from None
    finally:
        del better  # the traceback holds this frame: a local name of the error is a cycle that keeps the data alive


def _as_value(given: Any) -> Data:
    """The result of a ``compute`` as data; DTypeError for None, which a forgotten ``return`` gives, and the like."""
    if type(given) is np.ndarray:
        return given if given.ndim else given[()]
    if type(given) in PYTHON_NUMBERS or is_a(given, (np.generic, tuple)):
        return given
    if given is None:
        raise DTypeError("its compute returned None, but a number, an array or a tuple of these is wanted")
    return as_data(given)


def cells_of(root: AnyLayer) -> tuple[Cell, ...]:
    """All cells that a tree reads, regions included; the root keeps them."""
    plan = plan_of(root)
    if not plan.has_regions:
        return plan.cells
    known: tuple[Cell, ...] | None = root.__dict__.get("_cells")
    if known is None:
        found: dict[Cell, None] = {node.cell: None for node in post_order(root) if node.__control__ == "cell"}
        known = root.__dict__["_cells"] = tuple(found)
    return known


class _Run(Reading[R]):
    """The base of both readings: a snapshot of the cells at the start of the run."""

    contents: dict[Cell, Content]

    def __init__(self, root: AnyLayer) -> None:
        cells = cells_of(root)
        if len(cells) == 1:  # the content of one cell is always consistent
            self.contents = {cells[0]: cells[0].content}
        else:
            self.contents = dict(zip(cells, snapshot(cells), strict=True)) if cells else {}

    def call(self, node: Compose[Any, Any], inputs: list[R], source: R, context: object) -> Demands[R]:
        if node.__has_tape__:  # a compiled formula runs itself
            return self.apply(node, inputs)
        return (yield from super().call(node, inputs, source, context))

    def free(self, node: Free[Any], context: object) -> R:
        raise DTypeError(f"a variable of spec {node.spec!r} has no value: it was used outside of its function")


class Taping(_Run[Any]):
    """The reading whose results are tapes."""

    def apply(self, node: Any, inputs: list[Any]) -> AnyTape:
        upstream = tuple(inputs)
        if node.__has_tape__:
            made = node.tape(namespace_for([tape.value for tape in upstream]), *upstream)
            return ExternalTape(made, upstream, node)
        if len(upstream) == 2:
            a, b = values = upstream[0].value, upstream[1].value
            if type(a) is float and type(b) is float:  # ``compute`` without a call: most operations of a scalar tape
                try:
                    value = node.compute(SCALAR, a, b)
                except Exception as error:
                    _raise_explained(error, node, values)
                if type(value) is float:
                    return OperationTape(node, SCALAR, value, values, upstream)
                xp, value = SCALAR, _as_value(value)
            else:
                xp, value = compute(node, values)
        else:
            values = tuple([tape.value for tape in upstream])
            xp, value = compute(node, values)
        if type(value) is np.ndarray:
            value.setflags(write=False)  # gradients are going to read it
        return OperationTape(node, xp, value, values, upstream)

    def constant(self, node: Literal[Any], context: object) -> AnyTape:
        return node

    def cell(self, node: CellLayer[Any], context: object) -> AnyTape:
        return CellTape(node, self.contents[node.cell][0])

    def cond(self, node: If[Any, Any, Any], inputs: list[Any], source: Any, context: object) -> Demands[AnyTape]:
        branch = yield Request(chosen(node, inputs[0].value), source, context)
        return RegionTape(node, branch, (inputs[0], branch))


class Evaluating(_Run[Data]):
    """The reading whose results are values."""

    def apply(self, node: Any, inputs: list[Data]) -> Data:
        if node.__has_tape__:
            return node.tape(namespace_for(inputs), *map(Constant, inputs)).value
        return compute(node, tuple(inputs))[1]

    def constant(self, node: Literal[Any], context: object) -> Data:
        return node.data

    def cell(self, node: CellLayer[Any], context: object) -> Data:
        return self.contents[node.cell][0]

    def cond(self, node: If[Any, Any, Any], inputs: list[Data], source: Data, context: object) -> Demands[Data]:
        return (yield Request(chosen(node, inputs[0]), source, context))


def namespace_for(values: Sequence[Data]) -> Any:
    """The scalar namespace where all values are Python numbers, else NumPy's."""
    for value in values:
        if type(value) is not float and type(value) not in PYTHON_NUMBERS:
            return NUMPY
    return SCALAR


def chosen(node: If[Any, Any, Any], condition: Data) -> AnyLayer:
    """The branch of an If for the value of its condition."""
    if not isinstance(condition, (bool, np.bool_)):
        error = DTypeError(
            f"the condition of an If is one boolean, but this is {described(condition)}; "
            "for arrays use where(condition, then, otherwise)"
        )
        raise misfit(error, node, [describe(condition)])
    return node.then if condition else node.otherwise


class RegionTape(KeptTape[Any, Any]):
    """The tape of an If: the value of the branch taken, with the condition and the branch upstream."""

    __slots__ = ("layer",)

    layer: Any
    value: Any
    is_trainable: bool
    is_active: bool
    serial: int

    def __init__(self, layer: AnyLayer, branch: KeptTape[Any, Any], upstream: tuple[KeptTape[Any, Any], ...]) -> None:
        self.value = branch.value
        self.upstream = upstream
        self.layer = layer
        self.is_trainable = branch.is_trainable
        self.is_active = any(tape.is_active for tape in upstream)
        self.serial = next_serial()

    def pullbacks(self, delta: Any) -> tuple[Any, ...]:
        return (None, lambda: delta)
