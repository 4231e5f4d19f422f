"""What ``symbolic`` makes public: the names of the Array API standard, the blocks, and nothing else."""

from __future__ import annotations

import inspect
import math
import pkgutil
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import symbolic as sy
import symbolic.functions
from symbolic import Symbolic
from tests.symbolic.support import array_of

FAMILIES = [
    import_module(f"symbolic.functions.{found.name}")
    for found in pkgutil.iter_modules(symbolic.functions.__path__)
    if not found.name.startswith("_")
]

# https://data-apis.org/array-api/2024.12, as far as it is here; and what goes beyond it.
STANDARD = """
abs acos acosh add argmax asin asinh astype atan atan2 atanh bitwise_and bitwise_invert bitwise_or bitwise_xor
broadcast_to ceil clip concat cos cosh cumulative_prod cumulative_sum divide equal exp expand_dims expm1 floor
floor_divide greater greater_equal hypot less less_equal log log10 log1p log2 logaddexp matmul matrix_transpose max
maximum mean min minimum multiply negative not_equal ones_like permute_dims positive pow prod reciprocal remainder
reshape round sign sin sinh sqrt square squeeze stack std subtract sum take tan tanh trunc var where zeros_like
"""
BEYOND = """
cbrt elu flatten gelu_tanh hook if_ leaky_relu logsumexp relu sigmoid silu softplus softsign stop_gradient vector_norm
"""


OF_PYTHON = {"abs", "max", "min", "pow", "round", "sum"}
"""Functions that a star import leaves to Python."""

ROOMS = ("attention", "derivatives", "initializers", "losses", "nn", "parsing", "simplification", "solvers")


def test_all_is_the_sum_of_the_rooms() -> None:
    rooms = [*FAMILIES, *map(import_module, ("symbolic.building.decorator", "symbolic.building.placeholders"))]
    rooms += [sy.losses, sy.nn, sy.attention, sy.derivatives, sy.parsing, sy.simplification, sy.solvers]
    names = [name for room in rooms for name in room.__all__]
    assert len(names) == len(set(names))
    everything = [*names, *ROOMS, "Formula", "Symbolic", "seed"]
    assert sorted([*sy.__all__, *OF_PYTHON]) == sorted(everything)


def test_no_name_is_private_or_strays_in() -> None:
    for name in sy.__all__:
        found = getattr(sy, name)
        assert not name.startswith("_")
        if inspect.ismodule(found):
            assert name in ROOMS
        elif name != "Formula":
            assert found.__module__.startswith("symbolic")


def test_a_star_import_brings_all() -> None:
    namespace: dict[str, Any] = {}
    exec("from symbolic import *", namespace)
    assert set(sy.__all__) <= set(namespace)
    assert not {"functions", "Any", "annotations", "apply", "np", "TYPE_CHECKING"} & set(namespace)


def test_a_star_import_leaves_the_functions_of_python() -> None:
    assert not OF_PYTHON & set(sy.__all__)
    assert set(dir(sy)) >= OF_PYTHON
    x = sy.placeholder(float)
    assert repr(abs(x)) == "abs(x)"
    assert repr(round(x)) == "round(x)"
    assert round(2.345, 2) == 2.35
    with pytest.raises(TypeError, match=r"round\(x, 2\) builds no formula.*round\(x \* 1e2\) / 1e2"):
        round(x, 2)


@pytest.mark.parametrize("name", [name for name in sy.__all__ if name != "Formula"])
def test_every_name_is_documented(name: str) -> None:
    found = getattr(sy, name)
    assert found.__doc__ is not None
    assert len(found.__doc__) > 20


def test_functions_are_those_of_the_standard_and_a_few_more() -> None:
    names = sorted(name for family in FAMILIES for name in family.__all__)
    assert names == sorted([*STANDARD.split(), *BEYOND.split()])


@pytest.mark.parametrize("name", STANDARD.split())
def test_operands_are_positional_as_the_standard_has_them(name: str) -> None:
    first, *_ = inspect.signature(getattr(sy, name)).parameters.values()
    assert first.kind is first.POSITIONAL_ONLY
    assert callable(getattr(np, name))


DATA = np.array([[0.5, -1.25, 2.0], [1.0, 3.5, -0.75]], np.float32)
UNARY = """
abs acos acosh asin asinh atan atanh cbrt ceil cos cosh exp expm1 floor log log10 log1p log2 negative positive
reciprocal round sign sin sinh sqrt square tan tanh trunc
"""
BINARY = """
add subtract multiply divide floor_divide remainder pow maximum minimum less less_equal greater greater_equal equal
not_equal hypot atan2 logaddexp
"""


@pytest.mark.parametrize("name", UNARY.split())
def test_functions_of_one_operand(name: str) -> None:
    formula = getattr(sy, name)(array_of(2, 3))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(formula.predict(DATA), getattr(np, name)(DATA), rtol=1e-6)


@pytest.mark.parametrize("name", BINARY.split())
def test_functions_of_two_operands(name: str) -> None:
    x = array_of(2, 3)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(getattr(sy, name)(x, 1.5).predict(DATA), getattr(np, name)(DATA, 1.5), rtol=1e-6)
        np.testing.assert_allclose(getattr(sy, name)(2, x).predict(DATA), getattr(np, name)(2, DATA), rtol=1e-6)


def test_functions_take_plain_data() -> None:
    assert sy.exp(0.0).predict() == 1.0
    assert sy.sum([1, 2, 3]).predict() == 6
    assert sy.matmul(np.ones((2, 3)), np.ones(3)).predict().tolist() == [3.0, 3.0]
    assert sy.concat([[1.0], [2.0]]).predict().tolist() == [1.0, 2.0]
    assert sy.positive(2.5).predict() == 2.5
    assert isinstance(sy.positive(2.5), Symbolic)


def _var(x: Any, correction: int) -> Any:
    return x.var(axis=1, ddof=correction, keepdims=True)


SHAPES: list[tuple[str, Any, Any]] = [
    ("reshape", lambda x: sy.reshape(x, (3, -1)), lambda x: x.reshape(3, -1)),
    ("flatten", lambda x: sy.flatten(sy.reshape(x, (1, 2, 3))), lambda x: x.reshape(1, 6)),
    ("flatten-rows", lambda x: sy.flatten(x), lambda x: x),
    ("permute_dims", lambda x: sy.permute_dims(x, (-1, 0)), lambda x: x.T),
    ("matrix_transpose", lambda x: sy.matrix_transpose(x), lambda x: x.T),
    ("T", lambda x: x.T, lambda x: x.T),
    ("mT", lambda x: sy.stack([x, x]).mT, lambda x: np.stack([x, x]).transpose(0, 2, 1)),
    ("broadcast_to", lambda x: sy.broadcast_to(x, (4, 2, 3)), lambda x: np.broadcast_to(x, (4, 2, 3))),
    ("expand_dims", lambda x: sy.expand_dims(x, axis=-1), lambda x: x[..., None]),
    ("squeeze", lambda x: sy.squeeze(x[:, None, :, None], (1, -1)), lambda x: x),
    ("squeeze-one", lambda x: sy.squeeze(x[None], 0), lambda x: x),
    ("concat", lambda x: sy.concat([x, x + 1.0], axis=-1), lambda x: np.concatenate([x, x + 1.0], axis=-1)),
    ("stack", lambda x: sy.stack([x, -x], axis=1), lambda x: np.stack([x, -x], axis=1)),
    ("take", lambda x: sy.take(x, [1, 1, 0]), lambda x: x[[1, 1, 0]]),
    ("take-axis", lambda x: sy.take(x, [[2], [0]], axis=-1), lambda x: x[:, [[2], [0]]]),
    ("astype", lambda x: sy.astype(x, np.int64), lambda x: x.astype(np.int64)),
    ("astype-name", lambda x: sy.astype(x > 0.0, "float32"), lambda x: (x > 0.0).astype(np.float32)),
    ("zeros_like", lambda x: sy.zeros_like(x), lambda x: np.zeros_like(x)),
    ("ones_like", lambda x: sy.ones_like(x), lambda x: np.ones_like(x)),
    ("argmax", lambda x: sy.argmax(x), lambda x: np.argmax(x)),
    ("argmax-flat-kept", lambda x: sy.argmax(x, keepdims=True), lambda x: np.argmax(x, keepdims=True)),
    ("argmax-axis", lambda x: sy.argmax(x, axis=-1), lambda x: np.argmax(x, axis=-1)),
    ("argmax-kept", lambda x: sy.argmax(x, axis=0, keepdims=True), lambda x: np.argmax(x, axis=0, keepdims=True)),
    ("min", lambda x: sy.min(x, axis=(0, 1)), lambda x: x.min()),
    ("clip", lambda x: sy.clip(x, -1.0, 1.5), lambda x: np.clip(x, -1.0, 1.5)),
    ("clip-below", lambda x: sy.clip(x, min=0.5), lambda x: np.maximum(x, 0.5)),
    ("clip-above", lambda x: sy.clip(x, max=0.5), lambda x: np.minimum(x, 0.5)),
    ("clip-not-at-all", lambda x: sy.clip(x), lambda x: x),
    ("prod", lambda x: sy.prod(x, axis=0), lambda x: x.prod(axis=0)),
    ("prod-all", lambda x: sy.prod(x), lambda x: x.prod()),
    ("logsumexp", lambda x: sy.logsumexp(x, axis=1), lambda x: np.log(np.exp(x).sum(axis=1))),
    ("var", lambda x: sy.var(x), lambda x: x.var()),
    ("var-of-a-sample", lambda x: sy.var(x, axis=1, correction=1, keepdims=True), lambda x: _var(x, 1)),
    ("std", lambda x: sy.std(x, axis=(0, 1), correction=0.5), lambda x: np.sqrt(x.var() * 6 / np.float32(5.5))),
    ("std-of-a-sample", lambda x: sy.std(x, axis=-1, correction=1.0, keepdims=True), lambda x: np.sqrt(_var(x, 1))),
    ("vector_norm", lambda x: sy.vector_norm(x, axis=0), lambda x: np.sqrt((x * x).sum(axis=0))),
    ("vector_norm-all", lambda x: sy.vector_norm(x, keepdims=True), lambda x: np.sqrt((x * x).sum(keepdims=True))),
    ("vector_norm-1", lambda x: sy.vector_norm(x, axis=1, ord=1), lambda x: np.abs(x).sum(axis=1)),
    ("vector_norm-inf", lambda x: sy.vector_norm(x, axis=1, ord=math.inf), lambda x: np.abs(x).max(axis=1)),
    ("cumulative_sum", lambda x: sy.cumulative_sum(x, axis=0), lambda x: x.cumsum(axis=0)),
    ("cumulative_sum-vector", lambda x: sy.cumulative_sum(x[0]), lambda x: x[0].cumsum()),
    ("cumulative_prod", lambda x: sy.cumulative_prod(x, axis=-1), lambda x: x.cumprod(axis=1)),
    ("mean", lambda x: sy.mean(x, axis=0, keepdims=True), lambda x: x.mean(axis=0, keepdims=True)),
]


@pytest.mark.parametrize(("build", "wanted"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_shapes(build: Any, wanted: Any) -> None:
    formula, value = build(array_of(2, 3)), np.asarray(wanted(DATA))
    assert formula.shape == value.shape
    assert formula.dtype == value.dtype
    np.testing.assert_allclose(formula.predict(DATA), value, rtol=1e-6)
    unknown = build(array_of(None, 3)) if "reshape" not in str(formula) else formula
    assert unknown.ndim == value.ndim
    np.testing.assert_allclose(unknown.predict(DATA), value, rtol=1e-6)


WRONG: list[tuple[Any, type[Exception], str]] = [
    (
        lambda x: sy.flatten(x[0]),
        ValueError,
        "flatten(x[0]: float32 (3,)): a batch axis and more",
    ),
    (lambda x: sy.flatten((x, x)), ValueError, "a batch axis and more"),
    (lambda x: sy.squeeze(x, 0), ValueError, "squeeze(x: float32 (2, 3)): axis 0 has size 2, not 1"),
    (lambda x: sy.squeeze(x, 5), ValueError, "axis 5 is out of range: the operand has 2 axes"),
    (lambda x: sy.squeeze(array_of(None, 3), 0), ValueError, "axis 0 has size ?, not 1"),
    (lambda x: sy.squeeze(array_of("N", 3), 0), ValueError, "axis 0 has size N, not 1"),
    (lambda x: sy.squeeze(sy.sum(x), 0), ValueError, "the operand has 0 axes"),
    (lambda x: sy.squeeze(x, "a"), TypeError, "squeeze: axis = ('a',) is not allowed"),
    (lambda x: sy.squeeze((x, x), 0), ValueError, "one array is wanted, no tuple"),
    (lambda x: sy.concat([]), ValueError, "concat(): nothing to join: give one operand or more"),
    (lambda x: sy.stack([]), ValueError, "nothing to join"),
    (lambda x: sy.concat(x), TypeError, "cannot be iterated over"),
    (lambda x: sy.reshape(x, 6), TypeError, "Reshape.shape = 6 is not allowed: give a tuple of int of at least -1"),
    (lambda x: sy.reshape(x, (2.0, 3)), TypeError, "Reshape.shape = (2.0, 3) is not allowed"),
    (lambda x: sy.reshape(x, (-2, 3)), ValueError, "Reshape.shape = (-2, 3) is not allowed"),
    (lambda x: sy.broadcast_to(x, (-1, 3)), ValueError, "BroadcastTo.shape = (-1, 3) is not allowed"),
    (lambda x: sy.sum(x, axis=1.0), TypeError, "Sum.axis = 1.0 is not allowed: give int or a tuple of int or None"),
    (lambda x: sy.sum(x, axis="a"), TypeError, "Sum.axis = 'a' is not allowed"),
    (lambda x: sy.sum(x, keepdims=1), TypeError, "Sum.keepdims = 1 is not allowed: give bool"),
    (lambda x: sy.cumulative_sum(x), ValueError, "cumulative_sum(x: float32 (2, 3)): of an array that is no vector"),
    (lambda x: sy.cumulative_prod((x[0], x[1])), ValueError, "say along which axis"),
    (lambda x: sy.cumulative_prod(x, axis=2), ValueError, "axis 2 is out of range: the operand has 2 axes"),
    (lambda x: sy.vector_norm(x, ord=3), ValueError, "vector_norm: ord = 3 is not allowed: give 1, 2 or math.inf"),
    (lambda x: sy.vector_norm(sy.astype(x, int)), TypeError, "vector_norm(astype(x"),
    (lambda x: sy.std(x, correction="a"), TypeError, "std: correction = 'a' is not allowed"),
    (lambda x: sy.silu(sy.astype(x, int)), TypeError, "floats are wanted, so cast it"),
    (lambda x: sy.round(x > 0.0), TypeError, "round is not defined for bool (2, 3): cast the operand first"),
    (lambda x: sy.take(x, [0], axis=None), TypeError, "Take.axis = None is not allowed: give int"),
    (lambda x: sy.astype(x, "bogus"), TypeError, "Cast.dtype = 'bogus' is not allowed: give dtype"),
    (lambda x: sy.astype(x, None), TypeError, "Cast.dtype = None is not allowed"),
    (lambda x: sy.astype(x, complex), TypeError, "complex128 is not allowed: give one of real numbers or of booleans"),
    (lambda x: sy.astype(x, object), TypeError, "object is not allowed"),
    (lambda x: sy.hook(x, 3), TypeError, "Hook.function = 3 is not allowed: give a function of the value"),
    (lambda x: x[0].T, ValueError, ".T is for matrices; use .mT or permute_dims"),
    (lambda x: sy.exp("text"), TypeError, "'text' cannot be computed with"),
    (lambda x: sy.sum([x, x]), TypeError, "is a list of formulas: stack or concat join them"),
]


@pytest.mark.parametrize(("build", "error", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_wrong_options(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        build(array_of(2, 3))
    assert words in str(caught.value)
    assert caught.value.__cause__ is None
