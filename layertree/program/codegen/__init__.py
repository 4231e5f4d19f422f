"""Code generation of the NumPy engine: a graph becomes the source of a Python function and the memory it works in.

The steps: ``liveness`` (where each value lives, and how long it is read), ``layout`` (row-major or column-major),
``buffer_assignment`` (a slice of one arena for each buffer), ``emit`` with ``templates`` (the NumPy text of each
primitive), ``loops`` (loop nests), ``inlining`` and ``names``; ``program`` puts these together, ``batch_program`` does
so for a graph that is split over its batch. Main types: ``Program``, ``Source``, ``BufferAssignment``, ``Liveness``.
Reading starts at ``program``. The room imports ``ir``, ``lower``, ``runtime`` and ``passes``.
"""
