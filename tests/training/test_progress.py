"""The progress line: never wider than the terminal, ended however the run ends, readable where nothing is rewritten."""

import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symbolic as sy
from layertree import SGD, Hook, Identity, fit
from layertree.text.terminal import columns
from layertree.training import progress as _progress
from layertree.typing import ArraySpec


class Terminal(io.StringIO):
    """A stream that says it is a terminal; its width comes from COLUMNS, since it has no file descriptor."""

    encoding = "utf-8"

    def isatty(self):
        return True


class AsciiTerminal(Terminal):
    encoding = "ascii"


def run(monkeypatch, stream, columns=80, hook=lambda value: None, name="accuracy", **options):
    """What a small training run writes to the standard error, drawn as often as possible."""
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(_progress, "_PAUSE", 0.0)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", options.pop("term", "xterm"))
    x = sy.placeholder(ArraySpec("Batch"))
    seen = sy.wrap(Hook(Identity(), hook), ArraySpec("Batch"))(x)
    objective = sy.mean((seen * sy.weight(1.0)) ** 2)
    fit(objective, np.ones(8), epochs=3, batch_size=2, optimizer=SGD(0.0), metrics={name: sy.mean(x)}, **options)
    return stream.getvalue()


def test_a_terminal_gets_one_line_that_is_rewritten(monkeypatch):
    text = run(monkeypatch, Terminal(), progress=True)
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert "\x1b" not in text
    drawn = text.rstrip("\n").split("\r")[1:]
    assert len(drawn) >= 12
    assert drawn[0].startswith("epoch 1/3  [█░")
    assert drawn[-1].startswith("epoch 3/3  [██")
    assert "░" not in drawn[-1]
    for line in drawn:
        assert "loss 1.0000  accuracy 1.0000" in line
    assert " left" in drawn[0]
    assert re.search(r" in \d", drawn[-1])


@pytest.mark.parametrize("columns", [5, 12, 20, 30, 40, 60, 80, 200])
def test_no_line_wraps_at_any_width(monkeypatch, columns):
    drawn = run(monkeypatch, Terminal(), columns, progress=True).rstrip("\n").split("\r")[1:]
    assert max(map(len, drawn)) < columns
    assert drawn[-1].startswith("epoch 3/3"[: columns - 1])


def test_a_shorter_line_wipes_out_the_longer_one_before_it(monkeypatch):
    monkeypatch.setattr(_progress, "_PAUSE", 0.0)
    monkeypatch.setenv("COLUMNS", "40")
    stream = Terminal()
    with _progress.Progress(stream, epochs=1, steps=3) as shown:
        shown.batch({"loss": 1e-7})
        shown.batch({"loss": 1.0})
    _, longer, shorter = stream.getvalue().rstrip("\n").split("\r")
    assert "loss 1.000e-07" in longer
    assert len(shorter.rstrip()) < len(longer.rstrip())
    assert len(shorter) >= len(longer.rstrip())


def test_elsewhere_each_epoch_has_a_line(monkeypatch):
    for stream, term in ((io.StringIO(), "xterm"), (Terminal(), "dumb")):
        lines = run(monkeypatch, stream, progress=True, term=term, validation=np.full(3, 2.0)).splitlines()
        assert [line.split("  ")[:5] for line in lines] == [
            [f"epoch {i}/3", "loss 1.0000", "accuracy 1.0000", "validation loss 4.0000", "validation accuracy 2.0000"]
            for i in (1, 2, 3)
        ]


def test_without_progress_nothing_is_written(monkeypatch):
    assert run(monkeypatch, Terminal()) == ""
    assert run(monkeypatch, io.StringIO(), progress=False) == ""


def test_a_process_without_a_standard_error_trains(monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    x = sy.placeholder(ArraySpec("Batch"))
    assert len(fit(sy.mean((x * sy.weight(1.0)) ** 2), np.ones(8), progress=True)) == 1


def test_a_stream_of_ascii_gets_ascii(monkeypatch):
    text = run(monkeypatch, AsciiTerminal(), name="Güte", progress=True)
    assert text.isascii()
    assert "[####" in text
    assert "G?te 1.0000" in text


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        (140, ["loss 1.0000", "accuracy 1.0000", "validation loss 4.0000", "validation accuracy 2.0000"]),
        (80, ["loss 1.0000", "accuracy 1.0000", "val loss 4.0000", "val accuracy 2.0000"]),
        (60, ["loss 1.0000", "val accuracy 2.0000"]),
        (40, ["val accuracy 2.0000"]),
    ],
)
def test_the_last_line_has_the_accuracy_on_the_validation_data(monkeypatch, columns, wanted):
    text = run(monkeypatch, Terminal(), columns, progress=True, validation=np.full(3, 2.0))
    last = text.rstrip("\n").split("\r")[-1]
    assert [part for part in last.split("  ") if part[:1] in "lav" and part] == wanted
    assert len(last) < columns


def test_a_warning_stands_in_a_line_of_its_own(monkeypatch):
    monkeypatch.setattr(_progress, "_PAUSE", 0.0)
    stream = Terminal()
    with _progress.Progress(stream, epochs=1, steps=2) as shown:
        shown.batch({"loss": 1.0})
        shown.end_line()
        shown.end_line()
        stream.write("a warning\n")
        shown.batch({"loss": 0.5})
    first, warning, last, _ = stream.getvalue().split("\n")
    assert ("loss 1.0000" in first, warning, "loss 0.5000" in last) == (True, "a warning", True)


@given(
    means=st.dictionaries(
        st.sampled_from(["a", "b c", "validation a", "validation b c", "validation loss"]), st.floats()
    ),
    room=st.integers(0, 120),
)
def test_numbers_keep_their_order_and_the_room(means, room):
    numbers = {"loss": 0.5, **means}
    kept = _progress.fitting(numbers, room)
    assert len("  ".join(kept)) <= room or len(kept) == 1
    whole = [text.replace("validation ", "val ") for text in _progress.fitting(numbers, 1000)]
    places = [whole.index(text.replace("validation ", "val ")) for text in kept]
    assert places == sorted(places)
    assert kept


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_the_line_ends_when_the_run_is_cut_short(monkeypatch, error):
    calls = []

    def hook(value):
        calls.append(value)
        if len(calls) == 6:
            raise error

    stream = Terminal()
    with pytest.raises(error):
        run(monkeypatch, stream, hook=hook, progress=True)
    text = stream.getvalue()
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert text.split("\r")[-1].startswith("epoch 2/3")


@given(
    width=st.integers(0, 120),
    share=st.floats(0.0, 1.0),
    numbers=st.lists(st.text("abc ", min_size=1, max_size=30), max_size=5),
)
def test_a_line_fits_and_keeps_what_it_can(width, share, numbers):
    text = _progress.line("epoch 1/9", share, numbers, "3 s left", width, "#.")
    assert len(text) <= width
    parts = ["epoch 1/9", *numbers, "3 s left"]
    if len("  ".join(parts)) <= width:
        assert all(part in text for part in parts)
    bar = text[text.find("[") + 1 : text.find("]")] if "[" in text else ""
    assert bar.count("#") == int(share * len(bar))


def test_durations():
    assert [_progress.clock(seconds) for seconds in (0.2, 9.6, 59.4, 59.6, 3599, 3600)] == [
        " 0 s", "10 s", "59 s", "1:00", "59:59", "1:00:00",
    ]  # fmt: skip


def test_a_terminal_of_no_width_is_one(monkeypatch):
    monkeypatch.setenv("COLUMNS", "1")
    assert columns(io.StringIO()) - 1 > 0
