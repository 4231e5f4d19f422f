"""READMEs and the pages of the site are true: their blocks of Python run, in order, and give what they show; the set-up
is what CI runs."""

from __future__ import annotations

import doctest
import linecache
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [*sorted((ROOT / "layertree").rglob("README.md")), *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(path: Path = README) -> list[tuple[int, str]]:
    """The blocks of Python, each with the number of lines before it."""
    text = path.read_text()
    return [(text.count("\n", 0, found.start(1)), found.group(1)) for found in _BLOCK.finditer(text)]


def failures_of(line: int, block: str, names: dict[str, Any], path: Path = README) -> list[str]:
    """What went wrong in a block: one with prompts is a doctest, one without is code."""
    if ">>>" not in block:
        exec(compile("\n" * line + block, str(path), "exec", dont_inherit=True), names)
        return []
    test = doctest.DocTestParser().get_doctest(block, {}, f"{path.name}:{line}", str(path), line)
    for i, example in enumerate(test.examples):  # messages show lines of earlier blocks, too
        lines = example.source.splitlines(keepends=True)
        linecache.cache[f"<doctest {test.name}[{i}]>"] = (len(example.source), None, lines, test.name)
    test.globs = names  # the blocks share their names, of which get_doctest would have made a copy
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=_FLAGS, verbose=False).run(test, out=failures.append, clear_globs=False)
    return failures


def test_every_block_of_python_runs_and_gives_what_it_shows() -> None:
    found = blocks()
    assert len(found) > 10
    names: dict[str, Any] = {"__name__": "__main__"}
    failures = [text for line, block in found for text in failures_of(line, block, names)]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_of_a_page_does(path: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    failures = [text for line, block in blocks(path) for text in failures_of(line, block, names, path)]
    assert not failures, "\n".join(failures)


def test_a_block_that_shows_something_else_fails() -> None:
    assert failures_of(0, ">>> 1 + 1\n3\n", {})
    assert not failures_of(0, ">>> 1 + 1\n2\n", {})


def code() -> str:
    """All blocks as one module, without what they show."""
    parser = doctest.DocTestParser()
    return "\n".join(
        "".join(example.source for example in parser.get_examples(block)) if ">>>" in block else block
        for _, block in blocks()
    )


CHECKERS = {"mypy": ["mypy", "--strict", "--cache-dir=cache"], "pyright": ["pyright"]}


@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checkers_pass_the_readme_and_see_the_mistake_it_names(checker: str, tmp_path: Path) -> None:
    mistake = "hidden @ weight(normal(features, hidden_size))"
    assert f"`{mistake}`" in README.read_text()
    wrong = f"{code()}\n{mistake}\n"
    (tmp_path / "tour.py").write_text(code())
    (tmp_path / "wrong.py").write_text(wrong)
    (tmp_path / "pyrightconfig.json").write_text("{}")  # else it takes one from a folder above
    command = [sys.executable, "-m", *CHECKERS[checker], "tour.py", "wrong.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    errors = re.findall(r"(\w+\.py):(\d+)(?::\d+)?(?: -|:) error", done.stdout)
    assert errors == [("wrong.py", str(wrong.count("\n")))], done.stdout + done.stderr


def test_the_set_up_is_two_commands_after_the_marker() -> None:
    found = re.search(r"^<!-- set-up -->\n```\w*\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    assert found.group(1).splitlines() == ["pip install . && python -m layertree", "pip install '.[test]' && pytest"]


def test_every_link_into_the_project_leads_somewhere() -> None:
    text = README.read_text()
    links = re.findall(r'\]\(([^)#]+)[^)]*\)|src="([^"]+)"', text)
    paths = [path for pair in links for path in pair if path and "://" not in path]
    assert len(paths) > 3
    assert [path for path in paths if not (README.parent / path).exists()] == []
