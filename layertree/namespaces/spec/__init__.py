"""The spec namespace: shapes and dtypes instead of data, so that a wrong formula is an error when it is built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from layertree.core.diagnostics import MISFITS, misfit, name_path
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.nested import folded
from layertree.core.spec import KINDS, WEAK, WEAK_TYPES, ArraySpec, spec_of, spec_text
from layertree.namespaces import _namespace
from layertree.namespaces.spec import elementwise, indexing, like, products, reduction, shape, stacks, structure
from layertree.namespaces.spec._dims import same_dim
from layertree.sweep.reading import Reading
from layertree.sweep.sweep import sweep

SPEC = _namespace.Namespace("spec", structure, like, shape, stacks, indexing, reduction, products, elementwise)


def infer(node: Any, operands: Sequence[Any]) -> Any:
    """The spec of an operation's result from those of its operands; an error names all of them."""
    # Of Python numbers there are three specs, so each class keeps what it makes of them.
    known = node.__specs_of_numbers__.get(tuple(map(id, operands)))
    if known is None:
        known = _inferred(node, operands)
        if node.__layout__.plain and all(map(_is_number, operands)):
            node.__specs_of_numbers__[tuple(map(id, operands))] = known
    return known


def _is_number(spec: Any) -> bool:
    """Whether it is one of the specs of Python numbers, which are never freed: so their ids stay theirs."""
    return not is_a(spec, tuple) and WEAK.get(WEAK_TYPES.get(spec.dtype)) is spec


def _inferred(node: Any, operands: Sequence[Any]) -> Any:
    try:
        if node.__has_tape__:
            rule = getattr(node, "spec", None)
            return rule(*operands) if rule is not None else operands[0]
        return node.compute(SPEC, *operands)
    except MISFITS as error:
        raise misfit(error, node, list(map(spec_text, operands))) from None
    except TypeError as error:
        error.add_note(
            f"{type(node).__name__}.compute is read for shapes, too: it uses functions of xp alone, such as "
            "xp.multiply(a, b) for a * b, xp.sin(a) for np.sin(a), and xp.where(xp.greater(a, 0), ...) for an if"
        )
        raise


def check_operation(node: Any, values: Sequence[Any]) -> None:
    """Raise what the spec namespace has to say of an operation on some data."""
    infer(node, [spec_of(value) for value in values])


def infer_spec(layer: Any, source: Any) -> Any:
    """The spec of a formula's output from that of its input.

    >>> from layertree import Identity, Plus
    >>> infer_spec(Plus(Identity(), 1.0), spec_of(2.0))
    float
    """
    root = layer.__layer__()
    try:
        return sweep(root, source, Inferring())
    except Exception as error:
        name_path(error, root)
        raise


class Inferring(Reading[Any]):
    """The reading whose results are specs."""

    def apply(self, node: Any, inputs: list[Any]) -> Any:
        return infer(node, inputs)

    def constant(self, node: Any, context: Any) -> Any:
        return spec_of(node.data)

    def cell(self, node: Any, context: Any) -> Any:
        return spec_of(node.value)

    def free(self, node: Any, context: Any) -> Any:
        return node.spec

    def choose(self, node: Any, condition: Any, then: Any, otherwise: Any) -> Any:
        return branches(node, condition, then, otherwise)


def branches(node: Any, condition: Any, then: Any, otherwise: Any) -> Any:
    """The spec of an If: its condition is one boolean, and its branches agree."""
    try:
        if is_a(condition, tuple) or condition.shape != () or condition.dtype.kind != "b":
            raise DTypeError(
                f"the condition of an If is one boolean, but this is {spec_text(condition)}; "
                "for arrays use where(condition, then, otherwise)"
            )
        joined = _joined(then, otherwise)
        if joined is None:
            raise ShapeError(
                "the branches of an If agree in shape and dtype, but these are "
                f"{spec_text(then)} and {spec_text(otherwise)}"
            )
    except MISFITS as error:
        raise misfit(error, node, list(map(spec_text, (condition, then, otherwise)))) from None
    return joined


def _joined(first: Any, second: Any) -> Any:
    """What two branches have in common; None where they do not agree. A number takes the other's kind."""
    pairs: Any = (first, second)
    return folded(pairs, lambda pair: _joined_leaf(*pair), _all_or_none, _pairs)


def _pairs(pair: tuple[Any, Any]) -> Any:
    """The pairs of parts of two tuples of one length."""
    first, second = pair
    are_alike = is_a(first, tuple) and is_a(second, tuple) and len(first) == len(second)
    return list(zip(first, second, strict=True)) if are_alike else None


def _all_or_none(_: Any, parts: list[Any]) -> Any:
    return None if any(part is None for part in parts) else tuple(parts)


def _joined_leaf(first: Any, second: Any) -> Any:
    if is_a(first, tuple) or is_a(second, tuple):
        return None
    if first.ndim != second.ndim or ("b" in first.dtype.kind + second.dtype.kind and first.dtype != second.dtype):
        return None
    if first.weak or second.weak:
        if first.weak and second.weak:
            return first if first.dtype.kind == "f" else second
        return _strong_of(first, second)
    dims = tuple(map(same_dim, first.shape, second.shape))
    if first.dtype != second.dtype or any(dim is NotImplemented for dim in dims):
        return None
    return ArraySpec(dims, first.dtype)


def _strong_of(first: Any, second: Any) -> Any:
    strong, weak = (second, first) if first.weak else (first, second)
    return strong if KINDS[weak.dtype.kind] <= KINDS[strong.dtype.kind] else None
