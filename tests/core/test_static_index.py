"""Static indices: the JSON form and back, and the text that Python reads as the same index."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layertree.core.static_index import decode_index, encode_index, index_text

INDICES = [
    0,
    -1,
    slice(None),
    ...,
    None,
    (),
    (1, slice(None, 2), None),
    (..., slice(-1, None, -1), 0),
    (slice(0, 4, 2), slice(None, None, 3), np.int64(1)),
]


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_there_and_back(index: Any) -> None:
    parts = index if isinstance(index, tuple) else (index,)
    assert decode_index(encode_index(index)) == parts
    assert encode_index(encode_index(index)) == encode_index(index)


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_the_text_is_the_index(index: Any) -> None:
    encoded = encode_index(index)
    text = index_text(encoded)
    assert text == index_text(decode_index(encoded))
    found = eval(f"np.s_[{text}]", {"np": np})
    assert (found if isinstance(found, tuple) else (found,)) == decode_index(encoded)
