"""The rules are written once: the derivative as a formula agrees with the derivative as numbers."""

from __future__ import annotations

import numpy as np

from layertree import Exp, Identity, Input, Sin, Times, Tuple, nodes
from layertree.core.spec import ArraySpec, spec_of
from layertree.namespaces.spec import infer_spec
from layertree.rewrite.reverse_mode import INPUT, derivatives
from tests.layers import checks
from tests.layers.sample import Sample
from tests.layers.samples import SAMPLES
from tests.layers.test_table import has_cells, some_samples


@some_samples(lambda sample: sample.differentiable)
def test_tree_agrees(sample: Sample) -> None:
    checks.check_tree(sample, spec_of(sample.input))


@some_samples(lambda sample: not sample.differentiable)
def test_no_tree_where_there_is_no_delta(sample: Sample) -> None:
    assert checks.tree_deltas(sample, spec_of(sample.input)) == {}


@some_samples(lambda sample: sample.differentiable and sample.batch)
def test_tree_of_unknown_rows_agrees(sample: Sample) -> None:
    for rows in (None, "Batch"):
        checks.check_tree(sample, checks.unknown_rows(sample, rows))


@some_samples(lambda sample: sample.differentiable)
def test_tree_of_weights_agrees(sample: Sample) -> None:
    checks.check_tree_of_weights(sample)


@some_samples(lambda sample: sample.differentiable)
def test_tree_has_the_spec_of_its_operand(sample: Sample) -> None:
    for i, tree in checks.tree_deltas(sample, spec_of(sample.input)).items():
        assert infer_spec(tree, spec_of(sample.input)) == spec_of(sample.operands[i])


@some_samples(lambda sample: sample.differentiable and not sample.kink)
def test_second_order(sample: Sample) -> None:
    checks.check_second_order(sample)


@some_samples(lambda sample: sample.differentiable)
def test_equal_nodes_are_one(sample: Sample) -> None:
    checks.check_tree_shares(sample)


def test_second_order_says_something() -> None:
    """Enough samples have second derivatives that are not 0, so that the comparison is not of zeros."""
    curved = {"Times", "Divide", "Power", "Exp", "Log", "Sin", "Cos", "Sqrt", "Tanh", "Sigmoid"}
    curved |= {"Remainder", "MatMul", "Conv2D", "LogSoftmax", "Compose"}
    found = set()
    for sample in SAMPLES:
        if sample.cls.__name__ in curved and not has_cells(sample):
            for tree in checks.tree_deltas(sample, spec_of(sample.input)).values():
                x = Input(sample.input)
                tape = tree.forward(x)
                if tape.is_trainable and x in tape.gradients(checks.delta_for(sample, tape.value)):
                    found.add(sample.cls.__name__)
    assert found == curved


def test_shares_the_nodes_of_the_forward_formula() -> None:
    forward = Exp(Sin(Identity()))
    derivative = derivatives(forward, ArraySpec((3,)), np.ones(3))[INPUT]
    assert any(node is forward for node in nodes(derivative))
    assert any(node is forward.operand for node in nodes(Tuple((derivative, forward))))


def test_equal_nodes_of_the_forward_formula_become_one() -> None:
    twice = Times(Exp(Identity()), Exp(Identity()))
    derivative = derivatives(twice, spec_of(1.5))[INPUT]
    assert sum(isinstance(node, Exp) for node in nodes(derivative)) == 1
