"""READMEs and the pages of the site are true: their blocks of Python run, in order, and give what they show; the set-up
is what CI runs."""

from __future__ import annotations

import doctest
import linecache
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.readme import MISTAKE, README, ROOT, blocks

PAGES = [*sorted((ROOT / "layertree").rglob("README.md")), *sorted((ROOT / "docs").rglob("*.md"))]
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


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


def test_the_mistake_that_checkers_see_is_there() -> None:
    assert f"`{MISTAKE}`" in README.read_text()


def test_the_set_up_is_two_commands_after_the_marker() -> None:
    found = re.search(r"^<!-- set-up -->\n```\w*\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    assert found.group(1).splitlines() == ["pip install . && python -m layertree", "pip install '.[test]' && pytest"]


@pytest.mark.skipif(shutil.which("git") is None, reason="it makes a clone, and git is not installed")
def test_what_is_needed_before_the_set_up_stands_above_it(tmp_path: Path) -> None:
    """The block above the two commands makes a clone and an environment whose Python is the one that then runs."""
    above = README.read_text().split("<!-- set-up -->")[0]
    block = re.findall(r"^```sh\n(.*?)^```$", above, re.MULTILINE | re.DOTALL)[-1]
    origin, shell = tmp_path / "origin", f"{block}python -c 'import sys; print(sys.prefix)'\n"
    subprocess.run(["git", "init", "--quiet", str(origin)], check=True)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    script = shell.replace("ADDRESS", "origin").replace("-m venv", "-m venv --without-pip")
    path = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-ec", script], cwd=tmp_path, env=path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tmp_path / "layertree" / ".venv")


def test_every_link_into_the_project_leads_somewhere() -> None:
    text = README.read_text()
    links = re.findall(r'\]\(([^)#]+)[^)]*\)|src="([^"]+)"', text)
    paths = [path for pair in links for path in pair if path and "://" not in path]
    assert len(paths) > 3
    assert [path for path in paths if not (README.parent / path).exists()] == []
