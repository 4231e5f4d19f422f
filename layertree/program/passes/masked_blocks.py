"""What a mask hides: columns that no row of a block sees, as in causal attention, need not be computed.

What stands there is known: minus infinity in the scores, 0 in their exponentials, and 0 in whatever is a product with
them, since what comes from outside is taken to be finite. Where all that reads such columns as a whole adds up zeros,
or takes the largest of minus infinities, a block leaves them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from layertree.namespaces import NUMPY
from layertree.program.ir.indexing_maps import Combination
from layertree.program.ir.operations import Op
from layertree.program.ir.primitives import indexing_map, is_elementwise
from layertree.program.passes.block_cuts import COLUMNS, ROWS
from layertree.program.passes.loop_nest import Cut

Facts = dict[Op, float]
"""What ops have in hidden columns: a number, or NaN where it may be anything. All others are finite there."""
_FINITE = 1.0
"""Stands for a number that is not known, where any finite one would do."""
_NEUTRAL: dict[Combination, float] = {"sum": 0.0, "max": -np.inf, "min": np.inf}
"""The neutral element of each combination."""


def mask_of(members: Iterable[Op], cuts: Mapping[Op, Cut]) -> Op | None:
    """The first constant mask over rows and columns."""
    for op in members:
        if op.name == "masked" and op.inputs[1].name == "constant" and masks(op, cuts[op], op.inputs[1]):
            return op.inputs[1]
    return None


def masks(op: Op, cut: Cut, mask: Op) -> bool:
    """Whether an op hides columns of rows by a mask: one over columns and rows hides something else."""
    return op.name == "masked" and op.inputs[1] is mask and cut.operands[1][-2:] == (ROWS, COLUMNS)


def seen_columns(mask: Op, rows: Sequence[slice]) -> list[int]:
    """How many columns, from the first on, the rows of each block see: at least one."""
    data: Any = mask.attributes["data"]
    seen = ~data.reshape(-1, *data.shape[-2:]).all(axis=0)
    found: list[int] = []
    for part in rows:
        columns = np.flatnonzero(seen[part].any(axis=0))
        found.append(int(columns[-1]) + 1 if columns.size else 1)
    return found


def hidden_columns(mask: Op, rows: Sequence[slice], counts: Sequence[int]) -> list[slice]:
    """From the first column that the mask hides from some row of a block on, up to the block's last."""
    data: Any = mask.attributes["data"]
    hidden = data.reshape(-1, *data.shape[-2:]).any(axis=0)
    found: list[slice] = []
    for part, count in zip(rows, counts, strict=True):
        columns = np.flatnonzero(hidden[part, :count].any(axis=0))
        found.append(slice(int(columns[0]) if columns.size else count, count))
    return found


def facts_of(members: Iterable[Op], cuts: Mapping[Op, Cut], mask: Op, before: Facts) -> Facts | None:
    """What stands in hidden columns, for each op of which that is known; None where something needs them."""
    facts = dict(before)
    for op in members:
        cut = cuts[op]
        if not _is_neutral(op, cut, facts):
            return None
        if COLUMNS in cut.result:
            value = 0.0 if cut.is_total else _fact(op, cut, mask, facts)
            if value is not None:
                facts[op] = value
    return facts


def _hidden(op: Op, cut: Cut, facts: Facts) -> list[float | None]:
    """What is known of each operand that has hidden columns."""
    return [facts.get(read) for read, kinds in zip(op.inputs, cut.operands, strict=True) if COLUMNS in kinds]


def _is_neutral(op: Op, cut: Cut, facts: Facts) -> bool:
    """Whether an op gives the same without the hidden columns of its operands."""
    hidden = _hidden(op, cut, facts)
    if cut.is_total:
        return _is_nothing(hidden) or COLUMNS not in cut.result
    if not hidden or COLUMNS in cut.result:
        return True
    if len(op.inputs) > 1:  # a sum of products
        return _is_nothing(hidden)
    found = indexing_map(op)
    reduced: set[Combination] = set() if found is None else set(found.reduced.values())
    return len(reduced) == 1 and hidden[0] == _NEUTRAL.get(reduced.pop(), np.nan)


def _is_nothing(factors: Iterable[float | None]) -> bool:
    """Whether a product is 0: one factor is, and the others are finite."""
    return 0.0 in factors and all(map(_is_finite, factors))


def _is_finite(fact: float | None) -> bool:
    return fact is None or bool(np.isfinite(fact))


def _fact(op: Op, cut: Cut, mask: Op, facts: Facts) -> float | None:
    """What an op has in its hidden columns: a number, NaN for anything, None for what is finite at least."""
    if masks(op, cut, mask):
        return float(op.attributes["value"])
    if op.name in ("reshape", "transpose"):
        return facts.get(op.inputs[0])
    hidden = _hidden(op, cut, facts)
    unknown = None if all(map(_is_finite, hidden)) and _is_finite(op.attributes.get("value")) else np.nan
    if not is_elementwise(op.name) or op.name in ("masked", "where"):
        return unknown
    operands = [
        facts.get(read) if COLUMNS in kinds else None for read, kinds in zip(op.inputs, cut.operands, strict=True)
    ]
    if None in operands and not _is_settled(op.name, operands):
        return unknown
    with np.errstate(all="ignore"):
        return float(getattr(NUMPY, op.name)(*[np.float64(_FINITE if fact is None else fact) for fact in operands]))


def _is_settled(name: str, operands: Sequence[float | None]) -> bool:
    """Whether what is known of some operands tells the result, whatever finite numbers the others are."""
    if name == "multiply":
        return 0.0 in operands
    if name == "minimum":
        return -np.inf in operands
    return (name == "divide" and operands[0] == 0.0) or (name in ("add", "subtract") and operands[0] == -np.inf)


def are_numbers(ops: Iterable[Op], facts: Facts) -> bool:
    """Whether it is known what some ops have in their hidden columns."""
    return not any(np.isnan(facts.get(op, np.nan)) for op in ops)
