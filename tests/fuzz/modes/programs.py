"""Compiled formulas and compiled steps against the tape."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import reduce
from typing import Any

import attrs
import numpy as np

from layertree import (
    Compose,
    CosineDecay,
    Identity,
    Item,
    Optimizer,
    Plus,
    Scheduled,
    Sum,
    Times,
    Tuple,
    Weight,
    commit,
    compile,
    inference,
    nodes,
)
from layertree.core.data import is_empty_batch
from layertree.core.nested import apart, flat
from layertree.core.spec import spec_of
from layertree.core.weight import CellLayer
from layertree.rewrite.reverse_mode import derivatives
from layertree.tape.run import namespace_for
from tests.fuzz.agreement import Pair
from tests.fuzz.code import assignment, data_of, name_of, tape_code, zeros_like
from tests.fuzz.noise import noisy
from tests.fuzz.program import Program, deltas_of
from tests.layers.checks import leaves
from tests.layers.sample import is_float

STEPS = 3


def compiled(program: Program) -> Iterator[Pair]:
    """The compiled formula, value and deltas, against the tape; and in inference mode."""
    layer, data = program.layer, program.data
    form, plain = compile(layer), inference(layer)
    code = "wanted = formula.forward(data).value\ngiven = compile(formula).forward(data).value\n"

    def run(seed: int, layer: Any = layer) -> Any:
        return noisy(layer, data, seed)

    yield Pair("the compiled value", program.value, form.forward(data).value, code, is_signed=True, run=run)
    if plain is not layer:
        code = "wanted = formula.predict(data)\ngiven = compile(inference(formula)).predict(data)\n"
        wanted, given = layer.predict(data), compile(plain).predict(data)
        yield Pair("the prediction", wanted, given, code, is_signed=True, run=lambda seed: run(seed, plain))
    if not program.has_delta:
        return
    deltas, found = program.deltas, deltas_of(form, data, program.delta)
    for key in dict.fromkeys([*deltas, *found]):
        code = tape_code(program, key) + tape_code(program, key, "given", "compile(formula)")
        what = f"the compiled delta of {name_of(program, key)}"
        if isinstance(key, Weight):
            yield Pair(f"{what}, whether there is one", key in deltas, key in found, code, of="delta")
        wanted, given = (one[key] if key in one else zeros_like(data_of(program, key)) for one in (deltas, found))

        def run_of_tree(seed: int, key: Any = key) -> Any:
            return noisy(program.trees[key], data, seed)

        yield Pair(what, wanted, given, code, run=run_of_tree if key in program.trees else None, of="delta")


def optimizers() -> list[Any]:
    """One of each class of optimizers, with a rate that moves weights."""
    found: list[Any] = []
    pending = [Optimizer]
    while pending:
        cls = pending.pop()
        pending += sorted(cls.__subclasses__(), key=lambda one: one.__name__)
        is_ours = cls.__module__.startswith("layertree.")  # other tests define optimizers, too
        if is_ours and attrs.has(cls) and any(field.name == "rate" for field in attrs.fields(cls)):
            found.append(cls(rate=0.05))
    return [*found, *[Scheduled(one, CosineDecay(steps=5, warmup=2)) for one in found]]


def objective(program: Program) -> Any:
    """One number from all floats of the value, no two of which count alike; None where there are none."""
    specs = spec_of(program.value)
    parts = zip(apart(program.layer, specs, Item), flat(specs), strict=True)
    terms = [_term(part, spec) for part, spec in parts if spec.dtype.kind == "f"]
    return reduce(Plus, terms) if terms else None


def _term(part: Any, spec: Any) -> Any:
    if not spec.shape:
        return Times(part, 0.75)
    factors = np.linspace(0.5, 1.5, int(np.prod(spec.shape))).reshape(spec.shape).astype(spec.dtype)
    return Sum(Times(part, factors))


def over_weights(program: Program, layer: Any) -> Any:
    """The formula with weights in place of the floats of its input."""
    if not isinstance(program.data, tuple):
        return Compose(layer, Weight(program.data)) if is_float(program.data) else layer
    parts = [Weight(one) if is_float(one) else Item(Identity(), i) for i, one in enumerate(program.data)]
    return Compose(layer, Tuple(tuple(parts)))


def cells(layer: Any) -> list[Any]:
    """The cells of a formula, in the order of its nodes."""
    return list(dict.fromkeys([node.cell for node in nodes(layer) if isinstance(node, CellLayer)]))


def contents(layer: Any, rule: Any) -> tuple[Any, ...]:
    """The values of all cells and the states of their rules, whose counters may be integers of any kind.

    A cell without a state is one that has taken no step: its state is that of a start.
    """
    return tuple([(cell.value, _state(_kept(cell, rule))) for cell in cells(layer)])


def _kept(cell: Any, rule: Any) -> Any:
    return (cell.rule or rule).start(namespace_for([cell.value]), cell.value) if cell.state is None else cell.state[1]


def _state(state: Any) -> Any:
    if isinstance(state, tuple):
        return tuple(map(_state, state))
    return int(state) if np.asarray(state).dtype.kind == "i" and np.ndim(state) == 0 else state


def step(program: Program) -> Iterator[Pair]:
    """Several steps of the compiled objective against steps of the tape: values, cells, states of the optimizer."""
    layer = objective(program)
    if layer is None or (leaves(program.data) and is_empty_batch(program.data)):
        return
    if program.seed % 2 or not program.weights:
        layer = over_weights(program, layer)
    chosen = optimizers()
    rule = chosen[program.seed // 2 % len(chosen)]
    data, ours, theirs = program.data, copy.deepcopy(layer), copy.deepcopy(layer)
    if not ours.forward(data).is_trainable:
        return
    train = compile(theirs, train=True, optimizer=rule)
    code = _step_code(layer, rule)
    for count in range(1, STEPS + 1):
        with ours.forward(data) as tape:
            wanted = tape.value
            tape.backward(optimizer=rule)
        given = train(data)

        def run(seed: int, count: int = count) -> Any:
            return noisy_steps(layer, data, rule, seed, count)

        what = f"after step {count} with {rule!r}"
        yield Pair(f"the objective {what}", wanted, given, code, run=lambda seed, run=run: run(seed)[0], of="step")
        for i, (one, other) in enumerate(zip(contents(ours, rule), contents(theirs, rule), strict=True)):
            yield Pair(f"cell {i} {what}", one, other, code, run=lambda seed, run=run, i=i: run(seed)[1][i], of="step")


def noisy_steps(layer: Any, data: Any, rule: Any, seed: int, count: int) -> tuple[Any, Any]:
    """The value of the last of some steps, and the contents of the cells, with rounding errors in values and deltas."""
    twin = copy.deepcopy(layer)
    value = None
    trees = derivatives(twin, spec_of(data))
    for number in range(count):
        value = noisy(twin, data, 10 * seed + number)
        tape = twin.forward(data)
        found = tape.gradients()
        for weight, tree in trees.items():
            if isinstance(weight, Weight) and weight in found:
                found.deltas[weight.cell] = noisy(tree, data, 10 * seed + number)
        commit(found, optimizer=rule)
    return value, contents(twin, rule)


def _step_code(layer: Any, rule: Any) -> str:
    """The code that makes the steps and compares all cells."""
    return (
        "import copy\n"
        "from layertree.updates.optimizers import *\n"
        f"{assignment('formula', layer)}"
        f"rule = {rule!r}\n"
        "twin = copy.deepcopy(formula)\n"
        "train = compile(twin, train=True, optimizer=rule)\n"
        f"for _ in range({STEPS}):\n"
        "    with formula.forward(data) as tape:\n"
        "        values = tape.value, train(data)\n"
        "        tape.backward(optimizer=rule)\n"
        "def all_cells(layer):\n"
        "    return tuple([node.value for node in nodes(layer) if isinstance(node, (Weight, State))])\n"
        "wanted = (values[0], *all_cells(formula))\n"
        "given = (values[1], *all_cells(twin))\n"
    )
