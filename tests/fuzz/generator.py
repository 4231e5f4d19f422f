"""The generator: programs that grow node by node, each a sample of the table of layers over earlier nodes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from layertree import Compose, Identity, Item, Literal, Sum, Tuple, Weight
from layertree.core.diagnostics import MISFITS
from layertree.layers.indexing import GetItem
from layertree.layers.shape import BroadcastTo, Reshape
from layertree.namespaces.spec import infer_spec
from tests.fuzz.leaves import DTYPES, FLAVOURS, data_like, resized
from tests.fuzz.program import Program
from tests.layers.checks import leaves
from tests.layers.sample import Sample, is_float
from tests.layers.samples import SAMPLES

LARGEST = 1e4
"""The largest magnitude in a tame program."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A node of the growing program, with its value."""

    node: Any
    value: Any


def samples_by_class(samples: list[Sample]) -> list[list[Sample]]:
    """The samples of each class: a class is drawn first, so that those with many samples are no more frequent."""
    found: dict[type, list[Sample]] = defaultdict(list)
    for sample in samples:
        found[sample.cls].append(sample)
    return list(found.values())


CLASSES = samples_by_class(SAMPLES)


def generate(seed: int, classes: list[list[Sample]] = CLASSES) -> Program:
    """The program of a seed."""
    return Growth(seed, classes).program()


class Growth:
    """A program that grows: its nodes so far, and the data of its input."""

    def __init__(self, seed: int, classes: list[list[Sample]]) -> None:
        self.seed = seed
        self.classes = classes
        self.generator = np.random.default_rng(seed)
        self.flavour = self._choice(FLAVOURS)
        self.dtype = self._choice(DTYPES)
        self.is_mixed = self.generator.random() < 0.15
        self.is_single = self.generator.random() < 0.3
        self.parts: list[Any] = []
        self.pool: list[Entry] = []

    def _choice(self, options: Any) -> Any:
        return options[int(self.generator.integers(len(options)))]

    def program(self) -> Program:
        """The whole program: the last node, or a tuple of several."""
        for _ in range(int(self.generator.integers(1, 16))):
            self._grow()
        if not self.pool:
            self._leaf(1.5)
        root = self.pool[-1].node
        if self.generator.random() < 0.15:
            root = Tuple((root, self._choice(self.pool).node))
        data = (self.parts[0] if self.is_single else tuple(self.parts)) if self.parts else 0.5
        return Program(root, data, self.seed, self.flavour == "tame")

    def _grow(self) -> None:
        """Add a node, unless it is refused."""
        if self.parts and self.pool and self.generator.random() < 0.06:
            return self._compose()
        sample = self._choice(self._choice(self.classes))
        wanted = resized(sample, self.generator)
        operands = [self._operand_at(sample, i, data) for i, data in enumerate(wanted)]
        in_form = all(_form(one.value) == _form(data) for one, data in zip(operands, wanted, strict=True))
        dtypes = {np.asarray(one.value).dtype for one in operands if is_float(one.value)}
        if not in_form or len(dtypes) > 1:
            try:
                infer_spec(sample.build(*[Literal(one.value) for one in operands]), ())
            except MISFITS:
                return None
        return self._add(sample.build, operands)

    def _add(self, build: Any, operands: list[Entry]) -> None:
        try:
            value = build(*[Literal(one.value) for one in operands]).forward(None).value
        except IndexError:  # earlier integers as indices
            return
        if self.flavour != "tame" or all(map(is_moderate, leaves(value))):
            self.pool.append(Entry(build(*[one.node for one in operands]), value))

    def _operand_at(self, sample: Sample, position: int, data: Any) -> Entry:
        """A node for an operand of a sample; a constant where the layer would contribute to a cell."""
        if sample.cls.__has_effect__ and position not in sample.differentiable:
            return Entry(Literal(data), data)
        return self._operand(data, takes_any_shape(sample))

    def _operand(self, data: Any, of_any_shape: bool) -> Entry:
        """A node for an operand of a sample: an earlier one, one that is brought into shape, or a leaf."""
        kind = np.asarray(data).dtype.kind
        draw = self.generator.random()
        alike = self._alike(data)
        fitting = [one for one in alike if _form(one.value) == _form(data)]
        if fitting and draw < 0.5:
            return self._choice(fitting)
        if alike and of_any_shape and draw < 0.65:
            return self._choice(alike)
        arrays = [one for one in alike if _form(one.value) is not None]
        if arrays and draw < 0.85 and kind == "f" and _form(data) is not None:
            return reshaped(self._choice(arrays), np.shape(data))
        return self._leaf(data)

    def _leaf(self, wanted: Any) -> Entry:
        """A new leaf: a part of the input, a weight or a constant."""
        dtype = self._choice(DTYPES) if self.is_mixed else self.dtype
        data = data_like(wanted, self.flavour, dtype, self.generator)
        draw = self.generator.random()
        if draw < 0.55 and not (self.is_single and self.parts):
            self.parts.append(data)
            node: Any = Identity() if self.is_single else Item(Identity(), len(self.parts) - 1)
        elif draw < 0.85 and is_float(data):
            node = Weight(data)
        else:
            node = Literal(data)
        entry = Entry(node, data)
        if self.generator.random() < 0.8:
            self.pool.append(entry)
        return entry

    def _compose(self) -> None:
        """Add an earlier node as a function of others, in place of the input."""
        outer = self._choice(self.pool).node
        inner = [self._substitute(part) for part in self.parts]
        self._add(lambda *ones: Compose(outer, ones[0] if self.is_single else Tuple(ones)), inner)

    def _substitute(self, part: Any) -> Entry:
        """A node of the form of a part of the input."""
        same = [one for one in self._alike(part) if _form(one.value) == _form(part)]
        chosen = self._choice(same) if same else Entry(Literal(part), part)
        if not is_float(part) and self.generator.random() < 0.8:
            return Entry(Literal(part), part)
        return chosen

    def _alike(self, data: Any) -> list[Entry]:
        """The earlier nodes of numbers or arrays of the kind of some data."""
        kind = np.asarray(data).dtype.kind
        return [
            one for one in self.pool if not isinstance(one.value, tuple) and np.asarray(one.value).dtype.kind == kind
        ]


def is_moderate(leaf: Any) -> bool:
    """Whether all elements are finite and no larger than a tame program has."""
    return not is_float(leaf) or bool((np.abs(np.asarray(leaf, np.float64)) <= LARGEST).all())


def takes_any_shape(sample: Sample) -> bool:
    """Whether a layer says of each shape whether it fits: not those with a pattern, or with indices.

    These are the adjoints of other layers and the like, whose operands come from a layer that has checked them.
    """
    return all(i in sample.differentiable for i in range(len(sample.operands)))


def _form(value: Any) -> Any:
    """The shape of an array; None for a Python number."""
    return np.shape(value) if isinstance(value, (np.ndarray, np.generic)) else None


def reshaped(entry: Entry, shape: tuple[int, ...]) -> Entry:
    """An array of floats brought into a shape: elements repeated, left out, or broadcast."""

    def build(x: Any) -> Any:
        size, wanted = np.size(entry.value), int(np.prod(shape))
        if size == wanted:
            return Reshape(x, shape)
        if size > wanted:
            return Reshape(GetItem(Reshape(x, (size,)), (slice(0, wanted),)), shape)
        return BroadcastTo(Sum(x), shape)

    return Entry(build(entry.node), build(Literal(entry.value)).forward(None).value)
