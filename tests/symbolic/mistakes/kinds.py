"""Formulas of data of the wrong kind, and of indices that do not exist."""

from __future__ import annotations

import symbolic as sy
from layertree import DTypeError, IndexRangeError
from tests.symbolic.mistakes.case import FLOAT, Case, f32, i64

KINDS = [
    Case(
        "argmax of a number",
        [FLOAT],
        lambda x: sy.argmax(x),
        DTypeError,
        "argmax(x: float)",
        "has no axis to search along",
        late=False,
    ),
    Case(
        "index out of range",
        [f32(2, 3)],
        lambda x: x[:, 3],
        IndexRangeError,
        "getitem(x: float32 (2, 3))",
        "index 3 is out of range for axis 1 of size 3",
    ),
    Case(
        "too many indices",
        [f32(2, 3)],
        lambda x: x[0, 0, 0],
        IndexRangeError,
        "getitem(x: float32 (2, 3))",
        "3 indices for (2, 3), which has 2 axes",
        late=False,
    ),
    Case(
        "look-up by floats",
        [f32(2, 3), f32(3)],
        lambda x, y: sy.take(x, y),
        DTypeError,
        "take(x[0]: float32 (2, 3), x[1]: float32 (3,))",
        "indices and labels are integers, but these are float32 (3,); cast them to int",
        late=False,
    ),
    Case(
        "pooling of integers with a border",
        [i64(2, 8, 8, 4)],
        lambda x: sy.max_pool2d(x, 2, padding=1),
        DTypeError,
        "max_pool2d(x: int64 (2, 8, 8, 4))",
        "cannot be padded with -inf: cast it to float",
        late=False,
    ),
    Case(
        "a condition that is no boolean",
        [f32(2, 3)],
        lambda x: sy.where(x, x, 0.0),
        DTypeError,
        "where(x: float32 (2, 3), x: float32 (2, 3), 0.0: float)",
        "the condition is float32 (2, 3): give booleans, such as a comparison",
        late=False,
    ),
    Case(
        "if_ with an array of conditions",
        [f32(2, 3)],
        lambda x: sy.if_(x > 0.0, x, -x),
        DTypeError,
        "if_(x > 0.0: bool (2, 3), x: float32 (2, 3), -x: float32 (2, 3))",
        "the condition of an If is one boolean, but this is bool (2, 3); for arrays use where",
        late=False,
    ),
    Case(
        "difference of booleans",
        [f32(2, 3)],
        lambda x: (x > 0.0) - (x > 1.0),
        DTypeError,
        "subtract(x > 0.0: bool (2, 3), x > 1.0: bool (2, 3))",
        "subtract is not defined for bool and bool: cast the operands first",
        late=False,
    ),
    Case(
        "negative of booleans",
        [f32(2, 3)],
        lambda x: -(x > 0.0),
        DTypeError,
        "negative(x > 0.0: bool (2, 3))",
        "negative is not defined for bool",
        late=False,
    ),
    Case(
        "and of floats",
        [f32(2, 3)],
        lambda x: x & x,
        DTypeError,
        "bitwise_and(x: float32 (2, 3), x: float32 (2, 3))",
        "bitwise_and is not defined for float32 and float32",
        late=False,
    ),
    Case(
        "a tuple as operand",
        [f32(3), f32(3)],
        lambda x, y: sy.exp((x, y)),
        DTypeError,
        "exp((x[0], x[1]): (float32 (3,), float32 (3,)))",
        "an operand is a tuple",
        late=False,
    ),
]
