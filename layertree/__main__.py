"""``python -m layertree``: see a formula, its layers and its tapes, and train a classifier of handwritten digits."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

_INTERRUPTED = 130  # 128 and the number of the signal, as shells report it
_CLOSED_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; the exit code."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return _INTERRUPTED
    except OSError as error:
        # Python would flush once more at exit, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return _CLOSED_PIPE  # whoever read the output has seen enough
        print(f"cannot write the output: {error.strerror}", file=sys.stderr)
        return 1


# Imports inside of the functions below are there for loading time: ``--help`` and errors need no training data.


def _run(arguments: Sequence[str] | None) -> int:
    from layertree.demo import digits

    parser = _parser(digits.EPOCHS)
    options = parser.parse_args(arguments)
    with _opened(parser, options.predictions) as file:
        return _show(options, file)


def _show(options: argparse.Namespace, file: Any) -> int:
    """Both parts of the demo, and the predictions in the file; the exit code."""
    from layertree.demo import digits, formula
    from layertree.demo.page import Page

    page = Page(None if options.quiet else sys.stdout)
    formula.show(page)
    page.title("A network is a larger formula")
    data = digits.split()
    model = digits.train(
        data.images, data.labels, epochs=options.epochs, number=options.seed, page=page, progress=not options.quiet
    )
    predicted = model.predict(digits.inputs(data.held_images)).argmax(-1)
    digits.report(page, data, predicted)
    code = _write(file, predicted)
    print(f"held-out accuracy: {100.0 * (predicted == data.held_labels).mean():.1f} %", flush=True)
    return code


def _parser(epochs: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m layertree",
        description="Show a formula, its layers and its tapes, and fit it to data; then train a convolutional "
        "classifier on the bundled handwritten digits and ask it about the 359 that it never saw, every fifth row of "
        "the file. One seed gives the same result each time.",
    )
    parser.add_argument(
        "--epochs", type=_at_least(1), default=epochs, metavar="N", help="passes over the digits (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=_at_least(0), default=0, metavar="N", help="of the random numbers (default: %(default)s)"
    )
    parser.add_argument("--quiet", action="store_true", help="print the last line only, the held-out accuracy")
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        help="write what each held-out digit was taken for, one a line in the order of the rows",
    )
    return parser


def _at_least(least: int) -> Any:
    def whole_number(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not allowed: give a whole number of at least {least}")
        return number

    return whole_number


def _opened(parser: argparse.ArgumentParser, path: str | None) -> Any:
    """The file for the predictions, opened before the work begins."""
    from layertree.demo.replacement import Replacement

    if path is None:
        return nullcontext()
    try:
        return Replacement(path)
    except OSError as error:
        parser.error(f"argument --predictions: cannot write {path!r}: {error.strerror}")


def _write(file: Any, predicted: Any) -> int:
    """Write the predictions, one a line; the exit code."""
    if file is None:
        return 0
    try:
        file.write(f"{digit}\n" for digit in predicted)
    except OSError as error:
        print(f"cannot write {file.path!r}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _prefer_one_thread() -> None:
    """Start again with one thread for matrix products, unless the user has set how many.

    OpenBLAS reads the number when it loads, which it has by now. Products as small as these gain nothing from a second
    thread, but wait for it: on two busy cores that makes a run of 7 seconds one of 90.
    """
    if os.name == "posix" and sys.executable and "OPENBLAS_NUM_THREADS" not in os.environ:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


if __name__ == "__main__":
    _prefer_one_thread()
    sys.exit(main())
