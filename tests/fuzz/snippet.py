"""Snippets: a program that differs, as code that a user can paste. It raises while the difference is there."""

from __future__ import annotations

from layertree import nodes
from tests.fuzz.agreement import Difference
from tests.fuzz.code import assignment, code_of
from tests.fuzz.program import Program

_HEAD = "import numpy as np\nfrom numpy import *\nfrom layertree import *\n"

_COMPARE = """\
def leaves(one):
    return [leaf for part in one for leaf in leaves(part)] if isinstance(one, tuple) else [one]
print(wanted, given, sep="\\n")
for one, other in zip(leaves(wanted), leaves(given), strict=True):
    if np.asarray(one).dtype.kind != "f":
        assert type(one) is type(other) and np.array_equal(one, other)
        continue
    assert np.shape(one) == np.shape(other) and np.asarray(one).dtype == np.asarray(other).dtype
    np.testing.assert_allclose(other, one, rtol=1e4 * float(np.finfo(np.asarray(one).dtype).eps))
"""
_SIGNS = "    np.testing.assert_array_equal(np.signbit(other), np.signbit(one))\n"


def snippet(program: Program, found: Difference) -> str:
    """The code of a program and of its difference."""
    classes = [
        cls for cls in dict.fromkeys(map(type, nodes(program.layer))) if cls.__module__.split(".")[0] != "layertree"
    ]
    lines = [_HEAD, *[f"from {cls.__module__} import {cls.__name__}\n" for cls in classes]]
    lines.append(f"# {found.what}: {found.message}\n".replace("\n", " ") + "\n")
    lines.append(assignment("formula", program.layer))
    lines.append(f"data = {code_of(program.data)}\n")
    if "delta" in found.code:
        lines.append(f"delta = {_delta(program)}\n")
    return "".join([*lines, found.code, _COMPARE, _SIGNS if found.aspect == "sign" else ""])


def _delta(program: Program) -> str:
    def one(delta: object) -> str:
        if isinstance(delta, tuple):
            return f"({', '.join(map(one, delta))},)"
        return "None" if delta is None else code_of(delta)

    return one(program.delta)
