"""The compiler: one formula, or one training step, as one straight-line program."""

from layertree.program.compile import compile as compile
from layertree.program.compiled import Compiled as Compiled
from layertree.program.training import TrainingStep as TrainingStep
