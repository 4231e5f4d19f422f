"""Type variables with a default, which Python itself has from 3.13 on, and classes that know what it is for.

Checkers have them of ``typing_extensions``. That takes longer to load than most of this library, for one thing alone at
run time: a subscript may leave out the last parameters, which are Any then, the default of all of them.
"""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any

__all__ = ["Partial", "TypeVar"]

if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVar

    class Partial:
        """A generic class that may be subscripted in part."""

        __slots__ = ()
else:

    def TypeVar(name: str, *, default: Any = Any, **options: Any) -> Any:  # as what it stands for
        """A type variable, without its default."""
        return typing.TypeVar(name, **options)

    class Partial:
        """A generic class that may be subscripted in part.

        >>> from layertree import Identity
        >>> Identity[float]
        layertree._identity.Identity[float, typing.Any]
        """

        __slots__ = ()

        def __class_getitem__(cls, given: Any) -> Any:
            given = given if isinstance(given, tuple) else (given,)
            return super().__class_getitem__(given + (Any,) * (len(cls.__parameters__) - len(given)))
