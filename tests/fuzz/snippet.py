"""Snippets: a program that differs, as code that a user can paste. It raises while the difference is there."""

from __future__ import annotations

from layertree.core.nested import nested_text
from tests.fuzz.agreement import Difference
from tests.fuzz.code import assignment, code_of, foreign_classes
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
    classes = foreign_classes(program.layer)
    lines = [_HEAD, *[f"from {cls.__module__} import {cls.__name__}\n" for cls in classes]]
    lines.append(f"# {found.what}: {found.message}\n".replace("\n", " ") + "\n")
    lines.append(assignment("formula", program.layer))
    lines.append(f"data = {code_of(program.data)}\n")
    if "delta" in found.code:
        delta = nested_text(program.delta, lambda part: "None" if part is None else code_of(part))
        lines.append(f"delta = {delta}\n")
    return "".join([*lines, found.code, _COMPARE, _SIGNS if found.aspect == "sign" else ""])
