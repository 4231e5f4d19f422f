"""The mutants' own tests: mistakes are made where they should be, and one that survives is told."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from layertree import Conv2D, Cos, Max, Times
from tests.mutants import __main__ as command
from tests.mutants import equivalent
from tests.mutants.mutation import mutants
from tests.mutants.targets import Target, changed_since, reached, targets


def texts(function: Any, attributes: tuple[str, ...] = ()) -> set[str]:
    return {mutant.text for mutant in mutants(function, attributes)}


def test_the_mistakes_of_a_product() -> None:
    found = texts(Times.gradient)
    term = "xp.sum_to(xp.multiply(delta, b), a)"
    assert {
        f"{term} -> xp.multiply(delta, b)",  # the sum over broadcast axes skipped
        f"{term} -> delta",  # the delta unchanged
        f"{term} -> xp.negative({term})",  # a sign flipped
        "xp.multiply(delta, b) -> delta",  # a term dropped
        "xp.multiply(delta, b) -> xp.divide(delta, b)",
        "b -> a",
        f"lambda: {term} -> None",
    } <= found
    swapped = [text for text in found if text.startswith("(lambda")]
    assert len(swapped) == 1


def test_the_mistakes_of_a_cosine() -> None:
    assert {
        "xp.sin(a) -> xp.cos(a)",
        "xp.negative(xp.multiply(delta, xp.sin(a))) -> xp.multiply(delta, xp.sin(a))",
    } <= (texts(Cos.gradient))


def test_attributes_are_mistaken_for_one_another() -> None:
    assert "self.stride -> self.dilation" in texts(Conv2D.gradient, Conv2D.__layout__.attributes)


def test_helpers_of_a_rule_are_mutated_too() -> None:
    helpers = {"share_ties", "spread", "narrowed", "widened", "is_half"}
    assert {function.__name__ for function in reached(Max.gradient)} == {"gradient", *helpers}


def test_the_functions_are_as_they_were_afterwards() -> None:
    before = {target.function: target.function.__code__ for target in targets()}
    assert command.main(["--layer", "Times"]) == 0
    assert {target.function: target.function.__code__ for target in targets()} == before


def test_all_are_killed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--layer", "Times", "--layer", "CrossEntropy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == ["Times.gradient", "CrossEntropy.gradient"]
    assert lines[-1].endswith("; 0 survived that should not have")
    assert int(lines[1].split()[1]) > 30


def test_a_survivor_is_told_with_its_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "reason", lambda function, text: None)
    assert command.main(["--layer", "ReLU"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("    line ")
    assert lines[2].endswith(": output -> a")
    assert lines[-1].endswith("; 1 survived that should not have")


def test_what_fails_unmutated_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> None:
        raise AssertionError("it fails anyway")

    monkeypatch.setattr(command, "checks_of", lambda cls: [failing])
    with pytest.raises(AssertionError, match="fails anyway"):
        command.main(["--layer", "ReLU"])


def test_reasons_are_of_mutants_that_exist() -> None:
    by_name = {target.name: target for target in targets()}
    assert set(equivalent.REASONS) <= set(by_name)
    for name, reasons in equivalent.REASONS.items():
        assert set(reasons) <= texts(by_name[name].function, by_name[name].attributes), name


def test_an_unknown_layer(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--layer", "Nothing"])
    assert "no layer with a rule is called Nothing: there are Abs, " in capsys.readouterr().err


RULES = """
class A:
    def gradient(self, xp, delta):
        return {0}

class B:
    def gradient(self, xp, delta):
        return delta
"""


# The option --changed-since reads the older rules by `git show`. The tests of an unpacked source archive need no git: a
# system without git has no revision to name, so the option itself is of no use there.
@pytest.mark.skipif(shutil.which("git") is None, reason="it makes a repository, and git is not installed")
def test_changed_since_a_revision(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=test", "-c", "user.email=test@example.org")
        subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True)

    path = tmp_path / "rules.py"
    path.write_text(RULES.format("delta"))
    git("init", "-q")
    git("add", "rules.py")
    git("commit", "-q", "-m", "rules")
    path.write_text("\n\n" + RULES.format("-delta"))
    spec = importlib.util.spec_from_file_location("rules", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    both = [Target(module.A.gradient), Target(module.B.gradient)]
    assert changed_since("HEAD", both) == both[:1]
    with pytest.raises(SystemExit, match="git knows no revision 'nowhere'"):
        changed_since("nowhere", both)
