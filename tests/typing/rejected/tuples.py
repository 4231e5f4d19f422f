"""Mistakes with inputs of several parts."""

from typing import NewType

import symbolic as sy
from layertree.typing import Float32
from symbolic import Formula, placeholder, weight
from symbolic.initializers import normal

Batch = NewType("Batch", int)
Feat = NewType("Feat", int)
batch, feat = Batch(2), Feat(3)

x, y = placeholder((float, float))
a, s = placeholder((Float32[Batch, Feat], float))
z = placeholder(float)
product = x * y
parts = sy.cross_entropy(a, sy.softmax(a), reduction="parts")

# Parts of different inputs.
x * z  # error: mypy pyright
x * s  # error: mypy pyright
a * x  # error: mypy pyright
a + placeholder(Float32[Batch, Feat])  # error: mypy pyright

# Too many names, too few, and a part that is not there.
one, two, three = placeholder((float, float))  # error
p, q = placeholder((float, float, float))  # error
parts["0"]  # error

# Composing with parts that do not fit.
product(z)  # error
product(a, a)  # error
product(z, a)  # error
product(x, z)  # error: pyright
product(x, z).predict(1.0)  # error: mypy pyright
product(z, "1")  # error
product(z, z, z)  # error
(a * s)(s, a)  # error

# Running on the wrong data.
product.predict(3.0)  # error
product.predict((3.0,))  # error
product.predict((3.0, "4"))  # error
product.predict((3.0, 4.0, 5.0))  # error
(a * s).predict((2.0, normal(batch, feat)))  # error
(a * s).predict((normal(feat, batch), 2.0))  # error


@sy.formula
def line(t: Formula[float, float]) -> Formula[float, float]:
    return (1.0 + t) * weight(2.0)


@sy.formula
def comparison(t: Formula[float, float]) -> Formula[float, float]:
    return t > 1.0  # error


line(a)  # error
line.predict("1")  # error
