"""Mutants that are no mistakes: what they compute is the same, for the reason that stands with them."""

from __future__ import annotations

_SAME_RANK = "the two have as many axes, and only that is asked"
_SAME_KIND = "the two have one shape and dtype, and only that is asked"
_NO_SIGN = "zeros have no sign, and twice zero is zero"
_FROM_FRONT = "an axis counted from the front is the same axis, unless a leading axis is added, as vmap does"
_ONE_GROUP = "where there is one group, exchanging the only axes in front of the filters changes nothing"
_NO_SLOPE = "an operand of -inf has the slope 0 anyway, unless the other one is -inf, too"
_NO_LENGTH = "an operand of 0 has the slope 0 anyway, unless the other one is 0, too"
_BORDER = "an element of the border is never as large as the largest of a window"
_ORDER = "the order in which axes are reduced is no matter"
_ONE_DTYPE = "the two have one dtype, and only that is asked"
_ANY_DIVISOR = "any number but 0 serves, since its product is 0"
_PROMOTED = "one operand in float32 makes the recurrence one of float32"
_ROUNDING = "only the products are rounded more: NumPy adds up float16 in float32"
_STACKS = "however the rows are stacked, sum_to adds up what is left of the stack: only the speed differs"

REASONS: dict[str, dict[str, str]] = {
    "Conv2D.gradient": {
        "a -> delta": _SAME_RANK,
        "a -> output": _SAME_RANK,
        "self.groups -> self.stride": _ONE_GROUP,
        "self.groups -> self.padding": _ONE_GROUP,
        "self.groups -> self.dilation": _ONE_GROUP,
    },
    "ConcatPart.gradient": {"a -> delta": _SAME_KIND, "a -> output": _SAME_KIND},
    "ScatterAdd.gradient": {"like -> delta": _SAME_RANK, "like -> output": _SAME_RANK},
    "LogSoftmax.gradient": {
        "a -> delta": _SAME_RANK,
        "a -> output": _SAME_RANK,
        "output -> a": "the result is -inf where the operand is, but for overflow",
        "xp.sum(probabilities, axis=axis, keepdims=True) -> xp.max(probabilities, axis=axis, keepdims=True)": (
            "only whether one of them is above 0 is asked"
        ),
    },
    "spread": {"x -> like": "it only skips the axes of size 1 that a number needs not to be broadcast"},
    "Softmax.gradient": {
        "all_from_end(self.axis, xp.ndim(a)) -> self.axis": _FROM_FRONT,
        "a -> delta": _SAME_RANK,
        "a -> output": _SAME_RANK,
        "widened(xp, delta) -> delta": _ROUNDING,
    },
    "LogAddExp.gradient": {"output -> a": _NO_SLOPE, "output -> mine": _NO_SLOPE},
    "Hypot.gradient": {"output -> a": _NO_LENGTH, "output -> mine": _NO_LENGTH},
    "Power.gradient": {"1 -> 2": _ANY_DIVISOR},
    "LogSumExp.gradient": {"a -> delta": _ONE_DTYPE, "a -> output": _ONE_DTYPE},
    "share_ties": {"a -> delta": _ONE_DTYPE, "a -> output": _ONE_DTYPE},
    "Mean.gradient": {"a -> delta": _ONE_DTYPE, "a -> output": _ONE_DTYPE},
    "Prod.gradient": {"a -> delta": _ONE_DTYPE, "a -> output": _ONE_DTYPE},
    "_others": {"sorted(axes) -> axes": "the order in which axes are merged is no matter to a product over them"},
    "VectorNorm.gradient": {
        "0 -> 1": "what it is multiplied with there is 0",
        "1 -> 2": _ANY_DIVISOR,
        "a -> delta": _ONE_DTYPE,
        "a -> output": _ONE_DTYPE,
        "output -> delta": _SAME_KIND,
        "widened(xp, delta) -> delta": _ROUNDING,
    },
    "CumulativeSum.gradient": {"a -> delta": _SAME_RANK, "a -> output": _SAME_RANK},
    "CumulativeProd.gradient": {
        "a -> delta": _SAME_RANK,
        "a -> output": _SAME_RANK,
        "widened(xp, delta) -> delta": _PROMOTED,
        "widened(xp, a) -> a": _PROMOTED,
    },
    "LinearRecurrence.gradient": {
        "terms -> delta": _SAME_RANK,
        "terms -> output": _SAME_RANK,
        "terms -> factors": _SAME_RANK,
        "cache(lambda: adjoint_recurrence(xp, widened(xp, delta), widened(xp, factors), axis)) -> "
        "lambda: adjoint_recurrence(xp, widened(xp, delta), widened(xp, factors), axis)": (
            "it is computed twice: only the speed differs"
        ),
        "widened(xp, delta) -> delta": _PROMOTED,
        "widened(xp, factors) -> factors": _PROMOTED,
    },
    "adjoint_recurrence": {"0.0 -> 1.0": "before the first step there is 0, whatever its factor"},
    "shifted": {
        "xp.reshape_like(xp.getitem(padded, index=('...', (None, -1, None), *[WHOLE] * after)), x) -> "
        "xp.getitem(padded, index=('...', (None, -1, None), *[WHOLE] * after))": "the pattern only names a size",
    },
    "Floor.gradient": {
        "xp.zeros_like(a) -> xp.negative(xp.zeros_like(a))": _NO_SIGN,
        "xp.zeros_like(a) -> xp.add(xp.zeros_like(a), xp.zeros_like(a))": _NO_SIGN,
        "a -> delta": _SAME_KIND,
        "a -> output": _SAME_KIND,
    },
    "ReLU.gradient": {"output -> a": "the result is above 0 where the operand is"},
    "Fold.gradient": {"self.stride -> self.dilation": "the two are of one length, and only that is asked"},
    "MaxUnpool2D.gradient": {
        "delta -> result": _SAME_KIND,
        "delta -> a": "the two have one dtype, and only that is asked",
        "0.0 -> 1.0": _BORDER,
        "(-3, -2) -> (-2, -3)": _ORDER,
    },
    "attaining": {"-float('inf') -> float('inf')": _BORDER, "-3 -> 3": _FROM_FRONT, "(-3, -2) -> (-2, -3)": _ORDER},
    "MatMul.gradient": {"-1 -> 1": _FROM_FRONT},
    "PermuteDims.gradient": {"from_end(forward.index(axis), ndim) -> forward.index(axis)": _FROM_FRONT},
    "_all_rows": {
        "xp.merge_dims(x, start=-xp.ndim(x), stop=-1) -> x": _STACKS,
        "xp.merge_dims(x, start=-xp.ndim(x), stop=-1) if xp.ndim(x) > 2 else x -> "
        "xp.merge_dims(x, start=-xp.ndim(x), stop=-1) if not xp.ndim(x) > 2 else x": _STACKS,
        "xp.ndim(x) > 2 -> xp.ndim(x) <= 2": _STACKS,
        "2 -> 3": _STACKS,
        "1 -> 2": _STACKS,
    },
    "pad2d": {"padding -> value": "it only skips the short cut for no padding at all"},
    "kernel_matrix": {"groups -> ndim": "axes of size 1 in front of the one matrix: the products are the same"},
    "group_last": {
        "xp.permute_dims(split, axes=(-2, *range(-ndim, -2), -1)) -> "
        "xp.negative(xp.permute_dims(split, axes=(-2, *range(-ndim, -2), -1)))": "both factors change their sign",
    },
}
for _rounding in ("Sign", "Ceil", "Round", "Trunc"):
    REASONS[f"{_rounding}.gradient"] = REASONS["Floor.gradient"]


def reason(function: str, text: str) -> str | None:
    """Why a mutant is equivalent; None where it is not."""
    before, _, after = text.partition(" -> ")
    if before.startswith("from_end(self.axis, ") and after == "self.axis":
        return _FROM_FRONT
    return REASONS.get(function, {}).get(text)
