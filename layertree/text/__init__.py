"""Text: formulas as code, as formulas, as mathematics and as trees, and tables for reports.

Start with ``styles.py``, which lists the styles of ``format``, then ``printer.py`` and ``code.py``.

``printer``        a pretty printer for graphs of nodes: ``Style``, ``Ref``, shared nodes by name
``code``           layers as Python code that rebuilds them
``display``        display trees: formulas with compositions inlined
``formula``        infix notation with the precedence of Python
``mathematics``    what the notations ``unicode`` and ``latex`` have in common; ``notation`` has their symbols
``indented``       indented trees of any nodes; ``tree`` draws formulas with specs, ``run_tree`` runs with values
``values``         constants, cells and attributes as text
``table``, ``terminal``, ``units``   columns of text, the width of a stream, numbers with units

This room may import core, layers, sweep, kernels, namespaces, updates and tape.
"""
