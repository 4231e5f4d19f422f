"""Hypothesis draws the same examples on every run, and nothing here depends on how fast the machine is."""

from hypothesis import settings

settings.register_profile("layertree", deadline=None, derandomize=True)
settings.load_profile("layertree")
