"""Each notebook runs, shows what is stored, imports what a reader has, and keeps its cells small."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from tests.notebooks.running import FOLDER, answers, differences, normalised, paths, read, run, stored_cells, structure

PATHS = paths()
READERS = {"symbolic", "layertree", "numpy", "matplotlib"} | sys.stdlib_module_names
MOST_LINES = 15


def code_cells(path: Path):
    return [cell for cell in stored_cells(path) if cell.kind == "code"]


def prose(path: Path) -> str:
    return "\n\n".join(cell.source for cell in stored_cells(path) if cell.kind == "markdown")


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_new_run_shows_what_is_stored_and_the_answers_run_after_it(path):
    stored = read(path)
    found = differences(stored, run(stored, [block for answer in answers(path) for block in answer]))
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_imports_what_a_reader_has(path):
    imported = set()
    for cell in code_cells(path):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module).split(".")[0])
    assert imported <= READERS


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_cells_are_small_and_their_outputs_are_stored(path):
    cells = code_cells(path)
    assert max(len(cell.source.splitlines()) for cell in cells) <= MOST_LINES
    assert [cell.count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(output["output_type"] != "error" for cell in cells for output in cell.outputs)
    asked = [cell for cell in cells if "puzzle" not in cell.tags]
    assert sum(bool(cell.outputs) for cell in asked) >= 0.7 * len(asked)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_says_what_it_teaches_checks_it_and_ends_with_exercises(path):
    text = prose(path)
    assert "After this notebook you can" in text
    assert text.count("<details><summary>") == text.count("</details>") >= 3
    if "puzzles" not in path.stem:
        assert re.findall(r"^(\d)\. ", text[text.index("## Exercises") :], re.MULTILINE) == ["1", "2", "3"]
    checks = [cell for cell in code_cells(path) if 'print("right")' in cell.source or "@check" in cell.source]
    assert len(checks) >= 3


@pytest.mark.parametrize("path", [path for path in PATHS if "puzzles" not in path.stem], ids=lambda path: path.stem)
def test_each_answer_is_code_that_claims_something(path):
    assert all(any("assert " in block for block in answer) for answer in answers(path))


def test_each_answer_solves_its_puzzle(capsys):
    path = next(path for path in PATHS if "puzzles" in path.stem)
    solutions = [block for answer in answers(path) for block in answer]
    cells = code_cells(path)
    assert len(solutions) == sum("puzzle" in cell.tags for cell in cells) >= 10
    known: dict[str, object] = {"__name__": "puzzles"}
    for cell in cells:
        exec(compile(solutions.pop(0) if "puzzle" in cell.tags else cell.source, "puzzles", "exec"), known)
    printed = capsys.readouterr().out.splitlines()
    assert set(printed) == {"right"}
    assert len(printed) == sum("@check" in cell.source for cell in cells)


def test_one_puzzle_is_solved_and_the_others_are_not():
    path = next(path for path in PATHS if "puzzles" in path.stem)
    shown = [str(cell.outputs) for cell in code_cells(path) if "@check" in cell.source]
    assert ["not yet" in text for text in shown] == [False, *[True] * (len(shown) - 1)]


@pytest.mark.slow
def test_mypy_says_what_the_notebook_on_types_says(tmp_path):
    path = next(path for path in PATHS if "types" in path.stem)
    mistakes, before = [], ["from __future__ import annotations"]
    for cell in stored_cells(path):
        if cell.kind == "code" and "try:" not in cell.source:
            before.append(cell.source)
        for code, said in re.findall(r"```python\n(.*?)\n```\n\nmypy:\n\n```text\n(.*?)\n```", cell.source, re.DOTALL):
            mistakes.append(("\n".join([*before, code]) + "\n", said))
    assert len(mistakes) >= 5
    for number, (text, _) in enumerate(mistakes):
        (tmp_path / f"mistake_{number}.py").write_text(text)
    options = ["--ignore-missing-imports", "--no-error-summary", "--config-file=", "--hide-error-context"]
    command = [sys.executable, "-m", "mypy", *options, *sorted(map(str, tmp_path.glob("*.py")))]
    output = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER.parent, check=False).stdout
    for number, (_, said) in enumerate(mistakes):
        errors = [line for line in output.splitlines() if f"mistake_{number}.py" in line and " error: " in line]
        wanted = ".*".join(map(re.escape, said.split("...")))
        assert len(errors) == 1, output
        assert re.search(wanted + "$", errors[0]), (said, errors[0])


def test_the_readme_lists_each_notebook():
    listed = re.findall(r"\]\((\d\d_\w+\.ipynb)\)", (FOLDER / "README.md").read_text())
    assert listed == [path.name for path in PATHS]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_links_lead_to_files(path):
    for link in re.findall(r"\]\(([^)#:]+)\)", prose(path)):
        assert (FOLDER / link).exists(), link


def test_last_digits_times_and_addresses_do_not_count():
    assert normalised("loss 0.1234567 in 3.2 ms <f at 0x7fa0b1c2d3e4>") == normalised(
        "loss 0.1234561 in 10 us <f at 0x7fa0b1c2d3ff>"
    )


def test_numbers_and_words_count():
    assert normalised("loss 0.123") != normalised("loss 0.124")
    assert normalised("shape (2, 3)") != normalised("shape (2, 4)")
    assert normalised("a = 1") != normalised("b = 1")


def test_drawings_are_compared_by_their_elements():
    one = '<svg><g><text x="1">a</text></g></svg>'
    assert structure(one) == structure(one.replace('"1"', '"2"'))
    other = '<svg><g><rect/><text x="1">a</text></g></svg>'
    assert structure(one) != structure(other)
    images = [f'<img src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}">' for svg in (one, other)]
    assert structure(images[0]) == ["img", *structure(one)]
    assert structure(images[1]) == ["img", *structure(other)]
