"""The samples of all layer classes, by family. A class without one fails the suite."""

from tests.layers.families import (
    arithmetic,
    comparison,
    control,
    convolution,
    core,
    elementwise,
    indexing,
    linear_algebra,
    probability,
    random,
    reduction,
    shape,
    structure,
)

SAMPLES = [
    *core.SAMPLES,
    *arithmetic.SAMPLES,
    *elementwise.SAMPLES,
    *comparison.SAMPLES,
    *control.SAMPLES,
    *reduction.SAMPLES,
    *shape.SAMPLES,
    *indexing.SAMPLES,
    *linear_algebra.SAMPLES,
    *convolution.SAMPLES,
    *probability.SAMPLES,
    *random.SAMPLES,
    *structure.SAMPLES,
]

IDS = [sample.id for sample in SAMPLES]
