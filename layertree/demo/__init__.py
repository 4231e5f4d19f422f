"""What ``python -m layertree`` shows: a formula with its layers and tapes, and a classifier of handwritten digits.

This room alone uses both packages, ``layertree`` and ``symbolic``.
"""
