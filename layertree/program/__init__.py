"""The compiler: a formula, or a training step, becomes one straight-line NumPy program for each spec of its input.

``compile``, ``compiled`` and ``training_step`` are what users touch; README.md walks one formula through the pipeline.
A sub-room imports only those above it in this list:

- ``ir``: operations, graphs, views, static indices, names
- ``lower``: formulas to graphs
- ``runtime``: what a compiled function needs while it runs
- ``passes``: graphs to graphs
- ``codegen``: graphs to NumPy source and a plan of its memory
- ``report``: schedule, memory, explanation of passes, profile, finite checks
- the modules of this package: ``engine`` (the seam for engines), ``numpy_engine``, ``options``, ``cache``, ``reports``,
  ``value_program``, ``step_program``, ``compiled``, ``training_step``, ``compile``
"""

from layertree.program.compile import compile as compile
from layertree.program.compiled import Compiled as Compiled
from layertree.program.training_step import TrainingStep as TrainingStep
