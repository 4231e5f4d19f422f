"""The attribute ``.mT``, whose type depends on the rank of the formula."""
# A property has one type for all ranks, so the attribute is a descriptor with overloads.
# mypy: disable-error-code="overload-overlap"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from symbolic.core.facade import facade

if TYPE_CHECKING:
    from symbolic.signatures.arrays import (
        A,
        B,
        C,
        E,
        In,
        LooseRank,
        LooseResult,
        Rank2,
        Rank3,
        Rank4,
        Result2,
        Result3,
        Result4,
        T,
    )


class MatrixTranspose:
    """The descriptor of the formula with its last two axes exchanged."""

    @overload
    def __get__(self, formula: None, owner: type) -> MatrixTranspose: ...
    @overload
    def __get__(self, formula: LooseRank[In, T], owner: type) -> LooseResult[In, T]: ...
    @overload
    def __get__(self, formula: Rank2[In, A, B, T], owner: type) -> Result2[In, B, A, T]: ...
    @overload
    def __get__(self, formula: Rank3[In, A, B, C, T], owner: type) -> Result3[In, A, C, B, T]: ...
    @overload
    def __get__(self, formula: Rank4[In, A, B, C, E, T], owner: type) -> Result4[In, A, B, E, C, T]: ...
    def __get__(self, formula: Any, owner: type) -> Any:
        """The formula of an instance; of the class the descriptor itself."""
        return self if formula is None else facade.unary("matrix_transpose", formula)
