"""What all derivatives share: the formula to differentiate, its targets, and tuples of results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from layertree import DTypeError, Identity, Layer, ShapeError
from layertree.core.brief import brief_formula
from layertree.core.dynamic import is_a
from layertree.core.narrowing import is_layer
from layertree.core.nested import apart, flat, folded, nested
from layertree.core.spec import as_spec, spec_text
from layertree.layers import layer_of
from layertree.rewrite.simplify import simplify
from symbolic.building.operations import as_symbolic
from symbolic.building.placeholders import wrap
from symbolic.core.formula import AnyFormula
from symbolic.core.narrowing import is_formula
from symbolic.core.origin import Origin, input_spec
from symbolic.core.symbolic import Symbolic

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer, Nested, Spec


def is_function(f: object) -> bool:
    """Whether f is a Python function, rather than a formula."""
    return callable(f) and not isinstance(f, Layer)


def as_formula(f: object, spec: object) -> AnyFormula:
    """A formula as it is; a layer as a formula, with the spec of its input. Raises TypeError for anything else."""
    if is_formula(f):
        return f
    if is_layer(f):
        return wrap(f, as_spec(spec)) if spec is not None else as_symbolic(f)
    raise TypeError(f"{f!r} has no derivative: give a formula, a layer or a function")


def described(formula: AnyFormula, name: str) -> str:
    """The call of a derivative, for messages."""
    return f"{name}({brief_formula(formula)}: {spec_text(formula.spec)})"


def require_number(formula: AnyFormula, name: str) -> None:
    """Raise ShapeError or DTypeError unless the formula gives one float, or an array of one."""
    if isinstance(formula.spec, tuple) or any(size != 1 for size in formula.spec.shape):
        raise ShapeError(f"{described(formula, name)}: the gradient is that of one number; sum or mean makes one")
    require_float(formula, name)


def require_float(formula: AnyFormula, name: str) -> None:
    """Raise DTypeError unless the formula of one array gives floats."""
    if formula.dtype.kind != "f":
        raise DTypeError(f"{described(formula, name)}: only floats have a gradient: cast to float")


def source_of(formula: AnyFormula) -> Spec:
    """The spec of a formula's input; () for a formula without an input."""
    return input_spec(formula.origin)


def require_source(formula: AnyFormula, name: str) -> Spec:
    """The spec of a formula's input. Raises ShapeError for a formula without an input."""
    if formula.origin is None:
        raise ShapeError(f"{name}({brief_formula(formula)}): a formula of an input is wanted")
    return formula.origin.spec


def targets_of(formula: AnyFormula, wrt: object) -> tuple[list[AnyFormula], bool]:
    """The targets of a derivative as formulas, and whether ``wrt`` is one target and no sequence of targets.

    Raises ShapeError for a formula without an input if ``wrt`` is None, TypeError for a target that is no layer.
    """
    if wrt is None:
        if formula.origin is None:
            raise ShapeError(f"{brief_formula(formula)} has no input: say by wrt what the derivative is taken by")
        return [Symbolic(Identity(), source_of(formula), formula.origin)], True
    if is_a(wrt, Sequence) and not is_a(wrt, str):
        several: Sequence[object] = wrt  # type: ignore[assignment]  # is_a tells the checker nothing
        return [_target(one, formula) for one in several], False
    return [_target(wrt, formula)], True


def _target(wrt: object, formula: AnyFormula) -> AnyFormula:
    if not is_layer(wrt):
        raise TypeError(f"wrt = {wrt!r} is not allowed: give the input, a weight, or another part of the formula")
    return as_symbolic(wrt, formula.origin)


def require_floats(target: AnyFormula) -> None:
    """Raise DTypeError for a target without any part of floats."""
    if not any(spec.dtype.kind == "f" for spec in flat(target.spec)):
        raise DTypeError(
            f"{brief_formula(target)} is {spec_text(target.spec)}: only floats have a gradient: cast to float"
        )


def part_of(target: AnyFormula, position: int) -> AnyFormula:
    """A part of a tuple formula."""
    assert isinstance(target.spec, tuple)
    layer = layer_of("item")(target.layer, position=position)
    return Symbolic(layer, target.spec[position], target.origin)


def leaves_of(target: AnyFormula) -> list[AnyFormula]:
    """The arrays and numbers that a target consists of."""
    return list(apart(target, target.spec, part_of))


def parts_of(target: AnyFormula) -> Nested[AnyFormula]:
    """The arrays and numbers that a target consists of, in nested tuples."""
    parts: Nested[AnyFormula] = nested(target.spec, apart(target, target.spec, part_of))
    return parts


def packed(target: AnyFormula, leaf: Callable[[AnyFormula], AnyFormula], origin: Origin | None) -> AnyFormula:
    """``leaf`` of each array that a target consists of, as a tuple formula where the target is a tuple."""
    leaves = apart(target, target.spec, part_of)
    found: AnyFormula = folded(target.spec, lambda _: leaf(next(leaves)), lambda _, made: tuple_of(made, origin))
    return found


def zeros(like: AnyFormula) -> AnyFormula:
    """The derivative with respect to a target that the formula does not depend on."""
    return packed(like, lambda leaf: simple(layer_of("zeros_like")(leaf.layer), leaf.spec, leaf.origin), like.origin)


def simple(layer: AnyLayer, spec: Spec, origin: Origin | None) -> AnyFormula:
    """A layer in its simplest form, as a formula."""
    return Symbolic(simplify(layer, input_spec(origin)), spec, origin)


def simple_formula(formula: AnyFormula) -> AnyFormula:
    """A formula in its simplest form."""
    return simple(formula.layer, formula.spec, formula.origin)


def with_common_nodes(formula: AnyFormula) -> AnyFormula:
    """A tuple formula whose parts share equal nodes; any other formula as it is."""
    return simple_formula(formula) if isinstance(formula.spec, tuple) else formula


def tuple_of(parts: Sequence[AnyFormula], origin: Origin | None) -> AnyFormula:
    """Several formulas as one of a tuple."""
    layer = layer_of("tuple")(tuple([part.layer for part in parts]))
    return Symbolic(layer, tuple([part.spec for part in parts]), origin)


def one_or_tuple(results: Sequence[AnyFormula], is_one: bool, origin: Origin | None) -> AnyFormula:
    """The one result, or several as a tuple formula."""
    return results[0] if is_one else tuple_of(results, origin)
