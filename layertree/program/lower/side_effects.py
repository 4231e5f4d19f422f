"""Side effects of a formula on cells: contributions of layers to counters and averages, as formulas of the input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from layertree.core.cell import Cell
from layertree.core.errors import DTypeError
from layertree.core.structure import children_of, operands_of, post_order
from layertree.namespaces.spec import Inferring
from layertree.namespaces.tree import Derivation, TreeValue
from layertree.program.ir.nodes import Leaf, is_leaf
from layertree.program.ir.operations import AnyLayer, SpecTree
from layertree.sweep.plan import nodes_of
from layertree.sweep.sweep import sweep
from layertree.tape.update import rule_of


def combined(cell: Cell, contributions: list[TreeValue]) -> TreeValue:
    """The contributions of several layers to one cell as one, by the cell's rule."""
    if len(contributions) == 1:
        return contributions[0]
    return rule_of(cell, None).combine(Derivation(), contributions)  # type: ignore[no-any-return]  # a rule over trees


def side_effects_of(root: AnyLayer, spec: SpecTree) -> dict[Leaf, list[TreeValue]]:
    """The contributions of a formula's layers by the leaf of the cell that they go to.

    Raises DTypeError for a layer with a side effect inside of a branch, which would have it only when it is taken.
    """
    found: dict[Leaf, list[TreeValue]] = {}
    if not any(node.__has_effect__ for node in nodes_of(root)):
        return found
    outside = post_order(root, operands_of)
    known = _SpecsOfNodes()
    sweep(root, spec, known)
    for node in outside:
        if node.__has_effect__:
            for leaf, contribution in _contributions(node, known.found):
                found.setdefault(leaf, []).append(contribution)
    _require_no_effect_in_branches(root, outside)
    return found


class _SpecsOfNodes(Inferring):
    """The reading that infers specs and keeps those of all operations and leaves, by node."""

    def __init__(self) -> None:
        self.found: dict[int, Any] = {}

    def apply(self, node: AnyLayer, inputs: list[SpecTree]) -> SpecTree:
        spec = self.found[id(node)] = super().apply(node, inputs)
        self.found.update(zip(map(id, operands_of(node)), inputs, strict=True))
        return spec  # type: ignore[no-any-return]  # what the spec reading gives


def _contributions(node: Any, specs: dict[int, Any]) -> Iterator[tuple[Leaf, TreeValue]]:
    xp = Derivation()
    operands = operands_of(node)
    values = [TreeValue(operand, specs[id(operand)]) for operand in operands]
    output = TreeValue(node, specs[id(node)])
    for operand, contribution in zip(operands, node.contribute(xp, output, *values), strict=True):
        if contribution is not None and is_leaf(operand):
            yield operand, xp.lift(contribution)


def _require_no_effect_in_branches(root: AnyLayer, outside: Sequence[AnyLayer]) -> None:
    seen = set(map(id, outside))
    for node in post_order(root, children_of):
        if node.__has_effect__ and id(node) not in seen:
            raise DTypeError(
                f"{type(node).__name__} stands in a branch of an If, so that a cell changes only when the branch is "
                "taken: that runs, but does not compile as a training step; put it outside of the branch"
            )
