"""Copies of a formula: by text, by pickle, by deepcopy. They give the same bits."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

from layertree import Hook, Weight, nodes, parameters
from symbolic import parse, wrap
from tests.fuzz.agreement import Pair
from tests.fuzz.code import SPEC, foreign_classes, name_of, tape_code
from tests.fuzz.program import Program, deltas_of


def text(program: Program) -> Iterator[Pair]:
    """What is printed in full, read again: as code and as a formula."""
    functions = [node.function for node in nodes(program.layer) if isinstance(node, Hook)]
    classes = foreign_classes(program.layer)
    for expression, form in (
        ("formula", program.layer),
        ("wrap(formula, spec_of(data))", wrap(program.layer, program.spec)),
    ):
        printed = format(form, "full")
        again: Any = parse(printed, known=[*functions, *classes])
        known = ", ".join(one.__name__ for one in (*functions, *classes))
        code = f"{SPEC}from symbolic import parse, wrap\ntext = format({expression}, 'full')\n"
        code += f"again = parse(text, known=[{known}])\n"
        texts = code + "wanted, given = text, format(again, 'full')\n"
        yield Pair("the text of what was read", printed, format(again, "full"), texts)
        code += "wanted, given = formula.forward(data).value, again.forward(data).value\n"
        given = again.forward(program.data).value
        yield Pair("the value of what was read", program.value, given, code, is_exact=True)


def pickled(program: Program) -> Iterator[Pair]:
    """A copy by pickle."""
    yield from _twin(program, pickle.loads(pickle.dumps(program.layer)), "pickle.loads(pickle.dumps(formula))")


def deepcopied(program: Program) -> Iterator[Pair]:
    """A deep copy."""
    yield from _twin(program, copy.deepcopy(program.layer), "copy.deepcopy(formula)")


def _twin(program: Program, twin: Any, expression: str) -> Iterator[Pair]:
    """A copy has as many nodes, cells of its own, the same value and the same deltas."""
    code = f"import copy, pickle\ntwin = {expression}\n"
    count = code + "wanted, given = len(list(nodes(formula))), len(list(nodes(twin)))\n"
    yield Pair("the nodes of a copy", len(list(nodes(program.layer))), len(list(nodes(twin))), count)
    values = code + "wanted, given = formula.forward(data).value, twin.forward(data).value\n"
    yield Pair("the value of a copy", program.value, twin.forward(program.data).value, values, is_exact=True)
    theirs = parameters(twin)
    shared = code + "wanted, given = set(), set(parameters(formula)) & set(parameters(twin))\n"
    yield Pair("the cells that a copy shares", set(), set(theirs) & set(program.weights), shared)
    if not program.has_delta:
        return
    found = deltas_of(twin, program.data, program.delta)
    for key, wanted in program.deltas.items():
        given = found.get(theirs[program.weights.index(key)] if isinstance(key, Weight) else key)
        both = code + tape_code(program, key) + tape_code(program, key, "given", "twin", "twin")
        yield Pair(f"the delta of {name_of(program, key)} by a copy", wanted, given, both, is_exact=True, of="delta")
