"""A wrong formula is an error on the line that wrote it, or, where a size was not known, of the data that shows it.

Each mistake is made twice: with its shapes known, and with every size unknown, where the same mistake is found when
data arrives. Both errors name the operation, the operands as text with their shapes, what would fit, and the line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symbolic as sy
from layertree import ShapeError
from layertree.core.spec import spec_text
from layertree.typing import ArraySpec
from symbolic import placeholder
from tests.symbolic.mistakes import MISTAKES
from tests.symbolic.mistakes.case import Case
from tests.symbolic.support import array_of, library_frames, user_frame


def inputs_of(specs: list[Any], known: bool) -> Any:
    """Placeholders of these specs, or of the same with every size unknown."""
    if not known:
        specs = [ArraySpec((None,) * spec.ndim, spec.dtype) if isinstance(spec, ArraySpec) else spec for spec in specs]
    return placeholder(tuple(specs)) if len(specs) > 1 else (placeholder(specs[0]),)


def require_message(caught: Exception, case: Case) -> None:
    """The message says which operation, on what, why not, and where; nothing else is chained to it."""
    message, written = str(caught).rsplit("\n  written at ", 1)
    code = case.build.__code__
    assert case.operation in message
    assert case.reason in message
    assert len(message.splitlines()) == 1
    assert written.startswith(f"{code.co_filename}:{code.co_firstlineno}: lambda")
    assert caught.__cause__ is None
    assert caught.__context__ is None or caught.__suppress_context__


@pytest.mark.parametrize("case", MISTAKES, ids=[case.name for case in MISTAKES])
def test_built_on_known_sizes(case: Case) -> None:
    inputs = inputs_of(case.inputs, known=True)
    with pytest.raises(case.error) as caught:
        case.build(*inputs)
    require_message(caught.value, case)
    frame = user_frame(caught.value)
    code = case.build.__code__
    assert (frame.filename, frame.lineno) == (code.co_filename, code.co_firstlineno)
    assert library_frames(caught.value) <= 6


LATE = [case for case in MISTAKES if case.late]


@pytest.mark.parametrize("case", LATE, ids=[case.name for case in LATE])
@pytest.mark.parametrize("run", ["predict", "forward", "train"])
def test_found_in_the_data(case: Case, run: str) -> None:
    formula = case.build(*inputs_of(case.inputs, known=False))
    parts = tuple(np.ones(spec.shape, spec.dtype) for spec in case.inputs)
    with pytest.raises(case.error) as caught:
        getattr(formula, run)(parts if len(parts) > 1 else parts[0])
    require_message(caught.value, case)
    assert user_frame(caught.value).name == "test_found_in_the_data"
    assert library_frames(caught.value) <= 8


@pytest.mark.parametrize("case", MISTAKES, ids=[case.name for case in MISTAKES])
def test_what_unknown_sizes_hide(case: Case) -> None:
    inputs = inputs_of(case.inputs, known=False)
    if case.late:
        case.build(*inputs)
    else:
        with pytest.raises(case.error):
            case.build(*inputs)


def test_branches_that_agree() -> None:
    x = array_of(2, 3)
    c = sy.sum(x) > 0.0
    for then, otherwise, kind in [
        (x, array_literal(2, 3), "float32 (2, 3)"),
        (x[0, 0], 0.0, "float32 ()"),
        (0, x[0, 0], "float32 ()"),
        (0, 1.5, "float"),
        (1.5, 0, "float"),
        (True, False, "bool"),
        ((x, 1.0), (x, 2), "(float32 (2, 3), float)"),
    ]:
        assert spec_text(sy.if_(c, then, otherwise).spec) == kind
    for then, otherwise in [
        (x, x[0]),
        (x[0, 0], True),
        (1, True),
        (x[0, 0], np.float64(1.0)),
        ((x, 1.0), (x,)),
        (x, (x,)),
    ]:
        with pytest.raises(ShapeError, match="agree in shape and dtype"):
            sy.if_(c, then, otherwise)


def array_literal(*shape: int) -> Any:
    return sy.literal(np.ones(shape, np.float32))
