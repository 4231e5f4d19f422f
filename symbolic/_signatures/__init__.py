"""The types of the operators, one signature for each kind of operation. Checkers read them; ``typed`` alone runs.

The first operand is the formula whose method it is. Where that method fails because the left operand fits any input, as
a weight does, checkers go on to the reflected method of the right one, as Python does.

Overlaps are meant: the first overload that fits says most. Where a kind of data decides, the first operand names it,
since mypy does not look at the bounds of variables in the type of ``self``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from symbolic._signatures.arithmetic import arithmetic as arithmetic
    from symbolic._signatures.comparison import comparison as comparison
    from symbolic._signatures.comparison import logic as logic
    from symbolic._signatures.division import division as division
    from symbolic._signatures.product import product as product
    from symbolic._signatures.product import reflected_product as reflected_product
else:  # nothing runs here, so nothing of it loads
    arithmetic = comparison = division = logic = product = reflected_product = None

Signature = TypeVar("Signature")


def typed(like: Signature, /) -> Callable[[Callable[..., Any]], Signature]:
    """The decorator that gives a function the type of another one, and otherwise leaves it as it is."""

    def unchanged(function: Any) -> Any:
        return function

    return unchanged
