"""What compiled formulas and training steps do not take."""

from __future__ import annotations

from typing import NewType

import symbolic as sy
from layertree import compile
from layertree.typing import Float32
from symbolic import placeholder, weight
from symbolic.initializers import normal

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
Width = NewType("Width", int)
batch, feat, width = Batch(2), Feat(3), Width(4)

program = compile((1.0 + placeholder(float)) * weight(2.0))
dense = sy.tanh(placeholder(Float32[Batch, Feat]) @ weight(normal(feat, width)))
of_rows = compile(dense)
step = compile((1.0 + placeholder(float)) * weight(2.0), train=True)
loss = compile(sy.mean(dense), train=True)

# == compile
program.predict("1")  # error | float | predict, of the wrong data
program.predict()  # error | float | predict, of nothing
program.train("1")  # error | float | train, on the wrong data
program.forward([1.0])  # error | float | forward, of the wrong data
number: int = program.predict(1.0)  # error | float | another type than the value has
of_rows.predict(1.0)  # error | 2 | predict, of a number
of_rows.predict(normal(feat, batch))  # error | 2 | predict, of other dimensions
compile(1.0)  # error | float | no formula

# == compile, a training step
step("1")  # error | float | a step, on the wrong data
whole: int = step(1.0)  # error | float | another type than the value has
loss(1.0)  # error | 2 | a step, on a number
loss(normal(feat, batch))  # error | 2 | a step, on other dimensions
