"""``python -m layertree``: what it prints, what it writes, and how it ends."""

import io
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import layertree
from layertree.__main__ import main
from layertree.demo import digits, drawing, formula
from layertree.demo.page import Page
from layertree.demo.replacement import Replacement

HELD_ROWS = range(4, 1797, 5)
LAST_LINE = r"held-out accuracy: (\d+\.\d) %"


def environment(**more):
    # One thread: many test processes at once would wait for each other's.
    return {**os.environ, "PYTHONPATH": os.path.dirname(layertree.__path__[0]), "OPENBLAS_NUM_THREADS": "1", **more}


def start(*arguments, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "layertree", *arguments],
        env=environment(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """One run that shows all, on a narrow page of ASCII, and one that shows the last line only."""
    folder = tmp_path_factory.mktemp("main")
    found = []
    for name, *options in (("loud",), ("quiet", "--quiet")):
        process = start(
            "--epochs", "1", "--seed", "3", "--predictions", str(folder / name), *options,
            COLUMNS="40", PYTHONIOENCODING="ascii",
        )  # fmt: skip
        out, err = process.communicate()
        found.append((process.returncode, out, err, (folder / name).read_text()))
    return found


def test_the_last_line_is_the_accuracy_of_the_predictions(runs):
    for code, out, _, predictions in runs:
        assert code == 0
        assert re.fullmatch(r"(\d\n){359}", predictions)
        truth = layertree.datasets.digits().labels[HELD_ROWS]
        right = np.mean(truth == [int(line) for line in predictions.splitlines()])
        assert re.fullmatch(LAST_LINE, out.splitlines()[-1]).group(1) == f"{100 * right:.1f}"
        assert right > 0.8  # after one epoch


def test_quiet_prints_the_last_line_only(runs):
    _, (_, out, err, _) = runs
    assert re.fullmatch(LAST_LINE + "\n", out)
    assert err == ""


def test_one_seed_gives_the_same_predictions(runs):
    (_, _, _, first), (_, _, _, second) = runs
    assert first == second


def test_the_page_shows_each_part(runs):
    (_, out, err, predictions), _ = runs
    shown = " ".join(out.split())
    for part in (
        "(1.0 + x) * weight(2.0)",
        "Times(Plus(Literal(1.0), Identity()), Weight(2.0))",
        "Times |-- Plus | |-- Literal(1.0) | `-- Identity() `-- Weight(2.0)",
        "8.0 Times |-- 4.0 Plus | |-- 1.0 Literal | `-- 3.0 Identity `-- 2.0 Weight",
        "1 1.00 1.00 9.000 1.6400",
        "0 1 2 3 4 5 6 7 8 9 0 |",
    ):
        assert part in shown
    assert re.fullmatch(r"epoch 1/1  loss \d\.\d{4}  accuracy \d\.\d{4}  \d+\.\d s\n", err)
    truth = layertree.datasets.digits().labels
    wrong = [
        (row, truth[row], int(line))
        for row, line in zip(HELD_ROWS, predictions.splitlines(), strict=True)
        if truth[row] != int(line)
    ]
    assert re.findall(r"row (\d+):", out) == [str(row) for row, _, _ in wrong]
    assert re.findall(r"an? (\d), taken for (\d)", out) == [(str(true), str(taken)) for _, true, taken in wrong]


def test_no_line_is_wider_than_the_page(runs):
    (_, out, _, _), _ = runs
    assert out.isascii()
    assert max(map(len, out.splitlines())) < 40


def test_ctrl_c_ends_it_with_a_word():
    # Jobs in the background of a shell ignore the signal, and so do their children.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = start()
    signal.signal(signal.SIGINT, before)
    for line in process.stdout:
        if "epochs with Adam" in line:
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.splitlines()[-1] == "interrupted"
    assert "Traceback" not in err


def test_a_closed_pipe_ends_it_without_a_word():
    process = start("--epochs", "1")
    process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        assert "Traceback" not in process.stderr.read()
    assert process.wait() == 141


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epochs", "0"], "--epochs: '0' is not allowed: give a whole number of at least 1"),
        (["--epochs", "abc"], "--epochs: 'abc' is not allowed"),
        (["--seed", "-1"], "--seed: '-1' is not allowed: give a whole number of at least 0"),
        (["--seed", "1.5"], "--seed: '1.5' is not allowed"),
        (["--predictions"], "--predictions: expected one argument"),
        (["--speed", "1"], "unrecognized arguments: --speed 1"),
        (["more"], "unrecognized arguments: more"),
    ],
)
def test_a_wrong_option_is_an_error(capsys, arguments, message):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    out, err = capsys.readouterr()
    assert (caught.value.code, out) == (2, "")
    assert message in err.splitlines()[-1]


def test_a_file_that_cannot_be_written_is_an_error_before_the_work(capsys, tmp_path):
    with pytest.raises(SystemExit) as caught:
        main(["--predictions", str(tmp_path / "missing" / "file")])
    out, err = capsys.readouterr()
    assert (caught.value.code, out) == (2, "")
    assert "cannot write" in err
    assert "No such file" in err


def test_ctrl_c_leaves_the_predictions_as_they_were(monkeypatch, tmp_path, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(digits, "train", interrupted)
    kept = tmp_path / "kept"
    kept.write_text("before")
    for file in (kept, tmp_path / "new"):
        assert main(["--quiet", "--predictions", str(file)]) == 130
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("kept", "before")]
    assert capsys.readouterr().err.splitlines()[-1] == "interrupted"


# The demo redirects the descriptor of an output that fails, so a real descriptor has to fail, not an object in place of
# sys.stdout. This device is the one file that does so without a full disk; macOS and Windows lack it.
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="it writes to /dev/full, which this system does not have")
def test_a_full_device_is_an_error_in_a_line():
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "layertree", "--epochs", "1"],
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert process.returncode == 1
    assert process.stderr.splitlines()[-1] == "cannot write the output: No space left on device"
    assert "Traceback" not in process.stderr


def test_a_replacement_is_whole_or_not_at_all(tmp_path):
    file = tmp_path / "file"
    file.write_text("before")
    file.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(file)
    with pytest.raises(ZeroDivisionError), Replacement(str(link)) as replaced:
        replaced.write(f"{1 // n}\n" for n in (1, 0))
    assert file.read_text() == "before"
    with Replacement(str(link)) as replaced:
        assert file.read_text() == "before"
        replaced.write(["after\n"])
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("after\n", 0o640)
    assert link.is_symlink()
    assert sorted(found.name for found in tmp_path.iterdir()) == ["file", "link"]


def test_help_names_each_option(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    out, _ = capsys.readouterr()
    assert caught.value.code == 0
    for option in ("--epochs N", "--seed N", "--quiet", "--predictions FILE"):
        assert option in out


def test_every_fifth_row_is_held_out():
    data, (images, labels) = digits.split(), layertree.datasets.digits()
    assert data.held_rows.tolist() == list(HELD_ROWS)
    assert np.array_equal(data.held_images, images[HELD_ROWS])
    assert np.array_equal(data.held_labels, labels[HELD_ROWS])
    kept = [row for row in range(1797) if row not in HELD_ROWS]
    assert np.array_equal(data.images, images[kept])
    assert np.array_equal(data.labels, labels[kept])


def test_shifts_move_by_one_pixel_and_keep_the_label():
    image = np.arange(1, 65, dtype=np.uint8).reshape(1, 8, 8)
    moved, labels = digits.shifted(image, np.array([7]))
    assert labels.tolist() == [7] * 5
    assert np.array_equal(moved[0], image[0])
    for shifted, (down, right) in zip(moved[1:], [(0, -1), (-1, 0), (0, 1), (1, 0)], strict=True):
        assert np.count_nonzero(shifted) == 56
        rolled = np.roll(image[0], (down, right), axis=(0, 1))
        assert np.array_equal(shifted[shifted > 0], rolled[shifted > 0])


def test_the_formula_reaches_the_data():
    stream = io.StringIO()
    formula.show(Page(stream))
    steps = re.findall(r"^ +\d+ +\d\.\d\d +\d\.\d\d +\d+\.\d{3} +(\d\.\d{4})  [·●]+$", stream.getvalue(), re.MULTILINE)
    assert len(steps) == 12
    assert float(steps[0]) > 1.5
    assert float(steps[-1]) == pytest.approx(0.5, abs=0.01)
    assert "├── Plus" in stream.getvalue()


def test_a_page_that_nobody_reads():
    page = Page(None)
    formula.show(page)
    assert page.unicode


def test_shades_show_any_ink():
    image = np.array([[0, 1, 4], [5, 12, 16]])
    assert drawing.shaded(image, 16, unicode=True) == ["  ░░░░", "▒▒▓▓██"]
    assert drawing.shaded(image, 16, unicode=False) == ["  ....", "++%%##"]


def test_blocks_wrap_at_the_width():
    blocks = [[f"{i}" * 16] * 2 for i in range(5)]
    for columns, across in ((10, 1), (16, 1), (34, 1), (35, 2), (79, 4), (200, 5)):
        lines = drawing.side_by_side(blocks, columns)
        assert lines[0].split() == ["0" * 16, "1" * 16, "2" * 16, "3" * 16, "4" * 16][:across]
        assert max(map(len, lines)) <= max(columns, 16)
        assert "".join(lines).count("3") == 32
