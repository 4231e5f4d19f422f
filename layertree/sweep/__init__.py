"""The sweep: one traversal of a tree for every reading.

``reading`` has the interface that each reading implements (tapes, values, shapes, derivatives, programs), ``plan`` the
topological order of a tree, ``sweep`` the traversal. For trees with regions, ``memo`` keeps results by node and undoes
those of a branch, and ``hoisting`` finds what both branches of an If need. Imports ``core``. Start with ``reading``.
"""
