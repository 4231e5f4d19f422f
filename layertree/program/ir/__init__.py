"""The intermediate representation: graphs of operations with known shapes, in static single assignment form.

Main types: ``Op`` (one primitive and the value it gives), ``Graph`` (a program's operations, its input and outputs),
``Body`` (one side of a branch), ``Primitive`` (an entry of the table of primitives: axes by an ``IndexingMap``, costs,
in-place rights, workspaces). Reading starts at ``operations``. The room imports the kernels and namespaces of the
library, and no other room of the compiler.
"""
