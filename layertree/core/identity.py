"""Identity: the input. Compose: one formula's output as the input of another."""

from __future__ import annotations

from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from layertree.core.fields import layer, operand, region
from layertree.core.layer import Layer
from layertree.core.tape import Tape

Data = TypeVar("Data", default=Any)
Delta = TypeVar("Delta", default=Any)
In_contra = TypeVar("In_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)


@layer
class Identity(Layer[Tape[Data, Delta], Tape[Data, Delta]], Generic[Data, Delta]):
    """The input, as it is: the one placeholder of a formula.

    >>> Identity().predict(3.0)
    3.0
    """

    __control__: ClassVar[str | None] = "source"


@layer
class Compose(Layer[In_contra, Out_co], Generic[In_contra, Out_co]):
    """``outer`` of the output of ``inner``. Both keep their weights.

    >>> from layertree import Exp, Plus
    >>> Compose(Exp(Identity()), Plus(Identity(), 1.0)).predict(-1.0)
    1.0
    """

    outer: Layer[Any, Out_co] = region()
    inner: Layer[In_contra, Any] = operand()

    __control__: ClassVar[str | None] = "call"
