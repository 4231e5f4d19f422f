"""How formulas are built: every operation unwraps its operands, builds a layer, infers its spec, and wraps it again.

``operations`` is the centre; ``placeholders`` makes the formulas that have no operands; ``indexing``,
``numpy_protocols`` and ``rewriting`` implement methods of Symbolic. The room imports ``symbolic.core`` alone.
"""
