"""Free variables: leaves that represent a value while a formula is transformed, and are substituted afterwards."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar, Generic, TypeVar

from layertree.core.layer import Layer
from layertree.core.layout import Layout, refuse, refuse_deletion
from layertree.core.spec import Spec
from layertree.core.tape import Tape

D = TypeVar("D")


class Free(Layer[object, Tape[D, D]], Generic[D]):
    """A variable of a spec, equal to itself alone. A formula that still has one does not run."""

    spec: Spec
    __layout__: ClassVar[Layout] = Layout()
    __control__: ClassVar[str | None] = "free"

    def __init__(self, spec: Spec) -> None:
        self.__dict__["spec"] = spec

    def __setattr__(self, name: str, value: object, /) -> None:
        refuse(self, name)

    def __delattr__(self, name: str, /) -> None:
        refuse_deletion(self, name)

    def __label_hash__(self) -> Hashable:
        return id(self)

    def __same_label__(self, other: object) -> bool:
        return self is other
