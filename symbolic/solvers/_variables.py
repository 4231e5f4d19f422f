"""What a solver varies: its arguments, or the weights of a formula, which are set together or not at all."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from layertree import Layer, Weight, parameters
from layertree._brief import brief_formula
from layertree._cell import changing, rebinding, require_no_update
from layertree._kinds import is_a
from layertree.rewrite.traversal import cell_names
from symbolic.core.symbolic import Symbolic
from symbolic.solvers import _evaluation
from symbolic.solvers._evaluation import Evaluation


class Arguments:
    """The solver varies the first arguments of a formula or function, and leaves the others."""

    def __init__(self, x0: Any, args: Sequence[Any], name: str) -> None:
        self.x0 = x0
        self.args = args
        self.name = name

    def evaluation(self, f: Any) -> Evaluation:
        """A formula or function of these arguments."""
        return _evaluation.of_arguments(f, self.x0, (), self.args, self.name)

    def constraint(self, f: Any, args: Sequence[Any]) -> Evaluation:
        """A constraint on them, which has further arguments of its own."""
        return _evaluation.of_arguments(f, self.x0, (), args, self.name)

    def finish(self, result: Any, evaluation: Evaluation) -> Any:
        """The solver's result, with ``x`` in the structure of ``x0``."""
        result.x = evaluation.packing.unpack(result.x)
        return result


class Weights:
    """The solver varies weights of a formula; ``args`` is its input."""

    def __init__(
        self, formula: Any, wrt: Any, args: Sequence[Any], update: bool, name: str, called: str = "x0"
    ) -> None:
        _evaluation.require_formula(formula, name, called)
        self.formula = formula
        self.is_single = isinstance(wrt, Layer)
        self.weights = _chosen(formula, (wrt,) if self.is_single else wrt, name, called)
        self.args = args
        self.update = update
        self.name = name

    def evaluation(self, f: Any) -> Evaluation:
        """A formula over these weights."""
        return _evaluation.of_weights(f, self.weights, self.args, self.name)

    def constraint(self, f: Any, args: Sequence[Any]) -> Evaluation:
        """A constraint on them, a formula of the same input unless it has one of its own."""
        return _evaluation.of_weights(f, self.weights, args or self.args, self.name)

    @property
    def names(self) -> list[str]:
        """What each weight is called, as ``named_cells`` calls it."""
        names = dict(cell_names(self.formula))
        return [names[one] for one in self.weights]

    def finish(self, result: Any, evaluation: Evaluation) -> Any:
        """The result, with a value for each weight and the formula that has these; the weights are set if asked."""
        values = evaluation.packing.unpack(result.x)
        result.x = values[0] if self.is_single else values
        new = _copies(self.weights, values)
        result.formula = _with(self.formula, dict(zip(self.weights, new, strict=True)))
        if self.update and result.success:
            _set_together(self.weights, new)
        return result


def variables(f: Any, x0: Any, args: Any, wrt: Any, update: bool, name: str) -> Arguments | Weights:
    """What is varied: the arguments that x0 starts, or without one the weights."""
    args = args if is_a(args, tuple) else (args,)
    if x0 is None:
        return Weights(f, wrt, args, update, name)
    require_no_weights(wrt, update, name)
    return Arguments(x0, args, name)


def require_no_weights(wrt: Any, update: bool, name: str, called: str = "x0") -> None:
    """TypeError for what speaks of weights where arguments are varied."""
    if wrt is not None or update:
        raise TypeError(
            f"{name}: {called} starts the arguments, wrt and update are of weights: give the one or the others"
        )


def _copies(weights: Sequence[Weight[Any]], values: Sequence[Any]) -> tuple[Weight[Any], ...]:
    """Weights of the same names and kinds with other values."""
    new = copy.deepcopy(tuple(weights))
    for one, value in zip(new, values, strict=True):
        one.set(value)
    return new


def _with(formula: Any, new: dict[Any, Any]) -> Any:
    from layertree.rewrite.derive import exchange  # it loads families of layers

    made = exchange(formula.__layer__(), new)
    return Symbolic(made, formula.spec, formula.origin) if is_a(formula, Symbolic) else made


def _set_together(weights: Sequence[Weight[Any]], new: Sequence[Weight[Any]]) -> None:
    """Give weights the values of others of their kinds: no reader sees some of them new and others old."""
    require_no_update("set")
    with rebinding, changing:
        for one, other in zip(weights, new, strict=True):
            one.cell.content = other.cell.value, one.cell.state


def _chosen(formula: Any, wrt: Any, name: str, called: str) -> tuple[Weight[Any], ...]:
    """The weights that are varied: those asked for, or all."""
    own = parameters(formula)
    if wrt is None:
        if not own:
            raise TypeError(
                f"{name}: {brief_formula(formula)} has no weights to vary: give {called}, and f is varied by it"
            )
        return own
    chosen: list[Any] = [one.__layer__() if is_a(one, Layer) else one for one in wrt]
    for one in chosen:
        if one not in own:
            raise TypeError(f"{name}: wrt = {one!r} is not a weight of {brief_formula(formula)}")
    return tuple(chosen)
