"""The closure of names: whatever a rule calls is itself a layer with a rule, in every namespace."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import numpy as np
import pytest

import layertree
from layertree.layers import find, functions, layer_of
from layertree.namespaces import NUMPY, SCALAR, definitions
from layertree.namespaces import numpy as kernels
from layertree.namespaces.spec import SPEC
from layertree.namespaces.tree import Derivation
from tests.layers import checks
from tests.layers.sample import Sample, is_float, layer_classes
from tests.layers.samples import SAMPLES
from tests.layers.test_table import some_samples

QUERIES = {"shape", "ndim", "dtype"}
"""What every value answers: these are no layers."""


class Recording:
    """NumPy's namespace, which notes the names that are asked of it; definitions ask it in their turn."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.asked.add(name)
        if not hasattr(kernels, name) and not hasattr(np, name):
            return partial(getattr(definitions, name), self)
        return getattr(NUMPY, name)


def own_tapes(sample: Sample) -> list[Any]:
    """The tapes of the sample's class in a run over weights."""
    layer, _ = sample.over_weights(sample.operands)
    found, stack = [], [layer.forward(None)]
    while stack:
        tape = stack.pop()
        stack.extend(tape.upstream)
        if getattr(tape, "layer", None) is not None and type(tape.layer) is sample.cls:
            found.append(tape)
    return found


def names_of(sample: Sample) -> tuple[set[str], set[str]]:
    """The names that the class's compute and its gradient use."""
    computing, deriving = Recording(), Recording()
    for tape in own_tapes(sample):
        values = [upstream.value for upstream in tape.upstream]
        tape.layer.compute(computing, *values)
        if hasattr(sample.cls, "gradient") and sample.cls.__control__ is None:
            delta = checks.delta_for(sample, tape.value)
            delta = layertree.Parts(dict(enumerate(delta))) if isinstance(delta, tuple) else delta
            pullbacks = tape.layer.gradient(deriving, delta, tape.value, *values)
            for upstream, pullback in zip(tape.upstream, pullbacks, strict=True):
                if pullback is not None and upstream.is_trainable:
                    pullback()
    return computing.asked - QUERIES, deriving.asked - QUERIES


with np.errstate(all="ignore"):
    NAMES = {sample.id: names_of(sample) for sample in SAMPLES if sample.cls.__control__ is None}
COMPUTED = sorted(set().union(*(computed for computed, _ in NAMES.values())))
DERIVED = sorted(set().union(*(derived for _, derived in NAMES.values())))


def test_the_walk_finds_names() -> None:
    assert {"sum_to", "multiply", "fold", "windows", "scatter_add", "getitem", "put"} <= set(DERIVED)
    assert set(functions()) <= set(COMPUTED)


HAND_ON = {layertree.Alike, layertree.Item, layertree.Tuple, layertree.Hook, layertree.RunningAverage}
"""The rules that hand the delta on as it is, by no name at all."""


def test_every_rule_was_walked() -> None:
    walked = {sample.cls for sample in SAMPLES if sample.id in NAMES and NAMES[sample.id][1]}
    assert {cls for cls in layer_classes() if hasattr(cls, "gradient")} == walked | HAND_ON


@pytest.mark.parametrize("name", DERIVED)
def test_a_name_of_a_gradient_is_a_layer_with_a_gradient(name: str) -> None:
    cls = layer_of(name)
    samples = [sample for sample in SAMPLES if sample.cls is cls]
    assert samples
    if not hasattr(cls, "gradient"):
        assert all(has_no_derivative(sample) for sample in samples), f"{cls.__name__} needs a gradient"


def has_no_derivative(sample: Sample) -> bool:
    """It yields booleans or integers, or takes no more than shape and kind from its operand."""
    value = checks.value_at(sample)
    if not is_float(value):
        return True
    doubled = tuple(data * 2 if is_float(data) else data for data in sample.operands)
    return np.array_equal(value, checks.value_of(sample, doubled))


@pytest.mark.parametrize("name", sorted({*COMPUTED, *DERIVED, *functions()}))
def test_a_name_exists_in_every_namespace(name: str) -> None:
    for namespace in (SCALAR, NUMPY, SPEC):
        assert callable(getattr(namespace, name)), namespace
    assert callable(getattr(Derivation(), name))


@pytest.mark.parametrize("name", sorted(set(definitions.__all__)))
def test_a_definition_is_a_layer(name: str) -> None:
    assert layer_of(name).__function__ == name


@some_samples(lambda sample: sample.differentiable and sample.cls.__control__ is None)
def test_derivative_trees_are_made_of_these_names(sample: Sample) -> None:
    """What the tree namespace adds to a formula is what the rules asked for."""
    allowed = {layer_of(name) for name in {*DERIVED, "add", "item"}}
    own = {type(node) for node in layertree.nodes(sample.layer)} | {layertree.Literal}
    from layertree.core.spec import spec_of

    for tree in checks.tree_deltas(sample, spec_of(sample.input)).values():
        assert {type(node) for node in layertree.nodes(tree)} <= allowed | own


def test_a_name_is_found_while_another_thread_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    class Name(str):
        """The name of a module that is loaded; another one is added as soon as somebody asks for it."""

        __slots__ = ()

        def startswith(self, *given: Any) -> bool:
            monkeypatch.setitem(sys.modules, "added_meanwhile", sys)
            return super().startswith(*given)

    monkeypatch.setitem(sys.modules, Name("loaded_before"), sys)
    assert find("NoSuchLayer") is None
    assert "added_meanwhile" in sys.modules
