"""Mutants: the rules of the layers with one small mistake each. Every one has to fail a check of its layer's samples.

python -m tests.mutants                       all layers
python -m tests.mutants --layer Conv2D        one
python -m tests.mutants --changed-since main  those whose rules changed since a revision
"""
