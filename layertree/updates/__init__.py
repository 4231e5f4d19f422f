"""Update rules: how a commit computes the new value of a cell from contributions.

``optimizers`` has the rules of weights (SGD, Adam, ...), of running averages and of counters; start there.
``schedules`` scales the steps of an optimizer over time. ``settings`` checks the parameters of both.

A rule is an immutable attrs class, and its three methods ``start``, ``combine`` and ``update`` are formulas over a
namespace ``xp``, as the ``compute`` of a layer is: the interpreter runs them on arrays, the compiler on its graph. This
room may import core, layers, sweep, kernels and namespaces.
"""
