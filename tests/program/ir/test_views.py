"""Views: their text does what the primitive does, and none of them copies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp

from layertree.core.static_index import index_text
from layertree.namespaces import numpy as kernels
from layertree.program.ir.static_index import parts_of
from layertree.program.ir.views import VIEWS, view_text

ARRAY = np.arange(24.0).reshape(2, 3, 4)

CASES: list[tuple[str, dict[str, Any], str]] = [
    ("reshape", {"shape": (6, 4)}, "x.reshape(6, 4)"),
    ("reshape", {"shape": (24,)}, "x.reshape(24)"),
    ("transpose", {"axes": (0, 2, 1)}, "x.mT"),
    ("transpose", {"axes": (2, 0, 1)}, "x.transpose(2, 0, 1)"),
    ("transpose", {"axes": (1, 0, 2)}, "x.transpose(1, 0, 2)"),
    ("getitem", {"index": (1,)}, "x[1]"),
    ("getitem", {"index": (Ellipsis, None, slice(None, -1))}, "x[..., None, :-1]"),
    ("getitem", {"index": (slice(0, 2), slice(None, None, -1))}, "x[0:2, ::-1]"),
    ("getitem", {"index": slice(1, None)}, "x[1:]"),
    ("getitem", {"index": ()}, "x[()]"),
    ("broadcast_to", {"shape": (5, 2, 3, 4)}, "np.broadcast_to(x, (5, 2, 3, 4))"),
    (
        "windows",
        {"window": (2, 2), "stride": (1, 2), "dilation": (1, 1)},
        "xp.windows(x, window=(2, 2), stride=(1, 2), dilation=(1, 1))",
    ),
]


def run(text: str, x: Any) -> Any:
    return eval(text, {"np": np, "xp": kernels, "x": x})


@pytest.mark.parametrize(("name", "attributes", "text"), CASES, ids=[text for _, _, text in CASES])
def test_the_text_is_the_view(name: str, attributes: dict[str, Any], text: str) -> None:
    x = ARRAY[..., None] if name == "windows" else ARRAY
    assert view_text(name, "x", attributes, x.ndim) == text
    expected = VIEWS[name](x, **attributes)
    np.testing.assert_array_equal(run(text, x), expected, strict=True)
    assert np.shares_memory(expected, ARRAY)


def test_an_array_of_one_number_loses_its_axes() -> None:
    text = view_text("reshape", "x", {"shape": ()}, 2)
    assert text == "x.reshape(())"
    assert run(text, np.full((1, 1), 7.0)) == 7.0


def test_a_matrix_is_transposed_in_two_letters() -> None:
    assert view_text("transpose", "x", {"axes": (1, 0)}, 2) == "x.T"
    assert view_text("transpose", "x", {"axes": (0, 1)}, 2) == "x.transpose(0, 1)"


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("reshape", {"shape": ()}),
        ("reshape", {"shape": (1, 1)}),
        ("getitem", {"index": (None, Ellipsis)}),
        ("getitem", {"index": ()}),
        ("broadcast_to", {"shape": (2, 3)}),
        ("broadcast_to", {"shape": ()}),
    ],
)
@pytest.mark.parametrize("x", [2.5, np.float32(2.5)])
def test_views_of_a_number(name: str, attributes: dict[str, Any], x: Any) -> None:
    found = run(view_text(name, "x", attributes, 0, of_number=True), x)
    np.testing.assert_array_equal(found, VIEWS[name](np.asarray(x), **attributes), strict=True)


class Subscript:
    def __getitem__(self, index: Any) -> Any:
        return index


def as_tuple(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


@given(hnp.basic_indices((3, 4, 5), allow_newaxis=True))
def test_an_index_reads_back(index: Any) -> None:
    assert as_tuple(eval(f"x[{index_text(parts_of(index))}]", {"x": Subscript()})) == as_tuple(index)
