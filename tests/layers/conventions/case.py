"""One convention: a layer, its value at an input, and the delta of the input; and how both are checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from layertree import Identity, Input, Layer, Literal
from layertree.core.spec import spec_of
from layertree.rewrite.derive import push_forward
from tests.layers.checks import close, same_kind

X = Identity()
NAN, INF = float("nan"), float("inf")


@dataclass(frozen=True)
class Case:
    """A layer, the value for some input, and the delta of the input for a delta of the value."""

    id: str
    layer: Layer[Any, Any]
    input: Any
    value: Any
    delta: Any
    expected: Any

    @property
    def cls(self) -> type:
        return type(self.layer)


def array(*values: Any) -> Any:
    return np.array(values, dtype=float)


def is_settled(case: Case) -> bool:
    """Whether the deltas of a case are finite: then the Jacobian-vector product has to agree with them."""
    finite = all(np.isfinite(np.asarray(part, float)).all() for part in (case.expected, case.delta))
    return finite and np.size(case.input) > 0 and np.asarray(case.input).dtype != np.float16


def check_product(case: Case) -> None:
    """The product of the delta with the Jacobian-vector product is that of the gradient with the tangent."""
    tangent = np.random.default_rng(0).uniform(0.5, 1.5, np.shape(case.input))
    tangent = tangent if np.ndim(case.input) else float(tangent)
    product = push_forward(case.layer, spec_of(case.input), Identity(), Literal(tangent))
    wanted = np.sum(np.multiply(case.expected, tangent))
    given = 0.0 if product is None else np.sum(np.multiply(case.delta, product.forward(case.input).value))
    np.testing.assert_allclose(given, wanted, rtol=1e-12, atol=1e-14)


def check_case(case: Case) -> None:
    """The value and the delta are the convention's."""
    x = Input(case.input)
    tape = case.layer.forward(x)
    close(tape.value, case.value, rtol=1e-14)
    found = tape.gradients(case.delta)[x]
    same_kind(found, case.input)
    close(found, case.expected, rtol=1e-14, atol=1e-300)
