"""The rewrite of each pass, on a graph of its own: the text of the graph before, and after."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

import numpy as np
import pytest

from layertree.program.ir.operations import Graph, Op
from layertree.program.lower.lowering import lower
from layertree.program.passes.loop_nest import Chain
from layertree.program.passes.pipeline import PASSES, passed
from layertree.typing import ArraySpec
from symbolic import cross_entropy, placeholder, value_and_grad, wrap
from tests.program.graphs import cell, graph_of, number, op, source, spec


def dead_code() -> Graph:
    x = source()
    kept, unread = op("sin", x), op("cos", x)
    return graph_of(x, kept, unread, op("exp", unread), op("hook", kept), outputs=(kept,))


def log_likelihood() -> Graph:
    kind = ArraySpec((4, 3)), ArraySpec((4,), np.int64)
    x, labels = placeholder(kind)
    formula = value_and_grad(cross_entropy(x, labels), x)
    return lower(wrap(formula, kind).layer, kind)


def product_scaling() -> Graph:
    x, y = source(spec(8, 2), 0), source(spec(2, 12), 1)
    product = op("matmul", x, y, kind=spec(8, 12))
    scaled = op("multiply", number(0.5), product, kind=product.spec)
    return graph_of(x, y, product, scaled, outputs=(scaled,))


def pooling_layout() -> Graph:
    x, kernel = source(spec(2, 4, 4, 1)), cell("kernel", 4, 2)
    windows = op("windows", x, kind=spec(2, 4, 4, 2, 2, 1), window=(2, 2))
    columns = op("reshape", windows, kind=spec(32, 4), shape=(32, 4))
    product = op("matmul", columns, kernel, kind=spec(32, 2))
    images = op("reshape", product, kind=spec(2, 4, 4, 2), shape=(2, 4, 4, 2))
    pooled = op("max_pool2d", images, kind=spec(2, 2, 2, 2), window=(2, 2), stride=(2, 2))
    return graph_of(x, kernel, windows, columns, product, images, pooled, outputs=(pooled,))


def gather_indices() -> Graph:
    x, labels = source(spec(4, 3), 0), source(spec(4, dtype=np.int64), 1)
    picked = op("pick", x, labels, kind=spec(4))
    scattered = op("unpick", picked, labels, kind=spec(4, 3), shape=(4, 3))
    total = op("add", x, scattered)
    return graph_of(x, labels, picked, scattered, total, outputs=(picked, total))


def rerolling() -> Graph:
    x = source(spec(8, 5, 3))
    steps = [op("getitem", x, kind=spec(5, 3), index=(i,)) for i in range(8)]
    terms = [op("tanh", step) for step in steps]
    sums = list(accumulate(terms, lambda one, other: op("add", one, other)))
    return graph_of(x, *steps, *terms, *sums[1:], outputs=(sums[-1],))


def tiling() -> Graph:
    q, k, v = source(spec(800, 4), 0), source(spec(4, 800), 1), source(spec(800, 2), 2)
    scores = op("matmul", q, k, kind=spec(800, 800))
    weights = op("exp", scores)
    mean = op("matmul", weights, v, kind=spec(800, 2))
    return graph_of(q, k, v, scores, weights, mean, outputs=(mean,))


def elementwise_fusion() -> Graph:
    x = source(spec(1000, 100))
    first = op("sin", x)
    second = op("multiply", number(2.0), first, kind=first.spec)
    third = op("exp", second)
    return graph_of(x, first, second, third, outputs=(third,))


REWRITES: dict[str, tuple[Callable[[], Graph], str, str]] = {
    "dead code": (
        dead_code,
        """
%0 = input: float
%1 = sin %0: float
%2 = cos %0: float
%3 = exp %2: float
%4 = hook %1: float
outputs (%1,)
""",
        """
%0 = input: float
%1 = sin %0: float
%2 = hook %1: float
outputs (%1,)
""",
    ),
    "log-likelihood": (
        log_likelihood,
        """
%0 = input: float64 (4, 3)
%1 = input: int64 (4,)
%2 = max %0 axis=(1,): float64 (4,)
%3 = reshape %2 shape=(4, 1): float64 (4, 1)
%4 = constant -1.7976931348623157e+308: float
%5 = maximum %3 %4: float64 (4, 1)
%6 = subtract %0 %5: float64 (4, 3)
%7 = exp %6: float64 (4, 3)
%8 = sum_of_last %7: float64 (4,)
%9 = reshape %8 shape=(4, 1): float64 (4, 1)
%10 = constant 1: int
%11 = maximum %9 %10: float64 (4, 1)
%12 = log %11: float64 (4, 1)
%13 = subtract %6 %12: float64 (4, 3)
%14 = pick %13 %1: float64 (4,)
%15 = negative %14: float64 (4,)
%16 = sum %15 axis=(0,): float64 ()
%17 = constant 1: float64 (4,)
%18 = constant 4.0: float64 ()
%19 = divide %16 %18: float64 ()
%20 = exp %13: float64 (4, 3)
%21 = sum_of_last %20: float64 (4,)
%22 = reshape %21 shape=(4, 1): float64 (4, 1)
%23 = constant 0: int
%24 = not_equal %22 %23: bool (4, 1)
%25 = constant 1.0: float64 ()
%26 = constant 0.25: float64 ()
%27 = constant 0.25: float64 (4,)
%28 = constant -0.25: float64 (4,)
%29 = unpick %28 %1 shape=(4, 3): float64 (4, 3)
%30 = constant -0.25: float64 (4, 1)
%31 = multiply %30 %20: float64 (4, 3)
%32 = subtract %29 %31: float64 (4, 3)
%33 = where %24 %32 %23: float64 (4, 3)
outputs (%19, %33)
""",
        """
%0 = input: float64 (4, 3)
%1 = input: int64 (4,)
%2 = max %0 axis=(1,): float64 (4,)
%3 = reshape %2 shape=(4, 1): float64 (4, 1)
%4 = constant -1.7976931348623157e+308: float
%5 = maximum %3 %4: float64 (4, 1)
%6 = subtract %0 %5: float64 (4, 3)
%7 = exp %6: float64 (4, 3)
%8 = sum_of_last %7: float64 (4,)
%9 = reshape %8 shape=(4, 1): float64 (4, 1)
%10 = constant 1: int
%11 = maximum %9 %10: float64 (4, 1)
%12 = log %11: float64 (4, 1)
%13 = pick %6 %1: float64 (4,)
%14 = reshape %12 shape=(4,): float64 (4,)
%15 = subtract %14 %13: float64 (4,)
%16 = sum %15 axis=(0,): float64 ()
%17 = constant 4.0: float64 ()
%18 = divide %16 %17: float64 ()
%19 = constant -0.25: float64 (4,)
%20 = constant 0.0: float
%21 = constant 0.25: float
%22 = reshape %8 shape=(4,): float64 (4,)
%23 = not_equal %22 %20: bool (4,)
%24 = multiply %19 %23: float64 (4,)
%25 = unpick %24 %1 shape=(4, 3): float64 (4, 3)
%26 = divide %21 %11: float64 (4, 1)
%27 = multiply %7 %26: float64 (4, 3)
%28 = add %27 %25: float64 (4, 3)
outputs (%18, %28)
""",
    ),
    "product scaling": (
        product_scaling,
        """
%0 = constant 0.5: float
%1 = input: float64 (8, 2)
%2 = input: float64 (2, 12)
%3 = matmul %1 %2: float64 (8, 12)
%4 = multiply %0 %3: float64 (8, 12)
outputs (%4,)
""",
        """
%0 = constant 0.5: float
%1 = input: float64 (8, 2)
%2 = input: float64 (2, 12)
%3 = constant 0.5: float
%4 = multiply %3 %1: float64 (8, 2)
%5 = matmul %4 %2: float64 (8, 12)
outputs (%5,)
""",
    ),
    "pooling layout": (
        pooling_layout,
        """
%0 = input: float64 (2, 4, 4, 1)
%1 = cell name='kernel': float64 (4, 2)
%2 = windows %0 window=(2, 2): float64 (2, 4, 4, 2, 2, 1)
%3 = reshape %2 shape=(32, 4): float64 (32, 4)
%4 = matmul %3 %1: float64 (32, 2)
%5 = reshape %4 shape=(2, 4, 4, 2): float64 (2, 4, 4, 2)
%6 = max_pool2d %5 window=(2, 2): float64 (2, 2, 2, 2)
outputs (%6,)
""",
        """
%0 = input: float64 (2, 4, 4, 1)
%1 = cell name='kernel': float64 (4, 2)
%2 = windows %0 window=(2, 2): float64 (2, 4, 4, 2, 2, 1)
%3 = reshape %2 shape=(2, 2, 2, 2, 2, 2, 2, 1): float64 (2, 2, 2, 2, 2, 2, 2, 1)
%4 = transpose %3 axes=(2, 4, 0, 1, 3, 5, 6, 7): float64 (2, 2, 2, 2, 2, 2, 2, 1)
%5 = reshape %4 shape=(32, 4): float64 (32, 4)
%6 = matmul %5 %1: float64 (32, 2)
%7 = reshape %6 shape=(4, 2, 2, 2, 2): float64 (4, 2, 2, 2, 2)
%8 = max %7 axis=(0,): float64 (2, 2, 2, 2)
outputs (%8,)
""",
    ),
    "gather indices": (
        gather_indices,
        """
%0 = input: float64 (4, 3)
%1 = input: int64 (4,)
%2 = pick %0 %1: float64 (4,)
%3 = unpick %2 %1 shape=(4, 3): float64 (4, 3)
%4 = add %0 %3: float64 (4, 3)
outputs (%2, %4)
""",
        """
%0 = input: float64 (4, 3)
%1 = input: int64 (4,)
%2 = places %1: int64 (4,)
%3 = pick_at %0 %2: float64 (4,)
%4 = add_at %0 %3 %2: float64 (4, 3)
outputs (%3, %4)
""",
    ),
    "rerolling": (
        rerolling,
        """
%0 = input: float64 (8, 5, 3)
%1 = getitem %0 index=(0,): float64 (5, 3)
%2 = getitem %0 index=(1,): float64 (5, 3)
%3 = getitem %0 index=(2,): float64 (5, 3)
%4 = getitem %0 index=(3,): float64 (5, 3)
%5 = getitem %0 index=(4,): float64 (5, 3)
%6 = getitem %0 index=(5,): float64 (5, 3)
%7 = getitem %0 index=(6,): float64 (5, 3)
%8 = getitem %0 index=(7,): float64 (5, 3)
%9 = tanh %1: float64 (5, 3)
%10 = tanh %2: float64 (5, 3)
%11 = tanh %3: float64 (5, 3)
%12 = tanh %4: float64 (5, 3)
%13 = tanh %5: float64 (5, 3)
%14 = tanh %6: float64 (5, 3)
%15 = tanh %7: float64 (5, 3)
%16 = tanh %8: float64 (5, 3)
%17 = add %9 %10: float64 (5, 3)
%18 = add %17 %11: float64 (5, 3)
%19 = add %18 %12: float64 (5, 3)
%20 = add %19 %13: float64 (5, 3)
%21 = add %20 %14: float64 (5, 3)
%22 = add %21 %15: float64 (5, 3)
%23 = add %22 %16: float64 (5, 3)
outputs (%23,)
""",
        """
%0 = input: float64 (8, 5, 3)
%1 = getitem %0 index=(0,): float64 (5, 3)
%2 = getitem %0 index=(1,): float64 (5, 3)
%3 = getitem %0 index=(2,): float64 (5, 3)
%4 = getitem %0 index=(3,): float64 (5, 3)
%5 = getitem %0 index=(4,): float64 (5, 3)
%6 = getitem %0 index=(5,): float64 (5, 3)
%7 = getitem %0 index=(6,): float64 (5, 3)
%8 = getitem %0 index=(7,): float64 (5, 3)
%9 = getitem %0 index=(slice(0, 8, 1),): float64 (8, 5, 3)
%10 = tanh %9: float64 (8, 5, 3)
%11 = sum %10 axis=(0,): float64 (5, 3)
outputs (%11,)
""",
    ),
    "tiling": (
        tiling,
        """
%0 = input: float64 (800, 4)
%1 = input: float64 (4, 800)
%2 = input: float64 (800, 2)
%3 = matmul %0 %1: float64 (800, 800)
%4 = exp %3: float64 (800, 800)
%5 = matmul %4 %2: float64 (800, 2)
outputs (%5,)
""",
        """
%0 = input: float64 (800, 4)
%1 = input: float64 (4, 800)
%2 = input: float64 (800, 2)
%3 = fused %0 %1 %2: float64 (800, 2)
%4 = result %3 position=0: float64 (800, 2)
outputs (%4,)
block, rows 0 to 128, rows 768 to 800:
%0 = state: float64 (128, 4)
%1 = state: float64 (4, 800)
%2 = state: float64 (800, 2)
%3 = matmul %0 %1: float64 (128, 800)
%4 = exp %3: float64 (128, 800)
%5 = matmul %4 %2: float64 (128, 2)
outputs (%5,)
""",
    ),
    "elementwise fusion": (
        elementwise_fusion,
        """
%0 = constant 2.0: float
%1 = input: float64 (1000, 100)
%2 = sin %1: float64 (1000, 100)
%3 = multiply %0 %2: float64 (1000, 100)
%4 = exp %3: float64 (1000, 100)
outputs (%4,)
""",
        """
%0 = constant 2.0: float
%1 = input: float64 (1000, 100)
%2 = fused %1: float64 (1000, 100)
%3 = result %2 position=0: float64 (1000, 100)
outputs (%3,)
block, rows 0 to 655, rows 655 to 1000:
%0 = state: float64 (655, 100)
%1 = constant 2.0: float
%2 = sin %0: float64 (655, 100)
%3 = multiply %1 %2: float64 (655, 100)
%4 = exp %3: float64 (655, 100)
outputs (%4,)
""",
    ),
}


def shown(graph: Graph) -> str:
    """The text of a graph, and below it that of the largest block of each loop nest."""
    nests = [op for op in graph.ops if op.name == "fused"]
    return "\n".join([str(graph), *[f"block, {_blocks(op)}:\n{_chain(op).graph}" for op in nests]])


def _chain(op: Op) -> Chain:
    chain: Chain = op.attributes["chain"]
    return chain


def _blocks(op: Op) -> str:
    rows = [block["rows"] for block in _chain(op).blocks]
    return ", ".join(f"rows {part.start} to {part.stop}" for part in (rows[0], rows[-1]))


@pytest.mark.parametrize("name", dict.fromkeys(one.name for one in PASSES))
def test_a_pass_rewrites_this_to_that(name: str) -> None:
    build, before, after = REWRITES[name]
    graph = build()
    assert shown(graph) == before.strip()
    (run,) = {one for one in PASSES if one.name == name}
    assert shown(passed([run], graph, ())[0]) == after.strip()
    assert shown(graph) == before.strip()
