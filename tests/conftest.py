"""Hypothesis and initialisers draw the same numbers on every run; nothing here depends on how fast the machine is."""

import gc
import os

# Two test processes on two cores: threads of OpenBLAS, which reads this when it loads, would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest  # these after the setting, which has to come before NumPy
from hypothesis import settings

from symbolic import seed

settings.register_profile("layertree", deadline=None, derandomize=True)
settings.load_profile("layertree")

# The cyclic collector would walk all tests and all long formulas again and again: it runs more rarely, and leaves out
# what the collection of the tests made. Tests of memory call the collector themselves, or turn it off.
gc.set_threshold(100_000, 50, 50)


def pytest_collection_finish():
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def initial_weights():
    """The same in each test, whichever ran before it."""
    with seed(0):
        yield
