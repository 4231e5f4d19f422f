"""The wheel, built as an installer would: what is in it, and that checkers will find its types."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email.parser import HeaderParser
from importlib.util import find_spec
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
PACKAGES = ("layertree", "symbolic")
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    if find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed here: it is in the extra 'test'")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(folder / done.stdout.split()[-1]) as archive:
        yield archive


def in_checkout(package: str) -> set[str]:
    """The files of a package, but for what running it leaves behind."""
    paths = (path for path in (CHECKOUT / package).rglob("*") if path.is_file())
    return {str(path.relative_to(CHECKOUT)) for path in paths if "__pycache__" not in path.parts}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_says_that_it_is_typed(wheel: zipfile.ZipFile, package: str) -> None:
    # Empty: a word in it, "partial", would send checkers to look for stubs.
    assert wheel.read(f"{package}/py.typed") == b""


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_brings_each_file_of_a_package(wheel: zipfile.ZipFile, package: str) -> None:
    packed = {name for name in wheel.namelist() if name.startswith(f"{package}/")}
    assert f"{package}/__init__.py" in packed
    assert packed == in_checkout(package)


def test_the_wheel_brings_nothing_else(wheel: zipfile.ZipFile) -> None:
    roots = {name.partition("/")[0] for name in wheel.namelist()}
    assert {root for root in roots if not root.endswith(".dist-info")} == set(PACKAGES)


def test_the_wheel_says_what_it_is(wheel: zipfile.ZipFile) -> None:
    (metadata,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    fields = HeaderParser().parsestr(wheel.read(metadata).decode())
    assert fields["Name"] == "layertree"
    assert "Typing :: Typed" in (fields.get_all("Classifier") or ())
    assert {"Apache-2.0"} == {fields["License-Expression"]}


def test_what_the_wheel_brings_can_be_imported(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    code = "import symbolic, layertree; print(symbolic.__file__, symbolic.placeholder(float).predict(3.0))"
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == [str(tmp_path / "symbolic" / "__init__.py"), "3.0"], done.stderr
