"""The samples of all layer classes, by family. A class without one fails the suite."""

import pkgutil
from importlib import import_module

from tests.layers import families
from tests.layers.sample import Sample

SAMPLES: list[Sample] = [
    sample
    for family in pkgutil.iter_modules(families.__path__)
    for sample in import_module(f"{families.__name__}.{family.name}").SAMPLES
]

IDS = [sample.id for sample in SAMPLES]
