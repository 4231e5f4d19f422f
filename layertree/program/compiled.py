"""Compiled: a formula that runs as one NumPy program, and is a layer like any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from layertree.core.cell import Cell
from layertree.core.fields import attribute, identity, layer, operand, operands, region
from layertree.core.identity import Identity
from layertree.core.layer import Layer
from layertree.core.narrowing import is_cell
from layertree.core.spec import spec_of
from layertree.core.tape import Tape
from layertree.namespaces.spec import infer_spec
from layertree.program.cache import Cache
from layertree.program.engine import Engine
from layertree.program.ir.naming import names_of_cells
from layertree.program.ir.operations import AnyLayer, Data, SpecTree
from layertree.program.options import PLAIN, Options
from layertree.program.reports import Compilation, Reporting
from layertree.program.runtime.diagnostics import raise_as_interpreted
from layertree.program.value_program import GradientProgram, SideEffectProgram, ValueProgram
from layertree.rewrite.inference import inference
from layertree.rewrite.reverse_mode import differentiable
from layertree.rewrite.traversal import nodes

In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)
P = TypeVar("P")

CACHED = 32
"""For how many specs of the input a formula keeps its programs."""


def predict(self: Compiled[Any, Any], input: Data = None, /) -> Data:
    """The value for some data, in inference mode."""
    kept: Any = self.__dict__.get("_ready")
    if kept is None:
        is_plain = isinstance(self.inner, Identity) and self.inference() is self
        kept = self.__dict__["_ready"] = programs_of(self) if is_plain else False
    if kept is False:
        return Layer.predict(self, input)
    ready: Cache[ValueProgram] = kept
    data, program = ready.get(input)
    try:
        return program.now(data)[0]
    except Exception as error:
        raise_as_interpreted(error, self.formula, data)
        raise


@layer
class Compiled(Reporting, Layer[In, Out], Generic[In, Out]):
    """A formula over an operand, run as one program for each spec of the data.

    For derivatives, simplification and compilation it is the composition of the two. Its weights are operands, so that
    their deltas arrive at the weights; a backward pass makes the formula's contributions to its counters and averages.
    ``given`` is the formula as it was given to ``compile``, which knows the spec of its input.
    """

    inner: Layer[In, Any] = operand()
    cells: tuple[Layer[Any, Any], ...] = operands()
    outer: Layer[Any, Out] = region()
    given: Layer[Any, Out] = identity()
    threads: int | None = attribute(default=None, minimum=1, help="how many threads share the rows of a batch")
    limit: int | None = attribute(default=None, minimum=0, help="how many bytes the values on the way may take")
    check_finite: bool = attribute(default=False, help="whether a layer that makes a NaN or an infinity raises")
    engine: Engine | None = identity(default=None)

    __control__: ClassVar[str | None] = "call"

    @property
    def formula(self) -> AnyLayer:
        """The formula of the program: ``given``, or ``outer`` where a rewriting has changed that."""
        return self.given if self.given.__layer__() is self.outer else self.outer

    def tape(self, xp: object, source: Tape[Any, Any], *cells: Tape[Any, Any]) -> Tape[Any, Any]:
        """The tape of one run."""
        return CompiledTape(self, source, cells)

    def spec(self, source: SpecTree, *cells: SpecTree) -> SpecTree:
        """The spec of the output."""
        return infer_spec(self.formula, source)  # type: ignore[no-any-return]  # of the formula's output

    def inference(self) -> Compiled[Any, Any]:
        """The same formula in inference mode."""
        formula = inference(self.formula)
        return self if formula is self.formula else compiled(formula, self.inner, options_of(self))

    if not TYPE_CHECKING:  # for checkers the overloads of Layer.predict hold
        predict = predict

    def _compilations(self) -> Cache[Compilation]:
        return cast("Cache[Compilation]", programs_of(self))

    def _used_compilations(self) -> Cache[Compilation]:
        """The programs of this formula, or those of its inference form where this one has none."""
        own = self._compilations()
        layer: AnyLayer = self
        return own if len(own) else cast("Cache[Compilation]", programs_of(cast("Compiled[In, Out]", inference(layer))))


def options_of(layer: Compiled[Any, Any]) -> Options:
    """The options of a compiled layer's programs."""
    return Options(layer.threads, layer.limit, layer.check_finite, layer.engine)


def compiled(formula: AnyLayer, argument: AnyLayer, options: Options = PLAIN) -> Compiled[Any, Any]:
    """A formula over an operand, compiled."""
    leaves = {node.cell: node for node in nodes(formula) if is_cell(node)}
    cells, outer = tuple(leaves.values()), formula.__layer__()
    return Compiled(argument, cells, outer, formula, *options)


def _kept(layer: Compiled[Any, Any], name: str, make: Callable[[Compiled[Any, Any]], Cache[P]]) -> Cache[P]:
    """A cache of a compiled layer, made at its first use and stored in its ``__dict__``, outside of the fields."""
    found: Cache[P] | None = layer.__dict__.get(name)
    return layer.__dict__.setdefault(name, make(layer)) if found is None else found


def programs_of(layer: Compiled[Any, Any]) -> Cache[ValueProgram]:
    """The programs of a compiled layer's value, by the spec of the input."""
    return _kept(layer, "_programs", _value_programs)


def _value_programs(layer: Compiled[Any, Any]) -> Cache[ValueProgram]:
    formula, options = layer.formula, options_of(layer)
    root, names = formula.__layer__(), names_of_cells(formula)
    return Cache(lambda spec: ValueProgram([root], spec, None, options, names), CACHED, formula)


class CompiledTape(Tape[Any, Any]):
    """One run of a compiled formula: the value, and deltas by a program of their own, which runs forward again."""

    def __init__(self, layer: Compiled[Any, Any], source: Tape[Any, Any], cells: tuple[Tape[Any, Any], ...]) -> None:
        self._layer = layer
        self._source = source
        leaves = zip(layer.cells, cells, strict=True)
        self._cells: dict[Cell, Tape[Any, Any]] = {leaf.cell: tape for leaf, tape in leaves if is_cell(leaf)}
        self._upstream = (source, *cells)
        data, program = programs_of(layer).get(source.value)
        try:
            self._value = program.run(data, [self._cells[cell].value for cell in program.cells])[0]
        except Exception as error:
            raise_as_interpreted(error, layer.formula, data)
            raise

    @property
    def value(self) -> Data:
        """The value of the run."""
        return self._value

    @property
    def upstream(self) -> tuple[Tape[Any, Any], ...]:
        """The tapes of the operand and of the cells."""
        return self._upstream

    @property
    def is_trainable(self) -> bool:
        """Whether the value has a delta."""
        return differentiable(spec_of(self._value))

    def deltas(self, delta: Data) -> tuple[Data, ...]:
        """The deltas of the operand and of the cells; None where none arrives."""
        specs = spec_of(self._source.value), spec_of(self._value)
        return gradients_of(self._layer, specs).run(self._source.value, self._cells, delta, self._value)

    def contributions(self) -> tuple[Data, ...]:
        """The contributions to counters and averages. Raises DTypeError for a counter inside of a branch."""
        program = side_effects_of_layer(self._layer, spec_of(self._source.value))
        found = program.run(self._source.value, self._cells)
        leaves = self._layer.cells
        return (None, *[found.get(leaf.cell) if is_cell(leaf) else None for leaf in leaves])


def gradients_of(layer: Compiled[Any, Any], specs: tuple[SpecTree, SpecTree]) -> GradientProgram:
    """The program of a compiled layer's deltas for the specs of its input and of its value."""
    return _kept(layer, "_gradients", _gradient_programs).for_spec(specs)


def _gradient_programs(layer: Compiled[Any, Any]) -> Cache[GradientProgram]:
    formula, leaves, options = layer.formula, layer.cells, options_of(layer)
    names = names_of_cells(formula)
    return Cache(lambda specs: GradientProgram(formula, leaves, specs, options, names), CACHED)


def side_effects_of_layer(layer: Compiled[Any, Any], source: SpecTree) -> SideEffectProgram:
    """The program of a compiled layer's contributions for the spec of its input."""
    return _kept(layer, "_side_effects", _side_effect_programs).for_spec(source)


def _side_effect_programs(layer: Compiled[Any, Any]) -> Cache[SideEffectProgram]:
    formula, options = layer.formula, options_of(layer)
    names = names_of_cells(formula)
    return Cache(lambda spec: SideEffectProgram(formula, spec, options, names), CACHED)
