"""The bundled digits: what the file says, in the shapes and kinds that are promised."""

import gzip
from importlib.resources import files

import numpy as np
import pytest

from layertree import datasets
from layertree.datasets import digits


def test_shapes_and_kinds():
    images, labels = digits()
    assert images.shape == (1797, 8, 8)
    assert images.dtype == np.uint8
    assert labels.shape == (1797,)
    assert labels.dtype == np.int64


def test_every_row_is_the_line_of_the_file():
    lines = gzip.decompress(files(datasets).joinpath("digits.csv.gz").read_bytes()).decode().splitlines()
    images, labels = digits()
    for image, label, line in zip(images, labels, lines, strict=True):
        assert [*image.ravel().tolist(), int(label)] == [int(cell) for cell in line.split(",")]


def test_what_is_known_of_the_data():
    images, labels = digits()
    assert (images.min(), images.max()) == (0, 16)
    assert np.bincount(labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_the_arrays_are_read_only():
    for array in digits():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_record():
    data = datasets.digits()
    assert data.images is digits().images
    assert data.labels is data[1]
    assert repr(data) == "Digits(images: uint8 (1797, 8, 8), labels: int64 (1797,))"
    with pytest.raises(AttributeError):
        data.labels = data.labels


def test_the_attribution_stands_beside_the_data():
    text = files(datasets).joinpath("README.md").read_text(encoding="utf-8")
    for part in ("Alpaydin", "Kaynak", "UCI", "1998", "CC BY 4.0"):
        assert part in text
        assert part in digits.__doc__
