"""Samples of log-probabilities and cross entropy."""

from typing import Any

import numpy as np

from layertree.layers.probability import CrossEntropy, LogSoftmax
from tests.layers.families.indexing import LABELS
from tests.layers.sample import sample, spread


def _log_softmax(axis: int) -> Any:
    return lambda x: x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


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
    sample(CrossEntropy, "matrix", spread(3, 4), np.array([3, 0, 3]), reference=_cross_entropy, batch=(0, 1)),
    sample(CrossEntropy, "rank-3", spread(2, 2, 4), LABELS, reference=_cross_entropy, batch=(0, 1)),
    sample(CrossEntropy, "vector", spread(4), 2, reference=_cross_entropy),
]
