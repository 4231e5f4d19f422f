"""The spec namespace: shape and dtype inference. Its values are specs, so a misfit is an error before there are data.

``SPEC`` has one inference rule a function, by category: ``elementwise`` (one rule for all ufuncs), ``reduction``,
``shape``, ``indexing``, ``products``, ``stacks``, ``structure``, and ``like`` for functions of a pattern. Rules raise
ShapeError and DTypeError; ``infer`` adds the operation and the operands to the message. ``_dims`` is the arithmetic of
dimensions, which may be names or unknown.

Start with ``infer_spec``, which reads a formula; it is the example of a reading of the sweep.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from layertree.core.data import Data
from layertree.core.diagnostics import MISFITS, misfit, name_path
from layertree.core.dynamic import is_a
from layertree.core.errors import DTypeError, ShapeError
from layertree.core.free import Free
from layertree.core.layer import AnyLayer, Rules
from layertree.core.literal import Literal
from layertree.core.namespace import Namespace
from layertree.core.nested import folded
from layertree.core.spec import KINDS, WEAK, WEAK_TYPES, ArraySpec, Spec, spec_of, spec_text
from layertree.core.weight import CellLayer
from layertree.namespaces.lookup import namespace_from
from layertree.namespaces.spec import elementwise, indexing, like, products, reduction, shape, stacks, structure
from layertree.namespaces.spec._dims import UNEQUAL, same_dim
from layertree.sweep.reading import Reading
from layertree.sweep.sweep import sweep

SPEC: Namespace[ArraySpec] = namespace_from(
    "spec", structure, like, shape, stacks, indexing, reduction, products, elementwise
)


def infer(node: AnyLayer, operands: Sequence[Spec]) -> Spec:
    """The spec of the result of an operation from the specs of the operands; a misfit names all of them.

    Raises ShapeError and DTypeError for operands that do not fit.
    """
    # Python numbers have one of three specs, so each class keeps its results for those.
    known = node.__specs_of_numbers__.get(tuple(map(id, operands)))
    if known is None:
        known = _inferred(node, operands)
        if node.__layout__.plain and all(map(_is_number, operands)):
            node.__specs_of_numbers__[tuple(map(id, operands))] = known
    return known


def _is_number(spec: Spec) -> bool:
    """Whether this is one of the specs of Python numbers, which are never freed, so that no other spec has their id."""
    return not is_a(spec, tuple) and WEAK.get(WEAK_TYPES.get(spec.dtype)) is spec


def _inferred(node: AnyLayer, operands: Sequence[Spec]) -> Spec:
    try:
        if node.__has_tape__:
            rule = getattr(node, "spec", None)
            return rule(*operands) if rule is not None else operands[0]
        return cast("Rules", node).compute(SPEC, *operands)
    except MISFITS as error:
        raise misfit(error, node, list(map(spec_text, operands))) from None
    except TypeError as error:
        error.add_note(
            f"{type(node).__name__}.compute is read for shapes, too: it uses functions of xp alone, such as "
            "xp.multiply(a, b) for a * b, xp.sin(a) for np.sin(a), and xp.where(xp.greater(a, 0), ...) for an if"
        )
        raise


def check_operation(node: AnyLayer, values: Sequence[Data]) -> None:
    """Raise the misfit that inference finds for an operation on data, if there is one."""
    infer(node, [spec_of(value) for value in values])


def infer_spec(layer: AnyLayer, source: Spec) -> Spec:
    """The spec of the output of a formula from the spec of its input.

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


class Inferring(Reading[Spec]):
    """The reading whose results are specs."""

    def apply(self, node: AnyLayer, inputs: list[Spec]) -> Spec:
        return infer(node, inputs)

    def constant(self, node: Literal[Data], context: object) -> Spec:
        return spec_of(node.data)

    def cell(self, node: CellLayer[Data], context: object) -> Spec:
        return spec_of(node.value)

    def free(self, node: Free[Data], context: object) -> Spec:
        return node.spec

    def choose(self, node: AnyLayer, condition: Spec, then: Spec, otherwise: Spec) -> Spec:
        return branches(node, condition, then, otherwise)


def branches(node: AnyLayer, condition: Spec, then: Spec, otherwise: Spec) -> Spec:
    """The spec of an If, whose condition is one boolean and whose branches have one spec; a misfit names all three."""
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


def _joined(first: Spec, second: Spec) -> Spec:
    """The common spec of two branches; None where there is none. A weak spec takes the dtype of the other."""
    return folded((first, second), lambda pair: _joined_leaf(*pair), _all_or_none, _pairs)


def _pairs(pair: tuple[Spec, Spec]) -> list[tuple[Spec, Spec]] | None:
    """The pairs of parts of two tuples of one length; None for other pairs."""
    first, second = pair
    are_alike = is_a(first, tuple) and is_a(second, tuple) and len(first) == len(second)
    return list(zip(first, second, strict=True)) if are_alike else None


def _all_or_none(_: object, parts: list[Spec]) -> Spec:
    return None if any(part is None for part in parts) else tuple(parts)


def _joined_leaf(first: Spec, second: Spec) -> ArraySpec | None:
    if is_a(first, tuple) or is_a(second, tuple):
        return None
    return _common_spec(first, second)


def _common_spec(first: ArraySpec, second: ArraySpec) -> ArraySpec | None:
    if first.ndim != second.ndim or ("b" in first.dtype.kind + second.dtype.kind and first.dtype != second.dtype):
        return None
    if first.weak or second.weak:
        if first.weak and second.weak:
            return first if first.dtype.kind == "f" else second
        return _strong_of(first, second)
    dims = [dim for pair in zip(first.shape, second.shape, strict=True) if (dim := same_dim(*pair)) is not UNEQUAL]
    if first.dtype != second.dtype or len(dims) < first.ndim:
        return None
    return ArraySpec(tuple(dims), first.dtype)


def _strong_of(first: ArraySpec, second: ArraySpec) -> ArraySpec | None:
    """The spec that is not weak, if its dtype can hold the weak one; else None."""
    strong, weak = (second, first) if first.weak else (first, second)
    return strong if KINDS[weak.dtype.kind] <= KINDS[strong.dtype.kind] else None
