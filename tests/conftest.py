"""Hypothesis draws the same examples on every run, and nothing here depends on how fast the machine is."""

import os

# Two test processes on two cores: threads of OpenBLAS, which reads this when it loads, would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import settings  # after the setting, which has to come before NumPy

settings.register_profile("layertree", deadline=None, derandomize=True)
settings.load_profile("layertree")
