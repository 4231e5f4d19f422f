"""The types of reductions, by the rank of the operand and the axis.

Over all axes they give a NumPy scalar; over an axis that the checker knows, up to rank 3, an array of the other
dimensions, where one that is kept is ``One``. Over an axis that it does not know the dimensions are int. No overload
takes what an earlier one takes and gives less: where a formula is written inside of another call, checkers go on to
whichever fits there, and a mistake would be none.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symbolic.signatures.reductions.average import average as average
    from symbolic.signatures.reductions.axes import Axis as Axis
    from symbolic.signatures.reductions.extreme import extreme as extreme
    from symbolic.signatures.reductions.norm import norm as norm
    from symbolic.signatures.reductions.position import position as position
    from symbolic.signatures.reductions.spread import spread as spread
    from symbolic.signatures.reductions.total import total as total
else:  # checkers read them; nothing runs here, so nothing of it loads
    average = extreme = norm = position = spread = total = None
