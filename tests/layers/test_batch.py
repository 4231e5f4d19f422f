"""Every layer over a stack of examples gives what it gives for one after the other, and so do its derivatives."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import layertree
from layertree import DTypeError, Input
from layertree.core.spec import ArraySpec, spec_of
from layertree.rewrite.batch import batch
from tests.layers import checks
from tests.layers.checks import close, leaves
from tests.layers.sample import Sample
from tests.layers.samples import SAMPLES
from tests.layers.test_table import some_samples

SIZE = 3
SIZES = (SIZE, "Batch", None)


APART = {layertree.Bernoulli, layertree.RunningAverage}
"""What is not the same one by one: each example has its own draws, and statistics are those of a batch."""


def is_mapped(sample: Sample) -> bool:
    """Whether examples can be compared one by one."""
    return bool(sample.operands) and sample.cls not in APART


def masks(sample: Sample) -> list[tuple[int | None, ...]]:
    """Which operands have an axis of examples: all choices of a few; of many one, all but one, or all."""
    count = len(sample.operands)
    found = [mask for mask in product((0, None), repeat=count) if mask.count(0)]
    return found if count <= 3 else [mask for mask in found if mask.count(0) in (1, count - 1, count)]


def examples(data: Any) -> list[Any]:
    """Data of the same kind, other than the first where they are floats: powers of 2 keep ties and exactness."""
    if checks.kind_of(data).startswith("float"):
        return [data, data * 0.5, data * 0.25]
    return [data, np.roll(data, 1) if np.ndim(data) else data, data]


def stacked(sample: Sample, mask: Any) -> tuple[list[tuple[Any, ...]], tuple[Any, ...]]:
    """The operands of each example, and those of all of them."""
    columns = [
        [data] * SIZE if axis is None else examples(data) for data, axis in zip(sample.operands, mask, strict=True)
    ]
    whole = tuple(column[0] if axis is None else np.stack(column) for column, axis in zip(columns, mask, strict=True))
    return list(zip(*columns, strict=True)), whole


def spec_for(sample: Sample, whole: Any, mask: Any, size: Any) -> Any:
    specs = [spec_of(data) for data in whole]
    specs = [
        spec if axis is None else ArraySpec((size, *spec.shape[1:]), spec.dtype)
        for spec, axis in zip(specs, mask, strict=True)
    ]
    return sample.pack(specs)


def over_stacks(sample: Sample, layer: Any, whole: Any, mask: Any, size: Any) -> Any:
    """A formula of the sample's operands over stacks of them."""
    spec = spec_for(sample, whole, mask, size)
    axes = mask[0] if len(mask) == 1 else mask
    return batch(layer, spec, (size,), axes=axes, example=spec_of(sample.input))


def compare(sample: Sample, layer: Any, mask: Any, size: Any) -> None:
    """The formula over a stack, part by part, is the stack of what it is for each example."""
    ones, whole = stacked(sample, mask)
    found = over_stacks(sample, layer, whole, mask, size).forward(sample.pack(whole)).value
    expected = [layer.forward(sample.pack(one)).value for one in ones]
    for given, *parts in zip(leaves(found), *map(leaves, expected), strict=True):
        wanted = np.stack(parts)
        assert given.dtype == wanted.dtype
        close(given, wanted, rtol=1e-12, atol=1e-13)


@some_samples(is_mapped)
def test_values(sample: Sample) -> None:
    for mask in masks(sample):
        for size in SIZES:
            compare(sample, sample.layer, mask, size)


@some_samples(lambda sample: is_mapped(sample) and sample.differentiable)
def test_derivatives_of_one(sample: Sample) -> None:
    """The names that gradients use, over stacks."""
    for tree in checks.tree_deltas(sample, spec_of(sample.input)).values():
        for mask in masks(sample):
            for size in (SIZE, None):
                compare(sample, tree, mask, size)


@some_samples(lambda sample: is_mapped(sample) and sample.differentiable)
def test_derivatives_of_stacks(sample: Sample) -> None:
    """The gradients of the formula over stacks are the stack of the gradients; what is shared gets their sum."""
    for mask in masks(sample):
        ones, whole = stacked(sample, mask)
        delta = checks.delta_for(sample, checks.value_at(sample))
        expected = [checks.given_deltas(sample, one, delta) for one in ones]
        x = Input(sample.pack(whole))
        tape = over_stacks(sample, sample.layer, whole, mask, SIZE).forward(x)
        found = tape.gradients(checks.mapped(delta, lambda leaf: None if leaf is None else np.stack([leaf] * SIZE)))
        given = {0: found[x]} if len(mask) == 1 else dict(found[x])
        for i in sample.differentiable:
            parts = [one.get(i, np.zeros_like(sample.operands[i])) for one in expected]
            wanted = sum(parts) if mask[i] is None else np.stack(parts)
            close(given[i], wanted, rtol=1e-6, atol=1e-6)  # a sum of float32 in another order


def test_most_samples_are_mapped() -> None:
    left = {sample.cls.__name__ for sample in SAMPLES} - {
        sample.cls.__name__ for sample in SAMPLES if is_mapped(sample)
    }
    assert left <= {"Identity", "Literal", "Weight", "State", "RunningAverage", "Bernoulli"}


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one.cls is layertree.RunningAverage], ids=lambda s: s.id)
def test_a_running_average_is_refused(sample: Sample) -> None:
    mask = (0,) * len(sample.operands)
    _, whole = stacked(sample, mask)
    with pytest.raises(DTypeError, match=r"running_average\(.*each example has statistics of its own"):
        over_stacks(sample, sample.layer, whole, mask, SIZE)


def test_each_example_draws_its_own() -> None:
    draws = layertree.Bernoulli(layertree.Identity(), 7, 0.5)
    layer = batch(draws, ArraySpec((4, 50)), (4,), axes=0, example=ArraySpec((50,)))
    found = layer.predict(np.ones((4, 50)))
    assert len({row.tobytes() for row in found}) == 4
    assert 0.3 < found.mean() < 0.7


def test_a_counter_for_each_example_is_refused() -> None:
    draws = layertree.Bernoulli(1.0, layertree.Identity(), 0.5)
    with pytest.raises(DTypeError, match=r"bernoulli\(.*the counter differs from example to example"):
        batch(draws, ArraySpec((4,), np.int64), (4,), axes=0, example=spec_of(1))
