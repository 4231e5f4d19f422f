"""One run of a formula and its way back: forward, backward, commit.

``run`` has the taping and the evaluating reading, ``tapes`` the tapes, ``backward`` the reverse sweep that accumulates
deltas, ``gradients`` the deltas as a mapping, ``commit`` and ``update`` the step of the cells, ``external`` adapters of
users' tapes, ``explain`` better errors, ``check`` gradients against central differences. Imports ``core``, ``layers``,
``sweep``, ``kernels``, ``namespaces``, ``updates``. Start with README.md in this folder.
"""
