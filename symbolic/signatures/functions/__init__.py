"""The types of functions, which take formulas and plain data in either order.

The signatures of functions of two operands correspond to those of ``symbolic.signatures.operators``. Their input is a
tape of X where that of an operator is any In, for the reason given at ``Given``. The first overloads
are those for weights and plain data of one kind.

Operators and functions do not share signatures. The first operand of a function may be plain data, so that its type is
a union; mypy solves the type variables in a union type of ``self`` as Never.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symbolic.signatures.functions.arithmetic import arithmetic as arithmetic
    from symbolic.signatures.functions.comparison import comparison as comparison
    from symbolic.signatures.functions.comparison import logic as logic
    from symbolic.signatures.functions.division import division as division
    from symbolic.signatures.functions.product import product as product
    from symbolic.signatures.functions.unary import amount as amount
    from symbolic.signatures.functions.unary import floating as floating
    from symbolic.signatures.functions.unary import quantity as quantity
    from symbolic.signatures.functions.unary import smooth as smooth
else:  # the modules load under a checker alone
    amount = arithmetic = comparison = division = floating = logic = product = quantity = smooth = None
