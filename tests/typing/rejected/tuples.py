"""Mistakes with several parts. The comment of a line gives what they hold, and the kind of mistake."""

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

# == a part of the input
one, two, three = placeholder((float, float))  # error | numbers | too many names
p, q = placeholder((float, float, float))  # error | numbers | too few names

# == parts of two inputs
x * z  # error: mypy pyright | numbers | a pair and a number
x * s  # error: mypy pyright | numbers | two pairs
a + placeholder(Float32[Batch, Feat])  # error: mypy pyright | arrays | a pair and an array
sy.maximum(x, s)  # error | numbers | two pairs, in a function

# == arithmetic of a tuple
parts + parts  # error | NumPy scalars | +
parts - parts  # error | NumPy scalars | -
parts * 2.0  # error | NumPy scalars | *, by a number
2.0 * parts  # error | NumPy scalars | *, by a number on the left
parts / 2  # error | NumPy scalars | /
parts // parts  # error | NumPy scalars | //
parts % 2  # error | NumPy scalars | %
parts**2  # error | NumPy scalars | **
parts @ parts  # error | NumPy scalars | @
-parts  # error | NumPy scalars | minus
abs(parts)  # error: pyright | NumPy scalars | abs
~parts  # error | NumPy scalars | not
parts & parts  # error | NumPy scalars | &
parts < parts  # noqa: B015 # error | NumPy scalars | <
divmod(parts, 2)  # error: mypy pyright | NumPy scalars | divmod
parts + weight(2.0)  # error | NumPy scalars | +, of a weight
sy.add(parts, parts)  # error | NumPy scalars | add
sy.abs(parts)  # error | NumPy scalars | abs, the function
sy.exp(parts)  # error | NumPy scalars | a smooth function
sy.sum(parts)  # error | NumPy scalars | a reduction

# == a part of the output
parts["0"]  # error | NumPy scalars | a position that is none
wrong_part: Formula[float, float] = parts[0]  # error | NumPy scalars | another type

# == composing
product(z)  # error | numbers | too few arguments
product(z, z, z)  # error | numbers | too many arguments
product(a, a)  # error | arrays | arrays for numbers
product(z, a)  # error | arrays | an array for a number
product(x, z)  # error | numbers | arguments of two inputs
product(z, "1")  # error | numbers | an argument that is none
(a * s)(s, a)  # error | arrays | arguments exchanged

# == running
product.predict(3.0)  # error | numbers | predict, of no tuple
product.predict((3.0,))  # error | numbers | predict, of too few parts
product.predict((3.0, 4.0, 5.0))  # error | numbers | predict, of too many parts
product.predict((3.0, "4"))  # error | numbers | predict, of the wrong data
(a * s).predict((2.0, normal(batch, feat)))  # error | arrays | predict, of parts exchanged
(a * s).predict((normal(feat, batch), 2.0))  # error | arrays | predict, of dimensions exchanged


# == a function as a formula
@sy.formula
def line(t: Formula[float, float]) -> Formula[float, float]:
    return (1.0 + t) * weight(2.0)


@sy.formula
def comparison(t: Formula[float, float]) -> Formula[float, float]:
    return t > 1.0  # error | numbers | another type than it returns


line(a)  # error | arrays | an argument of another kind
line.predict("1")  # error | numbers | predict, of the wrong data
