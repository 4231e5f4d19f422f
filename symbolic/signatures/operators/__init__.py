"""The types of the operators, which are methods of Symbolic.

The first operand is the formula whose method the operator is. A weight as the left operand fits any input, so that its
method fails for a right operand with an input; checkers then go on to the reflected method of the right operand, as
Python does.

Overlaps are meant: the first overload that fits has the most precise result. Where the kind of data decides, the first
operand names it, since mypy ignores the bounds of type variables in the type of ``self``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symbolic.signatures.operators.arithmetic import arithmetic as arithmetic
    from symbolic.signatures.operators.comparison import comparison as comparison
    from symbolic.signatures.operators.comparison import logic as logic
    from symbolic.signatures.operators.division import division as division
    from symbolic.signatures.operators.product import product as product
    from symbolic.signatures.operators.product import reflected_product as reflected_product
else:  # the modules load under a checker alone
    arithmetic = comparison = division = logic = product = reflected_product = None
