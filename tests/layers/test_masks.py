"""The delta of a side that ``where`` selects, through every layer of the table: by tape and as a formula."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree import Dropout, Input, Literal, Where, nodes
from layertree.core.spec import spec_of
from layertree.namespaces.classification import has_elementwise_rules
from layertree.rewrite.reverse_mode import INPUT, derivatives
from layertree.tape.run import forward
from tests.layers.checks import close, delta_for, given_deltas, value_at
from tests.layers.sample import Sample, is_float
from tests.layers.samples import SAMPLES


def _is_selectable(sample: Sample) -> bool:
    if any(node.__has_effect__ for node in nodes(sample.layer)) or sample.cls is Dropout:
        return False  # two runs of a random layer differ, and predict runs the inference form
    return bool(sample.differentiable) and not isinstance(value_at(sample), tuple) and is_float(value_at(sample))


SELECTABLE = [sample for sample in SAMPLES if _is_selectable(sample)]
every_selectable = pytest.mark.parametrize("sample", SELECTABLE, ids=[sample.id for sample in SELECTABLE])


def _is_elementwise(sample: Sample) -> bool:
    return has_elementwise_rules(sample.layer, [spec_of(data) for data in sample.operands])


ELEMENTWISE = [sample for sample in SELECTABLE if _is_elementwise(sample) and not sample.kink]
ARRAYS = [sample for sample in ELEMENTWISE if np.size(value_at(sample)) > 1]
every_elementwise = pytest.mark.parametrize("sample", ELEMENTWISE, ids=[sample.id for sample in ELEMENTWISE])


def _mask(sample: Sample) -> Any:
    """A random condition of the shape of the value, with both truth values in an array of two elements or more."""
    shape = np.shape(value_at(sample))
    mask = sample.random("mask").random(shape) < 0.5
    if mask.size > 1:
        mask.flat[:2] = True, False
    return mask if shape else bool(mask)


def _deltas(sample: Sample, formula: Any, operands: Any, delta: Any) -> tuple[dict[int, Any], dict[int, Any]]:
    """The deltas of the differentiable operands by tape, and by the derivative as a formula."""
    given = sample.pack(operands)
    tape = Input(given)
    with forward(formula, tape) as run:
        by_tape = run.gradients(delta)[tape]
    by_tree = derivatives(formula, spec_of(given), Literal(delta))[INPUT]
    if len(operands) == 1:
        return {0: by_tape}, {0: by_tree.predict(given)}
    return (
        {i: by_tape[i] for i in sample.differentiable},
        {i: by_tree[i].predict(given) for i in sample.differentiable},
    )


@every_selectable
def test_a_selected_value_has_the_delta_of_the_selection(sample: Sample) -> None:
    """``where(mask, layer, 0)`` for a delta is the layer for the delta times the mask."""
    value, mask = value_at(sample), _mask(sample)
    delta = delta_for(sample, value)
    wanted = given_deltas(
        sample, sample.operands, delta * mask if np.shape(value) else (delta if mask else 0.0 * delta)
    )
    formula = Where(Literal(mask), sample.layer, Literal(value))
    for found in _deltas(sample, formula, sample.operands, delta):
        for i in sample.differentiable:
            close(found[i], wanted[i], err_msg=f"operand {i} where {mask}")


def test_the_functions_of_one_number_are_elementwise() -> None:
    names = {sample.cls.__name__ for sample in ELEMENTWISE}
    assert {"Plus", "Times", "Power", "Sqrt", "Log", "Sigmoid", "Where", "Cast", "CastLike", "ReLU", "Atan2"} <= names
    assert not names & {"Sum", "Softmax", "MatMul", "Take", "Reshape", "Transpose", "CumulativeSum", "Mean", "Concat"}


@every_elementwise
def test_what_counts_as_elementwise_is_elementwise(sample: Sample) -> None:
    """A delta that is 1 in one element of the value reaches one element of each operand at most, the one it is from."""
    value = value_at(sample)
    for index in np.ndindex(np.shape(value)):
        delta = np.zeros(np.shape(value), np.asarray(value).dtype)
        delta[index] = 1.0
        for i, found in given_deltas(sample, sample.operands, delta if np.shape(value) else value * 0 + 1.0).items():
            origin = np.zeros(np.shape(value), bool)
            origin[index] = True
            reached = _origin_in(origin, np.shape(sample.operands[i]))
            assert not np.any(np.asarray(found)[~reached]), f"operand {i} of {sample.id} at {index}"


def _origin_in(origin: Any, shape: tuple[int, ...]) -> Any:
    """Where an element of the broadcast value comes from in an operand of ``shape``."""
    extra = origin.ndim - len(shape)
    found = origin.any(axis=tuple(range(extra)))
    widened = tuple(i for i, size in enumerate(shape) if size == 1 and found.shape[i] != 1)
    return found.any(axis=widened, keepdims=True) if widened else found


@pytest.mark.parametrize("sample", ARRAYS, ids=[sample.id for sample in ARRAYS])
def test_infinite_slopes_at_elements_that_are_not_selected_give_zero(sample: Sample) -> None:
    """An element that is NaN in an operand, and is not selected, changes no delta of another element."""
    value, mask = value_at(sample), _mask(sample)
    delta = delta_for(sample, value)
    clean = given_deltas(sample, sample.operands, delta * mask)
    for i, data in enumerate(sample.operands):
        if not is_float(data) or np.shape(data) != np.shape(value):
            continue
        hidden = tuple(
            np.where(mask, one, np.nan).astype(one.dtype) if j == i else one for j, one in enumerate(sample.operands)
        )
        formula = Where(Literal(mask), sample.layer, Literal(np.zeros_like(value)))
        for found in _deltas(sample, formula, hidden, delta):
            for j in sample.differentiable:
                close(found[j], clean[j], err_msg=f"operand {j} with NaN in operand {i}")
