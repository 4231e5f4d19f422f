"""Convolutions that are pooled at once: what the windows of the pooling hold lies by its place in them.

The rows of a convolution's product are put in the order of places, so the largest of each window is the largest of a
few whole arrays, and so is where its delta goes back to: both run over memory as it lies, where a window of four
places would make strided views of it, a few channels long. Only where no delta goes on to the images: adding windows
back together wants them as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from layertree._record import record
from layertree.core.spec import ArraySpec
from layertree.program._ops import Graph, Op, over, readers_of, rewritten


@record(eq=False)
class Pooling:
    """A pooling right behind a convolution: the columns, their product as images, what is pooled of it, its deltas."""

    columns: Op
    images: Op
    pooled: Op
    deltas: tuple[Op, ...]


def by_places(graph: Graph, given: Iterable[Op]) -> tuple[Graph, list[Op]]:
    """The graph with pooled convolutions in the order of places, and what stands for the ``given`` ops in it."""
    if all(op.name != "max_pool2d" for op in graph.ops):
        return graph, list(given)
    readers, results = readers_of(graph), set(graph.results())
    found = [pooling for op in graph.ops if (pooling := _pooling(op, readers, results)) is not None]
    writers = {
        op: pooling for pooling in found for op in (pooling.columns, pooling.images, pooling.pooled, *pooling.deltas)
    }
    made: dict[Op, Op] = {}
    ops: list[Op] = []
    for op in graph.ops:
        ops.extend(_written(op, writers[op], made) if op in writers else [over(op, made)])
    return rewritten(graph, ops, made, given)


def _pooling(op: Op, readers: dict[Op, list[Op]], results: set[Op]) -> Pooling | None:
    """What is around a pooling; None where it is no plain one of a convolution, or others read what it reads."""
    if op.name != "max_pool2d" or op.attributes["window"] != op.attributes["stride"]:
        return None
    (images,) = op.inputs
    if images.name != "reshape" or images.inputs[0].name != "matmul":
        return None
    product = images.inputs[0]
    columns = product.inputs[0]
    if columns.name != "reshape" or columns.inputs[0].name != "windows" or len(columns.spec.shape) != 2:
        return None
    height, width = images.spec.shape[-3:-1]
    down, across = op.attributes["window"]
    if (
        height % down
        or width % across
        or columns.inputs[0].spec.shape[: len(images.spec.shape) - 1] != images.spec.shape[:-1]
    ):
        return None
    deltas = tuple([one for one in readers[images] if one is not op])
    flat = [one for delta in deltas for one in readers[delta]]
    turned = [one for one in readers[columns] if one is not product]
    is_own = (
        readers[product] == [images]
        and not results.intersection((columns, product, images, *deltas, *flat))
        and all(one.name == "max_unpool2d" and one.inputs[1:] == (op, images) for one in deltas)
        and all(one.name == "reshape" and one.spec.shape == product.spec.shape for one in flat)
        and all(one.name == "transpose" for one in turned)
        and all(one.name == "matmul" and one.inputs[0] in turned for delta in flat for one in readers[delta])
        and all(one.inputs[1] in flat for turn in turned for one in readers[turn])
    )
    return Pooling(columns, images, op, deltas) if is_own else None


def _written(op: Op, pooling: Pooling, made: dict[Op, Op]) -> Iterator[Op]:
    """The operations in the place of one."""
    down, across = pooling.pooled.attributes["window"]
    if op is pooling.columns:
        yield from _columns(op, down, across, made)
    elif op is pooling.images:
        shape = (down * across, *pooling.pooled.spec.shape)
        yield _put(op, "reshape", (made[op.inputs[0]],), {"shape": shape}, shape, made)
    elif op is pooling.pooled:
        yield _put(op, "max", (made[pooling.images],), {"axis": (0,)}, op.spec.shape, made)
    else:
        inputs = (made.get(op.inputs[0], op.inputs[0]), made[pooling.pooled], made[pooling.images])
        yield _put(op, "max_unpool", inputs, {}, made[pooling.images].spec.shape, made)


def _columns(op: Op, down: int, across: int, made: dict[Op, Op]) -> Iterator[Op]:
    """The columns with their rows in the order of places: the windows as a view in that order, laid out."""
    windows = made.get(op.inputs[0], op.inputs[0])
    *lead, height, width = windows.spec.shape[:-3]
    split = (*lead, height // down, down, width // across, across, *windows.spec.shape[-3:])
    n = len(lead)
    order = (n + 1, n + 3, *range(n), n, n + 2, *range(n + 4, n + 7))
    view = Op("reshape", (windows,), {"shape": split}, ArraySpec(split, op.spec.dtype), op.layer)
    shape = tuple([split[axis] for axis in order])
    turned = Op("transpose", (view,), {"axes": order}, ArraySpec(shape, op.spec.dtype), op.layer)
    yield view
    yield turned
    yield _put(op, "reshape", (turned,), {"shape": op.spec.shape}, op.spec.shape, made)


def _put(
    op: Op, name: str, inputs: tuple[Op, ...], attributes: dict[str, object], shape: tuple[int, ...], made: dict[Op, Op]
) -> Op:
    made[op] = Op(name, inputs, attributes, ArraySpec(shape, op.spec.dtype), op.layer)
    return made[op]
