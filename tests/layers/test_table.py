"""The table: every sample through everything that a layer promises."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import layertree
from layertree import Identity, nodes
from layertree.core.weight import CellLayer
from layertree.layers import functions, layer_of
from tests.layers import checks
from tests.layers.checks import close, delta_for, given_deltas, leaves, value_at, value_of
from tests.layers.sample import Sample, is_float, layer_classes
from tests.layers.samples import IDS, SAMPLES

CASTS = (
    *(layertree.Cast, layertree.CastLike, layertree.RunningAverage),
    *(layertree.Literal, layertree.State, layertree.Weight),
)

every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=IDS)


def some_samples(condition: Callable[[Sample], object]) -> Any:
    chosen = [sample for sample in SAMPLES if condition(sample)]
    return pytest.mark.parametrize("sample", chosen, ids=[sample.id for sample in chosen])


def test_every_class_has_samples() -> None:
    without = [cls.__name__ for cls in layer_classes() if not any(sample.cls is cls for sample in SAMPLES)]
    assert not without, f"these classes have no sample in tests/layers/families: {without}"


def test_every_class_has_a_known_value() -> None:
    known = {sample.cls for sample in SAMPLES if sample.reference is not None}
    assert not [cls.__name__ for cls in layer_classes() if cls not in known]


def test_every_class_with_a_rule_has_a_differentiable_sample() -> None:
    known = {sample.cls for sample in SAMPLES if sample.differentiable}
    assert not [cls.__name__ for cls in layer_classes() if hasattr(cls, "gradient") and cls not in known]


def test_samples_are_of_their_class() -> None:
    for sample in SAMPLES:
        assert sample.cls in {type(node) for node in nodes(sample.layer)}, sample.id
    assert len(set(IDS)) == len(IDS)


@some_samples(lambda sample: sample.reference)
def test_value(sample: Sample) -> None:
    checks.check_value(sample)


@every_sample
def test_predicts_what_it_computes(sample: Sample) -> None:
    formula = layertree.inference(sample.layer)
    close(sample.layer.predict(sample.input), formula.forward(sample.input).value, rtol=0.0)


@every_sample
def test_spec(sample: Sample) -> None:
    checks.check_spec(sample)


@some_samples(lambda sample: sample.batch)
def test_spec_of_unknown_rows(sample: Sample) -> None:
    for rows in (None, "Batch"):
        checks.check_unknown_rows(sample, rows)


@every_sample
def test_gradients(sample: Sample) -> None:
    checks.check_gradients(sample)


@every_sample
def test_gradients_of_weights(sample: Sample) -> None:
    checks.check_weights(sample)


def without_a_rule(sample: Sample) -> bool:
    has_rule = sample.cls.__control__ is not None or hasattr(sample.cls, "gradient")
    return not has_rule and sample.cls is not layertree.StopGradient  # it is there to cut a derivative that is not 0


@some_samples(without_a_rule)
def test_without_a_rule_is_constant(sample: Sample) -> None:
    """A class has no gradient because there is none: StopGradient alone cuts what is there."""
    delta = delta_for(sample, value_at(sample))
    for i in [i for i, data in enumerate(sample.operands) if is_float(data)]:
        assert not checks.quotients(lambda operands: value_of(sample, operands), sample.operands, i, delta).any()


@every_sample
def test_float32(sample: Sample) -> None:
    checks.check_float32(sample)


@some_samples(lambda sample: any(map(is_float, sample.operands)) and sample.cls not in CASTS)
def test_float32_stays(sample: Sample) -> None:
    """Unless arrays of integers or lone Python numbers are among the operands, nothing becomes float64."""
    operands = tuple(map(checks.narrowed, sample.operands))
    if {checks.kind_of(data) for data in operands} <= {"float32", "bool array", "bool"}:
        assert {checks.kind_of(leaf) for leaf in leaves(value_of(sample, operands)) if is_float(leaf)} <= {"float32"}


MIXED = [(sample, i) for sample in SAMPLES for i in checks.float_operands(sample)]


@pytest.mark.parametrize(("sample", "position"), MIXED, ids=[f"{sample.id}-{i}" for sample, i in MIXED])
def test_one_operand_in_float32(sample: Sample, position: int) -> None:
    checks.check_mixed(sample, position)


@some_samples(lambda sample: sample.batch)
def test_no_rows(sample: Sample) -> None:
    checks.check_no_rows(sample)


def layouts(data: Any) -> Iterator[Any]:
    """The same array with other strides."""
    yield np.asfortranarray(data)
    yield np.ascontiguousarray(data.T).T
    for axis in range(data.ndim):
        yield np.flip(np.flip(data, axis).copy(), axis)
    wide = np.full([2 * size + 1 for size in data.shape], 7, data.dtype)
    inside = wide[tuple(slice(1, None, 2) for _ in data.shape)]
    inside[...] = data
    yield inside


@some_samples(lambda sample: any(np.ndim(data) for data in sample.operands))
def test_strides_do_not_matter(sample: Sample) -> None:
    delta = delta_for(sample, value_at(sample))
    given = given_deltas(sample, sample.operands, delta)
    for i, data in enumerate(sample.operands):
        for other in layouts(data) if np.ndim(data) else ():
            operands = (*sample.operands[:i], other, *sample.operands[i + 1 :])
            close(value_of(sample, operands), value_at(sample), rtol=1e-14, atol=1e-15)
            for j, found in given_deltas(sample, operands, delta).items():
                close(found, given[j], rtol=1e-14, atol=1e-15)


@some_samples(lambda sample: sample.differentiable)
def test_strides_of_the_delta_do_not_matter(sample: Sample) -> None:
    delta = delta_for(sample, value_at(sample))
    strided = checks.mapped(delta, lambda leaf: list(layouts(leaf))[-1] if np.ndim(leaf) else leaf)
    given = given_deltas(sample, sample.operands, delta)
    for j, found in given_deltas(sample, sample.operands, strided).items():
        close(found, given[j], rtol=1e-14, atol=1e-15)


@every_sample
def test_nothing_is_written_to(sample: Sample) -> None:
    """Neither the operands nor the delta; and none of them has to be writable."""
    delta = delta_for(sample, value_at(sample))
    for writable in (True, False):
        operands = tuple(np.array(data) if isinstance(data, np.ndarray) else data for data in sample.operands)
        seed = checks.mapped(delta, lambda leaf: np.array(leaf) if isinstance(leaf, np.ndarray) else leaf)
        for data in (*operands, *leaves(seed)):
            if isinstance(data, np.ndarray):
                data.flags.writeable = writable
        found = given_deltas(sample, operands, seed)
        close(value_of(sample, operands), value_at(sample), rtol=0.0)
        close(operands, sample.operands, rtol=0.0)
        for given, wanted in zip(leaves(seed), leaves(delta), strict=True):
            assert np.array_equal(given, wanted) if given is not None else wanted is None
        assert set(found) == set(sample.differentiable)


def has_cells(sample: Sample) -> bool:
    return any(isinstance(node, CellLayer) for node in nodes(sample.layer))


@every_sample
def test_copies(sample: Sample) -> None:
    for twin in (pickle.loads(pickle.dumps(sample.layer)), copy.deepcopy(sample.layer)):
        assert twin is not sample.layer
        assert format(twin, "full") == format(sample.layer, "full")
        assert (twin == sample.layer) is not has_cells(sample)
        close(twin.forward(sample.input).value, value_at(sample), rtol=0.0)
    assert copy.copy(sample.layer) is sample.layer


@every_sample
def test_code_rebuilds_the_layer(sample: Sample) -> None:
    names: dict[str, Any] = {}
    exec("from numpy import *\nfrom layertree import *", names)
    *shared, last = format(sample.layer, "full").splitlines()
    exec("\n".join(shared), names)
    rebuilt = eval(last, names)
    assert format(rebuilt, "full") == format(sample.layer, "full")
    assert (rebuilt == sample.layer) is not has_cells(sample)
    close(rebuilt.forward(sample.input).value, value_at(sample), rtol=0.0)


@every_sample
def test_formula_text(sample: Sample) -> None:
    text = format(sample.layer, "formula")
    function = sample.cls.__operator__ or sample.cls.__function__
    if function not in (None, "item", "tuple", "getitem"):
        assert function in text
    assert text


@some_samples(lambda sample: not has_cells(sample))
def test_equality(sample: Sample) -> None:
    """Built again it is equal; over another input, or with one attribute changed, it is not."""
    again = Sample(sample.cls, sample.label, sample.build, sample.operands, ()).layer
    assert again == sample.layer
    assert hash(again) == hash(sample.layer)
    if sample.layer != Identity() and sample.cls is not layertree.Literal:
        operands = [layertree.Exp(Identity()) for _ in sample.operands]
        assert sample.build(*operands) != sample.layer


def test_samples_of_one_class_differ() -> None:
    """Attributes count: what is built with other ones is another layer."""
    for first in SAMPLES:
        for second in SAMPLES:
            if first.cls is second.cls and repr(first.layer) != repr(second.layer):
                assert first.layer != second.layer


@pytest.mark.parametrize("cls", layer_classes(), ids=lambda cls: cls.__name__)
def test_registry(cls: Any) -> None:
    if cls.__function__ is not None:
        assert layer_of(cls.__function__) is cls
        assert cls.__function__ in functions()
    assert getattr(layertree, cls.__name__) is cls
