"""Lowering: one sweep over a simplified formula, in which each layer's ``compute`` appends primitives to a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from layertree.core.errors import DTypeError
from layertree.core.nested import flat, nested, paths
from layertree.core.spec import spec_of
from layertree.namespaces.spec import branches
from layertree.program.ir.naming import CellNames, names_of_cells
from layertree.program.ir.operations import AnyLayer, Body, Graph, Op, OpTree, SpecTree, StateKey
from layertree.program.lower.namespace import LoweringNamespace
from layertree.sweep.reading import Demands, Hoist, Reading, Request, unchanged
from layertree.sweep.sweep import sweep

if TYPE_CHECKING:
    from layertree.core.free import Free
    from layertree.core.literal import Literal
    from layertree.core.weight import CellLayer
    from layertree.layers.control import If

States: TypeAlias = "Mapping[Free[Any], StateKey]"


def lower(root: AnyLayer, spec: SpecTree, states: States | None = None, names: CellNames | None = None) -> Graph:
    """The graph of a formula whose value is a tuple of outputs, for an input of a spec whose sizes are known.

    ``states`` says what each free variable stands for; ``names`` are the names of cells in the source, unless given
    those of ``named_cells``.

    >>> from layertree import Identity, Plus, Tuple
    >>> lower(Tuple((Plus(Identity(), 1.0),)), spec_of(2.0)).ops
    [<input float>, <constant float>, <add float>]
    """
    xp = LoweringNamespace()
    names = names_of_cells(root) if names is None else names
    source: OpTree = nested(spec, [xp.leaf("input", path, part) for path, part in paths(spec)])
    outputs: OpTree = sweep(root, source, Lowering(xp, states or {}, names))
    return Graph(xp.ops, source, outputs)


class Lowering(Reading[OpTree]):
    """The reading of a formula whose results are operations of a graph."""

    def __init__(self, xp: LoweringNamespace, states: States, names: CellNames) -> None:
        self._xp = xp
        self._states = states
        self._names = names

    def apply(self, node: Any, inputs: list[OpTree]) -> OpTree:
        """A layer as the primitives that its ``compute`` calls."""
        if node.__has_tape__:
            raise DTypeError(f"{type(node).__name__} makes a tape of its own, so it runs, but does not compile")
        self._xp.layer = node
        return node.compute(self._xp, *inputs)  # type: ignore[no-any-return]  # in the lowering namespace

    def constant(self, node: Literal[Any], context: object) -> OpTree:
        """A Literal's data as a constant, or nested constants."""
        return nested(node.data, map(self._xp.constant, flat(node.data)))  # type: ignore[no-any-return]  # of constants

    def cell(self, node: CellLayer[Any], context: object) -> Op:
        """The value of a cell, which the program is given at each run."""
        cell = node.cell
        return self._xp.leaf("cell", cell, spec_of(cell.value), self._names.get(cell) or cell.path or "weight")

    def free(self, node: Free[Any], context: object) -> Op:
        """A delta, or a part of an update's state, which the program is given at each run."""
        key = self._states[node]
        name = "delta" if isinstance(key, int) else "state" if key[1] else "value"
        return self._xp.leaf("state", key, node.spec, name)

    def cond(self, node: If[Any, Any, Any], inputs: list[OpTree], source: OpTree, context: object) -> Demands[OpTree]:
        """A branch, each side with operations of its own."""
        condition = inputs[0]
        assert isinstance(condition, Op)  # one boolean, which ``branches`` has checked
        yield Hoist(node)
        bodies: list[Body] = []
        specs: list[SpecTree] = []
        for layer in (node.then, node.otherwise):
            self._xp.enter_branch()
            # A new context for each side: the other side does not have the values that this side computes.
            value = yield Request(layer, source, object(), unchanged)
            bodies.append(Body(self._xp.leave_branch(), tuple(flat(value))))
            specs.append(nested(value, [op.spec for op in flat(value)]))
        self._xp.layer = node
        spec = branches(node, condition.spec, *specs)
        return self._xp.branch(condition, (bodies[0], bodies[1]), spec)
