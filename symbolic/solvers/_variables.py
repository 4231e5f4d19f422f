"""The variables of a solver: arguments of a formula, or its weights, which are set all together or not at all."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from layertree import Layer, Weight, parameters
from layertree.core.brief import brief_formula
from layertree.core.cell import changing, rebinding, require_no_update
from layertree.core.data import as_data
from layertree.core.naming import cell_names, suffixes
from layertree.core.narrowing import is_layer, is_tuple
from layertree.core.nested import paths, place_text
from layertree.rewrite.derive import substitute_nodes
from symbolic.core.narrowing import is_formula
from symbolic.core.symbolic import Symbolic
from symbolic.solvers import _evaluation
from symbolic.solvers._evaluation import Evaluation

if TYPE_CHECKING:
    from symbolic.core.types import AnyLayer


class Arguments:
    """The first arguments of a formula or function are varied; the others, ``args``, are constant."""

    def __init__(self, x0: object, args: Sequence[object], name: str) -> None:
        self.x0 = x0
        self.args = args
        self.name = name

    def evaluation(self, f: object) -> Evaluation:
        """A formula or function of these arguments."""
        return _evaluation.of_arguments(f, self.x0, (), self.args, self.name)

    def constraint(self, f: object, args: Sequence[object]) -> Evaluation:
        """A constraint on the varied arguments, with further arguments of its own."""
        return _evaluation.of_arguments(f, self.x0, (), args, self.name)

    @property
    def names(self) -> list[str]:
        """The name of each number or array in ``x0``."""
        return [place_text(path, "x0") for path, _ in paths(as_data(self.x0))]

    def finish(self, result: Any, evaluation: Evaluation) -> Any:
        """The solver's result, with ``x`` in the structure of ``x0``."""
        result.x = evaluation.packing.unpack(result.x)
        return result


class Weights:
    """Weights of a formula are varied; ``args`` is its input."""

    def __init__(
        self, formula: object, wrt: Any, args: Sequence[object], update: bool, name: str, called: str = "x0"
    ) -> None:
        self.formula = _evaluation.require_formula(formula, name, called)
        self.is_single = isinstance(wrt, Layer)
        self.weights = _chosen(self.formula, (wrt,) if self.is_single else wrt, name, called)
        self.args = args
        self.update = update
        self.name = name

    def evaluation(self, f: object) -> Evaluation:
        """A formula over these weights."""
        return _evaluation.of_weights(f, self.weights, self.args, self.name)

    def constraint(self, f: object, args: Sequence[object]) -> Evaluation:
        """A constraint on the weights, a formula of the same input unless ``args`` gives another one."""
        return _evaluation.of_weights(f, self.weights, args or self.args, self.name)

    @property
    def names(self) -> list[str]:
        """The name of each weight, as ``named_cells`` gives it; numbered where two weights have one name."""
        names, numbers = dict(cell_names(self.formula)), suffixes(self.formula)
        return [names[one] + numbers.get(one.cell, "") for one in self.weights]

    def finish(self, result: Any, evaluation: Evaluation) -> Any:
        """The result, with a value for each weight and the formula with these values; ``update`` sets the weights."""
        values = evaluation.packing.unpack(result.x)
        result.x = values[0] if self.is_single else values
        new = _copies(self.weights, values)
        result.formula = _with(self.formula, dict(zip(self.weights, new, strict=True)))
        if self.update and result.success:
            _set_together(self.weights, new)
        return result


def variables(f: object, x0: object, args: object, wrt: object, update: bool, name: str) -> Arguments | Weights:
    """The variables: the arguments that start at x0, or without x0 the weights."""
    if x0 is None:
        return Weights(f, wrt, arguments(args), update, name)
    require_no_weights(wrt, update, name)
    return Arguments(x0, arguments(args), name)


def arguments(args: object) -> tuple[object, ...]:
    """Several arguments as they are, one argument as a tuple."""
    return args if is_tuple(args) else (args,)


def require_no_weights(wrt: object, update: bool, name: str, called: str = "x0") -> None:
    """Raise TypeError if options of weights are given where arguments are varied."""
    if wrt is not None or update:
        raise TypeError(
            f"{name}: {called} starts the arguments, wrt and update are of weights: give the one or the others"
        )


def _copies(weights: Sequence[Weight[Any]], values: Sequence[object]) -> tuple[Weight[Any], ...]:
    """Copies of weights with other values."""
    new = copy.deepcopy(tuple(weights))
    for one, value in zip(new, values, strict=True):
        one.set(value)
    return new


def _with(formula: AnyLayer, new: dict[Weight[Any], Weight[Any]]) -> AnyLayer:
    """The formula with new weights."""
    made: AnyLayer = substitute_nodes(formula.__layer__(), new)
    return Symbolic(made, formula.spec, formula.origin) if is_formula(formula) else made


def _set_together(weights: Sequence[Weight[Any]], new: Sequence[Weight[Any]]) -> None:
    """Give weights the values of their copies, all at a time: no reader sees new values beside old ones."""
    require_no_update("set")
    with rebinding, changing:
        for one, other in zip(weights, new, strict=True):
            one.cell.content = other.cell.value, one.cell.state


def _chosen(formula: AnyLayer, wrt: Any, name: str, called: str) -> tuple[Weight[Any], ...]:
    """The weights that are varied: those of ``wrt``, or all. Raises TypeError for others, and for none."""
    own = parameters(formula)
    if wrt is None:
        if not own:
            raise TypeError(
                f"{name}: {brief_formula(formula)} has no weights to vary: give {called}, and f is varied by it"
            )
        return own
    chosen: list[Any] = [one.__layer__() if is_layer(one) else one for one in wrt]
    for one in chosen:
        if one not in own:
            raise TypeError(f"{name}: wrt = {one!r} is not a weight of {brief_formula(formula)}")
    return tuple(chosen)
