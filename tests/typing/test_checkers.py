"""All checkers accept the one set of modules, and reject just the marked lines of the other.

The code of the README is a module of either set, in the other one with the mistake that the README names. One run of a
checker reads all of them, since most of its time goes into NumPy and the library.

What is no error to all: for two inputs in one operator pyrefly infers their union, as if a formula that takes either
were wanted, and it takes a formula of an array for a function where a derivative wants one of a number; and ``abs`` and
``divmod`` of Python go by protocols, where only pyright looks at the type of ``self``.
"""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest

from symbolic import seed
from tests.readme import MISTAKE, code
from tests.typing.claims import Claims
from tests.typing.table import HERE, modules, table

# In strict mode pyright follows each error with what it no longer knows; that is no error of its own.
CONSEQUENCE = re.compile("reportUnknown|reportUnused")

Errors = dict[str, str]
"""A line, as ``rejected/scalar.py:14``, to the first message there."""


def written(folder: Path) -> str:
    """Write the modules and the settings of the checkers into a folder; returns the line of the README's mistake."""
    for name in ("accepted", "rejected"):
        shutil.copytree(HERE / name, folder / name)
    for name in ("pyrightconfig.json", "pyrefly.toml"):
        shutil.copy(HERE / name, folder)
    tour = f"# pyright: standard\n{code()}\n"
    (folder / "accepted" / "readme.py").write_text(tour)
    (folder / "rejected" / "readme.py").write_text(f"{tour}{MISTAKE}\n")
    return f"rejected/readme.py:{tour.count(chr(10)) + 1}"


def mypy(folder: Path) -> Errors:
    flags = ["--strict", "--explicit-package-bases", "--cache-dir=cache"]
    command = [sys.executable, "-m", "mypy", *flags, "accepted", "rejected"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    lines = [re.match(r"(.+?:\d+): error: (.*)", line) for line in done.stdout.splitlines()]
    return {found.group(1): found.group(2) for found in reversed(lines) if found}


def pyright(folder: Path) -> Errors:
    command = [sys.executable, "-m", "pyright", "--outputjson"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    errors: Errors = {}
    for one in json.loads(done.stdout)["generalDiagnostics"]:
        path, rule = Path(one["file"]).relative_to(folder.resolve()), one.get("rule", "")
        if one["severity"] == "error" and not (path.parts[0] == "rejected" and CONSEQUENCE.match(rule)):
            errors.setdefault(f"{path}:{one['range']['start']['line'] + 1}", f"{one['message']} [{rule}]")
    return errors


def pyrefly(folder: Path) -> Errors:
    command = [sys.executable, "-m", "pyrefly", "check", f"--python-interpreter-path={sys.executable}"]
    done = subprocess.run([*command, "--output-format=json"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    errors: Errors = {}
    for one in json.loads(done.stdout)["errors"]:
        if one["severity"] == "error":
            errors.setdefault(f"{one['path']}:{one['line']}", f"{one['concise_description']} [{one['name']}]")
    return errors


@pytest.mark.parametrize("checker", [mypy, pyright, pyrefly], ids=lambda checker: checker.__name__)
def test_the_marked_lines_are_the_errors(checker: Any, tmp_path: Path) -> None:
    wanted = {one.line for one in table("rejected") if checker.__name__ in one.checkers}
    assert len(wanted) >= 150
    wanted.add(written(tmp_path))
    errors = checker(tmp_path)
    missed = sorted(wanted - errors.keys())
    unwanted = {line: text for line, text in errors.items() if line not in wanted}
    assert (missed, unwanted) == ([], {})


@pytest.mark.parametrize("path", modules("accepted"), ids=lambda path: path.stem)
def test_types_are_true(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = Claims()
    monkeypatch.setattr(typing, "assert_type", claims.check)
    with seed(0):
        runpy.run_path(str(path))
    assert claims.count > 10
    assert claims.broken == []
