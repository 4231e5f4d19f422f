"""What is shipped: what an import brings with it, the metadata, the families, and the size of files."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import layertree
import symbolic
from layertree import Layer
from layertree.layers import families

PACKAGES = (layertree, symbolic)
CHECKOUT = Path(__file__).parent.parent
RUNTIME = {"attrs", "numpy", "typing-extensions"}
PUBLIC = [
    "layertree",
    "layertree.datasets",
    "layertree.plots",
    "layertree.typing",
    "symbolic",
    "symbolic.attention",
    "symbolic.derivatives",
    "symbolic.initializers",
    "symbolic.losses",
    "symbolic.nn",
    "symbolic.parsing",
    "symbolic.simplification",
    "symbolic.solvers",
]
PROGRAM = {"__main__.py", "demo"}  # what `python -m layertree` runs, above both packages


def sources(package: ModuleType) -> list[Path]:
    return sorted(Path(package.__path__[0]).rglob("*.py"))


def imported_by(statement: str) -> set[str]:
    """The modules that a statement loads in a fresh process."""
    code = f"import sys; before = set(sys.modules); {statement}; import json; "
    code += "print(json.dumps(sorted(set(sys.modules) - before)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def installed() -> metadata.Distribution:
    try:
        return metadata.distribution("layertree")
    except metadata.PackageNotFoundError:
        pytest.skip("layertree is not installed here, so it has no metadata; the sources are tested as they stand")


def shipped() -> dict[str, Path]:
    """The files that the installation brought, by their path in it."""
    distribution = installed()
    files = {str(file): Path(str(file.locate())) for file in distribution.files or ()}
    if "layertree/__init__.py" not in files:
        pytest.skip("an editable installation ships no files of the packages")
    return files


def test_importing_symbolic_loads_its_dependencies_and_nothing_else() -> None:
    loaded = imported_by("import symbolic")
    roots = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert roots == {"numpy", "attr", "attrs", "typing_extensions", "symbolic", "layertree"}


def test_families_of_layers_load_when_they_are_first_used() -> None:
    names = {family.__name__ for family in families()}
    assert len(names) > 5
    assert not names & imported_by("import symbolic")
    assert names & imported_by("import symbolic; symbolic.placeholder(float) + 1.0") == {"layertree.layers.arithmetic"}


# What takes long to load, and what few programs need.
HEAVY = """
    dataclasses lzma numpy.testing numpy.typing shutil
    layertree.text.code layertree.text.formula layertree.text.display layertree.text.printer layertree.text.values
    layertree.tape.check layertree.datasets layertree.program layertree.rewrite.derive layertree.rewrite.selection
    layertree.rewrite.simplify layertree.rewrite.surgery layertree.training.fit layertree.updates.schedules
    layertree.typing
    symbolic.attention symbolic.building.decorator symbolic.building.text symbolic.derivatives symbolic.parsing
    symbolic.signatures.arrays symbolic.signatures.functions.arithmetic symbolic.signatures.operators.arithmetic
    symbolic.simplification symbolic.solvers
"""
# The same of compiling.
RARE = """
    decimal fractions pathlib queue shutil layertree.text.formula layertree.program.report
    layertree.rewrite.derive layertree.rewrite.selection layertree.rewrite.summary
"""
FORMULA = "import layertree, symbolic as sy; f = sy.tanh(sy.placeholder(float) * sy.weight(2.0))"
STEP = f"{FORMULA}; f.forward(1.0).backward()"
COMPILED = f"{FORMULA}; layertree.compile(f, train=True)(1.0)"


def test_heavy_modules_load_when_something_needs_them() -> None:
    heavy, rare = set(HEAVY.split()), set(RARE.split())
    assert {name for name in heavy | rare if find_spec(name) is None} == set()
    basis = imported_by("import numpy")
    assert not heavy & (imported_by("import symbolic") - basis)
    assert not heavy & (imported_by(STEP) - basis)
    assert not rare & (imported_by(COMPILED) - basis)
    assert "layertree.program.step_program" in imported_by(COMPILED)
    assert "layertree.training.fit" in imported_by("import layertree; layertree.fit")
    assert "symbolic.derivatives" in imported_by("from symbolic import grad")
    assert "layertree.text.formula" in imported_by("import symbolic; str(symbolic.placeholder(float))")


def test_imports_run_one_way() -> None:
    root = Path(layertree.__path__[0])
    for path in sources(layertree):
        if path.relative_to(root).parts[0] in PROGRAM:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.partition(".")[0] == "symbolic"], (path, ast.dump(node))


def test_what_checkers_read_names_exactly_the_families_that_exist() -> None:
    tree = ast.parse(Path(layertree.__file__).read_text())
    starred = [
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and [alias.name for alias in node.names] == ["*"]
    ]
    assert starred == sorted(family.__name__ for family in families())


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.__name__.rpartition(".")[2])
def test_a_family_makes_public_exactly_its_layer_classes(family: Any) -> None:
    classes = {
        name
        for name, value in vars(family).items()
        if isinstance(value, type) and issubclass(value, Layer) and value.__module__ == family.__name__
    }
    assert set(family.__all__) == {name for name in classes if not name.startswith("_")}
    assert len(family.__all__) == len(set(family.__all__)) > 0
    assert all(getattr(layertree, name) is getattr(family, name) for name in family.__all__)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_no_file_is_longer_than_400_lines(package: ModuleType) -> None:
    lengths = {str(path): len(path.read_text().splitlines()) for path in sources(package)}
    assert max(lengths.values()) > 20
    assert {path: length for path, length in lengths.items() if length > 400} == {}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_the_package_says_that_it_is_typed(package: ModuleType) -> None:
    assert (Path(package.__path__[0]) / "py.typed").is_file()


def test_the_metadata_asks_for_three_dependencies() -> None:
    required = installed().requires or []
    unconditional = [line for line in required if "extra ==" not in line]
    names = {re.split(r"[^\w.-]", line)[0].lower().replace("_", "-") for line in unconditional}
    assert names == RUNTIME
    assert len(unconditional) == len(RUNTIME)
    assert set(installed().metadata.get_all("Provides-Extra") or ()) == {
        *("bench", "dev", "docs", "drawing", "notebooks", "plots", "scipy", "test")
    }


def test_the_version_is_the_same_everywhere() -> None:
    assert installed().version == layertree.__version__


def test_an_installation_brings_the_packages_whole_and_nothing_beside_them() -> None:
    files = shipped()
    roots = {name.partition("/")[0] for name in files}
    assert {root for root in roots if not root.endswith(".dist-info")} == {"layertree", "symbolic"}
    assert {"layertree/py.typed", "symbolic/py.typed", "layertree/datasets/digits.csv.gz"} <= set(files)
    assert {f"layertree/datasets/nist/{name}.dat" for name in ("Misra1a", "Thurber")} <= set(files)
    for package in ("layertree", "symbolic"):
        in_checkout = {str(path.relative_to(CHECKOUT)) for path in (CHECKOUT / package).rglob("*.py")}
        assert in_checkout == {name for name in files if name.startswith(f"{package}/") and name.endswith(".py")}


def test_the_tests_meet_what_is_installed() -> None:
    files = shipped()
    for package in PACKAGES:
        assert Path(str(package.__file__)).samefile(files[f"{package.__name__}/__init__.py"])


@pytest.mark.parametrize("package", [layertree, symbolic])
def test_names_are_listed_before_they_load(package: ModuleType) -> None:
    """What completes names in a prompt asks ``dir``."""
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_module_lists_what_is_public(name: str) -> None:
    """``dir`` has ``__all__``, public modules and Python's own names: no import, no helper, no module of a room."""
    module = importlib.import_module(name)
    own = {found for found in dir(module) if not found.startswith("__")}
    inside = {found.removeprefix(f"{name}.") for found in PUBLIC if found.startswith(f"{name}.")}
    of_python = {"abs", "max", "min", "pow", "round", "sum"} if module is symbolic else set[str]()
    assert own == {*[found for found in module.__all__ if not found.startswith("__")], *inside, *of_python}
    assert all(hasattr(module, found) for found in own)
    assert not own & {"TYPE_CHECKING", "Any", "annotations", "import_module", "listed", "np"}


def test_public_modules_are_those_that_the_packages_export() -> None:
    found = {
        f"{package.__name__}.{name}"
        for package in PACKAGES
        for name in dir(package)
        if not name.startswith("__") and isinstance(getattr(package, name), ModuleType)
    }
    assert sorted(found) == sorted(name for name in PUBLIC if "." in name)
