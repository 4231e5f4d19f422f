"""The minimiser: a smaller program with the same difference, by delta debugging (Zeller and Hildebrandt, 2002)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from layertree import Identity, Item, Literal, Weight
from layertree.core.structure import children_of, own_children, post_order, rebuild
from layertree.namespaces.spec import infer_spec
from tests.fuzz.modes import Mode
from tests.fuzz.program import Program
from tests.fuzz.search import first_difference
from tests.layers.sample import is_float

ATTEMPTS = 600
"""How many smaller programs are tried at most."""


def minimised(program: Program, mode: Mode) -> Program:
    """The smallest program found that differs in the same way in a mode."""
    found = first_difference(program, mode)
    assert found is not None, "the program does not differ"
    key, left, is_smaller = found.key, ATTEMPTS, True
    while is_smaller and left > 0:
        is_smaller = False
        for candidate in candidates(program):
            left -= 1
            if left <= 0:
                break
            other = first_difference(candidate, mode)
            if other is not None and other.key == key:
                program, is_smaller = candidate, True
                break
    return program


def candidates(program: Program) -> Iterator[Program]:
    """Smaller programs, those that leave out most first."""
    order = post_order(program.layer, own_children)
    for node in order[:-1]:
        yield replace(program, layer=node)
    yield from _without_parts(program)
    for node in reversed(order):
        for new in _replacements(program, node):
            yield replace(program, layer=exchanged(program.layer, node, new))
    for data in simpler(program.data):
        yield replace(program, data=data)
    for node in order:
        if isinstance(node, (Weight, Literal)):
            value = node.value if isinstance(node, Weight) else node.data
            for data in simpler(value):
                yield replace(program, layer=exchanged(program.layer, node, type(node)(data)))


def exchanged(root: Any, old: Any, new: Any) -> Any:
    """The formula with one node exchanged; outer parts of compositions, which have another input, stay."""
    return _exchanged(root, {id(old): new})


def _exchanged(root: Any, new: dict[int, Any]) -> Any:
    made: dict[int, Any] = {}
    for node in post_order(root, own_children):
        rebuilt = rebuild(node, tuple([made.get(id(child), child) for child in children_of(node)]))
        made[id(node)] = new.get(id(node), rebuilt)
    return made[id(root)]


def _replacements(program: Program, node: Any) -> Iterator[Any]:
    """What may stand in the place of a node: an operand of the same spec, a constant of the same value."""
    if isinstance(node, (Literal, Identity)):
        return
    try:
        spec = infer_spec(node, program.spec)
        for child in own_children(node):
            if infer_spec(child, program.spec) == spec:
                yield child
        value = node.forward(program.data).value
    except Exception:  # a program that raises may do so here, too
        return
    if not isinstance(value, tuple) and not (isinstance(node, Item) and isinstance(node.operand, Identity)):
        yield Literal(value)
        if is_float(value) and not isinstance(node, Weight):
            yield Weight(value)


def _without_parts(program: Program) -> Iterator[Program]:
    """The program without a part of its input that it does not use; one part becomes the whole input."""
    if not isinstance(program.data, tuple):
        return
    order = post_order(program.layer, own_children)
    parts = [node for node in order if isinstance(node, Item) and isinstance(node.operand, Identity)]
    used = {node.position for node in parts}
    if any(isinstance(child, Identity) for node in order if node not in parts for child in own_children(node)):
        return
    if not used:
        yield replace(program, data=0.5)
    elif len(used) < len(program.data):
        places = {position: place for place, position in enumerate(sorted(used))}
        whole = len(used) == 1
        new = {id(one): Identity() if whole else Item(Identity(), places[one.position]) for one in parts}
        data = tuple([program.data[position] for position in places])
        yield replace(program, layer=_exchanged(program.layer, new), data=data[0] if whole else data)


def simpler(data: Any) -> Iterator[Any]:
    """Data of the same spec with simpler numbers: ones all over, then element by element."""
    if isinstance(data, tuple):
        for i, part in enumerate(data):
            for other in simpler(part):
                yield (*data[:i], other, *data[i + 1 :])
    elif is_float(data) and not isinstance(data, (np.ndarray, np.generic)):
        if repr(data) not in ("1.0", "2.0"):
            yield from (1.0, 2.0)
    elif is_float(data) and np.size(data):
        simple = np.isin(data, (1.0, 2.0))
        if not simple.all():
            yield np.ones_like(data)[()]
            for index in np.argwhere(~simple)[:12]:
                made = np.array(data)
                made[tuple(index)] = 1.0
                yield made[()]
