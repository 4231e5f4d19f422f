"""How a primitive is written in NumPy: as an expression that makes its result, or as a line that fills a buffer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from layertree import kernels
from layertree.core.nested import tuple_text
from layertree.core.spec import WEAK_TYPES
from layertree.kernels.select import BITS
from layertree.namespaces import NUMPY, SCALAR
from layertree.program._ops import Op
from layertree.program.index import cover
from layertree.program.views import VIEWS, index_text, view_text

Into = Callable[[Op, list[str], str, list[str]], str]
"""Writes the line of an op, from its arguments' texts, its buffer's and those of its workspaces."""

_INFIX = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
}
_REDUCERS = {"sum": "np.add.reduce", "max": "np.maximum.reduce", "min": "np.minimum.reduce"}


@cache
def is_elementwise(name: str) -> bool:
    """Whether a primitive works element by element."""
    return name in ("where", "masked") or (name != "matmul" and isinstance(getattr(NUMPY, name, None), np.ufunc))


def _ufunc_name(name: str) -> str:
    return getattr(NUMPY, name).__name__  # type: ignore[no-any-return]  # a ufunc's name is a string


class _Into(dict[str, Into]):
    """The primitives that can fill a buffer: ufuncs all in one way, the rest as they are registered."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and is_elementwise(name))

    def __missing__(self, name: str) -> Into:
        return _ufunc


def _ufunc(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    name = _ufunc_name(op.name)
    if name == "multiply" and arguments[0] == arguments[1] and op.spec.dtype.kind != "b":  # NumPy has no such square
        name, arguments = "square", arguments[:1]  # half as much to read
    return f"np.{name}({', '.join([*arguments, f'out={out}'])})"


def _where(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    mask, then, otherwise = arguments
    if not work:
        return f"np.copyto({out}, np.where({mask}, {then}, {otherwise}))"
    if keeps(op):
        return f"kernels.keep({then}, {mask}, {out}, {work[0]})"
    return f"kernels.select({mask}, {then}, {otherwise}, {out}, {work[0]})"


def keeps(op: Op) -> bool:
    """Whether a ``where`` is its second operand or 0."""
    _, then, otherwise = op.inputs
    is_zero = otherwise.number is not None and otherwise.number == 0 and not np.signbit(otherwise.number)
    is_whole = then.name not in ("broadcast_to", "constant") and then.spec.shape == op.spec.shape
    return is_zero and is_whole and then.spec.dtype == op.spec.dtype


def _reduce(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    return f"{_REDUCERS[op.name]}({arguments[0]}, axis={axis_text(op)}, out={out})"


def axis_text(op: Op) -> str:
    """The axes of a reduction: one as a number, all as None."""
    axes = op.attributes["axis"]
    if len(axes) == len(op.inputs[0].spec.shape):
        return "None" if len(axes) > 1 else "0"
    return str(axes[0]) if len(axes) == 1 else str(axes)


def _matmul(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    return f"np.matmul({', '.join(arguments)}, out={out})"


def _copy(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    if op.name == "reshape":
        out = f"{out}.reshape({', '.join(map(str, op.inputs[0].spec.shape))})"
    return f"np.copyto({out}, {arguments[0]}" + (', casting="unsafe")' if op.name == "astype" else ")")


def _concat(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    return f"np.concatenate({tuple_text(arguments)}, axis={op.attributes['axis']}, out={out})"


def _argmax(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    return f"np.argmax({arguments[0]}, axis={op.attributes['axis']}, out={out})"


def _kernel(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    attributes = [f"{key}={value_text(value)}" for key, value in op.attributes.items() if key != "shape"]
    return f"kernels.{op.name}({', '.join([*arguments, out, *work, *attributes])})"


def _put(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    indices = op.attributes["indices"]
    texts = [f"np.s_[{index_text(index)}]" for index in indices]
    whole = ", whole=True" if cover(indices, op.spec.shape) else ""
    return f"kernels.put({tuple_text(arguments)}, {out}, indices={tuple_text(texts)}{whole})"


def value_text(value: Any) -> str:
    """A number, or another attribute, as it is written."""
    if type(value) is float and not np.isfinite(value):
        return f"np.{value}" if value != -np.inf else "-np.inf"
    return repr(value)


INTO: _Into = _Into(
    where=_where,
    sum=_reduce,
    max=_reduce,
    min=_reduce,
    matmul=_matmul,
    astype=_copy,
    reshape=_copy,
    concat=_concat,
    argmax=_argmax,
    take=_kernel,
    scatter_add=_kernel,
    pick=_kernel,
    unpick=_kernel,
    places=_kernel,
    pick_at=_kernel,
    unpick_at=_kernel,
    add_at=_kernel,
    put=_put,
    pad=_kernel,
    max_pool2d=_kernel,
    max_unpool=_kernel,
    max_unpool2d=_kernel,
    max_of_last=_kernel,
    sum_of_last=_kernel,
    sum_of_rows=_kernel,
    fold=_kernel,
    masked=_kernel,
)
"""How each primitive fills a buffer. What is not here makes its own array, by the kernel of its name."""


def may_overwrite(op: Op, operand: Op) -> bool:
    """Whether the line of an op reads an operand element by element before it writes over it."""
    if op.name == "where":
        return op.inputs[1] is operand and op.inputs[2] is not operand and bool(workspaces(op))
    return is_elementwise(op.name) or (op.name == "add_at" and op.inputs[0] is operand)


def workspaces(op: Op) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The shapes and dtypes of arrays that the line of an op needs meanwhile."""
    if op.name in ("max_unpool", "max_unpool2d"):
        places = math.prod(op.attributes["window"]) if op.name == "max_unpool2d" else op.spec.shape[0]
        return iter(kernels.unpool_room(op.inputs[0].spec.shape, op.spec.dtype, places))
    if op.name == "fold":
        shape = kernels.fold_room(op.inputs[0].spec.shape, op.attributes["stride"], op.attributes["dilation"])
        return iter([(shape, op.spec.dtype)])
    if op.name == "scatter_add" and op.attributes["axis"] == 0 and op.spec.dtype.char in "fd":
        tokens, rows = math.prod(op.inputs[1].spec.shape), op.spec.shape[0]
        return iter([((rows, tokens), op.spec.dtype)] if kernels.fits_table(tokens, rows) else [])
    if op.name == "max_of_last":
        return iter([(op.inputs[0].spec.shape[::-1], op.spec.dtype)])
    if op.name in ("pick", "unpick"):
        return iter([((math.prod(op.inputs[1].spec.shape),), np.dtype(np.int64))])
    bits = BITS.get(op.spec.dtype.itemsize)
    if op.name == "where" and op.is_array and bits is not None and op.spec.dtype.kind in "iuf":
        return iter([(op.spec.shape, bits)])
    return iter(())


def is_infix(op: Op) -> bool:
    """Whether the expression of an op has an operator in it."""
    return _operator(op) is not None or op.name in ("negative", "where")


def _operator(op: Op) -> str | None:
    """The operator between two operands: Python's own division raises where the divisor is 0."""
    if op.name == "divide":
        return None if all(read.spec.weak for read in op.inputs) else "/"
    return _INFIX.get(op.name)


def is_expressible(op: Op) -> bool:
    """Whether an expression makes the result as well as a line that fills a buffer."""
    return (
        (is_elementwise(op.name) and op.name != "masked")
        or op.name in _REDUCERS
        or op.name in ("matmul", "astype", "concat")
    )


def expression(op: Op, arguments: list[str]) -> str:
    """An expression that makes the result."""
    scalar = all(read.spec.weak for read in op.inputs)
    if (operator := _operator(op)) is not None:
        return f"{arguments[0]} {operator} {arguments[1]}"
    if op.name == "negative":
        return f"-{arguments[0]}"
    if op.name == "where" and scalar and op.inputs[1].spec == op.inputs[2].spec:
        return f"{arguments[1]} if {arguments[0]} else {arguments[2]}"
    if op.name in _REDUCERS:
        return f"{_REDUCERS[op.name]}({arguments[0]}, axis={axis_text(op)})"
    if op.name == "matmul":
        return f"np.matmul({', '.join(arguments)})"
    if op.name == "concat":
        return f"np.concatenate({tuple_text(arguments)}, axis={op.attributes['axis']})"
    if op.name == "astype":
        return _cast(op, arguments[0])
    if not scalar and isinstance(getattr(NUMPY, op.name, None), np.ufunc):
        return f"np.{_ufunc_name(op.name)}({', '.join(arguments)})"
    if op.name in VIEWS:  # of rank 0, and a NumPy scalar
        view = view_text(op.name, arguments[0], op.attributes, 0, of_number=not op.inputs[0].is_array)
        return f"{_python_type(op)}({view})" if op.spec.weak else f"{view}[()]"
    attributes = [f"{key}={value_text(value)}" for key, value in op.attributes.items()]
    text = f"{function_text(op)}({', '.join([*arguments, *attributes])})"
    if op.is_array or functions(op):
        return text
    return f"{_python_type(op)}({text})" if op.spec.weak else f"{text}[()]"


def _python_type(op: Op) -> str:
    return WEAK_TYPES[op.spec.dtype].__name__


def _cast(op: Op, argument: str) -> str:
    if op.spec.weak:
        return f"{_python_type(op)}({argument})"
    if op.is_array:
        return f"{argument}.astype(np.{op.spec.dtype.name})"
    if op.spec.dtype.kind in "iu":  # not every number is one, but each is cast
        return f"np.asarray({argument}).astype(np.{op.spec.dtype.name})[()]"
    return f"np.{op.spec.dtype.name}({argument})"


def function_text(op: Op) -> str:
    """The function of an op's name: of Python numbers a bare one, else NumPy's or our kernel over it."""
    if functions(op):
        return op.name
    return f"kernels.{op.name}" if hasattr(kernels, op.name) and op.name not in INTO else f"xp.{op.name}"


def functions(op: Op) -> dict[str, Any]:
    """What the expression of an op over Python numbers refers to by a bare name."""
    if op.inputs and all(read.spec.weak for read in op.inputs) and op.name not in ("cond", "result", "bernoulli"):
        return {op.name: getattr(SCALAR, op.name)}
    return {}
