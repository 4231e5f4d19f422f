"""The attribute ``.mT``, which has a type for each rank, as no property can have."""
# mypy: disable-error-code="overload-overlap"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from layertree import Layer

if TYPE_CHECKING:
    from symbolic._arrays import A, B, C, E, Guard, In, Loose, Shaped, T
    from symbolic._symbolic import Symbolic


class Exchanged:
    """The formula with its last two axes exchanged."""

    @overload
    def __get__(self, formula: None, owner: Any) -> Exchanged: ...
    @overload
    def __get__(self, formula: Layer[In, Shaped[Guard, T]], owner: Any) -> Symbolic[In, Shaped[Loose, T]]: ...
    @overload
    def __get__(
        self, formula: Layer[In, Shaped[tuple[A, B], T]], owner: Any
    ) -> Symbolic[In, Shaped[tuple[B, A], T]]: ...
    @overload
    def __get__(
        self, formula: Layer[In, Shaped[tuple[A, B, C], T]], owner: Any
    ) -> Symbolic[In, Shaped[tuple[A, C, B], T]]: ...
    @overload
    def __get__(
        self, formula: Layer[In, Shaped[tuple[A, B, C, E], T]], owner: Any
    ) -> Symbolic[In, Shaped[tuple[A, B, E, C], T]]: ...
    def __get__(self, formula: Any, owner: Any) -> Any:
        """The formula of an instance; of the class the attribute itself."""
        from symbolic import _build

        return self if formula is None else _build.apply("matrix_transpose", formula)
