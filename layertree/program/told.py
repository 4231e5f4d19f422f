"""What a formula tells counters and averages while it runs: as formulas of the same input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from layertree.core.errors import DTypeError
from layertree.core.structure import children_of, operands_of, post_order
from layertree.namespaces.spec import Inferring
from layertree.namespaces.tree import Derivation, TreeValue
from layertree.program.options import Options
from layertree.program.updates import rule_of
from layertree.program.value import ValueProgram
from layertree.sweep.plan import nodes_of
from layertree.sweep.sweep import sweep


class Told:
    """What a formula tells each cell, by one program for a specification of its input."""

    def __init__(self, formula: Any, source: Any, options: Options, names: Mapping[Any, str]) -> None:
        found = told(formula.__layer__(), source)
        self._cells = [leaf.cell for leaf in found]
        formulas = [_combined(leaf.cell, contributions).layer for leaf, contributions in found.items()]
        self._program = ValueProgram(formulas, source, None, options, names) if formulas else None

    def run(self, data: Any, cells: Mapping[Any, Any]) -> dict[Any, Any]:
        """What is told to each cell, for data and the tapes of cells."""
        if self._program is None:
            return {}
        values = [cells[cell].value for cell in self._program.cells]
        return dict(zip(self._cells, self._program.run(data, values), strict=True))


def _combined(cell: Any, contributions: list[TreeValue]) -> TreeValue:
    """What several places say to one cell, as one."""
    if len(contributions) == 1:
        return contributions[0]
    return rule_of(cell, None).combine(Derivation(), contributions)  # type: ignore[no-any-return]  # a rule over trees


def told(root: Any, spec: Any) -> dict[Any, list[TreeValue]]:
    """What the formula has to say to counters and averages, by their leaf."""
    said: dict[Any, list[TreeValue]] = {}
    if not any(node.__has_effect__ for node in nodes_of(root)):
        return said
    outside = post_order(root, operands_of)
    known = _Specs()
    sweep(root, spec, known)
    for node in outside:
        if node.__has_effect__:
            for leaf, contribution in _contributions(node, known.found):
                said.setdefault(leaf, []).append(contribution)
    _require_no_other_effects(root, outside)
    return said


class _Specs(Inferring):
    """The specs of all operations and leaves, kept by node."""

    def __init__(self) -> None:
        self.found: dict[int, Any] = {}

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        made = self.found[id(node)] = super().apply(node, inputs)
        self.found.update(zip(map(id, operands_of(node)), inputs, strict=True))
        return made


def _contributions(node: Any, specs: dict[int, Any]) -> Iterator[tuple[Any, TreeValue]]:
    xp: Any = Derivation()
    operands = operands_of(node)
    values = [TreeValue(operand, specs[id(operand)]) for operand in operands]
    output = TreeValue(node, specs[id(node)])
    for operand, contribution in zip(operands, node.contribute(xp, output, *values), strict=True):
        if contribution is not None and operand.__control__ == "cell":
            yield operand, xp.lift(contribution)


def _require_no_other_effects(root: Any, outside: list[Any]) -> None:
    seen = set(map(id, outside))
    for node in post_order(root, children_of):
        if node.__has_effect__ and id(node) not in seen:
            raise DTypeError(
                f"{type(node).__name__} stands in a branch of an If, where it tells a cell something only when the "
                "branch is taken: that runs, but does not compile as a training step; put it outside of the branch"
            )
