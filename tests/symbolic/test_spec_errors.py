"""A wrong formula is an error on the line that wrote it, or, where a size was not known, of the data that shows it.

Each case is built twice: with its shapes known, and with every size unknown, where the same mistake is found when
data arrives. Both errors name the operation, the operands as text with their shapes, what would fit, and the line.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import symbolic as sy
from layertree import DTypeError, IndexRangeError, ShapeError
from layertree._spec import spec_text
from layertree.typing import ArraySpec
from symbolic import placeholder, weight
from symbolic._build import apply
from tests.symbolic.support import array_of, library_frames, user_frame


class Case(NamedTuple):
    """A wrong formula of one input or several, with what its error says; ``late`` if unknown sizes hide it."""

    name: str
    inputs: list[ArraySpec[Any]]
    build: Callable[..., Any]
    error: type[Exception]
    operation: str
    reason: str
    late: bool = True


def f32(*shape: int) -> ArraySpec[Any]:
    return ArraySpec(shape, np.float32)


def i64(*shape: int) -> ArraySpec[Any]:
    return ArraySpec(shape, np.int64)


FLOAT: Any = float
IMAGES = f32(2, 8, 8, 4)

CASES = [
    Case(
        "broadcast",
        [f32(2, 3)],
        lambda x: x + np.ones(2, np.float32),
        ShapeError,
        "add(x: float32 (2, 3), array([1., 1.], dtype=float32): float32 (2,))",
        "axis -1 is 3 in the first and 2 in the second; sizes have to be equal, or one of them 1",
    ),
    Case(
        "broadcast of two inputs",
        [f32(4, 3), f32(5, 1)],
        lambda x, y: x * y,
        ShapeError,
        "multiply(x[0]: float32 (4, 3), x[1]: float32 (5, 1))",
        "shapes (4, 3) and (5, 1) do not broadcast: axis -2 is 4 in the first and 5 in the second",
    ),
    Case(
        "matrix product",
        [f32(2, 3)],
        lambda x: x @ weight(np.ones((4, 5), np.float32)),
        ShapeError,
        "matmul(x: float32 (2, 3), weight(<float32 (4, 5)>): float32 (4, 5))",
        "the last axis of the first is 3, so the second last axis of the second has to be 3, not 4",
    ),
    Case(
        "matrix product with a vector",
        [f32(2, 3)],
        lambda x: x @ np.ones(4, np.float32),
        ShapeError,
        "matmul(x: float32 (2, 3), array([1., 1., 1., 1.], dtype=float32): float32 (4,))",
        "so the only axis of the second has to be 3, not 4",
    ),
    Case(
        "matrix product of stacks",
        [f32(2, 3, 4), f32(5, 4, 3)],
        lambda x, y: x @ y,
        ShapeError,
        "matmul(x[0]: float32 (2, 3, 4), x[1]: float32 (5, 4, 3))",
        "shapes (2,) and (5,) do not broadcast",
    ),
    Case(
        "matrix product with a number",
        [f32(2, 3)],
        lambda x: x @ 2.0,
        ShapeError,
        "matmul(x: float32 (2, 3), 2.0: float)",
        "use * for those",
        late=False,
    ),
    Case(
        "axis of a sum",
        [f32(2, 3)],
        lambda x: sy.sum(x, axis=2),
        ShapeError,
        "sum(x: float32 (2, 3))",
        "axis 2 is out of range: the operand has 2 axes, -2 to 1",
        late=False,
    ),
    Case(
        "an axis twice",
        [f32(2, 3)],
        lambda x: sy.mean(x, axis=(1, -1)),
        ShapeError,
        "mean(x: float32 (2, 3))",
        "names an axis twice",
        late=False,
    ),
    Case(
        "axis of a number",
        [FLOAT],
        lambda x: sy.max(x, axis=0),
        ShapeError,
        "max(x: float)",
        "axis 0 is out of range: the operand has 0 axes",
        late=False,
    ),
    Case(
        "maximum of nothing",
        [f32(2, 0)],
        lambda x: sy.max(x, axis=1),
        ShapeError,
        "max(x: float32 (2, 0))",
        "has nothing to choose from",
    ),
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
        "size of a reshape",
        [f32(2, 3)],
        lambda x: sy.reshape(x, (4, 2)),
        ShapeError,
        "reshape(x: float32 (2, 3))",
        "shape (4, 2) has 8 elements, but (2, 3) has 6: -1 stands for what is left",
    ),
    Case(
        "what is left of a reshape",
        [f32(2, 3)],
        lambda x: sy.reshape(x, (4, -1)),
        ShapeError,
        "reshape(x: float32 (2, 3))",
        "6 elements do not fit into (4, -1)",
    ),
    Case(
        "two open sizes",
        [f32(2, 3)],
        lambda x: sy.reshape(x, (-1, -1)),
        ShapeError,
        "reshape(x: float32 (2, 3))",
        "shape (-1, -1) leaves 2 sizes open: only one may be -1",
        late=False,
    ),
    Case(
        "permutation",
        [f32(2, 3)],
        lambda x: sy.permute_dims(x, (0, 0)),
        ShapeError,
        "permute_dims(x: float32 (2, 3))",
        "axes (0, 0) are no permutation of the 2 axes of (2, 3)",
        late=False,
    ),
    Case(
        "transpose of a vector",
        [f32(3)],
        lambda x: sy.matrix_transpose(x),
        ShapeError,
        "matrix_transpose(x: float32 (3,))",
        "two axes or more are wanted",
        late=False,
    ),
    Case(
        "broadcast to a shape",
        [f32(2, 3)],
        lambda x: sy.broadcast_to(x, (4, 3)),
        ShapeError,
        "broadcast_to(x: float32 (2, 3))",
        "(2, 3) does not broadcast to (4, 3)",
    ),
    Case(
        "concat",
        [f32(2, 3), f32(3, 3)],
        lambda x, y: sy.concat([x, y], axis=1),
        ShapeError,
        "concat(x[0]: float32 (2, 3), x[1]: float32 (3, 3))",
        "operand 1 is (3, 3), but operand 0 is (2, 3)",
    ),
    Case(
        "concat of other ranks",
        [f32(2, 3), f32(3)],
        lambda x, y: sy.concat([x, y]),
        ShapeError,
        "concat(x[0]: float32 (2, 3), x[1]: float32 (3,))",
        "operand 1 has 1 axes, but operand 0 has 2",
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
        "look-up along a missing axis",
        [f32(2, 3)],
        lambda x: sy.take(x, [0], axis=2),
        ShapeError,
        "take(x: float32 (2, 3), array([0]): int64 (1,))",
        "axis 2 is out of range",
        late=False,
    ),
    Case(
        "channels",
        [IMAGES],
        lambda x: apply("conv2d", x, weight(np.ones((3, 3, 5, 6), np.float32))),
        ShapeError,
        "conv2d(x: float32 (2, 8, 8, 4), weight(<float32 (3, 3, 5, 6)>): float32 (3, 3, 5, 6))",
        "the images (2, 8, 8, 4) have 4 channels, but the kernel (3, 3, 5, 6) with groups=1 takes 5",
    ),
    Case(
        "a kernel larger than the image",
        [IMAGES],
        lambda x: apply("conv2d", x, weight(np.ones((9, 9, 4, 6), np.float32))),
        ShapeError,
        "conv2d(x: float32 (2, 8, 8, 4), weight(<float32 (9, 9, 4, 6)>): float32 (9, 9, 4, 6))",
        "a window that reaches over 9 does not fit an axis of size 8",
    ),
    Case(
        "groups of filters",
        [IMAGES],
        lambda x: apply("conv2d", x, weight(np.ones((3, 3, 1, 6), np.float32)), groups=4),
        ShapeError,
        "conv2d(x: float32 (2, 8, 8, 4), weight(<float32 (3, 3, 1, 6)>): float32 (3, 3, 1, 6))",
        "6 filters do not fall into 4 groups",
        late=False,
    ),
    Case(
        "images without channels",
        [f32(8, 8)],
        lambda x: apply("conv2d", x, weight(np.ones((3, 3, 1, 6), np.float32))),
        ShapeError,
        "conv2d(x: float32 (8, 8), weight(<float32 (3, 3, 1, 6)>): float32 (3, 3, 1, 6))",
        "images are (..., H, W, channels), but these are (8, 8)",
        late=False,
    ),
    Case(
        "pooling",
        [IMAGES],
        lambda x: sy.max_pool2d(x, 9),
        ShapeError,
        "max_pool2d(x: float32 (2, 8, 8, 4))",
        "a window that reaches over 9 does not fit an axis of size 8",
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
        "rank of labels",
        [f32(4, 3), i64(4, 1)],
        lambda x, y: sy.cross_entropy(x, y),
        ShapeError,
        "cross_entropy(log_softmax(x[0]): float32 (4, 3), x[1]: int64 (4, 1))",
        "there is one label for each row, so the labels have one axis less, without the classes",
        late=False,
    ),
    Case(
        "number of labels",
        [f32(4, 3), i64(5)],
        lambda x, y: sy.cross_entropy(x, y),
        ShapeError,
        "cross_entropy(log_softmax(x[0]): float32 (4, 3), x[1]: int64 (5,))",
        "the rows are (4,), but the labels are (5,): one for each row",
    ),
    Case(
        "one label for several rows",
        [f32(4, 3), i64(1)],
        lambda x, y: sy.cross_entropy(x, y),
        ShapeError,
        "cross_entropy(log_softmax(x[0]): float32 (4, 3), x[1]: int64 (1,))",
        "the rows are (4,), but the labels are (1,): one for each row",
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
        "sides of a choice",
        [f32(2, 3)],
        lambda x: sy.where(x > 0.0, x, np.ones(2, np.float32)),
        ShapeError,
        "where(x > 0.0: bool (2, 3), x: float32 (2, 3), array([1., 1.], dtype=float32): float32 (2,))",
        "shapes (2, 3) and (2,) do not broadcast",
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
        "branches that disagree",
        [f32(2, 3)],
        lambda x: sy.if_(sy.sum(x) > 0.0, x, x[0]),
        ShapeError,
        "if_(sum(x) > 0.0: bool (), x: float32 (2, 3), x[0]: float32 (3,))",
        "the branches of an If agree in shape and dtype, but these are float32 (2, 3) and float32 (3,)",
        late=False,
    ),
    Case(
        "branches of other dtypes",
        [FLOAT],
        lambda x: sy.if_(x > 0.0, x, x > 1.0),
        ShapeError,
        "if_(x > 0.0: bool, x: float, x > 1.0: bool)",
        "agree in shape and dtype, but these are float and bool",
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
    Case(
        "a running average of another shape",
        [f32(2, 3)],
        lambda x: sy.running_average(x, np.zeros(4)),
        ShapeError,
        "running_average(x: float32 (2, 3), state(array([0., 0., 0., 0.], dtype=float32), Average(mom...: float32 (",
        "the average is float32 (4,), but the operand float32 (2, 3)",
        late=False,
    ),
    Case(
        "axis of softmax",
        [f32(2, 3)],
        lambda x: sy.softmax(x, axis=2),
        ShapeError,
        "softmax(x: float32 (2, 3))",
        "axis 2 is out of range",
        late=False,
    ),
    Case(
        "place of a new axis",
        [f32(2, 3)],
        lambda x: sy.expand_dims(x, axis=4),
        ShapeError,
        "expand_dims(x: float32 (2, 3))",
        "axis 4 is out of range",
        late=False,
    ),
]


def test_branches_that_agree() -> None:
    x = array_of(2, 3)
    c = sy.sum(x) > 0.0
    for then, otherwise, kind in [
        (x, array_literal(2, 3), "float32 (2, 3)"),
        (x[0, 0], 0.0, "float32 ()"),
        (0, x[0, 0], "float32 ()"),
        (0, 1.5, "float"),
        (1.5, 0, "float"),
        (True, False, "bool"),
        ((x, 1.0), (x, 2), "(float32 (2, 3), float)"),
    ]:
        assert spec_text(sy.if_(c, then, otherwise).spec) == kind
    for then, otherwise in [
        (x, x[0]),
        (x[0, 0], True),
        (1, True),
        (x[0, 0], np.float64(1.0)),
        ((x, 1.0), (x,)),
        (x, (x,)),
    ]:
        with pytest.raises(ShapeError, match="agree in shape and dtype"):
            sy.if_(c, then, otherwise)


def array_literal(*shape: int) -> Any:
    return sy.literal(np.ones(shape, np.float32))


def inputs_of(specs: list[Any], known: bool) -> Any:
    """Placeholders of these specs, or of the same with every size unknown."""
    if not known:
        specs = [ArraySpec((None,) * spec.ndim, spec.dtype) if isinstance(spec, ArraySpec) else spec for spec in specs]
    return placeholder(tuple(specs)) if len(specs) > 1 else (placeholder(specs[0]),)


def require_message(caught: Exception, case: Case) -> None:
    """The message says which operation, on what, why not, and where; nothing else is chained to it."""
    message, written = str(caught).rsplit("\n  written at ", 1)
    line = case.build.__code__.co_firstlineno
    assert case.operation in message
    assert case.reason in message
    assert len(message.splitlines()) == 1
    assert written.startswith(f"{__file__}:{line}: lambda")
    assert caught.__cause__ is None
    assert caught.__context__ is None or caught.__suppress_context__


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_built_on_known_sizes(case: Case) -> None:
    inputs = inputs_of(case.inputs, known=True)
    with pytest.raises(case.error) as caught:
        case.build(*inputs)
    require_message(caught.value, case)
    frame = user_frame(caught.value)
    assert (frame.filename, frame.lineno) == (__file__, case.build.__code__.co_firstlineno)
    assert library_frames(caught.value) <= 6


LATE = [case for case in CASES if case.late]


@pytest.mark.parametrize("case", LATE, ids=[case.name for case in LATE])
@pytest.mark.parametrize("run", ["predict", "forward", "train"])
def test_found_in_the_data(case: Case, run: str) -> None:
    formula = case.build(*inputs_of(case.inputs, known=False))
    parts = tuple(np.ones(spec.shape, spec.dtype) for spec in case.inputs)
    with pytest.raises(case.error) as caught:
        getattr(formula, run)(parts if len(parts) > 1 else parts[0])
    require_message(caught.value, case)
    assert user_frame(caught.value).name == "test_found_in_the_data"
    assert library_frames(caught.value) <= 8


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_unknown_sizes_hide(case: Case) -> None:
    inputs = inputs_of(case.inputs, known=False)
    if case.late:
        case.build(*inputs)
    else:
        with pytest.raises(case.error):
            case.build(*inputs)


def test_the_reason_alone_is_not_shortened_but_operands_are() -> None:
    x = array_of(2, 3)
    long = x
    for _ in range(100):
        long = sy.tanh(long + 1.0)
    with pytest.raises(ShapeError) as caught:
        long @ x
    operation = str(caught.value).split("shapes")[0]
    assert operation.startswith("matmul(tanh(tanh(")
    assert operation.endswith("...: float32 (2, 3), x: float32 (2, 3)): ")
    assert len(operation) < 130


def test_shared_parts_are_written_out_in_a_message() -> None:
    x = array_of(2, 3)
    shared = x + 1.0
    with pytest.raises(ShapeError, match=r"matmul\(\(x \+ 1\.0\) \* \(x \+ 1\.0\): float32 \(2, 3\), x: float32"):
        (shared * shared) @ x


def test_a_diamond_is_shown_in_no_time() -> None:
    x = array_of(2, 3)
    deep = x
    for _ in range(200):
        deep = deep + deep
    with pytest.raises(ShapeError, match=r"x \+ x \+ \(x \+ x\).*\.\.\.: float32 \(2, 3\)"):
        deep @ x


def test_a_mistake_in_a_function_of_the_user_is_shown_there() -> None:
    def block(x: Any) -> Any:
        return x @ np.ones((4, 4))

    with pytest.raises(ShapeError) as caught:
        block(array_of(2, 3))
    frame = user_frame(caught.value)
    assert frame.name == "block"
    assert frame.line == "return x @ np.ones((4, 4))"
    assert str(caught.value).endswith(f"written at {__file__}:{frame.lineno}: return x @ np.ones((4, 4))")


def test_a_long_line_is_shortened() -> None:
    with pytest.raises(ShapeError) as caught:
        array_of(2, 3) + np.ones(2)  # and a comment that makes this line quite a bit longer than a message bears
    written = str(caught.value).split(": ")[-1]
    assert written.startswith("array_of(2, 3) + np.ones(2)  # and")
    assert written.endswith("...")
    assert len(written) == 100


def test_an_error_of_a_formula_without_a_source() -> None:
    with pytest.raises(ShapeError, match=r"written at <text>:2$"):
        exec(compile("\nx + ones(2)", "<text>", "exec"), {"x": array_of(2, 3), "ones": np.ones})


def test_an_index_that_only_the_data_holds() -> None:
    x, i = placeholder((ArraySpec((None,), np.float32), ArraySpec((None,), np.int64)))
    formula = x[i]
    with pytest.raises(IndexRangeError) as caught:
        formula.predict((np.ones(2, np.float32), np.array([0, 7])))
    message = str(caught.value)
    assert message.startswith("take(x[0]: float32 (2,), x[1]: int64 (2,)): index 7 is out of bounds")
    assert message.endswith("formula = x[i]")


def test_other_errors_get_a_note() -> None:
    def fail(value: Any) -> None:
        raise RuntimeError("no")

    formula = sy.hook(2.0 * placeholder(float), fail)
    with pytest.raises(RuntimeError, match="no") as caught:
        formula.predict(3.0)
    (note,) = caught.value.__notes__
    assert note.startswith("in hook(2.0 * x: float)\n  written at ")
    assert note.endswith("formula = sy.hook(2.0 * placeholder(float), fail)")


def test_a_deep_copy_remembers_where_it_was_written() -> None:
    formula = placeholder(ArraySpec((None,))) + np.ones(3)
    with pytest.raises(ShapeError, match=r"written at .*: formula = placeholder"):
        copy.deepcopy(formula).predict(np.ones(2))
