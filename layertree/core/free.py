"""Free variables: leaves that stand for a value while a formula is taken apart, and are exchanged afterwards."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from layertree.core.layer import Layer
from layertree.core.layout import Layout, refuse
from layertree.core.tape import Tape

D = TypeVar("D")


class Free(Layer[object, Tape[D, D]], Generic[D]):
    """A variable of a spec, equal to itself alone. A formula that still has one does not run."""

    spec: Any
    _layout: ClassVar[Layout] = Layout()
    _control: ClassVar[str | None] = "free"

    def __init__(self, spec: Any) -> None:
        self.__dict__["spec"] = spec

    __setattr__ = refuse
    __delattr__ = refuse

    def _label_hash(self) -> Any:
        return id(self)

    def _same_label(self, other: Any) -> bool:
        return self is other
