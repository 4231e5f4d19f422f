"""The attribute ``.mT``, whose type depends on the rank of the formula."""
# A property has one type for all ranks, so the attribute is a descriptor with overloads.
# mypy: disable-error-code="overload-overlap"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from symbolic.core.facade import facade

if TYPE_CHECKING:
    from layertree import Layer
    from symbolic.core.symbolic import Symbolic
    from symbolic.signatures.arrays import A, B, C, E, Guard, In, Loose, Rank2, Rank3, Rank4, Shaped, T


class MatrixTranspose:
    """The descriptor of the formula with its last two axes exchanged."""

    @overload
    def __get__(self, formula: None, owner: type) -> MatrixTranspose: ...
    @overload
    def __get__(self, formula: Layer[In, Shaped[Guard, T]], owner: type) -> Symbolic[In, Shaped[Loose, T]]: ...
    @overload
    def __get__(self, formula: Rank2[In, A, B, T], owner: type) -> Symbolic[In, Shaped[tuple[B, A], T]]: ...
    @overload
    def __get__(self, formula: Rank3[In, A, B, C, T], owner: type) -> Symbolic[In, Shaped[tuple[A, C, B], T]]: ...
    @overload
    def __get__(self, formula: Rank4[In, A, B, C, E, T], owner: type) -> Symbolic[In, Shaped[tuple[A, B, E, C], T]]: ...
    def __get__(self, formula: Any, owner: type) -> Any:
        """The formula of an instance; of the class the descriptor itself."""
        return self if formula is None else facade.unary("matrix_transpose", formula)
