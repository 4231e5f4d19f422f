"""The progress line of a training run: rewritten in place on a terminal, one line an epoch elsewhere."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from time import perf_counter
from types import TracebackType
from typing import Self, TextIO

from layertree.text.terminal import can_write, columns
from layertree.training.history import Epoch, number_text

_PAUSE = 0.1
"""The least number of seconds between two updates of the line: readable, and of negligible cost."""

_VALIDATION = "validation "
_SHORTEST_BAR = 8
_LONGEST_BAR = 40


class Progress:
    """The progress line of a run; a context manager that ends the line, also after an error.

    ``stream`` is the output, None for no output; ``steps`` is the number of batches in an epoch.
    """

    def __init__(self, stream: TextIO | None, epochs: int, steps: int) -> None:
        self._stream = stream
        self._in_place = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
        self._bar = "█░" if can_write(stream, "█░") else "#."
        self._epochs = epochs
        self._steps = steps
        self._started = self._drawn_at = perf_counter()
        self._drawn = self._done = 0
        self._after_epoch: dict[str, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end_line()

    def batch(self, means: Mapping[str, float]) -> None:
        """After a batch, with the means of the epoch so far; updates the line at most once in ``_PAUSE`` seconds."""
        self._done += 1
        if self._is_due():
            self._draw((self._done - 1) // self._steps + 1, {**self._after_epoch, **means})

    def epoch(self, record: Epoch) -> None:
        """After an epoch: updates the line, or writes a line for the epoch if the stream is no terminal."""
        self._after_epoch = record.numbers()
        if self._is_due() or (self._in_place and record.number == self._epochs):
            self._draw(record.number, self._after_epoch)
        elif self._stream is not None and not self._in_place:
            parts = _head(record.number, self._epochs), *_numbers(self._after_epoch), f"{record.seconds:.1f} s"
            self._write("  ".join(parts) + "\n")

    def end_line(self) -> None:
        """End the line, so that other output starts in a new line; the next update starts another one."""
        if self._drawn:
            self._write("\n")
            self._drawn = 0

    def _is_due(self) -> bool:
        return self._in_place and perf_counter() - self._drawn_at >= _PAUSE

    def _draw(self, epoch: int, numbers: Mapping[str, float]) -> None:
        self._drawn_at = perf_counter()
        share = self._done / (self._epochs * self._steps)
        seconds = self._drawn_at - self._started
        time = f"{clock(seconds / share - seconds)} left" if share < 1 else f"in {clock(seconds).lstrip()}"
        width = columns(self._stream) - 1  # some terminals wrap a line of the full width
        head = _head(epoch, self._epochs)
        shown = fitting(numbers, width - len(head) - 2)
        text = line(head, share, shown, time.ljust(len("59 s left")), width, self._bar)
        self._write("\r" + text.ljust(min(self._drawn, width)))
        self._drawn = len(text)

    def _write(self, text: str) -> None:
        stream = self._stream
        if stream is not None:
            encoding = getattr(stream, "encoding", None) or "utf-8"
            stream.write(text.encode(encoding, "replace").decode(encoding))
            stream.flush()


def line(head: str, share: float, numbers: list[str], time: str, width: int, bar: str) -> str:
    """Head, bar, numbers and time in at most ``width`` characters; parts that do not fit are left out, the bar first.

    >>> line("epoch 1/2", 0.5, ["loss 0.5000"], "3 s left", 50, "#.")
    'epoch 1/2  [######......]  loss 0.5000  3 s left'
    """
    kept: list[str] = []
    for text in (*numbers, time):
        if len("  ".join([head, *kept, text])) <= width:
            kept.append(text)
    # Two columns stay free for the ^C that a terminal echoes.
    room = min(width - 2 - len("  ".join([head, "[]", *kept])), _LONGEST_BAR)
    if room >= _SHORTEST_BAR:
        full = int(share * room)
        kept.insert(0, f"[{bar[0] * full}{bar[1] * (room - full)}]")
    return "  ".join([head, *kept])[:width]


def fitting(numbers: Mapping[str, float], room: int) -> list[str]:
    """Numbers with their names in at most ``room`` characters, in the given order.

    If they do not fit, names are abbreviated; then numbers are left out in the order of increasing importance: metrics
    on the training data, the validation loss, the loss. Validation metrics remain.

    >>> means = {"loss": 0.5, "accuracy": 0.75, "validation loss": 0.625, "validation accuracy": 0.5}
    >>> fitting(means, 80)
    ['loss 0.5000', 'accuracy 0.7500', 'validation loss 0.6250', 'validation accuracy 0.5000']
    >>> fitting(means, 70)
    ['loss 0.5000', 'accuracy 0.7500', 'val loss 0.6250', 'val accuracy 0.5000']
    >>> fitting(means, 40)
    ['loss 0.5000', 'val accuracy 0.5000']
    """
    whole = _numbers(numbers)
    if _fits(whole, room):
        return whole
    short = dict(zip(numbers, _numbers({_short(name): value for name, value in numbers.items()}), strict=True))
    kept = dict(short)
    for name in sorted(numbers, key=_importance):
        if _fits(kept.values(), room):
            break
        if len(kept) > 1:
            del kept[name]
    return list(kept.values())


def _fits(texts: Collection[str], room: int) -> bool:
    return len("  ".join(texts)) <= room


def _short(name: str) -> str:
    return f"val {name.removeprefix(_VALIDATION)}" if name.startswith(_VALIDATION) else name


def _importance(name: str) -> int:
    """The rank of a number; those of lower rank are left out first."""
    if name == "loss":
        return 2
    if not name.startswith(_VALIDATION):
        return 0
    return 1 if name == f"{_VALIDATION}loss" else 3


def clock(seconds: float) -> str:
    """A duration in seconds, minutes or hours, with a width that changes seldom.

    >>> clock(8.4), clock(65), clock(3723)
    (' 8 s', '1:05', '1:02:03')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole:2d} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def _head(epoch: int, epochs: int) -> str:
    return f"epoch {epoch:{len(str(epochs))}d}/{epochs}"


def _numbers(numbers: Mapping[str, float]) -> list[str]:
    return [f"{name} {number_text(value)}" for name, value in numbers.items()]
