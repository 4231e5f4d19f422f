"""``str(formula)`` reads as the formula was written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symbolic as sy
from layertree import SGD, Compose, Exp, Identity, If, Item, Literal, Times, Tuple, optimizer
from layertree.typing import ArraySpec
from symbolic import placeholder, weight, wrap

NUMPY = {name: getattr(np, name) for name in ("array", "empty", "float32", "int64")}
FUNCTIONS = {name: getattr(sy, name) for name in dir(sy) if not name.startswith("_")}


def run(text: str, names: dict[str, Any]) -> Any:
    """The value of the last line of a text, after its definitions."""
    *definitions, last = text.splitlines()
    namespace = FUNCTIONS | NUMPY | names
    exec("\n".join(definitions), namespace)
    return eval(last, namespace)


# Each line is a formula as it is written and as it prints.
AS_WRITTEN = """
(1.0 + x) * w
1.0 + x * w
-x
--x
-x ** 2
(-x) ** 2
-(x + 1)
-x * 2
-(x * 2)
-sin(x) * 2
2.0 ** -x
x ** -1.0
(-2.0) ** x
(x ** 2) ** 3
x ** x ** x
(x + 1) ** (x + 2)
x - -1.0
x - (1.0 - x)
x - 1.0 - x
x + (x - 1)
x / (x / 2)
x / x / 2
x * (x / 2)
x * (x % 2)
x // 2 % 3
x % 2 // 3
x * 2 / 3
x / 2 * 3
x // 2 * 3
x + 1 - 2
(x + 1) % 3
2 ** (x * 3)
x > 0
x + 1 > 2 * x
x + 1 != 2 * x
(x > 0) & (x < 1)
(x > 0) | (x <= 1) & (x >= 2)
((x > 0) | (x < 1)) & (x > 2)
(x > 0) ^ (x == 1)
(x > 0) | (x < 1) ^ (x > 2)
((x > 0) | (x < 1)) ^ (x > 2)
(x > 0) ^ (x < 1) & (x > 2)
((x > 0) ^ (x < 1)) & (x > 2)
(x > 0) == (x < 1)
~(x > 0)
~(x > 0) & (x < 1)
abs(x)
exp(-x) ** 2
sin(x) * cos(x) - tanh(sigmoid(x))
gelu_tanh(-x) * silu(x)
maximum(x, 0.0)
where(x > 0.0, x, -x)
if_(x > 0, sqrt(x), -x)
if_(x > 0, x, 0.0) + 1
x * True
0.1 + x
1e-300 * x
x * 123456789012345678901234567890
float('inf') * x
float('-inf') * x
float('nan') * x
float32(2.0) * x
float32(0.1) * x
float32('inf') * x
int64(3) + x
x * array([1.0, 2.0])
x + empty((0, 2), dtype=int)
""".strip().splitlines()


@pytest.mark.parametrize("text", AS_WRITTEN)
def test_scalar_formulas(text: str) -> None:
    x, w = placeholder(float), weight(2.0)
    shown = str(run(text, {"x": x, "w": w}))
    wanted = text.replace("w", "weight(2.0)") if "* w" in text else text
    wanted = wanted.replace("[1.0, 2.0]", "[1., 2.]").replace("dtype=int)", "dtype=int64)")
    assert shown == wanted


ARRAYS = """
x[0]
x[0, 1]
x[..., 1:]
x[:, None]
x[::-1]
x[()]
(x + 1)[0]
-x[0]
(-x)[0]
x[0][1:]
sum(x)
sum(x, axis=0)
sum(x, axis=(0, 1), keepdims=True)
mean(x, axis=-1)
max(x) - min(x)
argmax(x, axis=0)
reshape(x, shape=(3, 2))
permute_dims(x, axes=(1, 0))
matrix_transpose(x) @ x
x @ matrix_transpose(x) @ x
x @ (matrix_transpose(x) @ x)
x @ matrix_transpose(x) * 2.0
x * 2.0 @ matrix_transpose(x)
x / 2.0 @ matrix_transpose(x)
x % 2.0 @ matrix_transpose(x) // 3.0
concat([x, x], axis=1)
concat([x])
take(x, array([0, 1]))
take(x, array([2, 0]), axis=1)
expand_dims(x, axis=1)
exp(log_softmax(x))
log_softmax(x, axis=0)
softmax(x)
softmax(x, axis=(0, 1))
logsumexp(x, keepdims=True)
vector_norm(x, axis=0)
prod(x)
cumulative_sum(x, axis=-1)
hypot(x, tan(x)) + atan2(x, 2.0)
round(cbrt(x)) * softplus(x)
broadcast_to(x, shape=(4, 2, 3))
relu(x)
zeros_like(x) + ones_like(x)
stop_gradient(x)
max_pool2d(x[None, :, :, None], window=(2, 2), stride=(1, 1))
""".strip().splitlines()


@pytest.mark.parametrize("text", ARRAYS)
def test_array_formulas(text: str) -> None:
    x = placeholder(ArraySpec((2, 3), np.float32))
    formula = run(text.replace("window=(2, 2)", "(2, 2)"), {"x": x})
    assert str(formula) == text


SHORTER = [
    ("x.T", "matrix_transpose(x)"),
    ("square(x)", "x * x"),
    ("positive(x)", "x"),
    ("reciprocal(x)", "1.0 / x"),
    ("astype(x, 'float64')", "astype(x, dtype='float64')"),
    ("x[[0, 1]]", "take(x, array([0, 1]))"),
    ("x[:, [0, 1]]", "take(x, array([0, 1]), axis=1)"),
    ("hook(x, print)", "hook(x, function=print)"),
    ("literal((1.0, 2))", "(1.0, 2)"),
    ("x ** 2 ** 3", "x ** 8"),
    ("conv2d(x[None, :, :, None], 2, 1, bias=False)", "conv2d(x[None, :, :, None], weight(<{}>))"),
    ("dense(x, 1, bias=False, kernel=initializers.ones)", "x @ weight(array([[1.], [1.], [1.]], dtype=float32))"),
]


@pytest.mark.parametrize(("text", "shown"), SHORTER)
def test_what_prints_by_what_it_is_made_of(text: str, shown: str) -> None:
    formula = str(run(text, {"x": placeholder(ArraySpec((2, 3), np.float32))}))
    if "{}" in shown:
        assert formula.startswith(shown.split("<")[0])
    else:
        assert formula == shown


def test_parts_of_a_tuple() -> None:
    x, y = placeholder((float, (float, float)))
    assert str(x * y[1]) == "x[0] * x[1][1]"
    assert str(wrap(Tuple((x, y)), (float, (float, float)))) == "(x[0], x[1])"
    assert str(wrap(Tuple((x,)), (float, (float, float)))) == "(x[0],)"
    # The part of a tuple that was just made is what was put there.
    assert str(wrap(Item(Tuple((Times(x, 2.0), x)), 0), (float, (float, float)))) == "x[0] * 2.0"


def test_shared_parts_stand_first() -> None:
    x, y = placeholder((float, float))
    once = x + y
    assert str(once * once) == "a = x[0] + x[1]\na * a"
    twice = sy.exp(once) * once
    assert str(twice - twice) == "a = x[0] + x[1]\nb = exp(a) * a\nb - b"
    # What is short is written out again.
    assert str(x * x - 2.0 * x) == "x[0] * x[0] - 2.0 * x[0]"


def test_a_weight_that_is_used_twice_is_one_weight() -> None:
    x, w = placeholder(float), weight(2.0, name="slope")
    assert str(w * x + w) == "a = weight(2.0, name='slope')\na * x + a"
    with optimizer(SGD(0.1)):
        assert str(weight(1.5, optimizer=SGD(0.2)) * x) == "weight(1.5) * x"
    w.layer.set(3.0)  # type: ignore[attr-defined]  # a Weight
    assert str(w * x) == "weight(3.0, name='slope') * x"


def test_compositions_are_put_in_place() -> None:
    x = placeholder(float)
    f, g = sy.sin(x) + 1, 2 * x
    assert str(f(g)) == "sin(2 * x) + 1"
    assert str(f(f)) == "sin(sin(x) + 1) + 1"
    assert str(f(3.0)) == "sin(3.0) + 1"
    assert str((x * x)(x + 1)) == "a = x + 1\na * a"
    a, b = placeholder((float, float))
    assert str((a - b)(x, f)) == "x - (sin(x) + 1)"
    assert str(f(a * b)) == "sin(x[0] * x[1]) + 1"


def test_a_composition_within_a_branch() -> None:
    x = placeholder(float)
    formula = sy.if_(x > 0.0, x * 2.0, -x)(x - 1.0)
    assert str(formula) == "a = x - 1.0\nif_(a > 0.0, a * 2.0, -a)"
    assert str(wrap(If(True, Compose(Exp(Identity()), Literal(2.0)), Identity()), float)) == "if_(True, exp(2.0), x)"


def test_large_constants_are_shortened() -> None:
    x = placeholder(ArraySpec((10, 10), np.float32))
    assert str(x * np.ones((10, 10), np.float32)) == "x * <float32 (10, 10)>"
    assert str(x @ weight(np.ones((10, 2), np.float32))) == "x @ weight(<float32 (10, 2)>)"


def test_formats() -> None:
    f = 2.0 * placeholder(float)
    assert f"{f}" == str(f) == repr(f) == "2.0 * x"
    assert f"{f:code}" == f"{f.layer:full}" == "Times(Literal(2.0), Identity())"
    assert f"{f:formula}" == "2.0 * x"
    assert f"{f:full}" == "x = placeholder(float)\n2.0 * x"
    for style in (".2f", "tree:", "tree:wide", "tree60", "Full"):
        with pytest.raises(ValueError, match=f"no format '{style}': there are 'code', 'full', 'formula', 'unicode'"):
            format(f, style)


# Any formula, run as code, is the same formula again.

_CONSTANT = st.one_of(st.integers(-3, 3), st.sampled_from([0.5, -1.5, 2.0, -0.0, 1e-9, 3e40])).map(repr)
_ARITHMETIC = st.sampled_from(["+", "-", "*", "/", "//", "%", "**"])
_COMPARISON = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
_FUNCTION = st.sampled_from(["sin", "exp", "tanh", "sigmoid", "relu", "abs", "sign"])


def _grow(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operand = st.one_of(part, _CONSTANT)
    condition = st.builds("({}) {} ({})".format, part, _COMPARISON, operand)
    return st.one_of(
        st.builds("({}) {} ({})".format, part, _ARITHMETIC, operand),
        st.builds("({}) {} ({})".format, operand, _ARITHMETIC, part),
        st.builds("{}({})".format, _FUNCTION, part),
        st.builds("-({})".format, part),
        st.builds("maximum({}, {})".format, operand, part),
        st.builds("where({}, {}, {})".format, condition, operand, operand),
        st.builds("where((({}) & ~({})) | ({}), {}, 2)".format, condition, condition, condition, operand),
        st.builds("if_({}, {}, {})".format, condition, part, part),
        st.builds("(lambda s: s * s - s)({})".format, part),
    )


FORMULAS = st.recursive(st.sampled_from(["x", "y"]), _grow, max_leaves=10)


@settings(max_examples=150)
@given(FORMULAS, st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_text_is_code(source: str, first: float, second: float) -> None:
    x, y = placeholder((float, float))
    formula = run(source, {"x": x, "y": y})
    again = run(str(formula), {"x": (x, y)})
    assert again.layer == formula.layer
    assert repr(again.predict((first, second))) == repr(formula.predict((first, second)))
