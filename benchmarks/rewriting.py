"""How long a formula of 10 000 nodes takes to rewrite, and one of 100 000: a ratio near 10 is linear.

The formula is a chain of steps ``h + sin(h * w)`` in which each ``h`` is used twice, with a weight for ten steps, so it
is deep, shared, and has as many paths as two to the power of its steps. Each time is the best of a few, of a formula
built afresh, since nodes keep their hashes and plans.
"""

from __future__ import annotations

import argparse
import copy
import gc
from collections.abc import Callable
from time import perf_counter
from typing import Any

import symbolic
from layertree import (
    Cos,
    Identity,
    Plus,
    Sin,
    Times,
    Tuple,
    Weight,
    count,
    find,
    freeze,
    inference,
    map_layers,
    named_nodes,
    prune,
    replace,
    stop_gradient,
    substitute,
    summary,
)
from layertree.core.spec import spec_of
from layertree.rewrite.simplify import simplify
from symbolic import grad, wrap

_PER_STEP = 3.1


def chain(nodes: int) -> Any:
    """The layer tree of about so many nodes."""
    h: Any = Identity()
    w: Any = None
    for step in range(int(nodes / _PER_STEP)):
        if step % 10 == 0:
            w = Weight(0.001, name=f"w{step}")
        h = Plus(h, Sin(Times(h, w)))
    return h


def _same(node: Any) -> Any:
    return node


def _cosine(node: Any) -> Any:
    return Cos(node.operand)


def _of_formula(change: Callable[[Any], Any]) -> Callable[[Any], Callable[[], Any]]:
    """A rewriting of the formula around a layer, which has a spec."""

    def prepare(layer: Any) -> Callable[[], Any]:
        formula = wrap(layer, float)
        return lambda: change(formula)

    return prepare


def _parse(layer: Any) -> Callable[[], Any]:
    text = format(layer, "full")
    return lambda: symbolic.parse(text)


# What is prepared from a fresh formula, and then timed.
REWRITINGS: dict[str, Callable[[Any], Callable[[], Any]]] = {
    "count": lambda f: lambda: count(f),
    "find by type": lambda f: lambda: find(f, Sin),
    "find by pattern": lambda f: lambda: find(f, "operand1/**/operand2"),
    "find by name": lambda f: lambda: find(f, "w*"),
    "named_nodes": lambda f: lambda: list(named_nodes(f)),
    "summary": lambda f: lambda: summary(f),
    "map_layers": lambda f: lambda: map_layers(f, _same),
    "replace by type": lambda f: lambda: replace(f, Sin, _cosine),
    "replace by pattern": lambda f: lambda: replace(f, "**/operand2", _same),
    "at a path": lambda f: lambda: f.at("operand2/operand").set(2.0),
    "substitute": lambda f: lambda: substitute(f, {Identity(): 2.0}),
    "freeze": lambda f: lambda: freeze(f),
    "stop_gradient": lambda f: lambda: stop_gradient(f, Sin),
    "inference": lambda f: lambda: inference(f),
    "prune": lambda f: lambda: prune(Tuple((f, f)), 0),
    "replace, with specs": _of_formula(lambda formula: replace(formula, Sin, _cosine)),
    "wrap (infer specs)": lambda f: lambda: wrap(f, float),
    "simplify": lambda f: lambda: simplify(f, spec_of(1.0)),
    "grad": _of_formula(grad),
    "deepcopy": lambda f: lambda: copy.deepcopy(f),
    "format full": lambda f: lambda: format(f, "full"),
    "parse": _parse,
    "hash": lambda f: lambda: hash(f),
}


def seconds(prepare: Callable[[Any], Callable[[], Any]], nodes: int, repeats: int) -> float:
    """The best time of a rewriting; each one is of a fresh formula, and nothing is collected meanwhile."""
    best = float("inf")
    for _ in range(repeats):
        call = prepare(chain(nodes))
        gc.collect()
        gc.disable()
        try:
            start = perf_counter()
            result = call()
            best = min(best, perf_counter() - start)
        finally:
            gc.enable()
        del result, call
    return best


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=10_000, help="of the smaller formula (default 10 000)")
    parser.add_argument("--repeats", type=int, default=3, help="of which the best counts (default 3)")
    parser.add_argument("--only", default="", help="those whose names contain this")
    arguments = parser.parse_args()
    few, many = arguments.nodes, 10 * arguments.nodes
    print(f"{'':<22}{few:>12,} {many:>12,}   ratio")
    for name, prepare in REWRITINGS.items():
        if arguments.only in name:
            short, long = (seconds(prepare, nodes, arguments.repeats) for nodes in (few, many))
            print(f"{name:<22}{1e3 * short:>9.1f} ms {1e3 * long:>9.1f} ms   {long / short:5.1f}")


if __name__ == "__main__":
    main()
