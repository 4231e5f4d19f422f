"""Rewriting: formulas made from formulas. Every function here takes a layer and returns a new one; nothing is edited.

Start with ``simplify.py`` and one module of ``rules/``, then ``reverse_mode.py`` and ``derive.py``.

Term rewriting
    ``pattern``        the language of rules: ``Wildcard``, ``Number``, ``Rule``
    ``rules/``         the built-in rules, by family of layers
    ``matching``       a rule compiled to a matcher and a straight-line program
    ``rule_index``     the candidates for a node, by a fingerprint index
    ``folding``        soundness of constant folding and of reassociating constants
    ``reassociation``  the dtypes in which the order of operations may change
    ``bounds``         the table of bounds by function, which the compiler reads, too
    ``intervals``      bounds of values by interval arithmetic, and the properties that follow
    ``simplify``       normal forms by innermost rewriting under hash consing

Derivatives
    ``reverse_mode``   the backward pass in the tree namespace
    ``derive``         VJPs by any target, JVPs by transposition
    ``batch``          vmap
    ``jacobians``      a VJP or JVP under vmap over all basis vectors

Surgery
    ``traversal``      nodes, weights and cells of a formula
    ``selection``      nodes by path, pattern, type or predicate (``find``)
    ``surgery``        selected nodes replaced (``replace``, ``at``)
    ``substitution``   sub-formulas replaced wherever they are equal (``substitute``)
    ``pruning``        some outputs without dead code (``prune``)
    ``inference``, ``modes``  the formula that ``predict`` evaluates; frozen weights and stopped gradients
    ``groups``, ``summary``   parameter groups; the table of weights and states

The values of rewriting are ``TreeValue`` objects of the tree namespace: a layer and the spec of its output, unique for
equal nodes of one derivation. This room may import core, layers, sweep, kernels, namespaces, updates, tape and text.
"""
