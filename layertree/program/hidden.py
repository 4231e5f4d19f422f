"""What a mask hides: columns that no row of a block sees, as in causal attention, need not be computed.

What stands there is known: minus infinity in the scores, 0 in their exponentials, and 0 in whatever is a product with
them, since rows are taken to be finite. Where all that reads such columns as a whole adds up zeros, or takes the
largest of minus infinities, a block leaves them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from layertree.namespaces import NUMPY
from layertree.program import phrases
from layertree.program._ops import Op
from layertree.program.chain import Cut
from layertree.program.cutting import COLUMNS, ROWS

Facts = dict[Op, float]
_NEUTRAL = {"sum": 0.0, "sum_of_last": 0.0, "max": -np.inf, "min": np.inf}


def mask_of(members: Iterable[Op], cuts: Mapping[Op, Cut]) -> Op | None:
    """The first constant mask over rows and columns."""
    for op in members:
        if op.name == "masked" and cuts[op].operands[1][-2:] == (ROWS, COLUMNS):
            return op.inputs[1]
    return None


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


def _is_neutral(op: Op, cut: Cut, facts: Facts) -> bool:
    """Whether an op gives the same without the hidden columns of its operands."""
    hidden = [facts.get(read) for read, kinds in zip(op.inputs, cut.operands, strict=True) if COLUMNS in kinds]
    if cut.is_total:
        return 0.0 in hidden or COLUMNS not in cut.result
    if not hidden or COLUMNS in cut.result:
        return True
    if op.name == "matmul":
        return 0.0 in hidden
    return hidden[0] == _NEUTRAL.get(op.name, np.nan)


def _fact(op: Op, cut: Cut, mask: Op, facts: Facts) -> float | None:
    if op.name == "masked" and op.inputs[1] is mask:
        return float(op.attributes["value"])
    if op.name in ("reshape", "transpose"):
        return facts.get(op.inputs[0])
    if not phrases.is_elementwise(op.name) or op.name in ("masked", "where"):
        return None
    hidden = [
        facts.get(read) if COLUMNS in kinds else None for read, kinds in zip(op.inputs, cut.operands, strict=True)
    ]
    if op.name == "multiply" and 0.0 in hidden:
        return 0.0
    if op.name == "divide" and hidden[0] == 0.0:
        return 0.0
    if op.name in ("add", "subtract") and hidden[0] == -np.inf:
        return -np.inf
    if len(hidden) == 1 and hidden[0] is not None:
        with np.errstate(all="ignore"):
            return float(getattr(NUMPY, op.name)(np.float64(hidden[0])))
    return None
