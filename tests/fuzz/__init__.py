"""Random programs: formulas over the whole table of layers, compared in every reading, and minimised where they differ.

``generator`` grows programs from the samples of ``tests/layers``, so a layer with samples takes part. ``agreement``
says when two values are the same, ``noise`` how far a program determines its value. Each mode of ``modes`` compares two
readings. ``minimise`` reduces a program that differs, ``snippet`` prints it as code, ``python -m tests.fuzz`` runs all.
"""
