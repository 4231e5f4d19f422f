"""The batch namespace: vectorization (vmap) of a formula, whose values are stacks with leading axes.

A formula is read once for a whole stack. The rule of a layer computes with the specs of one example; each function
that the rule calls becomes a function of stacks of the tree namespace. A value that does not depend on the example is
shared: it has no leading axes and is computed once. Directions of a derivative, of which each is 1 in one element and 0
elsewhere, are diagonal stacks (``_diagonals``).

``_values`` has the types of values, ``_stacks`` the operations on stacks, ``batching`` the namespace, ``_names`` the
classification of functions; ``_rules`` and ``_tuples`` hold the functions with a rule of their own. Start with
``batching``.
"""

from layertree.namespaces.batch._values import Batched as Batched
from layertree.namespaces.batch._values import Diagonal as Diagonal
from layertree.namespaces.batch._values import Several as Several
from layertree.namespaces.batch._values import is_batched as is_batched
from layertree.namespaces.batch.batching import Batching as Batching
from layertree.namespaces.classification import is_named as is_named
from layertree.namespaces.classification import is_transparent as is_transparent
