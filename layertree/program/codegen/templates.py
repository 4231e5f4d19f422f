"""Templates of primitives (instruction selection): the NumPy expression of each, and the line that fills a buffer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from layertree import kernels
from layertree.core.nested import tuple_text
from layertree.core.spec import WEAK_TYPES
from layertree.core.static_index import index_text
from layertree.namespaces import NUMPY, SCALAR
from layertree.program.ir.operations import Data, Op
from layertree.program.ir.primitives import fills_a_buffer, is_elementwise
from layertree.program.ir.static_index import cover, parts_of
from layertree.program.ir.views import VIEWS, view_text

Template: TypeAlias = Callable[[Op, list[str], str, list[str]], str]
"""The line of an op from the texts of its arguments, of its buffer, and of its workspaces."""

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


def _ufunc_name(name: str) -> str:
    return getattr(NUMPY, name).__name__  # type: ignore[no-any-return]  # a ufunc's name is a string


def _ufunc(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    name = _ufunc_name(op.name)
    if name == "multiply" and arguments[0] == arguments[1] and op.dtype.kind != "b":  # np.square takes no booleans
        name, arguments = "square", arguments[:1]  # one operand to load instead of two
    return f"np.{name}({', '.join([*arguments, f'out={out}'])})"


def _where(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    mask, then, otherwise = arguments
    if not work:
        return f"np.copyto({out}, np.where({mask}, {then}, {otherwise}))"
    if is_select_or_zero(op):
        return f"kernels.keep({then}, {mask}, {out}, {work[0]})"
    return f"kernels.select({mask}, {then}, {otherwise}, {out}, {work[0]})"


def is_select_or_zero(op: Op) -> bool:
    """Whether a ``where`` chooses between a whole array of its own dtype and 0, for which there is a quicker kernel."""
    _, then, otherwise = op.inputs
    number = otherwise.number
    is_zero = number is not None and number == 0 and not np.signbit(float(number))
    is_whole = then.name not in ("broadcast_to", "constant") and then.shape == op.shape
    return is_zero and is_whole and then.dtype == op.dtype


def _reduce(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    return f"{_REDUCERS[op.name]}({arguments[0]}, axis={axis_text(op)}, out={out})"


def axis_text(op: Op) -> str:
    """The axes of a reduction as the argument ``axis``: one axis as a number, all axes as None."""
    axes = op.attributes["axis"]
    if len(axes) == len(op.inputs[0].shape):
        return "None" if len(axes) > 1 else "0"
    return str(axes[0]) if len(axes) == 1 else str(axes)


def _matmul(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    return f"np.matmul({', '.join(arguments)}, out={out})"


def _copy(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    if op.name == "reshape":
        out = f"{out}.reshape({', '.join(map(str, op.inputs[0].shape))})"
    return f"np.copyto({out}, {arguments[0]}" + (', casting="unsafe")' if op.name == "astype" else ")")


def _concat(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    return f"np.concatenate({tuple_text(arguments)}, axis={op.attributes['axis']}, out={out})"


def _argmax(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    return f"np.argmax({arguments[0]}, axis={op.attributes['axis']}, out={out})"


def _kernel(op: Op, arguments: list[str], out: str, work: list[str], by_columns: bool = False) -> str:
    attributes = [f"{key}={value_text(value)}" for key, value in op.attributes.items() if key != "shape"]
    if by_columns:
        attributes.append("by_columns=True")
    return f"kernels.{op.name}({', '.join([*arguments, out, *work, *attributes])})"


def _put(op: Op, arguments: list[str], out: str, work: list[str]) -> str:
    indices = op.attributes["indices"]
    texts = [f"np.s_[{index_text(parts_of(index))}]" for index in indices]
    whole = ", whole=True" if cover(indices, op.shape) else ""
    return f"kernels.put({tuple_text(arguments)}, {out}, indices={tuple_text(texts)}{whole})"


def value_text(value: Data) -> str:
    """A number, or another attribute of an op, as an expression."""
    if type(value) is float and not np.isfinite(value):
        return f"np.{value}" if value != -np.inf else "-np.inf"
    return repr(value)


_TEMPLATES: dict[str, Template] = {
    "where": _where,
    "sum": _reduce,
    "max": _reduce,
    "min": _reduce,
    "matmul": _matmul,
    "astype": _copy,
    "reshape": _copy,
    "concat": _concat,
    "argmax": _argmax,
    "put": _put,
}
"""The templates of primitives that are neither ufuncs nor kernels of our own."""


def filling_line(op: Op, arguments: list[str], out: str, work: list[str], *, by_columns: bool = False) -> str:
    """The line that fills a buffer with the value of an op, whose primitive has to be one that can fill a buffer.

    With ``by_columns`` the op is a kernel that counts the elements of a matrix by columns.
    """
    if by_columns:
        return _kernel(op, arguments, out, work, by_columns)
    template = _TEMPLATES.get(op.name)
    if template is None:
        template = _ufunc if is_elementwise(op.name) and op.name != "masked" else _kernel
    return template(op, arguments, out, work)


def is_infix(op: Op) -> bool:
    """Whether the expression of an op contains an operator, so that it may need parentheses."""
    return _operator(op) is not None or op.name in ("negative", "where")


def _operator(op: Op) -> str | None:
    """The operator of a binary primitive; None for a division of Python numbers, which raises for a divisor of 0."""
    if op.name == "divide":
        return None if all(read.is_weak for read in op.inputs) else "/"
    return _INFIX.get(op.name)


def is_expressible(op: Op) -> bool:
    """Whether an expression that makes a new array is as quick as a line that fills a buffer."""
    return (
        (is_elementwise(op.name) and op.name != "masked")
        or op.name in _REDUCERS
        or op.name in ("matmul", "astype", "concat")
    )


def expression(op: Op, arguments: list[str]) -> str:
    """The expression of an op's value, from the texts of its arguments."""
    scalar = all(read.is_weak for read in op.inputs)
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
    if op.name in VIEWS:  # of rank 0: a NumPy scalar
        view = view_text(op.name, arguments[0], op.attributes, 0, of_number=not op.inputs[0].is_array)
        return f"{_python_type(op)}({view})" if op.is_weak else f"{view}[()]"
    attributes = [f"{key}={value_text(value)}" for key, value in op.attributes.items()]
    text = f"{function_text(op)}({', '.join([*arguments, *attributes])})"
    if op.is_array or scalar_functions(op):
        return text
    return f"{_python_type(op)}({text})" if op.is_weak else f"{text}[()]"


def _python_type(op: Op) -> str:
    return WEAK_TYPES[op.dtype].__name__


def _cast(op: Op, argument: str) -> str:
    if op.is_weak:
        return f"{_python_type(op)}({argument})"
    if op.is_array:
        return f"{argument}.astype(np.{op.dtype.name})"
    if op.dtype.kind in "iu":  # np.int64(nan) would raise, where the cast of an array does not
        return f"np.asarray({argument}).astype(np.{op.dtype.name})[()]"
    return f"np.{op.dtype.name}({argument})"


def function_text(op: Op) -> str:
    """The function of a primitive: a bare name for Python numbers, else a name in our kernels or in the namespace."""
    if scalar_functions(op):
        return op.name
    return f"kernels.{op.name}" if hasattr(kernels, op.name) and not fills_a_buffer(op.name) else f"xp.{op.name}"


def scalar_functions(op: Op) -> dict[str, Callable[..., Data]]:
    """The function that the expression of an op on Python numbers calls by a bare name; none for any other op."""
    if op.inputs and all(read.is_weak for read in op.inputs) and op.name not in ("cond", "result", "bernoulli"):
        return {op.name: getattr(SCALAR, op.name)}
    return {}
