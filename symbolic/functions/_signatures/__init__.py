"""The types of functions, which take formulas and plain data in either order.

They say of functions of two operands what ``symbolic._signatures`` says of operators. Here the input is a tape of X, no
longer any In: see ``Given``. Weights and plain data alone come first, where they are of one kind.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symbolic.functions._signatures.arithmetic import arithmetic as arithmetic
    from symbolic.functions._signatures.comparison import comparison as comparison
    from symbolic.functions._signatures.comparison import logic as logic
    from symbolic.functions._signatures.division import division as division
    from symbolic.functions._signatures.product import product as product
    from symbolic.functions._signatures.unary import amount as amount
    from symbolic.functions._signatures.unary import floating as floating
    from symbolic.functions._signatures.unary import quantity as quantity
    from symbolic.functions._signatures.unary import smooth as smooth
else:  # checkers read them; nothing runs here, so nothing of it loads
    amount = arithmetic = comparison = division = floating = logic = product = quantity = smooth = None
