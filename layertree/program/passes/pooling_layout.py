"""Data layout of pooled convolutions: one contiguous array for each position in a pooling window.

The rows of a convolution's product are permuted, so that first come all pixels at the first position in their windows,
then all at the second, and so on. The maximum over windows is then the maximum of a few contiguous arrays, forward and
backward; a window of four pixels would make strided views a few channels long. The rules, for windows of h by w pixels
that lie side by side:

    columns = reshape(windows(x))           ->  columns = reshape(transpose(reshape(windows(x))))
    images = reshape(matmul(columns, k))    ->  images = reshape(matmul(columns, k)) to (h * w, *pooled)
    max_pool2d(images)                      ->  max(images) over the first axis
    max_unpool2d(delta, pooled, images)     ->  max_unpool(delta, pooled, images)

They apply where no delta goes on to x, since adding windows back needs their original order, and where nothing else
reads what they replace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from layertree.core.spec import ArraySpec
from layertree.program.ir.operations import Attributes, Graph, Op, remapped, rewritten, users_of


class PooledConvolution(NamedTuple):
    """A pooled convolution: the columns, their product as images, the pooled images, and the deltas of the images."""

    columns: Op
    images: Op
    pooled: Op
    deltas: tuple[Op, ...]

    def ops(self) -> tuple[Op, ...]:
        """The operations that the pass replaces."""
        return (self.columns, self.images, self.pooled, *self.deltas)


def with_pooled_layout(graph: Graph, destinations: Iterable[Op]) -> tuple[Graph, list[Op]]:
    """The graph with pooled convolutions in that layout, and the replacements of ``destinations`` in it."""
    if all(op.name != "max_pool2d" for op in graph.ops):
        return graph, list(destinations)
    users, results = users_of(graph), set(graph.results())
    found = [one for op in graph.ops if (one := _pooled_convolution(op, users, results)) is not None]
    owners = {op: one for one in found for op in one.ops()}
    made: dict[Op, Op] = {}
    ops: list[Op] = []
    for op in graph.ops:
        ops.extend(_replacement(op, owners[op], made) if op in owners else [remapped(op, made)])
    return rewritten(graph, ops, made, destinations)


def _pooled_convolution(op: Op, users: dict[Op, list[Op]], results: set[Op]) -> PooledConvolution | None:
    """The convolution below a pooling; None where windows overlap, or other operations read what the pass replaces."""
    if op.name != "max_pool2d" or op.attributes["window"] != op.attributes["stride"]:
        return None
    (images,) = op.inputs
    if images.name != "reshape" or images.inputs[0].name != "matmul":
        return None
    product = images.inputs[0]
    columns = product.inputs[0]
    if columns.name != "reshape" or columns.inputs[0].name != "windows" or columns.ndim != 2:
        return None
    height, width = images.shape[-3:-1]
    down, across = op.attributes["window"]
    if height % down or width % across or columns.inputs[0].shape[: images.ndim - 1] != images.shape[:-1]:
        return None
    deltas = tuple([one for one in users[images] if one is not op])
    flat = [one for delta in deltas for one in users[delta]]
    transposed = [one for one in users[columns] if one is not product]
    is_own = (
        users[product] == [images]
        and not results.intersection((columns, product, images, *deltas, *flat))
        and all(one.name == "max_unpool2d" and one.inputs[1:] == (op, images) for one in deltas)
        and all(one.name == "reshape" and one.shape == product.shape for one in flat)
        and all(one.name == "transpose" for one in transposed)
        and all(one.name == "matmul" and one.inputs[0] in transposed for delta in flat for one in users[delta])
        and all(one.inputs[1] in flat for transpose in transposed for one in users[transpose])
    )
    return PooledConvolution(columns, images, op, deltas) if is_own else None


def _replacement(op: Op, found: PooledConvolution, made: dict[Op, Op]) -> Iterator[Op]:
    """The operations in the place of one."""
    down, across = found.pooled.attributes["window"]
    if op is found.columns:
        yield from _permuted_columns(op, down, across, made)
    elif op is found.images:
        shape = (down * across, *found.pooled.shape)
        yield _replaced(op, "reshape", (made[op.inputs[0]],), {"shape": shape}, shape, made)
    elif op is found.pooled:
        yield _replaced(op, "max", (made[found.images],), {"axis": (0,)}, op.shape, made)
    else:
        inputs = (made.get(op.inputs[0], op.inputs[0]), made[found.pooled], made[found.images])
        yield _replaced(op, "max_unpool", inputs, {}, made[found.images].shape, made)


def _permuted_columns(op: Op, down: int, across: int, made: dict[Op, Op]) -> Iterator[Op]:
    """The columns with their rows permuted: a view of the windows in that order, copied to a matrix."""
    windows = made.get(op.inputs[0], op.inputs[0])
    *lead, height, width = windows.shape[:-3]
    split = (*lead, height // down, down, width // across, across, *windows.shape[-3:])
    n = len(lead)
    order = (n + 1, n + 3, *range(n), n, n + 2, *range(n + 4, n + 7))
    view = Op("reshape", (windows,), {"shape": split}, ArraySpec(split, op.dtype), op.layer)
    shape = tuple([split[axis] for axis in order])
    permuted = Op("transpose", (view,), {"axes": order}, ArraySpec(shape, op.dtype), op.layer)
    yield view
    yield permuted
    yield _replaced(op, "reshape", (permuted,), {"shape": op.shape}, op.shape, made)


def _replaced(
    op: Op, name: str, inputs: tuple[Op, ...], attributes: Attributes, shape: tuple[int, ...], made: dict[Op, Op]
) -> Op:
    made[op] = Op(name, inputs, attributes, ArraySpec(shape, op.dtype), op.layer)
    return made[op]
