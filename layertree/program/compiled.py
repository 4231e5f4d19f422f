"""Compiled: a formula that runs as straight-line NumPy, and is a layer like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from layertree.core.deltas import as_parts
from layertree.core.dynamic import is_a
from layertree.core.fields import attribute, identity, layer, operand, operands, region
from layertree.core.free import Free
from layertree.core.identity import Identity
from layertree.core.layer import Layer
from layertree.core.literal import Literal
from layertree.core.nested import at_path, flat, folded, nested, parts_of_mapping, paths
from layertree.core.spec import spec_of
from layertree.core.tape import Tape
from layertree.namespaces.spec import infer_spec
from layertree.program.cache import Cache, program_for
from layertree.program.located import raise_as_interpreted
from layertree.program.names import names_of_cells
from layertree.program.options import PLAIN, Options
from layertree.program.told import Told
from layertree.program.value import ValueProgram
from layertree.rewrite.inference import inference
from layertree.rewrite.reverse_mode import derivatives, differentiable
from layertree.tape.commit import snapshot

if TYPE_CHECKING:
    from layertree.program.profile import Profile
    from layertree.program.workspace import Memory

In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)

CACHED = 32
"""For how many specifications of the input a formula keeps its programs."""


@layer
class Compiled(Layer[In, Out], Generic[In, Out]):
    """A formula over an operand, run as one program for each specification of the data.

    To everything but a run it is the composition of the two: it derives, simplifies and compiles like any other. Its
    weights are operands, too, so that deltas go to them. A backward pass tells its counters and averages what the
    formula has to say to them. ``given`` is what was compiled, which knows what input it takes.
    """

    inner: Layer[In, Any] = operand()
    cells: tuple[Layer[Any, Any], ...] = operands()
    outer: Layer[Any, Out] = region()
    given: Layer[Any, Out] = identity()
    threads: int | None = attribute(default=None, minimum=1, help="how many threads share the rows of a batch")
    limit: int | None = attribute(default=None, minimum=0, help="how many bytes the values on the way may take")
    check_finite: bool = attribute(default=False, help="whether a layer that makes a NaN or an infinity raises")

    __control__: ClassVar[str | None] = "call"

    @property
    def formula(self) -> Any:
        """The formula of the program: what was compiled, or its layer where that is another one by now."""
        return self.given if self.given.__layer__() is self.outer else self.outer

    def tape(self, xp: Any, source: Tape[Any, Any], *cells: Tape[Any, Any]) -> Tape[Any, Any]:
        """The tape of one run."""
        return CompiledTape(self, source, cells)

    def spec(self, source: Any, *cells: Any) -> Any:
        """The spec of the output."""
        return infer_spec(self.formula, source)

    def inference(self) -> Any:
        """The same formula in inference mode."""
        formula = inference(self.formula)
        return self if formula is self.formula else compiled(formula, self.inner, options_of(self))

    def predict(self: Any, input: Any = None, /) -> Any:
        """The value for some data, in inference mode."""
        ready = self.__dict__.get("_ready")
        if ready is None:
            plain = self.inner.__control__ == "source" and self.inference() is self
            ready = self.__dict__["_ready"] = programs_of(self) if plain else False
        if ready is False:
            return Layer.predict(self, input)
        data, program = ready.get(input)
        try:
            return program.now(data)[0]
        except Exception as error:
            raise_as_interpreted(error, self.formula, data)
            raise

    @property
    def source(self) -> str:
        """The source of the program that ran last. Raises RuntimeError where none was made yet."""
        return str(self._latest.text)

    @property
    def memory(self) -> Memory:
        """The memory of the program that ran last. Raises RuntimeError where none was made yet."""
        from layertree.program.workspace import memory_of

        return memory_of(self._latest)

    def __str__(self) -> str:
        """The schedule of the program that ran last; the code of the layer where none was made yet."""
        from layertree.program.schedule import schedule_text

        return schedule_text(self._latest) if self._has_run() else repr(self)

    def reserve(self, batch: Any) -> Memory:
        """Compile for a batch, or for the spec of one, and allocate what a run works in. Returns its memory.

        Raises MemoryError where that is more than ``limit``.
        """
        from layertree.program.workspace import memory_of

        program = program_for(programs_of(self), batch)
        program.reserve()
        return memory_of(program.program)

    def profile(self, batch: Any, runs: int = 10) -> Profile:
        """The time of each layer in the program of the value, the mean of some runs on a batch."""
        from layertree.program.profile import profiled

        data, program = programs_of(self).get(batch)
        weights = [value for value, _ in snapshot(program.cells)]
        return profiled(program.program, lambda watched: program.watched(data, weights, watched), runs)

    @property
    def _latest(self) -> Any:
        running: Any = self if len(programs_of(self)) else inference(self)
        return programs_of(running).last.program

    def _has_run(self) -> bool:
        return len(programs_of(self)) > 0 or len(programs_of(inference(self))) > 0


def options_of(layer: Any) -> Options:
    """What a compiled layer asks of its programs."""
    return Options(layer.threads, layer.limit, layer.check_finite)


def compiled(formula: Any, argument: Any, options: Options = PLAIN) -> Compiled[Any, Any]:
    """A formula over an operand, compiled."""
    from layertree.rewrite.traversal import nodes

    leaves = {node.cell: node for node in nodes(formula) if node.__control__ == "cell"}
    cells, outer = tuple(leaves.values()), formula.__layer__()
    return Compiled(argument, cells, outer, formula, options.threads, options.limit, options.check_finite)


def programs_of(layer: Any) -> Cache[ValueProgram]:
    """The programs of a compiled layer's value."""
    kept = layer.__dict__.get("_programs")
    if kept is None:
        formula, options = layer.formula, options_of(layer)
        root, names = formula.__layer__(), names_of_cells(formula)
        made = Cache(lambda spec: ValueProgram([root], spec, None, options, names), CACHED, formula)
        kept = layer.__dict__.setdefault("_programs", made)
    return kept  # type: ignore[no-any-return]  # it was put there as such


class CompiledTape(Tape[Any, Any]):
    """One run of a compiled formula: the value, and the deltas by a program of its own, which runs forward again."""

    def __init__(self, layer: Any, source: Any, cells: tuple[Any, ...]) -> None:
        self._layer = layer
        self._source = source
        leaves = zip(layer.cells, cells, strict=True)
        self._cells = {leaf.cell: tape for leaf, tape in leaves if leaf.__control__ == "cell"}
        self._upstream = (source, *cells)
        data, program = programs_of(layer).get(source.value)
        try:
            self._value = program.run(data, [self._cells[cell].value for cell in program.cells])[0]
        except Exception as error:
            raise_as_interpreted(error, layer.formula, data)
            raise

    @property
    def value(self) -> Any:
        """What the run gave."""
        return self._value

    @property
    def upstream(self) -> tuple[Any, ...]:
        """The operand and the cells."""
        return self._upstream

    @property
    def is_trainable(self) -> bool:
        """Whether the value has a delta."""
        return differentiable(spec_of(self._value))

    def deltas(self, delta: Any) -> tuple[Any, ...]:
        """The deltas of the operand and of the cells; None where none arrives."""
        program = gradients_of(self._layer, spec_of(self._source.value), spec_of(self._value))
        return tuple(program.run(self._source.value, self._cells, _whole(delta, self._value)))

    def contributions(self) -> tuple[Any, ...]:
        """What the formula tells its counters and averages. Raises DTypeError for one inside of a branch."""
        found = told_of(self._layer, spec_of(self._source.value)).run(self._source.value, self._cells)
        return (None, *[found.get(getattr(leaf, "cell", None)) for leaf in self._layer.cells])


class GradientProgram:
    """The program of the deltas of a formula's operand and cells, for given ones of its value."""

    def __init__(self, layer: Any, source: Any, output: Any) -> None:
        variables: list[Free[Any]] = [Free(part) for part in flat(output)]
        delta = nested(output, [_seed(one) for one in variables])
        found = derivatives(layer.formula.__layer__(), source, delta)
        self._targets = [found.get(Identity()), *[found.get(leaf) for leaf in layer.cells]]
        formulas = [one for target in self._targets for one in flat(target, parts_of_mapping) if one is not None]
        places = {variable: position for position, variable in enumerate(variables)}
        self._program = ValueProgram(formulas, source, places, options_of(layer), names_of_cells(layer.formula))

    def run(self, data: Any, cells: Any, deltas: list[Any]) -> list[Any]:
        """The deltas of each."""
        weights = [cells[cell].value for cell in self._program.cells]
        found = iter(self._program.run(data, weights, deltas))
        return [
            folded(target, lambda one: None if one is None else next(found), as_parts, parts_of_mapping)
            for target in self._targets
        ]


def _seed(variable: Any) -> Any:
    """A variable delta; what is no float has none, and nothing that is taken goes there."""
    return variable if differentiable(variable.spec) else Literal(0.0)


def gradients_of(layer: Any, source: Any, output: Any) -> GradientProgram:
    """The program of a compiled layer's deltas for a specification."""
    kept = layer.__dict__.get("_gradients")
    if kept is None:
        kept = Cache(lambda specs: GradientProgram(layer, *specs), CACHED)
        kept = layer.__dict__.setdefault("_gradients", kept)
    return kept.for_spec((source, output))  # type: ignore[no-any-return]  # it was put there as such


def told_of(layer: Any, source: Any) -> Told:
    """The program of what a compiled layer tells cells for a specification."""
    kept = layer.__dict__.get("_told")
    if kept is None:
        formula, options = layer.formula, options_of(layer)
        kept = Cache(lambda spec: Told(formula, spec, options, names_of_cells(formula)), CACHED)
        kept = layer.__dict__.setdefault("_told", kept)
    return kept.for_spec(source)  # type: ignore[no-any-return]  # it was put there as such


def _whole(delta: Any, value: Any) -> list[Any]:
    """A delta part by part, with zeros where there is none."""
    given = [(at_path(delta, path), part) for path, part in paths(value)]
    return [_zero(part) if one is None else one for one, part in given]


def _zero(value: Any) -> Any:
    return np.zeros_like(value) if is_a(value, np.ndarray) else type(value)(0)
