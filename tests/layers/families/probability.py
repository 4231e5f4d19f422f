"""Samples of log-probabilities and cross entropy."""

from typing import Any

import numpy as np

from layertree.layers.probability import CrossEntropy, LogSoftmax, LogSumExp, Softmax
from tests.layers.families.indexing import LABELS
from tests.layers.sample import sample, spread


def _log_softmax(axis: int) -> Any:
    return lambda x: x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def _softmax(axis: Any) -> Any:
    return lambda x: np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def _log_sum_exp(axis: Any = None, keepdims: bool = False) -> Any:
    return lambda x: np.log(np.exp(x).sum(axis=axis, keepdims=keepdims))


def _cross_entropy(x: Any, labels: Any) -> Any:
    result = np.zeros(np.shape(labels))
    for row in np.ndindex(np.shape(labels)):
        result[row] = -x[(*row, np.asarray(labels)[row])]
    return result


SAMPLES = [
    sample(LogSoftmax, "default", spread(2, 4), reference=_log_softmax(-1), batch=(0,)),
    sample(LogSoftmax, "middle", spread(2, 3, 2), axis=1, reference=_log_softmax(1), batch=(0,)),
    sample(LogSoftmax, "first", spread(3, 2), axis=0, reference=_log_softmax(0)),
    sample(LogSoftmax, "vector", spread(3), reference=_log_softmax(-1)),
    sample(LogSoftmax, "large", 1024.0 + spread(2, 3), reference=lambda x: _log_softmax(-1)(x - 1024.0), batch=(0,)),
    sample(Softmax, "default", spread(2, 4), reference=_softmax(-1), batch=(0,)),
    sample(Softmax, "middle", spread(2, 3, 2), axis=1, reference=_softmax(1), batch=(0,)),
    sample(Softmax, "first", spread(3, 2), axis=0, reference=_softmax(0)),
    sample(Softmax, "outer", spread(2, 3, 2), axis=(0, -1), reference=_softmax((0, 2))),
    sample(Softmax, "no-axis", spread(2, 3), axis=(), reference=np.ones_like),
    sample(Softmax, "vector", spread(3), reference=_softmax(-1)),
    sample(Softmax, "large", 1024.0 + spread(2, 3), reference=lambda x: _softmax(-1)(x - 1024.0), batch=(0,)),
    sample(LogSumExp, "all", spread(2, 3), reference=_log_sum_exp()),
    sample(LogSumExp, "all-kept", spread(2, 3), keepdims=True, reference=_log_sum_exp(None, True)),
    sample(LogSumExp, "middle", spread(2, 3, 2), axis=1, reference=_log_sum_exp(1), batch=(0,)),
    sample(
        LogSumExp, "last-kept", spread(2, 3, 2), axis=-1, keepdims=True, reference=_log_sum_exp(2, True), batch=(0,)
    ),
    sample(LogSumExp, "outer", spread(2, 3, 2), axis=(0, -1), reference=_log_sum_exp((0, 2))),
    sample(LogSumExp, "reversed", spread(2, 3, 2), axis=(2, 1), reference=_log_sum_exp((1, 2)), batch=(0,)),
    sample(LogSumExp, "number", 1.5, reference=lambda x: x),
    sample(LogSumExp, "large", spread(2, 3) - 1024.0, reference=lambda x: _log_sum_exp()(x + 1024.0) - 1024.0),
    sample(CrossEntropy, "matrix", spread(3, 4), np.array([3, 0, 3]), reference=_cross_entropy, batch=(0, 1)),
    sample(CrossEntropy, "rank-3", spread(2, 2, 4), LABELS, reference=_cross_entropy, batch=(0, 1)),
    sample(CrossEntropy, "vector", spread(4), 2, reference=_cross_entropy),
]
