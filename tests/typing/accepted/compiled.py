"""Compiled formulas and training steps keep the types of the formula."""

from __future__ import annotations

from typing import NewType, assert_type

import numpy as np

import symbolic as sy
from layertree import SGD, Layer, Tape, compile
from layertree.program import Compiled, TrainingStep
from layertree.program.report.memory import Memory
from layertree.program.report.profile import Profile, ProfileRow
from layertree.typing import Float32
from symbolic import placeholder, weight
from symbolic.initializers import normal

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
Width = NewType("Width", int)
batch, feat, width = Batch(2), Feat(3), Width(4)
Numbers = Tape[float, float]
Rows = Float32[Batch, Feat]

x = placeholder(float)
formula = (1.0 + x) * weight(2.0)
dense = sy.tanh(placeholder(Rows) @ weight(normal(feat, width)))
objective = sy.mean(dense)
pair = placeholder((float, int))

# == compile
program = compile(formula)
of_rows = compile(dense)
of_pair = compile(pair[0] * 2.0)
assert_type(program, Compiled[Numbers, Numbers])  # float | a formula
assert_type(program.predict(3.0), float)  # float | predict
assert_type(program.predict(3), float)  # float | predict, of an integer
assert_type(program.train(3.0), float)  # float | train
assert_type(program.forward(3.0).value, float)  # float | the value of a tape
assert_type(of_rows.predict(normal(batch, feat)), Float32[Batch, Width])  # 2 | predict
assert_type(of_pair.predict((1.0, 2)), float)  # float, int | predict, of a pair
assert_type(compile(weight(2.0)).predict(), float)  # float | predict, of nothing
assert_type(program.source, str)  # float | source
assert_type(program.memory, Memory)  # float | memory
assert_type(program.profile(3.0), Profile)  # float | profile
assert_type(program.profile(3.0).rows[0], ProfileRow)  # float | a row of a profile
layer: Layer[Numbers, Numbers] = program  # float | as a layer

# == compile, a training step
step = compile(formula, train=True, optimizer=SGD(0.1))
loss = compile(objective, train=True)
assert_type(step, TrainingStep[float, float])  # float | an objective
assert_type(step(3.0), float)  # float | a step
assert_type(loss(normal(batch, feat)), np.float32)  # 2 | a step
assert_type(step.memory, Memory)  # float | memory
assert_type(step.profile(3.0), Profile)  # float | profile
