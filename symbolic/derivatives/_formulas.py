"""What all derivatives share: formulas from what was given, their targets, and tuples of results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from layertree import DTypeError, Identity, Layer, ShapeError
from layertree._brief import brief_formula
from layertree._kinds import is_a
from layertree._nested import apart, flat, folded, nested
from layertree._spec import as_spec, spec_text
from layertree.layers import layer_of
from layertree.namespaces.spec import infer_spec
from symbolic.building.operations import as_symbolic
from symbolic.building.placeholders import wrap
from symbolic.core.formula import is_layer
from symbolic.core.symbolic import Symbolic

Parts = Sequence[Any]


def is_function(f: Any) -> bool:
    """Whether a Python function was given, rather than a formula."""
    return callable(f) and not isinstance(f, Layer)


def as_formula(f: Any, spec: Any) -> Any:
    """A formula as it is, a layer with the spec of its input."""
    if is_a(f, Symbolic):
        return f
    if is_a(f, Layer):
        return wrap(f, as_spec(spec)) if spec is not None else as_symbolic(f)
    raise TypeError(f"{f!r} has no derivative: give a formula, a layer or a function")


def described(formula: Any, name: str) -> str:
    """The call of a derivative, for messages."""
    return f"{name}({brief_formula(formula)}: {spec_text(formula.spec)})"


def require_number(formula: Any, name: str) -> None:
    """ShapeError or DTypeError unless the formula gives one float."""
    if is_a(formula.spec, tuple) or formula.spec.shape != ():
        raise ShapeError(f"{described(formula, name)}: the gradient is that of one number; sum or mean makes one")
    require_float(formula, name)


def require_float(formula: Any, name: str) -> None:
    """DTypeError unless the formula gives floats."""
    if formula.spec.dtype.kind != "f":
        raise DTypeError(f"{described(formula, name)}: only floats have a gradient: cast to float")


def source_of(formula: Any) -> Any:
    """The spec of a formula's input; () where it has none."""
    return () if formula.origin is None else formula.origin.spec


def require_source(formula: Any, name: str) -> Any:
    """The same, where an input is needed."""
    if formula.origin is None:
        raise ShapeError(f"{name}({brief_formula(formula)}): a formula of an input is wanted")
    return formula.origin.spec


def targets_of(formula: Any, wrt: Any) -> tuple[list[Any], bool]:
    """What a derivative is taken by, as formulas, and whether it was given as one and not as several."""
    if wrt is None:
        if formula.origin is None:
            raise ShapeError(f"{brief_formula(formula)} has no input: say by wrt what the derivative is taken by")
        return [Symbolic(Identity(), source_of(formula), formula.origin)], True
    if is_a(wrt, Sequence) and not is_a(wrt, str):
        return [_target(one, formula) for one in wrt], False
    return [_target(wrt, formula)], True


def _target(wrt: Any, formula: Any) -> Any:
    if not is_layer(wrt):
        raise TypeError(f"wrt = {wrt!r} is not allowed: give the input, a weight, or another part of the formula")
    return as_symbolic(wrt, formula.origin)


def require_floats(target: Any) -> None:
    """DTypeError for a target that is no float, and has no part that is."""
    if not any(spec.dtype.kind == "f" for spec in flat(target.spec)):
        raise DTypeError(
            f"{brief_formula(target)} is {spec_text(target.spec)}: only floats have a gradient: cast to float"
        )


def part_of(target: Any, position: int) -> Any:
    """A part of a tuple formula."""
    layer = layer_of("item")(target.layer, position=position)
    return Symbolic(layer, target.spec[position], target.origin)


def leaves_of(target: Any) -> list[Any]:
    """The arrays and numbers that a target consists of."""
    return list(apart(target, target.spec, part_of))


def parts_of(target: Any) -> Any:
    """The same in nested tuples."""
    return nested(target.spec, apart(target, target.spec, part_of))


def packed(target: Any, leaf: Callable[[Any], Any], origin: Any) -> Any:
    """``leaf`` of each array that a target consists of, as a tuple formula where the target is a tuple."""
    leaves = apart(target, target.spec, part_of)
    return folded(target.spec, lambda _: leaf(next(leaves)), lambda _, made: tuple_of(made, origin))


def zeros(like: Any) -> Any:
    """The derivative by what does not matter."""
    return packed(like, lambda leaf: simple(layer_of("zeros_like")(leaf.layer), leaf.spec, leaf.origin), like.origin)


def formula_of(layer: Any, origin: Any) -> Any:
    """A layer as a formula of an input."""
    return Symbolic(layer, infer_spec(layer, () if origin is None else origin.spec), origin)


def simple(layer: Any, spec: Any, origin: Any) -> Any:
    """A layer in its simplest form, as a formula."""
    from layertree.rewrite.simplify import simplify

    return Symbolic(simplify(layer, () if origin is None else origin.spec), spec, origin)


def together(formula: Any) -> Any:
    """A tuple formula with what its parts have in common as common nodes."""
    return simple(formula.layer, formula.spec, formula.origin) if is_a(formula.spec, tuple) else formula


def tuple_of(parts: Parts, origin: Any) -> Any:
    """Several formulas as one of a tuple."""
    layer = layer_of("tuple")(tuple([part.layer for part in parts]))
    return Symbolic(layer, tuple([part.spec for part in parts]), origin)


def as_given(results: Parts, is_one: bool, origin: Any) -> Any:
    """The one result, or several as a tuple."""
    return results[0] if is_one else tuple_of(results, origin)
