"""layertree: differentiable formulas.

A formula is an immutable tree of layers. It runs forward into a tree of tapes, and backward through closures:

>>> from layertree import Identity, Literal, Plus, SGD, Times, Weight
>>> w = Weight(2.0, optimizer=SGD(0.1))
>>> formula = Times(Plus(Literal(1.0), Identity()), w)
>>> with formula.forward(3.0) as tape:
...     tape.value
...     tape.backward()
8.0
>>> w.value
1.6
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from layertree import _facade as _facade
from layertree.core.cell import optimizer as optimizer
from layertree.core.cell import scope as scope
from layertree.core.deltas import Parts as Parts
from layertree.core.errors import AxisRangeError as AxisRangeError
from layertree.core.errors import ClosedTapeError as ClosedTapeError
from layertree.core.errors import DTypeError as DTypeError
from layertree.core.errors import GradientError as GradientError
from layertree.core.errors import IndexRangeError as IndexRangeError
from layertree.core.errors import MissingGradientError as MissingGradientError
from layertree.core.errors import ShapeError as ShapeError
from layertree.core.errors import UnknownPathError as UnknownPathError
from layertree.core.fields import attribute as attribute
from layertree.core.fields import layer as layer
from layertree.core.fields import operand as operand
from layertree.core.fields import operands as operands
from layertree.core.fields import region as region
from layertree.core.identity import Compose as Compose
from layertree.core.identity import Identity as Identity
from layertree.core.layer import Layer as Layer
from layertree.core.literal import Literal as Literal
from layertree.core.tape import Tape as Tape
from layertree.core.weight import State as State
from layertree.core.weight import Weight as Weight
from layertree.layers import families as _families
from layertree.layers import find as _find
from layertree.tape.backward import backward_all as backward_all
from layertree.tape.commit import commit as commit
from layertree.tape.gradients import Gradients as Gradients
from layertree.tape.tapes import Input as Input

if TYPE_CHECKING:
    from layertree import datasets as datasets
    from layertree import plots as plots
    from layertree import typing as typing
    from layertree.drawing.drawing import Drawing as Drawing
    from layertree.drawing.drawing import draw as draw
    from layertree.drawing.steps import Steps as Steps
    from layertree.drawing.steps import steps as steps
    from layertree.layers.arithmetic import *
    from layertree.layers.comparison import *
    from layertree.layers.control import *
    from layertree.layers.convolution import *
    from layertree.layers.cumulative import *
    from layertree.layers.elementwise import *
    from layertree.layers.gates import *
    from layertree.layers.indexing import *
    from layertree.layers.linear_algebra import *
    from layertree.layers.probability import *
    from layertree.layers.random import *
    from layertree.layers.reduction import *
    from layertree.layers.rounding import *
    from layertree.layers.shape import *
    from layertree.layers.stacks import *
    from layertree.layers.structure import *
    from layertree.layers.trigonometric import *
    from layertree.program.compile import compile as compile
    from layertree.rewrite.groups import parameter_groups as parameter_groups
    from layertree.rewrite.groups import set_optimizers as set_optimizers
    from layertree.rewrite.inference import inference as inference
    from layertree.rewrite.modes import freeze as freeze
    from layertree.rewrite.modes import stop_gradient as stop_gradient
    from layertree.rewrite.pattern import Number as Number
    from layertree.rewrite.pattern import Rule as Rule
    from layertree.rewrite.pattern import Wildcard as Wildcard
    from layertree.rewrite.pruning import prune as prune
    from layertree.rewrite.rules import RULES as RULES
    from layertree.rewrite.selection import count as count
    from layertree.rewrite.selection import find as find
    from layertree.rewrite.selection import named_nodes as named_nodes
    from layertree.rewrite.selection import path_of as path_of
    from layertree.rewrite.simplify import simplify as simplify
    from layertree.rewrite.simplify import simplify_all as simplify_all
    from layertree.rewrite.substitution import substitute as substitute
    from layertree.rewrite.summary import Summary as Summary
    from layertree.rewrite.summary import summary as summary
    from layertree.rewrite.surgery import at as at
    from layertree.rewrite.surgery import map_layers as map_layers
    from layertree.rewrite.surgery import replace as replace
    from layertree.rewrite.traversal import named_cells as named_cells
    from layertree.rewrite.traversal import nodes as nodes
    from layertree.rewrite.traversal import parameters as parameters
    from layertree.tape.check import GradientCheck as GradientCheck
    from layertree.tape.check import check_gradient as check_gradient
    from layertree.training.fit import History as History
    from layertree.training.fit import fit as fit
    from layertree.updates.optimizers import SGD as SGD
    from layertree.updates.optimizers import Adagrad as Adagrad
    from layertree.updates.optimizers import Adam as Adam
    from layertree.updates.optimizers import AdamW as AdamW
    from layertree.updates.optimizers import Average as Average
    from layertree.updates.optimizers import Count as Count
    from layertree.updates.optimizers import Momentum as Momentum
    from layertree.updates.optimizers import Optimizer as Optimizer
    from layertree.updates.optimizers import RMSprop as RMSprop
    from layertree.updates.schedules import CosineDecay as CosineDecay
    from layertree.updates.schedules import Cycle as Cycle
    from layertree.updates.schedules import ExponentialDecay as ExponentialDecay
    from layertree.updates.schedules import InverseDecay as InverseDecay
    from layertree.updates.schedules import Schedule as Schedule
    from layertree.updates.schedules import Scheduled as Scheduled

__version__ = "0.2.0.dev0"

# Names that load at their first use, with their modules. Layer classes are found in their families.
_LATER = {
    "Adagrad": "layertree.updates.optimizers",
    "Adam": "layertree.updates.optimizers",
    "AdamW": "layertree.updates.optimizers",
    "Average": "layertree.updates.optimizers",
    "CosineDecay": "layertree.updates.schedules",
    "Count": "layertree.updates.optimizers",
    "Cycle": "layertree.updates.schedules",
    "Drawing": "layertree.drawing.drawing",
    "ExponentialDecay": "layertree.updates.schedules",
    "GradientCheck": "layertree.tape.check",
    "History": "layertree.training.fit",
    "InverseDecay": "layertree.updates.schedules",
    "Momentum": "layertree.updates.optimizers",
    "Number": "layertree.rewrite.pattern",
    "Optimizer": "layertree.updates.optimizers",
    "RMSprop": "layertree.updates.optimizers",
    "RULES": "layertree.rewrite.rules",
    "Rule": "layertree.rewrite.pattern",
    "SGD": "layertree.updates.optimizers",
    "Schedule": "layertree.updates.schedules",
    "Scheduled": "layertree.updates.schedules",
    "Steps": "layertree.drawing.steps",
    "Summary": "layertree.rewrite.summary",
    "Wildcard": "layertree.rewrite.pattern",
    "at": "layertree.rewrite.surgery",
    "check_gradient": "layertree.tape.check",
    "compile": "layertree.program.compile",
    "count": "layertree.rewrite.selection",
    "draw": "layertree.drawing.drawing",
    "find": "layertree.rewrite.selection",
    "fit": "layertree.training.fit",
    "freeze": "layertree.rewrite.modes",
    "inference": "layertree.rewrite.inference",
    "map_layers": "layertree.rewrite.surgery",
    "named_cells": "layertree.rewrite.traversal",
    "named_nodes": "layertree.rewrite.selection",
    "nodes": "layertree.rewrite.traversal",
    "parameter_groups": "layertree.rewrite.groups",
    "parameters": "layertree.rewrite.traversal",
    "path_of": "layertree.rewrite.selection",
    "prune": "layertree.rewrite.pruning",
    "replace": "layertree.rewrite.surgery",
    "set_optimizers": "layertree.rewrite.groups",
    "simplify": "layertree.rewrite.simplify",
    "simplify_all": "layertree.rewrite.simplify",
    "steps": "layertree.drawing.steps",
    "stop_gradient": "layertree.rewrite.modes",
    "substitute": "layertree.rewrite.substitution",
    "summary": "layertree.rewrite.summary",
}
_PACKAGES = ("datasets", "plots", "typing")


def __getattr__(name: str) -> Any:
    """The layer classes, and the names of ``_LATER``, which load at their first use."""
    if name in _PACKAGES:
        return import_module(f"layertree.{name}")
    if not name.startswith("_"):
        found = getattr(import_module(_LATER[name]), name) if name in _LATER else None
        if found is None and name[0].isupper():  # a class; Python asks for a module's name, too, before it loads that
            found = _find(name)
        if found is not None:
            globals()[name] = found
            return found
    if name == "__all__":
        return _public_names()
    raise AttributeError(f"module 'layertree' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*_public_names(), *_PACKAGES, *[name for name in globals() if name[:2] == "__"]})


def _public_names() -> list[str]:
    """``__all__``, with all layer classes, so that ``from layertree import *`` serves to evaluate printed layers."""
    not_ours = ("TYPE_CHECKING", "Any", "ModuleType", "import_module")
    own = [name for name, value in globals().items() if name[0] != "_" and not isinstance(value, ModuleType)]
    own = [name for name in own if name not in not_ours and name not in _LATER]
    return [*own, *_LATER] + [name for family in _families() for name in family.__all__]
