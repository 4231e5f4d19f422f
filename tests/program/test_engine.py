"""The seam for engines: a reference engine gives what compiled NumPy gives; what an engine lacks is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import SGD, Adam, DTypeError, Identity, Input, Momentum, Tuple, compile, inference, replace
from layertree.core.spec import WEAK
from layertree.program.compiled import compiled
from layertree.program.engine import Plan, executable
from layertree.program.numpy_engine import NUMPY_ENGINE
from layertree.program.options import Options
from layertree.program.passes.legalization import EXPANSIONS
from layertree.program.training_step import TrainingStep
from layertree.typing import ArraySpec
from symbolic import placeholder, seed, weight
from tests.layers.checks import delta_for
from tests.layers.sample import Sample
from tests.program import test_cells as cells
from tests.program import test_effects as effects
from tests.program.graphs import graph_of, op, source
from tests.program.networks import batch, convolutional, mlp
from tests.program.reference_engine import ReferenceEngine
from tests.program.test_table import agree, compare_deltas, differentiable, every_sample, in_single, total

REFERENCE = Options(engine=ReferenceEngine())


def by_reference(formula: Any, options: Options = REFERENCE) -> Any:
    """A formula, compiled by the reference engine."""
    return compiled(formula, Identity(), options)


def step_by_reference(objective: Any, rule: Any = None) -> TrainingStep[Any, Any]:
    return TrainingStep(objective, rule, REFERENCE)


def follow(objective: Any, batches: list[Any], rule: Any = None) -> None:
    """Steps by both engines, side by side over some batches: the values, and all that the cells hold."""
    twin = copy.deepcopy(objective)
    before = cells.contents(objective)
    step, other = compile(objective, train=True, optimizer=rule), step_by_reference(twin, rule)
    for one in batches:
        agree(other(one), step(one))
        cells.agree(twin, objective)
    assert any(np.any(one != other) for one, other in zip(before, cells.contents(twin), strict=False))


@every_sample
def test_value(sample: Sample) -> None:
    formula = inference(sample.layer)
    for data in (sample.input, in_single(sample.input)):
        agree(by_reference(formula).predict(data), compile(formula).predict(data))


@differentiable
def test_deltas(sample: Sample) -> None:
    found: list[Any] = []
    for layer in (by_reference(sample.layer), compile(sample.layer)):
        given = Input(sample.input)
        tape = layer.forward(given)
        found.append(tape.gradients(delta_for(sample, tape.value))[given])
    compare_deltas(*found)


@differentiable
def test_a_step(sample: Sample) -> None:
    (formula, weights), (other, others) = [sample.over_weights(sample.operands) for _ in range(2)]
    objective, twin = total(formula), total(other)
    if objective is None:
        return
    step, reference = compile(objective, train=True, optimizer=SGD(0.125)), step_by_reference(twin, SGD(0.125))
    for _ in range(2):
        agree(reference(None), step(None))
    for position, one in weights.items():
        agree(others[position].value, one.value)


@pytest.mark.parametrize("rule", cells.RULES, ids=repr)
def test_every_rule(rule: Any) -> None:
    """Dense layers, whose weights are updated as one array where the rule allows that; and a number."""
    follow(mlp(), [batch(4, 6, number=number) for number in range(3)], rule)
    x = placeholder(float)
    follow((x * weight(0.5) + weight(-1.0)) ** 2, [1.0, 2.0, -3.0], rule)


def recurrent() -> Any:
    """Some steps of a recurrence, unrolled: enough terms for rerolling."""
    with seed(0):
        rows, labels = placeholder((ArraySpec((4, 12, 3), np.float32), ArraySpec((4,), np.int64)))
        kernel, h = weight(np.full((5, 5), 0.1, np.float32)), sy.nn.dense(rows[:, 0], 5)
        into = weight(np.full((3, 5), 0.2, np.float32))
        for step in range(12):
            h = sy.tanh(rows[:, step] @ into + h @ kernel)
        return sy.cross_entropy(sy.nn.dense(h, 3), labels)


def normed() -> Any:
    """Batch normalization and a running average."""
    with seed(0):
        rows = placeholder(ArraySpec(("Batch", 5), np.float32))
        found = sy.mean(sy.tanh(sy.batch_norm(sy.nn.dense(rows, 4))) ** 2)
        return found + sy.running_average(sy.mean(rows), 0.25)


def attention() -> Any:
    """Embeddings, layer norms and causal attention."""
    with seed(0):
        tokens, targets = placeholder((ArraySpec((2, 6), np.int64), ArraySpec((2, 6), np.int64)))
        h: Any = sy.layer_norm(sy.take(weight(np.linspace(-1, 1, 32).reshape(4, 8)), tokens))
        query, key, value = (sy.nn.dense(h, 8, bias=False) for _ in range(3))
        h = sy.gelu_tanh(h + sy.scaled_dot_product_attention(query, key, value, causal=True))
        return sy.cross_entropy(sy.nn.dense(h, 4), targets)


NETWORKS: dict[str, tuple[Any, list[Any]]] = {
    "dropout": (lambda: mlp((6, 8, 8, 3), rate=0.4), [batch(rows, 6) for rows in (4, 7, 4)]),
    "convolutions": (convolutional, [batch(5, 8, 8, 1, number=number) for number in range(2)]),
    "batch norm": (normed, [batch(6, 5, number=number)[0] for number in range(3)]),
    "a recurrence": (recurrent, [(batch(4, 12, 3)[0], batch(4)[1])] * 2),
    "attention": (attention, [(np.arange(12).reshape(2, 6) % 4, np.arange(5, 17).reshape(2, 6) % 3)] * 2),
    "rows in parts": (lambda: mlp((100, 16, 3)), [batch(3000, 100)]),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("rule", [SGD(0.1), Adam(0.01)], ids=repr)
def test_networks(name: str, rule: Any) -> None:
    make, batches = NETWORKS[name]
    follow(make(), batches, rule)


@pytest.mark.parametrize("name", effects.FORMULAS)
def test_side_effects(name: str) -> None:
    make, data = effects.FORMULAS[name]
    found: list[Any] = []
    for step_of in (lambda one: compile(one, train=True), step_by_reference, lambda one: by_reference(one).train):
        formula = make()
        step = step_of(formula)
        found.append(([float(step(data)) for _ in range(3)], effects.cells(formula)))
    assert found[1:] == [found[0]] * 2


@pytest.mark.parametrize("rule", [SGD(0.1), Momentum(0.1)], ids=repr)
def test_branches(rule: Any) -> None:
    """A weight in the side that is not taken makes no step; branches are inside of branches."""
    x = placeholder(float)
    inner = sy.if_(x > 2.0, x * weight(3.0), sy.exp(weight(0.5)))
    follow(sy.if_(x > 0.0, inner * weight(2.0), x * x * weight(-1.0)), [1.0, 3.0, -2.0], rule)


def test_hooks_see_the_values_in_their_order() -> None:
    found: list[list[Any]] = []
    for run in (lambda formula: compile(formula).predict, lambda formula: by_reference(formula).predict):
        seen: list[Any] = []
        x = placeholder(float)
        both = sy.hook(x * 2.0, seen.append)
        formula = sy.if_(x > 0.0, sy.hook(both + 1.0, seen.append), sy.hook(both - 1.0, seen.append)) + both
        seen.append([run(formula)(data) for data in (1.0, -1.0)])
        found.append(seen)
    assert found[0] == found[1] == [2.0, 3.0, -2.0, -3.0, [5.0, -5.0]]


def test_results_are_no_arrays_of_the_caller() -> None:
    data = np.arange(6.0).reshape(2, 3)
    transposed = sy.matrix_transpose(placeholder(ArraySpec((2, 3))))
    given, turned = by_reference(Tuple((Identity(), transposed.layer))).predict(data)
    data[:] = 0.0
    np.testing.assert_array_equal(given, np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(turned, given.T)
    assert not given.flags.writeable
    assert not turned.flags.writeable


def test_what_an_engine_lacks_is_computed_by_its_definition() -> None:
    """The reference engine has none of these primitives, which the networks above lower to."""
    assert not REFERENCE.engine.primitives & EXPANSIONS.keys()  # type: ignore[union-attr,operator]  # a set here
    assert all(name in NUMPY_ENGINE.primitives for name in ("max_pool2d", "max_unpool2d", "masked", "sum_of_last"))


def test_a_primitive_that_an_engine_lacks_is_refused() -> None:
    x = placeholder(ArraySpec((3,)))
    formula = by_reference(sy.sin(x) + 1.0, Options(engine=ReferenceEngine("sin")))
    with pytest.raises(DTypeError, match=r"the engine 'reference' has no primitive 'sin', .*: Sin, sin\(x\)"):
        formula.predict(np.ones(3))
    other = by_reference(sy.cos(x) + 1.0, Options(engine=ReferenceEngine("sin")))
    np.testing.assert_allclose(other.predict(np.ones(3)), np.cos(1.0) + 1.0)


def test_a_primitive_in_a_branch_is_refused_before_it_runs() -> None:
    x = placeholder(float)
    formula = by_reference(sy.if_(x > 0.0, sy.sin(x), x), Options(engine=ReferenceEngine("sin")))
    with pytest.raises(DTypeError, match="no primitive 'sin'"):
        formula.predict(-1.0)


@pytest.mark.parametrize("engine", [NUMPY_ENGINE, ReferenceEngine()], ids=["numpy", "reference"])
def test_a_new_primitive_is_refused_by_name(engine: Any) -> None:
    x = source()
    graph = graph_of(x, found := op("haversine", x), outputs=(found,))
    with pytest.raises(DTypeError, match=f"the engine '{engine.name}' has no primitive 'haversine'"):
        executable(graph, Plan((), WEAK[float]), engine)


def test_reports_are_on_programs_in_numpy() -> None:
    step = step_by_reference(placeholder(float) * weight(2.0))
    assert step(3.0) == 6.0
    assert "multiply" in step.source
    assert str(step) == repr(step)
    for report in (lambda: step.memory, lambda: step.profile(3.0), lambda: step.reserve(3.0), step.explain):
        with pytest.raises(TypeError, match="reports on programs in NumPy: got a ReferenceProgram"):
            report()


def test_an_engine_may_refuse_an_option() -> None:
    formula = by_reference(placeholder(float) + 1.0, REFERENCE._replace(limit=0))
    with pytest.raises(TypeError, match="neither a limit"):
        formula.predict(1.0)


def test_a_compiled_layer_keeps_its_engine() -> None:
    """Also in inference mode, and after a rewriting."""
    w = weight(2.0)
    formula = by_reference(sy.dropout(placeholder(float) * w, 0.5))
    changed = replace(formula, w.layer, weight(3.0).layer)
    for one, result in ((inference(formula), 2.0), (inference(changed), 3.0)):
        assert one.engine is REFERENCE.engine
        assert one.predict(1.0) == result
