"""The hint of an optional extra: one sentence, true for the package and for a checkout of its sources."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from layertree.core.optional import optional_module
from layertree.drawing.save import png_of
from layertree.plots._matplotlib import pyplot
from symbolic.solvers._scipy import optimize

ROOT = Path(__file__).parents[2]


def missing(name: str) -> Any:
    raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.mark.parametrize(
    ("door", "extra"),
    [(pyplot, "plots"), (optimize, "scipy"), (lambda: png_of("<svg/>"), "drawing")],
    ids=["plots", "scipy", "drawing"],
)
def test_each_door_names_an_extra_of_the_project(
    door: Callable[[], Any], extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("layertree.core.optional.import_module", missing)
    with pytest.raises(ModuleNotFoundError) as caught:
        door()
    assert str(caught.value).endswith(
        f", which is not installed: pip install 'layertree[{extra}]',\n  or in a checkout pip install -e '.[{extra}]'"
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert extra in project["optional-dependencies"]


def test_a_dependency_that_a_module_lacks_is_named_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("layertree.core.optional.import_module", lambda name: missing("numpy"))
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'numpy'$"):
        optional_module("scipy", "scipy", "the solvers are SciPy's")


def test_no_other_place_words_a_hint() -> None:
    hint = re.compile(r"pip install .*\[")
    files = [path for package in ("layertree", "symbolic") for path in (ROOT / package).rglob("*.py")]
    assert len(files) > 100
    assert [path.name for path in files if hint.search(path.read_text())] == ["optional.py"]
