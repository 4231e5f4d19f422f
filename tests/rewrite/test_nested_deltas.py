"""Deltas of nested tuples that several parts of a value share."""

from __future__ import annotations

import numpy as np

from layertree import Identity, Input, Item, Tuple, compile
from layertree.core.spec import spec_of
from layertree.rewrite.reverse_mode import INPUT, derivatives

PAIR = Tuple((Tuple((Item(Identity(), 0), Item(Identity(), 1))), Item(Identity(), 0)))
TWICE = Tuple((PAIR, PAIR))
DATA = (np.array([1.0, 2.0]), 3.0)
DELTA = (((np.array([1.0, 0.5]), 2.0), np.array([0.25, 0.0])), ((np.array([4.0, 1.0]), 8.0), np.array([2.0, 16.0])))


def test_they_are_added_part_by_part() -> None:
    trees = derivatives(TWICE, spec_of(DATA), DELTA)[INPUT]
    found = [trees[i].forward(DATA).value for i in (0, 1)]
    for layer in (TWICE, compile(TWICE)):
        x = Input(DATA)
        by_tape = layer.forward(x).gradients(DELTA)[x]
        for given in (found, [by_tape[0], by_tape[1]]):
            assert given[0].tolist() == [7.25, 17.5]
            assert given[1] == 10.0
